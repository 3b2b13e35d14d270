/**
 * Texts that a tab remembers until it is closed. Where the browser forbids storage nothing is kept or
 * found.
 */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Forbidden: later nothing is recalled, and the page goes on without it.
  }
}

/** All that the tab remembers. */
export function forgetTab(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Forbidden: nothing was kept.
  }
}

export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
