import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react'

export interface ToastWords {
  title: string
  description?: string
  /** destructive: something failed. */
  variant?: 'default' | 'destructive'
  /** One thing to do about it, for example Undo. */
  action?: { label: string; onPress: () => void }
  /** Stays this long where the usual five seconds are too short to act on it. */
  durationMs?: number
  /** Said on the way to another page, so it stays in view there. */
  goesAlong?: boolean
}

export type Shown = ToastWords & { id: number; open: boolean }

/** One at a time: a new toast takes the place of the one before. */
const LIMIT = 1
/** A closed toast stays in the list this long, so that its leaving is never cut off. */
const REMOVE_DELAY_MS = 1_000_000
const AFTER_LOAD_KEY = 'toast-after-load'

let shown: Shown[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** `toast({ title: 'Copied to clipboard' })`, from anywhere. */
export function toast(words: ToastWords): void {
  lastId += 1
  change([{ ...words, id: lastId, open: true }, ...shown].slice(0, LIMIT))
}

/** Takes away what was said about a state that is over. */
export function clearToast(): void {
  for (const { id, open } of shown) if (open) closeToast(id)
}

/** The same on a new page, but for what was said on the way to it. */
export function clearToastOfLastPage(): void {
  for (const { id, open, goesAlong } of shown) if (open && !goesAlong) closeToast(id)
  change(shown.map((one) => ({ ...one, goesAlong: false })))
}

/** Says it on the page that loads next, for acts that end in a page load. */
export function toastAfterLoad(words: Omit<ToastWords, 'action'>): void {
  sessionStorage.setItem(AFTER_LOAD_KEY, JSON.stringify(words))
}

export function closeToast(id: number): void {
  change(shown.map((one) => (one.id === id ? { ...one, open: false } : one)))
  setTimeout(() => change(shown.filter((one) => one.id !== id)), REMOVE_DELAY_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const none: Shown[] = []

/** What is in view, and what is on its way out of it. */
export const shownToasts = (): readonly Shown[] => shown

// Its file is gone after a new version was put in place. A toast is no reason to break the page, and
// what matters also stands where the act was.
type View = ComponentType<{ toasts: Shown[] }>
const Nothing: View = () => null
const ToastView = lazy<View>(() =>
  import('./toast-view.tsx').then(
    ({ ToastView }) => ({ default: ToastView }),
    () => ({ default: Nothing }),
  ),
)

/** Where toasts appear; once, in the root. Its code is fetched with the first toast. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  )
  useEffect(sayWhatWaited, [])
  if (toasts.length === 0) return null
  return (
    <Suspense>
      <ToastView toasts={toasts} />
    </Suspense>
  )
}

function sayWhatWaited(): void {
  const waiting = sessionStorage.getItem(AFTER_LOAD_KEY)
  if (!waiting) return
  sessionStorage.removeItem(AFTER_LOAD_KEY)
  toast(JSON.parse(waiting))
}
