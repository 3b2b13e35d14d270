import { ChevronLeft, ChevronRight, Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'

import type { Search as TextSearch } from './use-search.ts'

/**
 * Searches in the transcript: Enter goes to the next hit, Shift+Enter back, Escape ends it. Ctrl+H
 * makes it the box for find and replace.
 */
export function FindBar({
  search: { wanted, want, hits, at, move },
  opened,
  onReplace,
  onClose,
}: {
  search: TextSearch
  /** Another object each time it is asked for. It takes the focus, unless an address has led to it. */
  opened: { isLed?: true }
  /** Opens find and replace; null where nothing can be changed. */
  onReplace: (() => void) | null
  onClose: () => void
}) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (opened.isLed) return
    field.current?.focus()
    field.current?.select()
  }, [opened])
  const count = hits.length
  return (
    <>
      <search className="relative min-w-0 flex-1 lg:w-80">
        <Search
          size={18}
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-2"
        />
        <input
          ref={field}
          type="text"
          role="searchbox"
          aria-label="Search in transcript"
          placeholder="Search in transcript"
          value={wanted}
          onChange={(event) => want(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              move(event.shiftKey ? -1 : 1)
            }
            if (event.key === 'Escape') {
              event.stopPropagation()
              onClose()
            }
          }}
          className={classes(
            inputClasses,
            'h-9! px-0! pl-8.5! text-small -outline-offset-1! pointer-coarse:h-10!',
            wanted.trim() === '' ? 'pr-10!' : 'pr-40!',
          )}
        />
        <div className="absolute inset-y-0 right-0.5 flex items-center">
          {wanted.trim() === '' ? null : (
            <>
              <output className="mr-0.5 text-fine whitespace-nowrap text-ink-2 tabular-nums">
                {foundInWords(count, at)}
              </output>
              {count > 0 ? <HitSteps move={move} className="size-8!" /> : null}
            </>
          )}
          <IconButton label="End the search" className="size-8!" onClick={onClose}>
            <X />
          </IconButton>
        </div>
      </search>
      {onReplace ? (
        <Button
          size="small"
          variant="quiet"
          aria-label="Find and replace"
          data-tip="Find and replace (Ctrl+H)"
          aria-expanded={false}
          className="px-2.5!"
          onClick={onReplace}
        >
          Replace
        </Button>
      ) : null}
    </>
  )
}

/** The way from one hit to the next. */
export function HitSteps({
  move,
  className,
  disabled = false,
}: Pick<TextSearch, 'move'> & { className: string; disabled?: boolean }) {
  return (
    <>
      <IconButton label="Hit before" {...{ className, disabled }} onClick={() => move(-1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton label="Hit after" {...{ className, disabled }} onClick={() => move(1)}>
        <ChevronRight />
      </IconButton>
    </>
  )
}

export function foundInWords(count: number, at: number | null): string {
  if (count === 0) return 'Not found'
  return at === null ? `${inFigures(count)} found` : `${at + 1} of ${inFigures(count)}`
}

/** Nobody reads a number of hits beyond a thousand, and the field has no room for it. */
export const inFigures = (count: number): string => (count > 999 ? '999+' : String(count))
