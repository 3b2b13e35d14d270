import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

import { classes } from './classes.ts'

/**
 * `<Tabs label="Results" value onValueChange tabs={[{ value, label, panel }]} />`. Arrow keys choose at once.
 * Five tabs fit on a phone of 390 px; on a narrower one the row scrolls and the chosen tab scrolls into
 * view. The row sticks under what covers the top of the page, with `tools` at its right. Each label
 * keeps the width that it has when it is bold. `children` stand between the row and the panels and
 * stay mounted; where the class makes it a grid, in a cell of its own. A tab opens at its top. A panel
 * keeps the margins of what is in it, so that it stays in its place when that changes.
 */
export function Tabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  tools,
  className,
  isPlaced = false,
  children,
}: {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  tools?: ReactNode
  className?: string
  /** The open tab goes by itself to where it was left. */
  isPlaced?: boolean
  children?: ReactNode
}) {
  const row = useRef<HTMLDivElement>(null)
  const shown = useRef(value)
  useLayoutEffect(() => {
    if (shown.current === value) return
    shown.current = value
    if (!isPlaced && row.current?.parentElement) showTop(row.current.parentElement, row.current)
  }, [value, isPlaced])
  return (
    <Radix.Root
      value={value}
      {...(className ? { className } : {})}
      onValueChange={(chosen) => {
        const tab = tabs.find((tab) => tab.value === chosen)
        if (tab) onValueChange(tab.value)
      }}
    >
      <div
        ref={row}
        className="row-of-tabs z-10 col-span-full -mx-4 flex items-stretch border-b border-rule bg-paper sm:mx-0 print:hidden"
      >
        <Radix.List
          aria-label={label}
          className="fades-where-it-goes-on flex min-w-0 overflow-x-auto px-2.5 [scrollbar-width:none] max-sm:flex-1 max-sm:justify-between sm:-ml-2 sm:gap-3 sm:px-0"
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              data-label={tab.label}
              ref={tab.value === value ? showInRow : undefined}
              className={classes(
                // The ring lies inside, clear of the letters and above the line of the chosen tab.
                'relative h-11 shrink-0 rounded-[8px] px-1 whitespace-nowrap text-[0.84375rem] text-ink-2 sm:px-2 sm:text-small transition-colors -outline-offset-5! hover:text-ink',
                "before:invisible before:block before:h-0 before:overflow-hidden before:font-semibold before:content-[attr(data-label)/'']",
                'after:absolute after:inset-x-1 sm:after:inset-x-2 after:bottom-0 after:h-[3px]',
                'data-[state=active]:font-semibold data-[state=active]:text-ink data-[state=active]:after:bg-playhead',
              )}
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {tools}
      </div>
      {children}
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className="flow-root min-w-0 outline-offset-4"
        >
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

/** Scrolls up to where the row begins to stick; to the top of the page where it does not stick. */
function showTop(all: HTMLElement, row: HTMLElement): void {
  const { position, top: sticksAt } = getComputedStyle(row)
  const top =
    position === 'sticky'
      ? all.getBoundingClientRect().top - Number.parseFloat(sticksAt)
      : -window.scrollY
  if (top < 0) window.scrollBy({ top, behavior: 'instant' })
}

/** Scrolls one of a row into view: the row only, never the page. */
export function showInRow(one: HTMLElement | null): void {
  const row = one?.parentElement
  if (!one || !row) return
  const before = one.offsetLeft - row.offsetLeft - 48
  const after = before + one.offsetWidth + 96
  if (before < row.scrollLeft) row.scrollLeft = before
  else if (after > row.scrollLeft + row.clientWidth) row.scrollLeft = after - row.clientWidth
}
