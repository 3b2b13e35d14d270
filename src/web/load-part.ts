const KEPT_KEY = 'loaded-again-at'
/** A page that was reloaded less than this ago and still misses a file is not reloaded again. */
const AGAIN_AFTER_MS = 30_000

/**
 * Fetches code that a page needs now: `lazy(() => loadPart(() => import('./results-view.tsx')))`.
 * A redeploy removes the files of the version that an open page belongs to. Then the page reloads,
 * once, and comes back as the new version.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (!mayLoadAgain()) throw error
    location.reload()
    // The page is being reloaded: until then it shows neither the part nor an error.
    return new Promise(() => undefined)
  }
}

function mayLoadAgain(): boolean {
  // Without a network the reload would fail too.
  if (!navigator.onLine) return false
  try {
    const last = Number(sessionStorage.getItem(KEPT_KEY))
    sessionStorage.setItem(KEPT_KEY, String(Date.now()))
    return Date.now() - last > AGAIN_AFTER_MS
  } catch {
    return false // Storage is forbidden, so the second reload would look like the first.
  }
}
