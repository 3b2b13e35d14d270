const AGAIN_KEY = 'loaded-again-at'
/** A page that was reloaded less than this ago and still misses a file is not reloaded again. */
const AGAIN_AFTER_MS = 30_000
/** A page and its layouts are fetched at once, and missed at once: one reload is for all of them. */
const TOGETHER_MS = 1_000

/** When this page asked to be reloaded. It is still here: about to go, or somebody has chosen to stay. */
let askedAt: number | null = null

/**
 * A redeploy removes the files of the version that an open page belongs to. Then the page reloads,
 * once, and comes back as the new version. The browser asks first where something would be lost. A user
 * who stays keeps the page: a file that it lacks is asked for again, and never shown as an error.
 */
export function loadAgain(error: unknown): Promise<never> {
  const now = performance.now()
  if (askedAt === null && !mayLoadAgain()) throw error
  if (askedAt === null || now - askedAt > TOGETHER_MS) {
    askedAt = now
    location.reload()
  }
  // Until then neither the next page is shown nor an error.
  return new Promise(() => undefined)
}

function mayLoadAgain(): boolean {
  // Without a network the reload would fail too.
  if (!navigator.onLine) return false
  try {
    const last = Number(sessionStorage.getItem(AGAIN_KEY))
    sessionStorage.setItem(AGAIN_KEY, String(Date.now()))
    return Date.now() - last > AGAIN_AFTER_MS
  } catch {
    return false // Storage is forbidden, so the second reload would look like the first.
  }
}
