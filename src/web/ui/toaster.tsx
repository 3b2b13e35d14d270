import { Suspense, lazy, useEffect, useSyncExternalStore } from 'react'

import { afterTheScreen } from '#web/later.tsx'

import { sayWhatWaited, shownToast, subscribe } from './toast.tsx'

const load = () => import('./toast-box.tsx')

/** Not by `later`, which says by a toast that it has failed. */
const ToastBox = lazy(async () => ({
  default: await load().then(
    (module) => module.ToastBox,
    () => () => null,
  ),
}))

/**
 * Where toasts appear; once, in the root. Their box comes after the screen and before it is needed, so
 * that it is there to say that the network is gone. F8 moves the focus to it.
 */
export function Toaster() {
  const toast = useSyncExternalStore(subscribe, shownToast, () => null)
  useEffect(sayWhatWaited, [])
  useEffect(() => afterTheScreen(() => void load().catch(() => undefined)), [])
  return <Suspense>{toast ? <ToastBox key={toast.id} {...toast} /> : null}</Suspense>
}
