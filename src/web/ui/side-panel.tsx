import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

import { tellHeight } from '../tell-height.ts'
import { useWindowEvent } from '../use-window-event.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { usePanelTop } from './panel-top.ts'
import { clearToastThatOnlyTells } from './toast.tsx'

/**
 * A panel beside the text, in place of the rail; on narrow screens a sheet above the player, or
 * directly on the keyboard of the screen. The text behind stays in use. Escape closes it.
 */
export function SidePanel({
  title,
  closeLabel,
  head = null,
  foot = null,
  isLow = false,
  hasHead = true,
  comesByItself = false,
  height,
  onClose,
  children,
}: {
  title: string
  closeLabel: string
  /** Takes the title's place on narrow screens, and stands under it on wide ones. */
  head?: ReactNode
  /** Stays in sight at the bottom. A panel with one is as high as its place, and scrolls inside. */
  foot?: ReactNode
  /** A sheet with a foot leaves the text in sight. */
  isLow?: boolean
  /** Without one, title and button are there for screen readers and keys alone. */
  hasHead?: boolean
  /** Nobody has opened it: it takes no focus, and leaves more than half of a phone to the text. */
  comesByItself?: boolean
  /** In pixels, for one that is to stay as it is while other things come into it. */
  height?: number | undefined
  onClose: () => void
  children: ReactNode
}) {
  const panel = useRef<HTMLElement>(null)
  useSheetHeight(panel)
  usePanelTop(panel)
  useKeyboardHeight()
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Somebody who has not opened it may mean something else.
    if (comesByItself && !panel.current?.contains(document.activeElement)) return
    // Escape belongs to a dialog or a menu while one is open.
    if (!document.querySelector('[data-scrim], [role=menu]')) onClose()
  })
  useEffect(() => {
    const element = panel.current
    if (!element) return
    if (!comesByItself) clearToastThatOnlyTells()
    // A field in it may have the focus already.
    if (!comesByItself && !element.contains(document.activeElement))
      element.focus({ preventScroll: true })
    // A press leaves the focus where it is, so that single keys go on working after it.
    const press = (event: MouseEvent) => {
      const { target } = event
      const isField =
        target instanceof Element && target.closest('input[type=text], textarea, .select-text')
      if (!isField) event.preventDefault()
    }
    element.addEventListener('mousedown', press)
    return () => element.removeEventListener('mousedown', press)
  }, [comesByItself])
  return (
    <section
      ref={panel}
      data-side-panel
      aria-label={title}
      tabIndex={-1}
      style={{ height }}
      className={classes(
        'animate-rise outline-none [--sheet-room:calc(100dvh-var(--below-head)-var(--picture-height,0px)-max(var(--player-height,0px),var(--keyboard-height,0px)))] max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[max(var(--player-height,8px)-8px+env(safe-area-inset-bottom),var(--keyboard-height,0px))] max-lg:z-20 has-[[role=menu]]:z-30 max-lg:rounded-t-panel max-lg:border max-lg:border-b-0 max-lg:border-rule max-lg:bg-card max-lg:px-4 max-lg:pt-2 max-lg:pb-5 max-lg:shadow-float lg:sticky lg:top-(--below-tabs) lg:-mr-1 lg:pr-1 print:hidden',
        foot === null
          ? 'max-lg:max-h-(--sheet-room) max-lg:overflow-y-auto max-lg:tall:max-h-[min(70dvh,var(--sheet-room))] lg:max-h-[calc(100dvh-var(--below-tabs)-var(--player-height,0px))] lg:overflow-y-auto lg:py-4'
          : 'flex flex-col lg:h-[calc(100dvh-var(--panel-top,var(--below-tabs))-var(--player-height,0px))] lg:pt-4 lg:pb-5',
        comesByItself && 'max-lg:max-h-[45dvh]!',
        foot !== null &&
          (isLow
            ? // Beneath a picture too, a turn has its place above it.
              'max-lg:h-(--sheet-room) max-lg:tall:h-[min(45dvh,max(17rem,var(--sheet-room)-11rem))]'
            : 'max-lg:h-(--sheet-room) max-lg:tall:top-[calc(112px+var(--picture-height,0px))] max-lg:tall:h-auto'),
      )}
    >
      <div
        className={classes(
          'mx-auto w-full max-w-[40rem]',
          foot !== null && 'flex min-h-0 flex-1 flex-col',
        )}
      >
        <div
          aria-hidden="true"
          className="mx-auto mb-1 hidden h-1 w-10 shrink-0 rounded-full bg-ink-3 opacity-70 max-lg:tall:block"
        />
        <div
          className={
            hasHead
              ? 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3'
              : 'sr-only focus-within:not-sr-only'
          }
        >
          <h2
            className={classes(
              'font-display text-h3 font-semibold',
              head !== null && 'max-lg:sr-only',
            )}
          >
            {title}
          </h2>
          {head === null ? null : (
            <div className="row-start-1 lg:col-span-2 lg:row-start-2 lg:mt-3">{head}</div>
          )}
          <IconButton
            label={closeLabel}
            className="col-start-2 row-start-1 -mt-1.5 -mr-2"
            onClick={onClose}
          >
            <X />
          </IconButton>
        </div>
        {foot === null ? (
          children
        ) : (
          <>
            <div data-scrolls className="-mx-1 mt-3 min-h-0 flex-1 overflow-y-auto px-1 pb-4">
              {children}
            </div>
            <div
              data-foot
              className="sticky bottom-0 shrink-0 border-t border-rule bg-card pt-3 lg:bg-paper"
            >
              {foot}
            </div>
          </>
        )}
      </div>
    </section>
  )
}

/** The text stays above a sheet. */
function useSheetHeight(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return undefined
    const isSheet = () => getComputedStyle(element).position === 'fixed'
    return tellHeight('--sheet-height', element, () => (isSheet() ? element.offsetHeight : 0))
  }, [panel])
}

/** A keyboard of the screen is at least so high; less is the browser's own bar. */
const KEYBOARD_PX = 120

/** Tells the page how much of it the keyboard of the screen covers. */
function useKeyboardHeight(): void {
  useEffect(() => {
    const { visualViewport } = window
    if (!visualViewport) return
    const { style } = document.documentElement
    const tell = () => {
      const covered = window.innerHeight - visualViewport.height - visualViewport.offsetTop
      style.setProperty('--keyboard-height', `${covered >= KEYBOARD_PX ? covered : 0}px`)
    }
    visualViewport.addEventListener('resize', tell)
    visualViewport.addEventListener('scroll', tell)
    return () => {
      visualViewport.removeEventListener('resize', tell)
      visualViewport.removeEventListener('scroll', tell)
      style.removeProperty('--keyboard-height')
    }
  }, [])
}
