import { type RefObject, useLayoutEffect } from 'react'

/** How much of a page its header covers, and the row of tabs under it. */
const HEADER_PX = 105

/**
 * Tells something that sticks to the top how far down it is, as `--panel-top`: less and less, until the
 * page has scrolled to its text. So it can end where the window does.
 */
export function usePanelTop(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current
    const place = element?.parentElement
    if (!element || !place) return
    // By its place, because it may rise into it.
    const tell = () => {
      const top = Math.max(HEADER_PX, place.getBoundingClientRect().top)
      element.style.setProperty('--panel-top', `${top}px`)
    }
    tell()
    window.addEventListener('scroll', tell, { passive: true })
    window.addEventListener('resize', tell)
    return () => {
      window.removeEventListener('scroll', tell)
      window.removeEventListener('resize', tell)
    }
  }, [panel])
}
