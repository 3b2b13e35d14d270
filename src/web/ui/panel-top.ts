import { type RefObject, useLayoutEffect } from 'react'

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
      const sticksAt = Number.parseFloat(getComputedStyle(element).top) || 0
      const top = Math.max(sticksAt, place.getBoundingClientRect().top)
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
