import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Clock, Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { formatDate } from '#shared/format.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { DropdownMenu, MenuItem, MenuLink } from '#web/ui/dropdown-menu.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { Fingerprint } from '#web/ui/fingerprint.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { isFinished, isUnconfirmed, isWorking } from '../status.ts'
import { inLibraryOrder } from './library-order.ts'
import { activityOf } from './progress.ts'
import { type JobRow, listQuery } from './queries.ts'
import { downloadResult } from './results/downloads.ts'

/** Past and running transcriptions. Running ones stand on top and are live. */
export function Library({
  openId,
  cancelling,
  onCancel,
  isLossSaid,
}: {
  /** The transcription that is open above; its row says so. */
  openId: string | null
  cancelling: string | null
  onCancel: (row: JobRow) => void
  /** The card above already says that the connection is lost. */
  isLossSaid: boolean
}) {
  const list = useInfiniteQuery(listQuery)
  const rows = inLibraryOrder(list.data?.pages ?? [])
  return (
    <section aria-labelledby="library-heading" className="mt-16">
      <div className="mb-4 flex items-baseline gap-3">
        <h2 id="library-heading" className="font-display text-section font-semibold">
          Library
        </h2>
        {rows.length > 0 ? (
          <p className="text-small text-ink-2 tabular-nums">
            {rows.length}
            {list.hasNextPage ? '+' : ''} {rows.length === 1 ? 'recording' : 'recordings'}
          </p>
        ) : null}
      </div>
      {list.isPending ? <Skeleton /> : null}
      {list.isError && !(isLossSaid && list.data) ? (
        <InlineError
          className="mb-4"
          action={
            <Button size="small" pending={list.isFetching} onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        >
          {list.data
            ? 'Connection lost. This list may be out of date.'
            : 'Your library could not be loaded. Nothing in it was changed.'}
        </InlineError>
      ) : null}
      {list.data && rows.length === 0 ? (
        <EmptyPad text="Nothing here yet. Drop a recording above.">
          <p className="leading-8! text-ink-2">
            Every file you transcribe is kept here: text, summary, speakers.
          </p>
        </EmptyPad>
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
              />
            ))}
          </ul>
        </>
      ) : null}
      {list.hasNextPage ? (
        <Button
          className="mt-5"
          pending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </section>
  )
}

const columns =
  'lg:grid lg:grid-cols-[112px_minmax(0,1fr)_100px_80px_108px_148px_36px] lg:items-center lg:gap-x-5'

