import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Link2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link, type To, useLocation } from 'react-router'

import type { Tag } from '#features/transcriptions/contract.ts'
import { isFinished, isUnconfirmed, isWorking } from '#features/transcriptions/status.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { downloadResult, saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { supportFor } from '#features/transcriptions/ui/failed-words.ts'
import { useOtherLanguage } from '#features/transcriptions/ui/other-language-dialog.tsx'
import type { JobRow } from '#features/transcriptions/ui/queries.ts'
import { Status } from '#features/transcriptions/ui/row-status.tsx'
import { formatMoment, formatCredits } from '#shared/format.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton, buttonClasses } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Levels } from '#web/ui/levels.tsx'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { wordsToCheck } from '#features/text/words-in-doubt.ts'

import type { Choice } from './choice.ts'
import { useLaterRooms } from './later-rooms.ts'
import { withOpen } from './library-address.ts'
import { whoSpeaks } from './said-by.ts'

/** The question about a row, and the button that asked it. */
export interface OpenQuestion {
  what: 'rename' | 'tag' | 'export' | 'share' | 'again' | 'other-language' | 'delete-recording'
  row: JobRow
  from: HTMLElement | null
}

/** The acts of a row's menu. */
export interface RowActs {
  /** The job that is being cancelled. */
  cancelling: string | null
  onCancel: (row: JobRow) => void
  onAsk: (
    what: OpenQuestion['what'] | 'delete' | 'retry',
    row: JobRow,
    from: OpenQuestion['from'],
  ) => void
}

/** Columns of the table; on narrow screens a row is a card. */
const columns = {
  plain:
    'max-lg:grid-cols-[minmax(0,1fr)_44px] lg:grid-cols-[116px_minmax(0,1fr)_105px_100px_148px_168px_36px]',
  /** Without a column of its own for the status, which stands with the name. */
  brief:
    'max-lg:grid-cols-[minmax(0,1fr)_44px] lg:grid-cols-[116px_minmax(0,1fr)_112px_76px_115px_36px]',
  choosing:
    'max-lg:grid-cols-[48px_minmax(0,1fr)_44px] lg:grid-cols-[57px_minmax(0,1fr)_105px_90px_128px_152px_36px] xl:grid-cols-[57px_116px_minmax(0,1fr)_105px_100px_148px_168px_36px]',
}

/**
 * Recordings as a table. It is made of roles, because a grid can be a card on narrow screens and
 * still be a table for screen readers.
 */
export function RowTable({
  rows,
  openId = null,
  choice,
  isBrief = false,
  headBox,
  headAct,
  ...acts
}: RowActs & {
  rows: readonly JobRow[]
  /** The transcription that is open above; its row says so. */
  openId?: string | null
  /** Which rows are chosen. Without it rows have no checkbox. */
  choice?: Choice
  /** A few of them beside something else: without the names of the columns on the screen. */
  isBrief?: boolean
  /** The checkbox over those of the rows. */
  headBox?: ReactNode
  /** Stands beside the name of the first column. */
  headAct?: ReactNode
}) {
  const head = 'pb-2.5 text-small font-semibold text-ink-2'
  const kind = choice ? 'choosing' : isBrief ? 'brief' : 'plain'
  return (
    <div role="table" aria-label="Recordings">
      <div role="rowgroup" className={isBrief ? 'sr-only' : 'max-lg:sr-only'}>
        <div role="row" className={classes('grid items-end border-b border-line', columns[kind])}>
          {choice ? (
            <div role="columnheader" className="-mb-px flex h-11 items-center">
              {headBox}
            </div>
          ) : null}
          <div role="columnheader" className={choice && 'max-xl:hidden'}>
            <span className="sr-only">Wave</span>
          </div>
          <div role="columnheader" className={classes(head, 'flex items-baseline gap-4')}>
            Name and first words
            {headAct}
          </div>
          <div role="columnheader" className={head}>
            Added
          </div>
          <div role="columnheader" className={classes(head, 'pr-5 text-right')}>
            Length
          </div>
          <div role="columnheader" className={head}>
            Speakers
          </div>
          {isBrief ? null : (
            <div role="columnheader" className={head}>
              Status
            </div>
          )}
          <div role="columnheader">
            <span className="sr-only">More</span>
          </div>
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row) => (
          <Row key={row.id} {...{ row, kind, choice }} isOpen={row.id === openId} {...acts} />
        ))}
      </div>
    </div>
  )
}

