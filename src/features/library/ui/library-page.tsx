import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MessageCircleQuestionMark } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import { isWorking } from '#features/transcriptions/status.ts'
import { AskToCancel } from '#features/transcriptions/ui/ask-to-cancel.tsx'
import {
  type JobRow,
  inRecordings,
  useCancel,
  useDeletedLately,
} from '#features/transcriptions/ui/queries.ts'
import { BRAND, MOST_CHOSEN } from '#shared/business.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { toastFailure } from '#web/ui/toast.tsx'
import { useSlash } from '#web/use-slash.ts'

import { listIds } from '../calls.ts'
import { type Choice, type Chosen, useChoice } from './choice.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { ChosenQuestion } from './chosen-question.tsx'
import { FoundRows } from './found-rows.tsx'
import { type Filters, NO_TAG, filtersIn, isSearch, unfiltered } from './library-address.ts'
import { LibraryFilters, useFilters } from './library-filters.tsx'
import { LibraryNotLoaded } from './library-not-loaded.tsx'
import { LibraryPad } from './library-pad.tsx'
import {
  foundQuery,
  hasRunningOnTop,
  inLibraryOrder,
  once,
  openQuery,
  queryFor,
} from './library-queries.ts'
import { type RowActs, RowTable } from './library-row.tsx'
import { useRowQuestions } from './row-questions.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { NewTagDialog, EditTagsDialog } from './tag-dialogs.tsx'
import { isSameTag, tagsQuery } from './tag-queries.ts'
import { TagRow } from './tag-row.tsx'

/** A question about all that is chosen, or about the tags, and the button that asked it. */
interface AskedOfPage {
  what: 'tag' | 'export' | 'delete' | 'new-tag' | 'edit-tags'
  from: HTMLElement
}

