import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'

const LEAST_PX = 320
const MOST = 0.65
const STEP_PX = 24
/**
 * A text narrower than this has its names above: beside them it would have less than 420 px, and
 * its pencils would lie on it.
 */
const NARROW_PX = 632
/** Between the line and the text. */
const GAP_PX = 28

/** On the element itself: a variable of the page would cost the style of every word. */
function layOut(
  grid: HTMLElement,
  { columns, isNarrow }: { columns: string; isNarrow: boolean },
): () => void {
  grid.style.gridTemplateColumns = columns
  grid.classList.toggle('narrow', isNarrow)
  return () => void grid.style.removeProperty('grid-template-columns')
}

const keyOf = (userId: string) => `picture-width ${userId}`

function keptShare(userId: string): number {
  const kept = Number(localStorage.getItem(keyOf(userId)))
  return kept > 0 && kept <= MOST ? kept : 0.5
}

/**
 * The line between picture and text, which can be moved: by dragging it, or with the focus on it.
 * `grid` is what holds both.
 */
export function PictureWidth({ grid }: { grid: HTMLElement }) {
  const { id: userId } = useUser()
  const [share, setShare] = useState(() => keptShare(userId))
  const [gridWidth, setGridWidth] = useState(() => grid.clientWidth)
  const width = Math.min(Math.max(LEAST_PX, share * gridWidth), MOST * gridWidth)
  const percent = (px: number) => Math.round((px / gridWidth) * 100)
  const change = (px: number) => {
    const next = Math.min(Math.max(LEAST_PX, px), MOST * gridWidth) / gridWidth
    localStorage.setItem(keyOf(userId), String(next))
    setShare(next)
  }
  useEffect(() => {
    const observer = new ResizeObserver(() => setGridWidth(grid.clientWidth))
    observer.observe(grid)
    return () => observer.disconnect()
  }, [grid])
  useLayoutEffect(() => {
    const isNarrow = gridWidth - width - GAP_PX < NARROW_PX
    return layOut(grid, { columns: `${width}px minmax(0, 1fr)`, isNarrow })
  }, [grid, gridWidth, width])

  const onKeyDown = (event: KeyboardEvent) => {
    const px = {
      ArrowLeft: width - STEP_PX,
      ArrowRight: width + STEP_PX,
      Home: LEAST_PX,
      End: MOST * gridWidth,
    }[event.key]
    if (px === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    change(px)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    change(clientX - grid.getBoundingClientRect().left)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with the focus is a control
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the picture"
      aria-valuemin={percent(LEAST_PX)}
      aria-valuemax={MOST * 100}
      aria-valuenow={percent(width)}
      aria-valuetext={`${percent(width)} percent`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator with the focus is a control
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => change(gridWidth / 2)}
      className="group absolute inset-y-0 -right-3 w-6 cursor-col-resize touch-none outline-none before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-rule"
    >
      <span className="sticky top-[calc(50dvh-22px)] mx-auto grid h-11 w-3.5 place-content-center gap-[3px] rounded-full border border-line bg-card group-hover:border-ink group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-focus">
        {[0, 1, 2].map((row) => (
          <span key={row} className="flex gap-[3px]">
            <span className="size-[2.5px] rounded-full bg-ink-2" />
            <span className="size-[2.5px] rounded-full bg-ink-2" />
          </span>
        ))}
      </span>
    </div>
  )
}
