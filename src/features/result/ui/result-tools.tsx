import { MessageCircleQuestionMark, Search as SearchIcon } from 'lucide-react'
import { type Ref, useRef } from 'react'

import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { FindBar } from './find/find-bar.tsx'
import type { Search } from './find/use-search.ts'
import { keysFor } from './keys/key-names.ts'
import type { Result } from './result.ts'

/**
 * At the right of the tabs, the same on all of them: search, questions, and how the text is shown. On
 * a narrow screen they are in the list of the player, and only the field of the search is here.
 */
export function ResultTools({
  result: { text, view },
  search,
  onAsk,
  onSearch,
  onLook,
  newsRef,
}: {
  result: Result
  search: Search
  /** Null where there is no text. */
  onAsk: (() => void) | null
  onSearch: (() => void) | null
  onLook: (from: HTMLElement) => void
  /** Where it is said that something is saved while the head is away. */
  newsRef: Ref<HTMLElement>
}) {
  const searchButton = useRef<HTMLButtonElement>(null)
  const { beside, over } = view
  const closeSearch = () => {
    view.close('find')
    const turn = search.hits[search.at ?? -1]?.turn
    requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`[data-turn="${turn}"]`)
      ;(row ?? searchButton.current)?.focus({ preventScroll: true })
    })
  }
  return (
    <div
      className={classes(
        'ml-auto flex shrink-0 items-center gap-1 bg-paper lg:-mr-2.5 lg:pl-3',
        beside?.kind === 'find'
          ? 'max-lg:absolute max-lg:inset-0 max-lg:px-4 sm:max-lg:px-0'
          : 'max-lg:hidden',
      )}
    >
      <span
        ref={newsRef}
        className="flex items-center px-2 text-fine whitespace-nowrap text-ink-2 empty:hidden max-lg:hidden"
      />
      {beside?.kind === 'find' ? (
        <FindBar
          search={search}
          opened={beside}
          onReplace={text.edits ? () => view.open({ kind: 'replace' }) : null}
          onClose={closeSearch}
        />
      ) : onSearch ? (
        <Button
          ref={searchButton}
          size="small"
          variant="quiet"
          className={toolClasses}
          icon={<SearchIcon />}
          aria-label="Search"
          data-tip="Search in transcript"
          aria-expanded={beside?.kind === 'replace'}
          onClick={onSearch}
        >
          Search
          <kbd
            aria-hidden="true"
            className="rounded-badge border border-rule px-1.5 font-mono text-code font-normal text-ink-2 pointer-coarse:hidden"
          >
            {keysFor('reading.search').split(',')[0]}
          </kbd>
        </Button>
      ) : null}
      {onAsk ? (
        <Button
          size="small"
          variant="quiet"
          className={toolClasses}
          icon={<MessageCircleQuestionMark />}
          aria-expanded={beside?.kind === 'ask'}
          onClick={() => (beside?.kind === 'ask' ? view.close('ask') : onAsk())}
        >
          Ask
        </Button>
      ) : null}
      {onSearch ? (
        <Button
          size="small"
          variant="quiet"
          className={classes(toolClasses, 'font-display text-body!')}
          aria-label="Aa, how the text is shown"
          data-tip="How the text is shown"
          aria-haspopup="dialog"
          aria-expanded={over?.kind === 'look'}
          onClick={({ currentTarget }) => onLook(currentTarget)}
        >
          Aa
        </Button>
      ) : null}
    </div>
  )
}

const toolClasses =
  'px-2.5! max-lg:hidden aria-expanded:bg-paper-2 aria-expanded:text-ink aria-[expanded=false]:bg-transparent hover:bg-paper-2!'
