export interface ToastWords {
  title: string
  description?: string
  /** destructive: something failed. */
  variant?: 'default' | 'destructive'
  /** One thing to do about it, for example Undo. */
  action?: { label: string; onPress: () => void }
  /** How long it stays; by default five seconds. */
  durationMs?: number
  /** It stays in view when the next page opens. */
  goesAlong?: boolean
}

export type ToastState = ToastWords & { id: number; open: boolean }

/** A closed toast is kept this long, so that it can fade out completely. */
const REMOVE_DELAY_MS = 1_000_000
const AFTER_LOAD_KEY = 'toast-after-load'

let shown: ToastState | null = null
let lastId = 0
const listeners = new Set<() => void>()

function change(next: ToastState | null): void {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * `toast({ title: 'Copied to clipboard' })`, from anywhere. They come one at a time: a new one takes
 * the place of the one before.
 */
export function toast(words: ToastWords): void {
  lastId += 1
  change({ ...words, id: lastId, open: true })
}

/** `toastFailure('Not saved', 'Please try again.')`: what failed, and why or what to do. */
export const toastFailure = (title: string, description: string): void =>
  toast({ title, description, variant: 'destructive' })

/** Removes the toast, because its message is not true any more. */
export function clearToast(): void {
  if (shown?.open) closeToast(shown.id)
}

/**
 * Removes a toast that would lie over what is opened now. One that tells of a failure or offers
 * something to do stays.
 */
export function clearToastThatOnlyTells(): void {
  if (shown && shown.variant !== 'destructive' && !shown.action) clearToast()
}

/** Removes the toast when a new page opens, unless it has `goesAlong`. */
export function clearToastOfLastPage(): void {
  if (shown?.goesAlong) change({ ...shown, goesAlong: false })
  else clearToast()
}

/** Shows the toast on the page that loads next, for actions that end in a page load. */
export function toastAfterLoad(words: Omit<ToastWords, 'action'>): void {
  sessionStorage.setItem(AFTER_LOAD_KEY, JSON.stringify(words))
}

export function closeToast(id: number): void {
  if (shown?.id === id) change({ ...shown, open: false })
  setTimeout(() => {
    if (shown?.id === id) change(null)
  }, REMOVE_DELAY_MS)
}

/** Calls the listener at each change, until the returned function is called. */
export const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The toast in view, or the one that is fading out. */
export const shownToast = (): ToastState | null => shown

/** Shows the toast that the page before has left with `toastAfterLoad`. */
export function sayWhatWaited(): void {
  const waiting = sessionStorage.getItem(AFTER_LOAD_KEY)
  if (!waiting) return
  sessionStorage.removeItem(AFTER_LOAD_KEY)
  toast(JSON.parse(waiting))
}
