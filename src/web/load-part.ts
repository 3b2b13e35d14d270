const KEPT_KEY = 'loaded-again-at'
/** A page that was loaded again this recently and still misses a file would miss it for ever. */
const AGAIN_AFTER_MS = 30_000

/**
 * Fetches code that a page needs now: `lazy(() => loadPart(() => import('./results-view.tsx')))`.
 * After a new version was put in place the old page's files are gone: the page is loaded again,
 * once, and comes back as the new version.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (!mayLoadAgain()) throw error
    location.reload()
    // The page is leaving: neither the part nor the error is shown any more.
    return new Promise(() => undefined)
  }
}

function mayLoadAgain(): boolean {
  // Offline every file is missing, and the page itself would be too.
  if (!navigator.onLine) return false
  try {
    const last = Number(sessionStorage.getItem(KEPT_KEY))
    sessionStorage.setItem(KEPT_KEY, String(Date.now()))
    return Date.now() - last > AGAIN_AFTER_MS
  } catch {
    return false // Storage is forbidden: nothing could tell the second time from the first.
  }
}
