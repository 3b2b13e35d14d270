import { isTypedInto } from './typed-into.ts'
import { useWindowEvent } from './use-window-event.ts'

/** The key "/" leads to the search of the page from everywhere but fields and dialogs. */
export function useSlash(field: { current: HTMLElement | null }): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.defaultPrevented || isTypedInto(event.target)) return
    if (document.querySelector('[data-scrim], [role=menu]')) return
    event.preventDefault()
    field.current?.focus()
  })
}