/** For the eye; each row says by itself what it holds. */
function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className={classes(
        'hidden border-b border-line pb-3 text-small font-semibold text-ink-2',
        columns,
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

function Row({
  row,
  isOpen,
  isCancelling,
  onCancel,
}: {
  row: JobRow
  isOpen: boolean
  isCancelling: boolean
  onCancel: () => void
}) {
  const isCompleted = row.status === 'completed'
  return (
    <li
      className={classes(
        'relative border-b border-rule py-4 max-lg:grid max-lg:grid-cols-[112px_minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-4',
        columns,
      )}
    >
      <Fingerprint seed={row.id} speakers={isCompleted ? row.speakers.length : 0} />
      <div className="min-w-0 max-lg:order-4 max-lg:col-span-3 max-lg:mt-2">
        <p className="leading-6!">
          <Link
            to={{ search: `?t=${row.id}` }}
            aria-current={isOpen ? 'true' : undefined}
            // The whole row can be pressed; its buttons lie above.
            className="font-[650] wrap-anywhere no-underline after:absolute after:inset-0 hover:underline"
          >
            {row.originalName}
          </Link>
        </p>
        <p className="text-small text-ink-2 tabular-nums lg:hidden">
          {formatDate(row.createdAt)} · <Timecode s={row.duration} />
          {isCompleted ? ` · ${speakersOf(row)}` : ''}
        </p>
        {row.status === 'error' ? (
          <p className="text-small leading-5.5! wrap-anywhere text-ink-2">
            {row.errorMessage ?? 'An error occurred while processing your file.'}
          </p>
        ) : null}
        {isUnconfirmed(row.status) ? (
          <p className="text-small text-ink-2">
            {row.creditsRequired === 1 ? '1 credit' : `${row.creditsRequired} credits`}; nothing is
            charged before you confirm.
          </p>
        ) : null}
      </div>
      <span className="text-small text-ink-2 tabular-nums max-lg:hidden">
        {formatDate(row.createdAt)}
      </span>
      <span className="text-right text-ink-2 max-lg:hidden">
        <span className="sr-only">Length </span>
        <Timecode s={row.duration} className="text-fine!" />
      </span>
      <span className="text-small text-ink-2 max-lg:hidden">
        {isFinished(row.status) ? speakersOf(row) : ''}
      </span>
      <div className="min-w-0 max-lg:order-2">
        <Status row={row} />
      </div>
      <div className="relative justify-self-end max-lg:order-3">
        <RowMenu row={row} isCancelling={isCancelling} onCancel={onCancel} />
      </div>
      {isUnconfirmed(row.status) ? (
        <div className="relative mt-3 flex gap-3 max-lg:order-5 max-lg:col-span-3 lg:col-start-2 lg:col-end-5">
          <ButtonLink
            href={`?t=${row.id}`}
            size="small"
            variant="primary"
            aria-label={`Confirm ${row.originalName}`}
          >
            Confirm
          </ButtonLink>
          <Button
            size="small"
            pending={isCancelling}
            onClick={onCancel}
            aria-label={`Cancel ${row.originalName}`}
          >
            Cancel
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function speakersOf({ speakers }: JobRow): string {
  if (speakers.length === 0) return 'No speakers'
  return speakers.length === 1 ? '1 speaker' : `${speakers.length} speakers`
}

function Status({ row }: { row: JobRow }) {
  if (isUnconfirmed(row.status))
    return (
      <StatusLine icon={<Clock aria-hidden="true" size={16} strokeWidth={1.75} />}>
        Waiting for your confirmation
      </StatusLine>
    )
  if (row.status === 'error')
    return (
      <StatusLine
        className="font-[650] text-danger"
        icon={<CircleAlert aria-hidden="true" size={16} strokeWidth={1.75} />}
      >
        Failed
      </StatusLine>
    )
  if (row.status === 'completed')
    return (
      <StatusLine
        icon={<Check aria-hidden="true" size={16} strokeWidth={1.75} className="text-success" />}
      >
        Completed
      </StatusLine>
    )
  return (
    <div className="max-w-[148px] text-small">
      <p className="tabular-nums">
        {activityOf(row.status)} · {row.percent}%
      </p>
      <div aria-hidden="true" className="relative mt-1.5 h-1 rounded-full bg-rule">
        <div
          className="h-full rounded-full bg-ink-2 transition-[width] duration-[1200ms]"
          style={{ width: `${row.percent}%` }}
        />
        <div
          className="absolute -inset-y-1 w-0.5 animate-breathe bg-playhead transition-[left] duration-[1200ms]"
          style={{ left: `${row.percent}%` }}
        />
      </div>
    </div>
  )
}

function StatusLine({
  icon,
  className = 'text-ink-2',
  children,
}: {
  icon: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <p
      className={classes(
        'flex items-start gap-2 text-small leading-5! *:first:mt-0.5 *:first:shrink-0',
        className,
      )}
    >
      {icon}
      {children}
    </p>
  )
}

function RowMenu({
  row,
  isCancelling,
  onCancel,
}: {
  row: JobRow
  isCancelling: boolean
  onCancel: () => void
}) {
  return (
    <DropdownMenu
      trigger={
        <IconButton label={`More for ${row.originalName}`}>
          <Ellipsis aria-hidden="true" strokeWidth={1.75} />
        </IconButton>
      }
    >
      <MenuLink to={`?t=${row.id}`}>Open</MenuLink>
      {row.status === 'completed' ? (
        <>
          <MenuItem onSelect={() => void downloadResult('transcription', row)}>
            Download transcription
          </MenuItem>
          <MenuItem onSelect={() => void downloadResult('summary', row)}>Download summary</MenuItem>
        </>
      ) : null}
      {isWorking(row.status) || isUnconfirmed(row.status) ? (
        <MenuItem danger disabled={isCancelling} onSelect={onCancel}>
          {isWorking(row.status) ? 'Cancel processing' : 'Cancel upload'}
        </MenuItem>
      ) : null}
    </DropdownMenu>
  )
}

function Skeleton() {
  return (
    <div className="animate-appear">
      <output className="sr-only">Loading your library</output>
      {[40, 62, 34, 50].map((width) => (
        <div
          key={width}
          aria-hidden="true"
          className="flex h-[65px] items-center gap-5 border-b border-rule first-of-type:border-t"
        >
          <span className="h-7 w-28 shrink-0 rounded-mark bg-paper-2" />
          <span className="h-4 rounded-mark bg-rule/60" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}
