/** What a tab remembers until it is closed. Where the browser forbids storage nothing is kept or found. */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Forbidden: whoever recalls it finds nothing, and goes on without.
  }
}

export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
