const KEY = 'quoth-note'

/** Leaves a message that the next page shows, if it is a page without the app. */
export function noteForNextPage(words: string): void {
  try {
    sessionStorage.setItem(KEY, words)
  } catch {
    // The browser forbids storage. The next page shows by itself what has happened.
  }
}

/** Takes the message that the page before left, so that it is shown once. */
export function takeNote(): string | null {
  try {
    const words = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return words
  } catch {
    return null
  }
}
