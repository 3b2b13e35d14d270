import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { classes } from './classes.ts'

/**
 * A text with a rail at its right; on narrow screens the text alone. A panel takes the place of the
 * rail, and is a sheet above the player on narrow screens. The place is kept free for both, so that
 * the text never has another width. Where two texts stand beside each other (`isWide`), they have all
 * of it, and a panel lies over the second. A picture beside the text has a place for the panel.
 */
export function WithRail({
  rail,
  panel = null,
  panelPlace = null,
  isWide = false,
  children,
}: {
  /** Null where there is none, because a picture is there in its place. */
  rail: ReactNode
  panel?: ReactNode
  panelPlace?: HTMLElement | null
  isWide?: boolean
  children: ReactNode
}) {
  const hasColumn = rail !== null && !isWide
  // All are built alike, so that a text whose rail comes and goes stays the same element.
  return (
    <div
      className={classes(
        'relative',
        panel !== null && 'max-lg:pb-(--sheet-height,0px)',
        hasColumn &&
          'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(300px,29.4vw,352px)] lg:gap-x-10 print:block',
      )}
    >
      <div className="min-w-0">{children}</div>
      {rail === null ? (
        panelPlace ? (
          createPortal(panel, panelPlace)
        ) : (
          panel
        )
      ) : panel ? (
        <div
          className={classes(
            'lg:border-l lg:border-rule lg:pl-7 print:hidden',
            isWide && 'lg:absolute lg:inset-y-0 lg:right-0 lg:z-2 lg:w-[352px] lg:bg-paper',
          )}
        >
          {panel}
        </div>
      ) : isWide ? null : (
        <aside
          aria-label="In short"
          className="hidden border-l border-rule pl-8 lg:block print:hidden"
        >
          <div className="sticky top-(--below-tabs) -mr-2 -ml-1 max-h-[calc(100dvh-var(--below-tabs)-var(--player-height,0px))] space-y-8 overflow-y-auto py-4 pr-2 pl-1">
            {rail}
          </div>
        </aside>
      )}
    </div>
  )
}
