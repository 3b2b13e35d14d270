import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

import { useFirstSteps } from './first-steps.ts'
import { useLaterRooms } from './later-rooms.ts'
import { DeleteRecordingDialog } from './delete-dialogs.tsx'
import { type Filters, TO_LIBRARY, filtersIn, withOpen } from './library-address.ts'
import { LibraryFilters, useFilters } from './library-filters.tsx'
import { LibraryPad } from './library-pad.tsx'
import { finishedQuery, inLibraryOrder, openQuery } from './library-queries.ts'
import { type Asked, Row, rowColumns } from './library-row.tsx'
import { type JobRow, useDelete } from './queries.ts'
import { RenameDialog } from './rename-dialog.tsx'

const isFiltered = ({ q, status }: Filters) => q.trim() !== '' || status !== 'all'

/** Past and running transcriptions. Running ones stand on top and are live. */
export function Library({
  openId,
  above,
  cancelling,
  onCancel,
  onDeleted,
  isLossSaid,
}: {
  /** The transcription that is open above; its row says so. */
  openId: string | null
  /** What stands in the bill above, and not here. */
  above: ReadonlySet<string>
  cancelling: string | null
  onCancel: (row: JobRow) => void
  onDeleted: (id: string) => void
  /** Whether the card above already says that the connection is lost. */
  isLossSaid: boolean
}) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const filters = filtersIn(search)
  const setFilters = useFilters()
  const open = useQuery(openQuery)
  const finished = useInfiniteQuery(finishedQuery(filters))
  const isNarrowed = isFiltered(filters)
  const pages = finished.data?.pages ?? []
  const running = isNarrowed ? [] : (open.data ?? []).filter(({ id }) => !above.has(id))
  const rows = inLibraryOrder([running, ...pages.map((page) => page.rows)])
  const total = (pages.at(-1)?.total ?? 0) + running.length
  const { steps, hide } = useFirstSteps(useUser().id, isNarrowed ? [] : rows)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { loadExportDialog, loadAgainDialog } = useLaterRooms()
  const [ExportDialog] = useState(() => lazyPart(loadExportDialog, (module) => module.ExportDialog))
  const [AgainDialog] = useState(() => lazyPart(loadAgainDialog, (module) => module.AgainDialog))
  const heading = useRef<HTMLHeadingElement>(null)
  const answered = {
    onClose: () => setAsked(null),
    focusAfter: () => (asked?.from?.isConnected ? asked.from : heading.current)?.focus(),
  }
  useArrival(heading)
  const remove = useDelete({
    onDeleted: (id) => {
      onDeleted(id)
      heading.current?.focus()
    },
  })
  const isPending = open.isPending || finished.isPending
  const isError = open.isError || finished.isError
  // The page says above that the session has ended, so the list does not say it again.
  const hasEnded = useAuth().state === 'ended'
  const isEmpty = !isPending && !isError && rows.length === 0
  return (
    <section aria-labelledby="library-heading" className="mt-16">
      <div className="mb-4 flex items-baseline gap-3">
        <h2
          ref={heading}
          id="library-heading"
          tabIndex={-1}
          className="font-display text-section font-semibold outline-none"
        >
          Library
        </h2>
        {rows.length > 0 ? (
          <p role="status" className="text-small text-ink-2 tabular-nums">
            {total.toLocaleString('en-US')}{' '}
            {isNarrowed ? 'found' : total === 1 ? 'recording' : 'recordings'}
          </p>
        ) : null}
      </div>
      {rows.length > 0 || isNarrowed ? (
        <LibraryFilters
          filters={filters}
          onChange={setFilters}
          isBusy={finished.isPlaceholderData}
        />
      ) : null}
      {isPending ? <Skeleton /> : null}
      {isError && !hasEnded && !(isLossSaid && finished.data) ? (
        <InlineError
          className="mb-4"
          action={
            <Button
              size="small"
              pending={finished.isFetching || open.isFetching}
              onClick={() => {
                void open.refetch()
                void finished.refetch()
              }}
            >
              Try again
            </Button>
          }
        >
          {finished.data && open.data
            ? 'Connection lost. This list may be out of date.'
            : 'Your library could not be loaded. Nothing in it was changed.'}
        </InlineError>
      ) : null}
      {rows.length > 0 ? (
        <>
          <ColumnHeads />
          <ul>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                isOpen={row.id === openId}
                isCancelling={row.id === cancelling}
                onCancel={() => onCancel(row)}
                onAsk={(what, from) => {
                  if (what === 'delete') remove.mutate(row)
                  else setAsked({ what, row, from })
                }}
              />
            ))}
          </ul>
        </>
      ) : null}
      {finished.hasNextPage ? (
        <Button
          className="mt-5"
          pending={finished.isFetchingNextPage}
          onClick={() => void finished.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
      {isEmpty && isNarrowed ? (
        <div role="status" className="flex flex-wrap items-center gap-4 border-y border-rule py-6">
          <p className="text-ink-2">
            {filters.q.trim() === ''
              ? 'No recording has this status.'
              : `Nothing found for “${filters.q.trim()}”, in names or in what was said.`}
          </p>
          <Button size="small" onClick={() => setFilters({ ...filters, q: '', status: 'all' })}>
            Show all
          </Button>
        </div>
      ) : null}
      {isPending || isError || isNarrowed ? null : (
        <LibraryPad
          isEmpty={rows.length === 0}
          hasSample={rows.some(({ isSample }) => isSample)}
          steps={steps}
          onHide={() => {
            hide()
            heading.current?.focus()
          }}
        />
      )}
      {asked ? (
        <Suspense>
          {asked.what === 'export' ? (
            <ExportDialog {...answered} named={asked.row} />
          ) : asked.what === 'again' ? (
            <AgainDialog
              {...answered}
              id={asked.row.id}
              fileName={asked.row.originalName}
              onStarted={() => {
                setAsked(null)
                void navigate({ search: withOpen(search, asked.row.id) })
              }}
            />
          ) : asked.what === 'rename' ? (
            <RenameDialog {...answered} row={asked.row} />
          ) : (
            <DeleteRecordingDialog {...answered} row={asked.row} />
          )}
        </Suspense>
      ) : null}
    </section>
  )
}

/** Moves the focus to the results when a search from another page led here. */
function useArrival(heading: RefObject<HTMLElement | null>): void {
  const { key, state, search, hash } = useLocation()
  const navigate = useNavigate()
  const arrival = state === TO_LIBRARY ? key : null
  useEffect(() => {
    if (arrival === null) return
    // Waits a frame, because a new page first moves the focus to its heading.
    const frame = requestAnimationFrame(() => {
      heading.current?.focus({ preventScroll: true })
      heading.current?.scrollIntoView({ block: 'start' })
      // Clears the state, so that a user who comes back to this entry is not moved again.
      void navigate({ search, hash }, { replace: true, preventScrollReset: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [arrival, heading, navigate, search, hash])
}

/** Column heads for the eye. Each row names its values for screen readers. */
function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className={classes(
        'hidden border-b border-line pb-3 text-small font-semibold text-ink-2',
        rowColumns,
      )}
    >
      <span className="col-start-2">Name</span>
      <span>Date</span>
      <span className="text-right">Length</span>
      <span>Speakers</span>
      <span>Status</span>
    </div>
  )
}

function Skeleton() {
  return (
    <div className="animate-appear">
      <output className="sr-only">Loading your library</output>
      {/* Holds the place of the search and the column heads, so that the rows do not move. */}
      <div aria-hidden="true" className="mb-5 flex flex-wrap gap-3 lg:mb-[54px]">
        <span className="h-11 w-full rounded-control bg-paper-2 lg:w-[26.25rem]" />
        <span className="h-11 flex-1 rounded-control bg-paper-2 sm:w-44 sm:flex-none" />
        <span className="h-11 flex-1 rounded-control bg-paper-2 sm:w-44 sm:flex-none" />
      </div>
      {[40, 62, 34, 50].map((width) => (
        <div
          key={width}
          aria-hidden="true"
          className="flex h-[69px] items-center gap-5 border-b border-rule"
        >
          <span className="h-7 w-28 shrink-0 rounded-mark bg-paper-2" />
          <span className="h-4 rounded-mark bg-rule/60" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}
