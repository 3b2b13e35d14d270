/** Restores scroll positions where the router's `ScrollRestoration` does not. */

/** After this long the scrolling gives up, even if the page still grows. */
const GROWTH_MS = 5000

/**
 * Gives a key to history entries that the browser makes itself: for the first page of a document,
 * and for a link within a page (`#main`). Without keys they would all share one scroll position.
 * Must be called before the router is made.
 */
export function keyOwnEntries(): void {
  const addKey = () => {
    const entry = history.state as { key?: string } | null
    if (!entry?.key)
      history.replaceState({ ...entry, key: Math.random().toString(36).slice(2) }, '')
  }
  addKey()
  addEventListener('popstate', addKey)
}

/**
 * Scrolls to a place that the page is still too short for, again and again while it grows towards
 * it. A page that already stands there is left alone: its user, or a link to a part of it, may
 * scroll it in the meantime.
 */
export function scrollWhenGrown(top: number): (() => void) | undefined {
  if (window.scrollY >= top - 1) return undefined
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= top - 1) growth.disconnect()
  })
  growth.observe(document.body)
  const stop = () => growth.disconnect()
  const signal = AbortSignal.timeout(GROWTH_MS)
  signal.addEventListener('abort', stop)
  // A user who scrolls or types has chosen another place, so the scrolling stops.
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(kind, stop, { signal, passive: true })
  return stop
}
