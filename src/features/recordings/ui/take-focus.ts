/**
 * As a ref: takes the focus when it appears. For what replaces the thing that was just pressed,
 * where the focus would otherwise fall back to the top of the page. It is brought into view, because
 * what was pressed may have stood far below it.
 */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}
