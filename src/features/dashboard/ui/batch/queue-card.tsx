import { Download, Mic, Tag } from 'lucide-react'
import { type FocusEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'

import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { ChosenQuestion } from '#features/library/ui/chosen-question.tsx'
import { withOpen } from '#features/library/ui/library-address.ts'
import { needsCredits, refreshUserAndList } from '#features/recordings/ui/queries.ts'
import { takeFocus } from '#features/recordings/ui/take-focus.ts'
import { cancelTranscription } from '#features/transcriptions/calls.ts'
import { isWorking } from '#features/transcriptions/status.ts'
import { NotifyOffer } from '#features/transcriptions/ui/notify-offer.tsx'
import { ProgressLine } from '#features/transcriptions/ui/progress-line.tsx'
import { retrySentence, useRetry } from '#features/transcriptions/ui/queries.ts'
import { Status } from '#features/transcriptions/ui/row-status.tsx'
import { formatCredits } from '#shared/format.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Levels } from '#web/ui/levels.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toastFailure } from '#web/ui/toast.tsx'

import { AddFiles } from './add-files.tsx'
import { filesInWords } from './lines.ts'
import { type QueueRow, headOf, inOrderOf, inQueueOrder, isWaiting } from './queue.ts'

/** Files that were confirmed together, and how far each is, until this page is left. */
export function QueueCard({
  rows,
  timeLeft,
  isLost,
  takesFocus,
  hasBill,
  onFiles,
  onRecord,
  onCancel,
  onNewFile,
}: {
  rows: readonly QueueRow[]
  /** "About 6–9 min left for all."; nothing while nothing is known. */
  timeLeft: string | null
  /** The server cannot be asked at the moment. */
  isLost: boolean
  /** It was confirmed on this page just now. */
  takesFocus: boolean
  /** A bill for more files stands above, with the main act. */
  hasBill: boolean
  onFiles: (files: File[]) => void
  onRecord: () => void
  onCancel: (row: QueueRow) => void
  onNewFile: () => void
}) {
  const working = rows.filter(({ status }) => isWorking(status))
  const waiting = rows.filter(isWaiting)
  const isOver = working.length === 0
  const { list, shown, uses } = useOrder(rows)
  const batches = [...new Set(working.flatMap(({ batchId }) => batchId ?? []))]
  return (
    <>
      <section
        aria-labelledby="queue-heading"
        className="divide-y divide-rule rounded-panel border border-rule bg-card px-4 sm:px-8"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 py-5 sm:py-6">
          <div className="min-w-0 max-sm:w-full">
            <h2
              ref={takesFocus ? takeFocus : undefined}
              id="queue-heading"
              tabIndex={-1}
              className="font-display text-section leading-7! font-semibold outline-none"
            >
              {headOf(rows)}
            </h2>
            {isOver ? null : (
              <p className="text-small text-ink-2">
                {timeLeft === null ? '' : `${timeLeft} `}You can leave this page.
              </p>
            )}
          </div>
          {isOver ? (
            <WhatNext rows={rows} isMain={!hasBill} onNewFile={onNewFile} />
          ) : (
            <div className="flex gap-2.5 max-sm:w-full max-sm:*:flex-1">
              <AddFiles onFiles={onFiles} />
              <Button size="small" icon={<Mic />} onClick={onRecord}>
                Record
              </Button>
            </div>
          )}
          {isLost ? (
            <InlineError tone="warn" className="w-full">
              Connection lost. Your files are still being processed.
            </InlineError>
          ) : null}
        </div>
        <ul ref={list} {...uses} aria-label="Files" className="divide-y divide-rule">
          {shown.map((row) => (
            <Row key={row.id} row={row} onCancel={() => onCancel(row)} />
          ))}
        </ul>
      </section>
      {isOver ? null : (
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-ink-2">
          <p>Each file is charged when it is done.</p>
          {waiting.length > 0 ? <CancelWaiting rows={waiting} /> : null}
        </div>
      )}
      {isOver ? null : (
        <NotifyOffer key={batches.join('.')} ids={batches} told="when they are done" />
      )}
    </>
  )
}

/**
 * While the pointer or the focus is in the list, each row stays in its place: a button never takes the
 * place of the one that is about to be pressed.
 */
function useOrder(rows: readonly QueueRow[]) {
  const list = useRef<HTMLUListElement>(null)
  const [held, setHeld] = useState<readonly string[] | null>(null)
  const shown = held ? inOrderOf(rows, held) : inQueueOrder(rows)
  const hold = () => setHeld((before) => before ?? shown.map(({ id }) => id))
  const letGo = () => {
    if (!list.current?.matches(':hover, :focus-within')) setHeld(null)
  }
  // A button that had the focus may be gone, of which no event tells.
  useEffect(letGo)
  const uses = {
    onPointerEnter: hold,
    onPointerLeave: letGo,
    onFocus: hold,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget)) letGo()
    },
  }
  return { list, shown, uses }
}

