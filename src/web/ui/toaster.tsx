import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react'

import { type Shown, sayWhatWaited, shownToasts, subscribe } from './toast.tsx'

const none: readonly Shown[] = []

// The code cannot be loaded, for example after a new version was deployed. Then no toast is shown:
// the page works without, and errors also stand beside what failed.
type View = ComponentType<{ toasts: readonly Shown[] }>
const Nothing: View = () => null
const ToastView = lazy<View>(() =>
  import('./toast-view.tsx').then(
    ({ ToastView }) => ({ default: ToastView }),
    () => ({ default: Nothing }),
  ),
)

/** Where toasts appear; once, in the root. Its code is fetched with the first toast. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribe, shownToasts, () => none)
  useEffect(sayWhatWaited, [])
  if (toasts.length === 0) return null
  return (
    <Suspense>
      <ToastView toasts={toasts} />
    </Suspense>
  )
}
