const KEY = 'quoth-note'

/** What the next page, if it is one without the app, says when it is there. */
export function noteForNextPage(words: string): void {
  try {
    sessionStorage.setItem(KEY, words)
  } catch {
    // Storage is forbidden: the page shows by itself what has happened.
  }
}

/** The note of the page before, once. */
export function takeNote(): string | null {
  try {
    const words = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return words
  } catch {
    return null
  }
}