/** The acts on files that have just become texts: on all of them at once. */
function WhatNext({
  rows,
  isMain,
  onNewFile,
}: {
  rows: readonly QueueRow[]
  isMain: boolean
  onNewFile: () => void
}) {
  const [asked, setAsked] = useState<{ what: 'tag' | 'export'; from: HTMLElement } | null>(null)
  const done = rows.filter(({ status }) => status === 'completed')
  const ask = (what: 'tag' | 'export') => (event: MouseEvent<HTMLElement>) =>
    setAsked({ what, from: event.currentTarget })
  const close = () => setAsked(null)
  return (
    <div className="flex flex-wrap gap-2.5 max-sm:w-full max-sm:*:flex-1">
      {done.length > 0 ? (
        <>
          <Button
            size="small"
            variant={isMain ? 'primary' : 'secondary'}
            icon={<Download />}
            onClick={ask('export')}
          >
            Export all
          </Button>
          <Button size="small" icon={<Tag />} onClick={ask('tag')}>
            Tag
          </Button>
        </>
      ) : null}
      <ButtonLink size="small" href={paths.library}>
        Library
      </ButtonLink>
      <Button
        size="small"
        variant={isMain && done.length === 0 ? 'primary' : 'secondary'}
        onClick={onNewFile}
      >
        Process New File
      </Button>
      {asked ? (
        <ChosenQuestion
          {...asked}
          chosen={new Map(done.map((row) => [row.id, row]))}
          rows={rows}
          onClose={close}
          focusAfter={() => asked.from.focus()}
          onGone={close}
        />
      ) : null}
    </div>
  )
}

function Row({ row, onCancel }: { row: QueueRow; onCancel: () => void }) {
  const { search } = useLocation()
  const retry = useRetry()
  const isCompleted = row.status === 'completed'
  const isRunning = isWorking(row.status) && !isWaiting(row)
  const problem = retrySentence(retry.error)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 py-3.5 sm:grid-cols-[96px_minmax(0,1fr)_auto_auto]">
      <Levels levels={row.levels} className="max-sm:hidden" />
      <div className="min-w-0">
        <p className="leading-6! font-[650] wrap-anywhere">{row.originalName}</p>
        {isRunning ? (
          <div className="max-w-80">
            <ProgressLine row={row} />
          </div>
        ) : (
          <p className="text-small text-ink-2 tabular-nums">
            <span className="sr-only">Length </span>
            <Timecode s={row.duration} className="text-fine!" /> ·{' '}
            {formatCredits(row.creditsRequired)}
          </p>
        )}
        {isRunning ? null : (
          <div className="mt-0.5 sm:hidden">
            <Status row={row} />
          </div>
        )}
      </div>
      <div className="max-sm:hidden">{isRunning ? null : <Status row={row} />}</div>
      <div className="justify-self-end">
        {isCompleted ? (
          <ButtonLink
            href={withOpen(search, row.id)}
            size="small"
            aria-label={`Open ${row.originalName}`}
          >
            Open
          </ButtonLink>
        ) : row.status === 'error' ? (
          row.canRetry ? (
            <Button
              size="small"
              pending={retry.isPending}
              onClick={() => retry.mutate(row)}
              aria-label={`Try again: ${row.originalName}`}
            >
              Try again
            </Button>
          ) : null
        ) : (
          <Button size="small" onClick={onCancel} aria-label={`Cancel ${row.originalName}`}>
            Cancel
          </Button>
        )}
      </div>
      {row.status === 'error' ? (
        <p className="col-span-full mt-1 text-small wrap-anywhere text-ink-2 sm:col-start-2">
          {row.errorMessage ?? 'An error occurred while processing your file.'}
        </p>
      ) : null}
      {problem ? (
        <InlineError
          className="col-span-full mt-2 sm:col-start-2"
          action={needsCredits(retry.error) ? <BuyCredits /> : undefined}
        >
          {problem}
        </InlineError>
      ) : null}
    </li>
  )
}

/** Stops what no worker has begun, after a question with its number. */
function CancelWaiting({ rows }: { rows: readonly QueueRow[] }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const credits = rows.reduce((sum, { creditsRequired }) => sum + creditsRequired, 0)
  const cancel = useMutation({
    mutationFn: async () => {
      // From the last one, so that what comes next meanwhile is the last to go.
      for (const { id } of rows.toReversed()) await ask(cancelTranscription, { params: { id } })
    },
    onError: (error) => toastFailure('Cancel Failed', sentenceOf(error)),
    onSettled: () => {
      refreshUserAndList(client)
      setAsking(false)
    },
  })
  const what = rows.length === 1 ? 'the file that waits' : `the ${rows.length} files that wait`
  return (
    <>
      <button
        type="button"
        onClick={() => setAsking(true)}
        className="min-h-6 font-medium text-link pointer-coarse:min-h-11"
      >
        Cancel what is waiting
      </button>
      <ConfirmAlert
        open={isAsking}
        title={`Cancel ${what}?`}
        description={`${rows.length === 1 ? 'Its recording is' : 'Their recordings are'} removed, and the ${formatCredits(credits)} reserved for ${rows.length === 1 ? 'it' : 'them'} come back.`}
        keep="Keep waiting"
        verb={`Cancel ${filesInWords(rows.length)}`}
        isPending={cancel.isPending}
        onKeep={() => setAsking(false)}
        onAct={() => cancel.mutate()}
      />
    </>
  )
}
