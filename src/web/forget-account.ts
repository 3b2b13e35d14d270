/**
 * What a browser keeps of an account goes with it. What this promises:
 *
 * - What is typed and not stored yet, and recordings that were not sent, stay after signing out. Only
 *   their owner finds them again.
 * - When the account is deleted here, they are removed.
 *
 * In `localStorage` whatever somebody typed or sent has the id of the account in its key. Rooms that keep
 * things elsewhere say how these are removed: the account, an earlier room, does not know them.
 */
import { SHARED } from './shared-origin.ts'
import { forgetTab } from './tab-memory.ts'

type Forget = (userId: string) => Promise<void>

const elsewhere = new Set<Forget>()

export const alsoForget = (forget: Forget): void => void elsewhere.add(forget)

/** When somebody signs out: what the tab remembers, and files that were shared with the app. */
export function forgetVisit(): void {
  forgetTab()
  forgetOlder()
  void globalThis.caches?.delete(SHARED)
}

/** Until November 2026 uploads that were begun had a key without the account. */
function forgetOlder(): void {
  try {
    localStorage.removeItem('uploads-begun')
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}

const LONGEST_MS = 3_000

/** Never throws, and waits for no store that does not answer: the account is gone, whatever the browser says. */
export async function forgetAccount(userId: string): Promise<void> {
  forgetVisit()
  try {
    for (const key of Object.keys(localStorage))
      if (key.includes(userId)) localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden nothing was kept.
  }
  const all = Promise.allSettled([...elsewhere].map((forget) => forget(userId)))
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))])
}
