import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { classes } from './classes.ts'

/**
 * A text with a rail at its right; on narrow screens the text alone. A panel takes the place of the
 * rail, and is a sheet above the player on narrow screens. Without a rail the text has the whole
 * width; a picture that stands beside it then has a place for the panel.
 */
export function WithRail({
  rail,
  panel = null,
  panelPlace = null,
  isPanelWide = false,
  children,
}: {
  rail: ReactNode
  panel?: ReactNode
  panelPlace?: HTMLElement | null
  isPanelWide?: boolean
  children: ReactNode
}) {
  // Both are built alike, so that a text whose rail comes and goes stays the same element.
  if (rail === null)
    return (
      <div className={classes(panel !== null && 'max-lg:pb-(--sheet-height,0px)')}>
        <div className="min-w-0">{children}</div>
        {panelPlace ? createPortal(panel, panelPlace) : panel}
      </div>
    )
  return (
    <div
      className={classes(
        'lg:grid',
        panel !== null && 'max-lg:pb-(--sheet-height,0px)',
        panel === null
          ? 'lg:grid-cols-[minmax(0,1fr)_320px]'
          : isPanelWide
            ? 'lg:grid-cols-[minmax(0,1fr)_384px]'
            : 'lg:grid-cols-[minmax(0,1fr)_352px]',
      )}
    >
      <div className="min-w-0 lg:pr-12">{children}</div>
      {panel ? (
        <div className="lg:border-l lg:border-rule lg:pl-8">{panel}</div>
      ) : (
        <aside aria-label="In short" className="hidden border-l border-rule pl-6 lg:block">
          <div className="sticky top-[60px] -mr-2 max-h-[calc(100dvh-60px-var(--player-height,0px))] space-y-9 overflow-y-auto px-2 py-8">
            {rail}
          </div>
        </aside>
      )}
    </div>
  )
}
