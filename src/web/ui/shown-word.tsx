/** What a page needs once something is hidden in it: what finds the words, and what shows one for a while. */
import { useEffect, useRef, useSyncExternalStore } from 'react'

import { type Barred, SAID } from '#shared/bars.ts'

import { classes } from './classes.ts'

export { veilOf } from '#shared/veil.ts'

const SHOWN_MS = 10_000

interface Shown {
  /** The bar that stands for it. */
  of: HTMLElement
  word: string
}

/** One at a time. */
let shown: Shown | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
function show(next: Shown | null): void {
  shown = next
  for (const listener of listeners) listener()
}

/** A bar that shows its word when it is pressed, and hides it when it is pressed again. */
export function PressedBar({
  from,
  to,
  mark,
  word,
  className,
}: Barred & {
  word: string
  /** Empty where the mark itself is read. */
  className: string
}) {
  const bar = useRef<HTMLButtonElement>(null)
  return (
    <button
      ref={bar}
      type="button"
      aria-label={className ? SAID : undefined}
      title="Hidden for others. Press to read it."
      data-letters={to - from}
      className={classes(
        'cursor-pointer select-text outline-offset-2',
        className || 'underline decoration-dotted underline-offset-4',
      )}
      // The press plays nothing, and does not end in the text.
      onClick={(event) => {
        event.stopPropagation()
        const of = bar.current
        if (of) show(shown?.of === of ? null : { of, word })
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {mark}
    </button>
  )
}

/** The word whose bar was pressed, for ten seconds, for the eye and for the ear. */
export function ShownWord() {
  const now = useSyncExternalStore(subscribe, () => shown)
  useEffect(() => {
    if (!now) return undefined
    const end = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      show(null)
    }
    const timer = setTimeout(() => show(null), SHOWN_MS)
    document.addEventListener('keydown', end, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', end, true)
    }
  }, [now])
  useEffect(() => () => show(null), [])
  return (
    <>
      <output className="sr-only">{now ? `${now.word}. Shown for 10 seconds.` : ''}</output>
      {now ? <Box key={now.word} {...now} /> : null}
    </>
  )
}

/** How much of the box lies around its first line. */
const AROUND_PX = { x: 12, y: 7 }
const EDGE_PX = 8

/** Over the bar, in the layer above all others, so that no line of the text moves. It scrolls along. */
function Box({ of, word }: Shown) {
  const place = (element: HTMLElement | null) => {
    if (!element) return
    if (!element.matches(':popover-open')) element.showPopover()
    const { left, right, top } = of.getBoundingClientRect()
    const { font, direction } = getComputedStyle(of)
    const begin =
      direction === 'rtl' ? right + AROUND_PX.x - element.offsetWidth : left - AROUND_PX.x
    const most = document.documentElement.clientWidth - EDGE_PX - element.offsetWidth
    element.style.left = `${Math.max(EDGE_PX, Math.min(begin, most)) + window.scrollX}px`
    element.style.top = `${top - AROUND_PX.y + window.scrollY}px`
    element.style.font = font
  }
  return (
    <div
      ref={place}
      popover="manual"
      aria-hidden="true"
      style={{ padding: `${AROUND_PX.y}px ${AROUND_PX.x}px` }}
      className="pointer-events-none absolute m-0 max-w-80 animate-fade-in rounded-control border border-rule bg-card text-ink shadow-float"
    >
      <span dir="auto" className="block font-[650] wrap-anywhere">
        {word}
      </span>
      <span className="block font-sans text-fine text-ink-2">Shown for 10 seconds</span>
    </div>
  )
}
