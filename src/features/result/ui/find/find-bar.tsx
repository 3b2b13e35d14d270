import { ChevronDown, ChevronLeft, ChevronRight, Search, X } from 'lucide-react'
import type { RefObject } from 'react'

import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'

import type { Search as TextSearch } from './use-search.ts'

/**
 * Searches in the transcript: Enter goes to the next hit, Shift+Enter back, Escape ends it. Ctrl+H
 * makes it the box for find and replace.
 */
export function FindBar({
  field,
  search: { wanted, want, hits, at, move },
  onReplace,
}: {
  field: RefObject<HTMLInputElement | null>
  search: TextSearch
  /** Opens find and replace; null where nothing can be changed. */
  onReplace: (() => void) | null
}) {
  const count = hits.length
  const isSearching = wanted.trim() !== ''
  const replace = onReplace ? (
    <IconButton
      label="Find and replace"
      data-tip="Find and replace (Ctrl+H)"
      aria-expanded={false}
      className="size-8!"
      onClick={onReplace}
    >
      <ChevronDown />
    </IconButton>
  ) : null
  return (
    <search className="relative min-w-0 flex-[1_1_14rem] lg:max-w-[28rem]">
      <Search
        size={20}
        className="pointer-events-none absolute top-2 left-3 text-ink-2 max-sm:top-3 pointer-coarse:top-3"
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
          if (event.key === 'Escape' && wanted !== '') {
            event.stopPropagation()
            want('')
          }
        }}
        className={classes(
          inputClasses,
          'pl-10 sm:h-9 pointer-coarse:h-11',
          isSearching ? 'pr-52' : 'pr-16',
        )}
      />
      {isSearching ? (
        <div className="absolute inset-y-0 right-1 flex items-center">
          <output className="mr-1 text-small whitespace-nowrap text-ink-2 tabular-nums">
            {foundInWords(count, at)}
          </output>
          {count > 0 ? (
            <>
              <IconButton label="Hit before" className="size-8!" onClick={() => move(-1)}>
                <ChevronLeft />
              </IconButton>
              <IconButton label="Hit after" className="size-8!" onClick={() => move(1)}>
                <ChevronRight />
              </IconButton>
            </>
          ) : null}
          <IconButton label="End the search" className="size-8!" onClick={() => want('')}>
            <X />
          </IconButton>
          {replace}
        </div>
      ) : (
        <div className="absolute inset-y-0 right-1 flex items-center">
          <kbd
            aria-hidden="true"
            className="mr-1 rounded-badge border border-rule px-1.5 font-mono text-code text-ink-2 pointer-coarse:hidden"
          >
            /
          </kbd>
          {replace}
        </div>
      )}
    </search>
  )
}

export function foundInWords(count: number, at: number | null): string {
  if (count === 0) return 'Not found'
  return at === null ? `${inFigures(count)} found` : `${at + 1} of ${inFigures(count)}`
}

/** Nobody counts beyond a thousand, and the field has no room for it. */
export const inFigures = (count: number): string => (count > 999 ? '999+' : String(count))
