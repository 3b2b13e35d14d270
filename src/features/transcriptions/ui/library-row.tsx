import { useQueryClient } from '@tanstack/react-query'
import { Check, CircleAlert, Clock, Ellipsis } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link, useLocation } from 'react-router'

import { formatDate } from '#shared/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Fingerprint } from '#web/ui/fingerprint.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { SearchHit } from '../contract.ts'
import { isFinished, isUnconfirmed, isWorking } from '../status.ts'
import { canTranscribeAgain } from './again.ts'
import { downloadResult } from './downloads.ts'
import { fetchCode, useLaterRooms } from './later-rooms.ts'
import { withOpen } from './library-address.ts'
import { ProgressLine } from './progress-line.tsx'
import type { JobRow } from './queries.ts'

/** The question about a row, and the button that asked it. */
export interface Asked {
  what: 'rename' | 'export' | 'again' | 'delete-recording'
  row: JobRow
  from: HTMLElement | null
}

type OnAsk = (what: Asked['what'] | 'delete', from: Asked['from']) => void

export const rowColumns =
  'lg:grid lg:grid-cols-[112px_minmax(0,1fr)_100px_80px_108px_148px_36px] lg:items-center lg:gap-x-5'

/** One transcription: a row of a table on wide screens, a card on narrow ones. */
export function Row({
  row,
  isOpen,
  isCancelling,
  onCancel,
  onAsk,
}: {
  row: JobRow
  isOpen: boolean
  isCancelling: boolean
  onCancel: () => void
  onAsk: OnAsk
}) {
  const isCompleted = row.status === 'completed'
  const { search } = useLocation()
  const queryClient = useQueryClient()
  const { loadResults, fetchWords } = useLaterRooms()
  return (
    <li
      className={classes(
        'relative border-b border-rule py-4 max-lg:grid max-lg:grid-cols-[112px_minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-4',
        rowColumns,
      )}
    >
      <Fingerprint seed={row.id} speakers={isCompleted ? row.speakers.length : 0} />
      <div className="min-w-0 max-lg:order-4 max-lg:col-span-3 max-lg:mt-2">
        <p className="leading-6!">
          <Link
            to={{ search: withOpen(search, row.id) }}
            aria-current={isOpen ? 'true' : undefined}
            {...(isCompleted
              ? {
                  onPointerEnter: () => fetchCode(loadResults),
                  onFocus: () => fetchCode(loadResults),
                  onClick: () => void fetchWords(queryClient, row.id),
                }
              : {})}
            // The link covers the whole row, so all of it can be pressed. The row's buttons lie
            // above.
            className="font-[650] wrap-anywhere no-underline after:absolute after:inset-0 hover:underline"
          >
            {row.originalName}
          </Link>
          {row.isSample ? <Badge className="ml-3">Sample</Badge> : null}
        </p>
        <p className="text-small text-ink-2 tabular-nums lg:hidden">
          {formatDate(row.createdAt)} · <Timecode s={row.duration} />
          {isCompleted ? ` · ${speakersOf(row)}` : ''}
        </p>
        {row.hits?.length ? <Hits row={row} hits={row.hits} /> : null}
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
        <RowMenu {...{ row, isCancelling, onCancel, onAsk }} />
      </div>
      {isUnconfirmed(row.status) ? (
        <div className="relative mt-3 flex gap-3 max-lg:order-5 max-lg:col-span-3 lg:col-start-2 lg:col-end-5">
          <ButtonLink
            href={withOpen(search, row.id)}
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

/** Where the words of a search were said; each hit is a link to its moment. */
function Hits({ row, hits }: { row: JobRow; hits: SearchHit[] }) {
  const { search } = useLocation()
  return (
    <ul className="relative mt-1 space-y-1 text-small text-ink-2">
      {hits.map((hit) => (
        <li key={hit.at}>
          <Link
            to={{ search: withOpen(search, row.id, hit.at), hash: '#transcription' }}
            className="flex min-h-6 gap-3 hover:underline pointer-coarse:min-h-9"
          >
            <Timecode s={hit.at} className="shrink-0 pt-0.5 text-fine!" />
            <span dir="auto" className="min-w-0">
              {hit.speaker ? <span className="sr-only">{hit.speaker}: </span> : null}
              <Marked text={hit.snippet} marks={hit.marks} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Marked({ text, marks }: { text: string; marks: SearchHit['marks'] }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const [from, to] of marks) {
    parts.push(
      text.slice(end, from),
      <mark key={from} className="marked">
        {text.slice(from, to)}
      </mark>,
    )
    end = to
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}

function speakersOf({ speakers }: JobRow): string {
  if (speakers.length === 0) return 'No speakers'
  return speakers.length === 1 ? '1 speaker' : `${speakers.length} speakers`
}

function Status({ row }: { row: JobRow }) {
  if (isUnconfirmed(row.status))
    return <StatusLine icon={<Clock size={16} />}>Waiting for your confirmation</StatusLine>
  if (row.status === 'error')
    return (
      <StatusLine className="font-[650] text-danger" icon={<CircleAlert size={16} />}>
        Failed
      </StatusLine>
    )
  if (row.status === 'completed')
    return <StatusLine icon={<Check size={16} className="text-success" />}>Completed</StatusLine>
  return (
    <div className="max-w-[148px]">
      <ProgressLine row={row} />
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
  onAsk,
}: {
  row: JobRow
  isCancelling: boolean
  onCancel: () => void
  onAsk: OnAsk
}) {
  const trigger = useRef<HTMLButtonElement>(null)
  const { search } = useLocation()
  return (
    <DropdownMenu
      trigger={
        <IconButton ref={trigger} label={`More for ${row.originalName}`}>
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuLink to={withOpen(search, row.id)}>Open</MenuLink>
      {row.status === 'completed' ? (
        <>
          <MenuItem onSelect={() => void downloadResult('transcription', row)}>
            Download transcription
          </MenuItem>
          <MenuItem onSelect={() => void downloadResult('summary', row)}>Download summary</MenuItem>
          <MenuItem onSelect={() => onAsk('export', trigger.current)}>Export as…</MenuItem>
        </>
      ) : null}
      {isWorking(row.status) || isUnconfirmed(row.status) ? (
        <MenuItem danger disabled={isCancelling} onSelect={onCancel}>
          {isWorking(row.status) ? 'Cancel processing' : 'Cancel upload'}
        </MenuItem>
      ) : null}
      {isFinished(row.status) ? (
        <>
          <MenuItem onSelect={() => onAsk('rename', trigger.current)}>Rename</MenuItem>
          {canTranscribeAgain(row) ? (
            <MenuItem onSelect={() => onAsk('again', trigger.current)}>Transcribe again…</MenuItem>
          ) : null}
          <MenuSeparator />
          {row.recordingKeptUntil === null ? null : (
            <MenuItem onSelect={() => onAsk('delete-recording', trigger.current)}>
              Delete the recording now
            </MenuItem>
          )}
          <MenuItem danger onSelect={() => onAsk('delete', trigger.current)}>
            Delete
          </MenuItem>
        </>
      ) : null}
    </DropdownMenu>
  )
}
