/** What the router's `ScrollRestoration` lacks: its own positions, and pages that grow. */

/** After this long a page that still grows is left where it stands. */
const GROWTH_MS = 5000

/**
 * Gives a key to the history entries that the browser makes itself: for the first page of a
 * document, and for a link within a page (`#main`). Without one they would all share the scroll
 * position that was kept last. To be called before the router is made.
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

/** Scrolls to a place that the page may not reach yet, again and again while the page grows. */
export function scrollWhenGrown(top: number): () => void {
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= top - 1) growth.disconnect()
  })
  growth.observe(document.body)
  const stop = () => growth.disconnect()
  const signal = AbortSignal.timeout(GROWTH_MS)
  signal.addEventListener('abort', stop)
  // Whoever scrolls or types has chosen another place.
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(kind, stop, { signal, passive: true })
  return stop
}