/** All recordings: found by name, words, speaker and tag, and acted on many at a time. */
export default function LibraryPage() {
  const { search } = useLocation()
  const filters = filtersIn(search)
  const setFilters = useFilters()
  const { rows, total, places, found, isPending, isError, again } = useRows(filters)
  const tags = useQuery(tagsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const hasSearch = isSearch(filters)
  const isNarrowed =
    hasSearch || filters.status !== 'all' || filters.tags.length > 0 || filters.speaker !== ''
  const choice = useChoice(rows, JSON.stringify(filters))
  const { chosen, choose, clear } = choice
  const [asked, setAsked] = useState<AskedOfPage | null>(null)
  const { cancelling, onCancel, cancelQuestion } = useCancelling()
  const { onAsk, questions } = useRowQuestions({
    rows,
    heading,
    onDeleted: (id) => {
      if (chosen.has(id)) choose(id, false)
    },
  })
  const hasEnded = useAuth().state === 'ended'
  // The rows of what was asked before stay while it asks; how many they are is not the answer.
  const isCounting = isPending || found.isPlaceholderData
  const isEmpty = !isPending && !isError && rows.length === 0
  const isBare = isEmpty && !isNarrowed
  const ask = (what: AskedOfPage['what']) => (from: HTMLElement) => setAsked({ what, from })
  const chooseEverything = useChooseEverything(filters, choice.chooseAll)
  useSlash(field)
  const acts = { cancelling, onCancel, onAsk }
  return (
    <Container className={classes('pt-6 lg:pt-10', chosen.size > 0 ? 'pb-24' : 'pb-16')}>
      <title>{`Library · ${BRAND}`}</title>
      <output className="sr-only">
        {chosen.size > 0
          ? `${chosen.size} chosen`
          : isCounting || !isNarrowed
            ? ''
            : foundInWords(total, places)}
      </output>
      <Head
        heading={heading}
        count={
          isCounting || isEmpty
            ? null
            : isNarrowed
              ? foundInWords(total, hasSearch ? places : null)
              : inRecordings(total)
        }
        asked={filters.q}
      />
      {isBare ? null : (
        <>
          <LibraryFilters
            filters={filters}
            onChange={setFilters}
            isBusy={found.isPlaceholderData}
            field={field}
            onDown={() => focusRow(list.current, 0)}
          />
          <div className="my-3 min-h-11 sm:min-h-9 pointer-coarse:min-h-11">
            {tags.data ? (
              <TagRow
                tags={tags.data}
                chosen={filters.tags}
                onChoose={(names) => setFilters({ ...filters, tags: names })}
                edits={hasSearch ? null : { onNew: ask('new-tag'), onEdit: ask('edit-tags') }}
              />
            ) : null}
          </div>
        </>
      )}
      {isPending ? <RowsSkeleton count={8} /> : null}
      {isError && !hasEnded ? <LibraryNotLoaded className="my-4" {...again} /> : null}
      {rows.length > 0 ? (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the rows in it
        <div
          ref={list}
          aria-busy={found.isPlaceholderData || undefined}
          onKeyDown={(event) => onRowKey(event, list.current, field.current)}
        >
          {hasSearch ? (
            <FoundRows rows={rows} choice={choice} {...acts} />
          ) : (
            <ChoosableRows
              {...{ rows, total, choice }}
              onEverything={() => void chooseEverything()}
              {...acts}
            />
          )}
        </div>
      ) : null}
      {!isPending && found.hasNextPage ? (
        <ShowMore
          shown={rows.length}
          total={total}
          isAsking={found.isFetchingNextPage}
          onMore={() => void found.fetchNextPage()}
        />
      ) : null}
      {isEmpty && isNarrowed ? (
        <NothingFound filters={filters} onShow={setFilters} field={field} />
      ) : null}
      {isBare ? <LibraryPad isEmpty hasSample={false} steps={[]} onHide={() => undefined} /> : null}
      {chosen.size > 0 ? (
        <ChoiceBar
          chosen={chosen}
          onTag={ask('tag')}
          onExport={ask('export')}
          onDelete={ask('delete')}
          onClear={() => {
            clear()
            heading.current?.focus({ preventScroll: true })
          }}
        />
      ) : null}
      {questions}
      {cancelQuestion}
      {asked ? (
        <PageQuestion
          asked={asked}
          chosen={chosen}
          rows={rows}
          onClose={() => setAsked(null)}
          focusAfter={() =>
            (asked.from.isConnected ? asked.from : heading.current)?.focus({
              preventScroll: true,
            })
          }
          onGone={clear}
          onTagRenamed={(before, now) => {
            const isOn = filters.tags.some((tag) => isSameTag(tag, before))
            if (!isOn) return
            const others = filters.tags.filter((tag) => !isSameTag(tag, before))
            setFilters({ ...filters, tags: now === null ? others : [...others, now] })
          }}
        />
      ) : null}
    </Container>
  )
}

function Head({
  heading,
  count,
  asked,
}: {
  heading: RefObject<HTMLHeadingElement | null>
  /** How many are listed. */
  count: string | null
  /** What is searched for: it may be a question too. */
  asked: string
}) {
  const { deleted } = useDeletedLately()
  return (
    <div className="mb-4 flex min-h-11 items-center justify-between gap-4">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <h1 ref={heading} tabIndex={-1} className="font-display text-app font-semibold">
          Library
        </h1>
        {count === null ? null : (
          // On a phone there is room for it or for what was deleted, and a second line pushes the list.
          <p
            className={classes(
              'text-small text-ink-2 tabular-nums',
              deleted.length > 0 && 'max-sm:hidden',
            )}
          >
            {count}
          </p>
        )}
      </div>
      <BringBack />
      {asked === '' ? null : (
        <Link
          to={{ pathname: paths.ask, search: `?${new URLSearchParams({ q: asked })}` }}
          className={classes(buttonClasses({ variant: 'quiet', size: 'small' }), '-mr-3')}
        >
          <MessageCircleQuestionMark />
          Ask about this
        </Link>
      )}
    </div>
  )
}

/** What was deleted in the last five minutes can be brought back, also when the toast is gone. */
function BringBack() {
  const { deleted, onBringBack } = useDeletedLately()
  const [first] = deleted
  if (!first) return null
  const isOne = deleted.length === 1
  return (
    <p className="ml-auto flex min-w-0 items-baseline gap-x-2 text-small text-ink-2">
      <span className="min-w-0 truncate">
        {(isOne && first.name) || inRecordings(deleted.length)}
      </span>
      {' deleted. '}
      <button
        type="button"
        className="min-h-6 shrink-0 text-link pointer-coarse:min-h-11"
        onClick={onBringBack}
      >
        {isOne ? 'Bring it back' : 'Bring them back'}
      </button>
    </p>
  )
}

/** The table with what chooses all of it, also what is not loaded. */
function ChoosableRows({
  rows,
  total,
  choice,
  onEverything,
  ...acts
}: RowActs & {
  rows: readonly JobRow[]
  total: number
  choice: Choice
  onEverything: () => void
}) {
  const { chosen, chooseAll, clear } = choice
  const areAllOnPage = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  const chooseAllOfThem =
    areAllOnPage && chosen.size < total && total <= MOST_CHOSEN ? (
      <button
        type="button"
        className="min-h-6 text-link pointer-coarse:min-h-11"
        onClick={onEverything}
      >
        Choose all {total.toLocaleString('en-US')}
      </button>
    ) : null
  return (
    <>
      {chosen.size > 0 ? (
        <p className="flex gap-4 text-small lg:hidden">
          {areAllOnPage ? null : (
            <button type="button" className="min-h-11 text-link" onClick={() => chooseAll(rows)}>
              Choose all on this page
            </button>
          )}
          {chooseAllOfThem}
        </p>
      ) : null}
      <RowTable
        rows={rows}
        choice={choice}
        headBox={
          <Checkbox
            className="-ml-[11px] size-11 justify-center gap-0!"
            checked={areAllOnPage}
            isMixed={!areAllOnPage && chosen.size > 0}
            onChange={() => (areAllOnPage ? clear() : chooseAll(rows))}
          >
            <span className="sr-only">Choose all on this page</span>
          </Checkbox>
        }
        headAct={chooseAllOfThem}
        {...acts}
      />
    </>
  )
}

function ShowMore({
  shown,
  total,
  isAsking,
  onMore,
}: {
  shown: number
  total: number
  isAsking: boolean
  onMore: () => void
}) {
  return (
    <div className="mt-5 flex items-center gap-4">
      <Button pending={isAsking} onClick={onMore}>
        Show more
      </Button>
      <p className="text-small text-ink-2 tabular-nums">
        {shown.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </p>
    </div>
  )
}

/** "3 found, 11 places"; null where nothing was searched for. */
function foundInWords(found: number, places: number | null): string {
  const count = `${found.toLocaleString('en-US')} found`
  if (places === null || found === 0) return count
  return `${count}, ${places.toLocaleString('en-US')} ${places === 1 ? 'place' : 'places'}`
}

/** The rows to show, and what is known of them. */
function useRows(filters: Filters) {
  const open = useQuery(openQuery)
  const found = useInfiniteQuery(foundQuery(filters))
  const pages = found.data?.pages ?? []
  const running = (open.data ?? []).filter((row) => hasTags(row, filters.tags))
  const isOnTop = hasRunningOnTop(filters)
  const listed = pages.map((page) => page.rows)
  const live = new Map(running.map((row) => [row.id, row]))
  const isPending = found.isPending || (isOnTop && !open.isFetched)
  // Running ones that are known first would stand below the places of the others, and jump up.
  const rows = isPending
    ? []
    : isOnTop
      ? inLibraryOrder([running, ...listed])
      : // How far the running ones are is known better by the list that is asked every other second.
        once(listed).map((row) => {
          const now = live.get(row.id)
          return now ? { ...row, status: now.status, percent: now.percent } : row
        })
  return {
    rows,
    total: (pages.at(-1)?.total ?? 0) + (isOnTop ? running.length : 0),
    places: pages[0]?.places ?? null,
    found,
    isPending,
    isError: !isPending && (open.isError || found.isError),
    again: {
      hasAll: Boolean(open.data && found.data),
      isAsking: found.isFetching,
      askAgain: () => {
        void open.refetch()
        void found.refetch()
      },
    },
  }
}

const hasTags = ({ tags }: Pick<JobRow, 'tags'>, wanted: readonly string[]): boolean =>
  wanted.every((name) =>
    name === NO_TAG ? tags.length === 0 : tags.some((tag) => isSameTag(tag.name, name)),
  )

/** Chooses also what is not loaded. */
function useChooseEverything(filters: Filters, chooseAll: Choice['chooseAll']) {
  return async () => {
    try {
      chooseAll((await ask(listIds, { query: queryFor(filters) })).rows)
    } catch (error) {
      toastFailure('Not chosen', sentenceOf(error))
    }
  }
}

/** Cancels an upload at once, and a job that runs after a question. */
function useCancelling() {
  const [asking, setAsking] = useState<JobRow | null>(null)
  const cancel = useCancel({ onCancelled: () => setAsking(null) })
  return {
    cancelling: cancel.isPending ? cancel.variables.id : null,
    onCancel: (row: JobRow) => {
      if (isWorking(row.status)) setAsking(row)
      else cancel.mutate(row)
    },
    cancelQuestion: (
      <AskToCancel
        row={asking}
        hasText={false}
        isPending={cancel.isPending}
        onKeep={() => setAsking(null)}
        onCancel={(row) => cancel.mutate(row)}
      />
    ),
  }
}

/** ↑ and ↓ go from row to row, X chooses the row that has the focus. */
function onRowKey(event: KeyboardEvent, list: HTMLElement | null, field: HTMLElement | null): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const { target } = event
  if (!(target instanceof HTMLElement) || target.closest('[role=menu]')) return
  const row = target.closest<HTMLElement>('[data-row]')
  if (!row || !list) return
  const at = rowsOf(list).indexOf(row)
  switch (event.key) {
    case 'ArrowDown':
      focusRow(list, at + 1)
      break
    case 'ArrowUp':
      if (at === 0) field?.focus()
      else focusRow(list, at - 1)
      break
    case 'x':
    case 'X':
      row.querySelector<HTMLElement>('input[data-choose]')?.click()
      break
    default:
      return
  }
  event.preventDefault()
}

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')]

function focusRow(list: HTMLElement | null, at: number): void {
  const row = list && rowsOf(list)[at]
  row?.querySelector<HTMLElement>('[data-row-link]')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

function NothingFound({
  filters,
  onShow,
  field,
}: {
  filters: Filters
  onShow: (filters: Filters) => void
  field: { current: HTMLElement | null }
}) {
  const tags = filters.tags.filter((tag) => tag !== NO_TAG)
  const where = tags.length > 0 ? ` in ${tags.join(' and ')}` : ''
  const who = filters.speaker === '' ? '' : ` by ${filters.speaker}`
  const q = filters.q.trim()
  // The button is gone when something is shown.
  const show = (next: Filters) => () => {
    onShow(next)
    field.current?.focus()
  }
  return (
    <div role="status" className="flex flex-wrap items-center gap-4 border-y border-rule py-6">
      <p className="text-ink-2">
        {q === ''
          ? filters.tags.length > 0
            ? 'No recording has this tag and this status.'
            : 'No recording has this status.'
          : where || who
            ? `Nothing found for “${q}”${where}${who}.`
            : `Nothing found for “${q}”, in names or in what was said.`}
      </p>
      {q !== '' && (where || who) ? (
        <Button size="small" onClick={show({ ...filters, tags: [], status: 'all', speaker: '' })}>
          Search everywhere
        </Button>
      ) : (
        <Button size="small" onClick={show(unfiltered)}>
          Show all
        </Button>
      )}
    </div>
  )
}

function PageQuestion({
  asked: { what, from },
  chosen,
  rows,
  onGone,
  onTagRenamed,
  ...answered
}: {
  asked: AskedOfPage
  chosen: Chosen
  rows: readonly JobRow[]
  onClose: () => void
  focusAfter: () => void
  /** The chosen recordings are not there any more. */
  onGone: () => void
  /** `now` is null where the tag was deleted. */
  onTagRenamed: (before: string, now: string | null) => void
}): ReactNode {
  switch (what) {
    case 'tag':
    case 'export':
    case 'delete':
      return <ChosenQuestion {...{ what, from, chosen, rows, onGone }} {...answered} />
    case 'new-tag':
      return <NewTagDialog {...answered} />
    case 'edit-tags':
      return (
        <EditTagsDialog
          {...answered}
          onEdited={(edit) => {
            if (edit.kind === 'rename') onTagRenamed(edit.before, edit.name)
            if (edit.kind === 'delete') onTagRenamed(edit.before, null)
          }}
        />
      )
  }
}