export function ChooseBox({ row, choice }: { row: JobRow; choice: Choice }) {
  return (
    <Checkbox
      className="-ml-[11px] size-11 justify-center gap-0! select-none"
      data-choose
      checked={choice.chosen.has(row.id)}
      onChange={({ nativeEvent }) =>
        choice.choose(row.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
    >
      <span className="sr-only">Choose {row.originalName}</span>
    </Checkbox>
  )
}

function Row({
  row,
  isOpen,
  choice,
  kind,
  ...acts
}: RowActs & {
  row: JobRow
  isOpen: boolean
  choice: Choice | undefined
  kind: keyof typeof columns
}) {
  const isBrief = kind === 'brief'
  const isCompleted = row.status === 'completed'
  const isChosen = choice?.chosen.has(row.id) ?? false
  return (
    <div
      role="row"
      data-row={row.id}
      aria-selected={choice ? isChosen : undefined}
      className={classes(
        'relative grid items-start border-b border-rule lg:items-center',
        isBrief ? 'py-2.5 lg:min-h-[66px]' : 'py-3 lg:min-h-[72px]',
        isChosen && 'bg-paper-2 max-lg:-mx-4 max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6',
        isChosen &&
          'lg:rounded-control lg:shadow-[-12px_0_var(--color-paper-2),12px_0_var(--color-paper-2)]',
        columns[kind],
      )}
    >
      {choice ? (
        <div role="cell" className="relative z-1 max-lg:-my-2.5 lg:-my-3">
          <ChooseBox row={row} choice={choice} />
        </div>
      ) : null}
      <div role="cell" className={classes('max-lg:hidden', choice && 'max-xl:hidden')}>
        <Levels levels={row.levels} />
      </div>
      <div role="cell" className="min-w-0 lg:pr-5">
        <NameLine row={row} isOpen={isOpen} isOnTint={isChosen} />
        <SecondLine row={row} />
        <p className="text-small text-ink-2 tabular-nums lg:hidden">
          {formatMoment(row.createdAt)} · <Timecode s={row.duration} />
          {isCompleted ? ` · ${whoSpeaks(row).join(', ')}` : ''}
          {isCompleted && row.wordsInDoubt && !isBrief
            ? ` · ${wordsToCheck(row.wordsInDoubt)}`
            : ''}
        </p>
        {isBrief && !isCompleted ? <Status row={row} /> : null}
        {isUnconfirmed(row.status) ? (
          <ConfirmOrCancel
            row={row}
            isCancelling={acts.cancelling === row.id}
            onCancel={() => acts.onCancel(row)}
          />
        ) : null}
      </div>
      <div role="cell" className="text-small text-ink-2 tabular-nums max-lg:hidden">
        {formatMoment(row.createdAt)}
      </div>
      <div role="cell" className="pr-5 text-right text-ink-2 max-lg:hidden">
        <Timecode s={row.duration} className="text-fine!" />
      </div>
      <div
        role="cell"
        className="pr-4 text-small leading-5! text-ink-2 wrap-anywhere max-lg:hidden"
      >
        {isCompleted ? <WhoSpeaks row={row} /> : null}
      </div>
      {isBrief ? null : (
        <div
          role="cell"
          className={classes(
            'min-w-0 max-lg:row-start-2 max-lg:mt-1',
            choice && 'max-lg:col-start-2',
            isCompleted && 'max-lg:hidden',
          )}
        >
          <Status row={row} />
          {isCompleted && row.wordsInDoubt ? (
            <p className="pl-6 text-small leading-5! text-ink-2">
              {wordsToCheck(row.wordsInDoubt)}
            </p>
          ) : null}
        </div>
      )}
      <div
        role="cell"
        className="relative z-1 row-start-1 has-[[role=menu]]:z-30 -col-end-1 -my-2.5 justify-self-end"
      >
        <RowMenu row={row} {...acts} />
      </div>
    </div>
  )
}

/** A name is not broken over two lines where it fits on one. */
export function WhoSpeaks({ row }: { row: JobRow }) {
  return whoSpeaks(row).map((name, place, all) => (
    <span key={name} className="inline-block max-w-full">
      {name}
      {place < all.length - 1 ? ',\u00A0' : ''}
    </span>
  ))
}

/** Where a row leads, and to which moment in it. On the library's own page that is another page. */
export function useOpening(): (id: string, at?: number) => Exclude<To, string> {
  const { pathname, search } = useLocation()
  return (id, at) => ({
    pathname: pathname === paths.library ? paths.dashboard : pathname,
    search: withOpen(search, id, at),
    hash: at === undefined ? '' : '#transcription',
  })
}

/** The name, which is the link, with the tags behind it. */
export function NameLine({
  row,
  isOpen = false,
  isOnTint = false,
}: {
  row: JobRow
  isOpen?: boolean
  /** The row has the ground of a chosen one. */
  isOnTint?: boolean
}) {
  const opening = useOpening()
  const queryClient = useQueryClient()
  const { fetchResult } = useLaterRooms()
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 leading-6!">
      <Link
        to={opening(row.id)}
        data-row-link
        aria-current={isOpen ? 'true' : undefined}
        {...(row.status === 'completed'
          ? { onClick: () => void fetchResult(queryClient, row.id) }
          : {})}
        // The link covers the whole row, so all of it can be pressed. The row's buttons lie above.
        className="min-w-0 font-[650] wrap-anywhere no-underline after:absolute after:inset-0 hover:underline"
      >
        {row.originalName}
      </Link>
      {row.isSample || row.isShared || row.tags.length > 0 ? (
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          {row.isSample ? <Badge>Sample</Badge> : null}
          {row.tags.map((tag) => (
            <TagBadge key={tag.id} tag={tag} isOnTint={isOnTint} />
          ))}
          {row.isShared ? (
            <span title="Shared by a link" className="text-ink-2">
              <Link2 size={16} aria-hidden="true" />
              <span className="sr-only">Shared by a link</span>
            </span>
          ) : null}
        </span>
      ) : null}
    </p>
  )
}

function TagBadge({ tag: { name, colour }, isOnTint }: { tag: Tag; isOnTint: boolean }) {
  return (
    <Badge
      className={classes('inline-flex! max-w-full items-center gap-1.5', isOnTint && 'bg-card!')}
    >
      <TagDot colour={colour} />
      <span className="min-w-0 truncate">{name}</span>
    </Badge>
  )
}

/** The colour of a tag, which is one of the speakers'. Its name stands beside it. */
export function TagDot({ colour }: { colour: number }) {
  return (
    <span
      {...speakerColours(colour)}
      aria-hidden="true"
      className="keeps-colour size-2 shrink-0 rounded-full bg-speaker-lane"
    />
  )
}

/** How the text begins, or what there is to say in its place. */
function SecondLine({ row }: { row: JobRow }) {
  if (row.status === 'error')
    return (
      <p className="text-small leading-5.5! wrap-anywhere text-ink-2">
        {row.errorMessage ?? 'An error occurred while processing your file.'}
      </p>
    )
  if (isUnconfirmed(row.status))
    return (
      <p className="text-small text-ink-2">
        {formatCredits(row.creditsRequired)}; nothing is charged before you confirm.
      </p>
    )
  return <FirstWords row={row} />
}

export function FirstWords({ row: { firstWords } }: { row: JobRow }) {
  return firstWords ? (
    <p dir="auto" className="truncate text-small leading-5.5! text-ink-2">
      {firstWords}
    </p>
  ) : null
}

function ConfirmOrCancel({
  row,
  isCancelling,
  onCancel,
}: {
  row: JobRow
  isCancelling: boolean
  onCancel: () => void
}) {
  const opening = useOpening()
  return (
    <div className="relative z-1 mt-3 flex w-fit gap-3">
      <Link
        to={opening(row.id)}
        aria-label={`Confirm ${row.originalName}`}
        className={buttonClasses({ size: 'small' })}
      >
        Confirm
      </Link>
      <Button
        size="small"
        variant="quiet"
        pending={isCancelling}
        onClick={onCancel}
        aria-label={`Cancel ${row.originalName}`}
      >
        Cancel
      </Button>
    </div>
  )
}

export function RowMenu({ row, cancelling, onCancel, onAsk }: RowActs & { row: JobRow }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const opening = useOpening()
  const { pathname, search } = opening(row.id)
  const ask = (what: Parameters<typeof onAsk>[0]) => () => onAsk(what, row, trigger.current)
  return (
    <DropdownMenu
      trigger={
        <IconButton ref={trigger} label={`More for ${row.originalName}`}>
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuLink to={`${pathname}${search}`}>Open</MenuLink>
      {row.status === 'error' ? <AnotherTry row={row} ask={ask} /> : null}
      {row.status === 'completed' ? (
        <>
          <MenuItem onSelect={() => void downloadResult('transcription', row)}>
            Download transcription
          </MenuItem>
          <MenuItem onSelect={() => void downloadResult('summary', row)}>Download summary</MenuItem>
          <MenuItem onSelect={ask('export')}>Export as…</MenuItem>
          <MenuItem onSelect={ask('share')}>Share…</MenuItem>
        </>
      ) : null}
      {row.recordingKeptUntil === null ? null : (
        <MenuItem onSelect={() => void saveRecording(row)}>
          {row.status === 'error' ? 'Save the recording' : 'Download recording'}
        </MenuItem>
      )}
      {row.status === 'error' ? (
        <MenuLink to={supportFor(row.id)} reloadDocument>
          Contact support
        </MenuLink>
      ) : null}
      <MenuItem onSelect={ask('tag')}>Tag…</MenuItem>
      {isWorking(row.status) || isUnconfirmed(row.status) ? (
        <MenuItem danger disabled={cancelling === row.id} onSelect={() => onCancel(row)}>
          {isWorking(row.status) ? 'Cancel processing' : 'Cancel upload'}
        </MenuItem>
      ) : null}
      {isFinished(row.status) ? (
        <>
          <MenuItem onSelect={ask('rename')}>Rename</MenuItem>
          {canTranscribeAgain(row) ? (
            <MenuItem onSelect={ask('again')}>Transcribe again…</MenuItem>
          ) : null}
          <MenuSeparator />
          {row.recordingKeptUntil === null ? null : (
            <MenuItem onSelect={ask('delete-recording')}>Delete the recording now</MenuItem>
          )}
          <MenuItem danger onSelect={ask('delete')}>
            Delete
          </MenuItem>
        </>
      ) : null}
    </DropdownMenu>
  )
}

/** The way on from a failure, as its page has it. */
function AnotherTry({
  row,
  ask,
}: {
  row: JobRow
  ask: (what: 'retry' | 'other-language') => () => void
}) {
  const hasOtherLanguage = useOtherLanguage(row)
  if (row.canRetry) return <MenuItem onSelect={ask('retry')}>Try again</MenuItem>
  return hasOtherLanguage ? (
    <MenuItem onSelect={ask('other-language')}>Transcribe again…</MenuItem>
  ) : null
}
