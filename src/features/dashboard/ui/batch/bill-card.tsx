import { CircleAlert, Mic, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { useUser } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { isUndecided, orderOf } from '#features/documents/ui/choice.ts'
import { DocumentOptions } from '#features/documents/ui/document-options.tsx'
import { hasDocuments } from '#features/documents/ui/queries.ts'
import { getMedia } from '#features/recordings/calls.ts'
import { LeftNote } from '#features/recordings/ui/left-note.tsx'
import { localSoundQuery } from '#features/recordings/ui/local-sound.ts'
import { OptionsRow } from '#features/recordings/ui/options-row.tsx'
import { isLengthSure, userKey } from '#features/recordings/ui/queries.ts'
import { originOf } from '#features/recordings/ui/recording/origin.ts'
import { SoundPlayer } from '#features/recordings/ui/recording/sound-player.tsx'
import { SameNote, SilentNote, sayCopyRemoved } from '#features/recordings/ui/same-note.tsx'
import { bytesSent } from '#features/recordings/ui/sent.ts'
import { SummaryLanguageSelect } from '#features/recordings/ui/summary-language-select.tsx'
import { takeFocus } from '#features/recordings/ui/take-focus.ts'
import { RecordedLine } from '#features/transcriptions/ui/recorded-line.tsx'
import { addressOf } from '#shared/call.ts'
import { formatBytes, formatCredits } from '#shared/format.ts'
import { isSilent } from '#shared/wave.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Levels } from '#web/ui/levels.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { useOnFocus } from '#web/use-on-focus.ts'

import { AddFiles } from './add-files.tsx'
import type { Batch } from './batch.ts'
import {
  type Line,
  beyond,
  type Sum,
  filesInWords,
  hasOtherPrice,
  inWords,
  moreCredits,
  isChosen,
  isHad,
  priceOf,
  sumOf,
  verdictOf,
} from './lines.ts'
import type { useBatch } from './use-batch.ts'

/** The files that the choices of a batch hold for: "For both files." */
const forHowMany = (files: number): string =>
  files === 1
    ? 'For this file.'
    : files === 2
      ? 'For both files.'
      : `For all ${inWords(files)} files.`

/**
 * Credits that were bought in this window or another, on this machine or another, are seen without a
 * press while some are missing: what was not sent for want of them goes on.
 */
function useGoOnWhenBought(
  batch: Batch,
  { isShort, available }: { isShort: boolean; available: number },
): void {
  useQuery({ ...userQuery, refetchInterval: isShort ? EVERY_MS : false })
  const before = useRef(available)
  useEffect(() => {
    if (available > before.current) batch.tryAgain()
    before.current = available
  }, [batch, available])
}
const EVERY_MS = 5_000

/** Several files and one price: what is sent, what cannot be, and the one Confirm for the rest. */
export function BillCard({
  batch,
  of,
  onPutBack,
  onRecord,
}: {
  batch: Batch
  of: ReturnType<typeof useBatch>
  /** Chooses a file again that was removed. */
  onPutBack: (file: File) => void
  /** Null where something below adds more. */
  onRecord: (() => void) | null
}) {
  const { view, how, document } = of
  const { lines, phase, note, problem } = view
  const client = useQueryClient()
  const user = useUser()
  const available = user.credits
  useOnFocus(() => void client.invalidateQueries({ queryKey: userKey }))
  const card = useRef<HTMLElement>(null)
  const sum = sumOf(lines, { withDocument: document.isWanted })
  useGoOnWhenBought(batch, { isShort: sum.credits > available, available })
  const isBack = lines.every(({ file }) => file === null)
  const isBusy = phase !== 'bill'

  const acts = onRecord ? (
    <>
      <AddFiles disabled={isBusy} onFiles={batch.add} />
      <Button size="small" icon={<Mic />} disabled={isBusy} onClick={onRecord}>
        Record
      </Button>
    </>
  ) : null
  const remove = (key: string) => {
    const buttons = [...(card.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const index = lines.findIndex((line) => line.key === key)
    const next = buttons[index + 1] ?? buttons[index - 1]
    if (next) next.focus()
    void batch.remove([key])
  }
  return (
    <>
      {isBack ? <LeftNote userId={user.id} /> : null}
      <section
        ref={card}
        aria-labelledby="batch-heading"
        className="mb-5 divide-y divide-rule rounded-panel border border-rule bg-card px-4 sm:px-8"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5">
          <div className="min-w-60 flex-1">
            <h2
              ref={takeFocus}
              id="batch-heading"
              tabIndex={-1}
              className="font-display text-h3 leading-7! font-semibold outline-none"
            >
              {isBack
                ? `${filesInWords(lines.length)} waiting for your confirmation`
                : `${filesInWords(lines.length)} chosen`}
            </h2>
            {isBack || sum.refused > 0 || sum.credits > available ? (
              <p className="text-small text-ink-2">
                {verdictOf(sum, available)}
                {isBack ? '. They are kept for an hour after they have arrived.' : ''}
              </p>
            ) : null}
          </div>
          <div className="flex flex-wrap gap-2.5 max-sm:w-full max-sm:*:flex-1">
            {acts}
            {lines.length > 1 ? (
              <Button
                size="small"
                variant="quiet"
                disabled={phase === 'asking'}
                onClick={() => void batch.remove(lines.map(({ key }) => key))}
              >
                Remove all
              </Button>
            ) : null}
          </div>
          {note ? <p className="w-full text-small font-medium text-warn">{note}</p> : null}
        </div>
        <ul aria-label="Files" className="divide-y divide-rule">
          {lines.map((line) => (
            <Row
              key={line.key}
              line={line}
              isBusy={phase === 'asking'}
              onRemove={() => remove(line.key)}
              onOpen={() => {
                void batch.remove([line.key])
                const { file, name } = line
                sayCopyRemoved(name, file ? () => onPutBack(file) : null)
              }}
              onAgain={() => batch.again(line.key)}
              onTryAgain={batch.tryAgain}
            />
          ))}
        </ul>
        {sum.chosen > 0 ? (
          <>
            <div className="py-4">
              <OptionsRow
                fileName=""
                options={how.options}
                onChange={how.setOptions}
                summary={
                  <SummaryLanguageSelect
                    value={how.summaryLanguage}
                    disabled={isBusy}
                    onChange={how.setLanguage}
                  />
                }
                forHowMany={forHowMany(sum.chosen)}
              />
            </div>
            {hasDocuments(user) ? (
              <fieldset className="min-w-0 py-5" disabled={isBusy}>
                <legend className="sr-only">Document</legend>
                <DocumentOptions
                  isOffered
                  isOfEach={sum.chosen > 1}
                  choice={document}
                  onChange={of.setDocument}
                />
              </fieldset>
            ) : null}
            <Foot {...{ batch, of, sum, available, problem }} />
          </>
        ) : null}
      </section>
    </>
  )
}

function Foot({
  batch,
  of,
  sum,
  available,
  problem,
}: {
  batch: Batch
  of: ReturnType<typeof useBatch>
  sum: Sum
  available: number
  problem: string | null
}) {
  const { view, document } = of
  const { options, summaryLanguage } = of.how
  const missing = Math.max(0, sum.credits - available)
  const isBusy = view.phase !== 'bill'
  const stopped = view.lines.find((line) => isChosen(line) && line.trouble !== null)
  const withDocument = document.isWanted
  const tooMany = missing > 0 ? beyond(view.lines, available, { withDocument }) : []
  const fitting = sum.chosen - tooMany.length
  const why =
    missing > 0
      ? `You have ${formatCredits(available)}.`
      : (whyNot(view.lines) ?? (isUndecided(document) ? 'Choose a document type first.' : null))
  return (
    <div
      data-foot
      className="sticky bottom-0 z-10 -mx-4 rounded-b-panel bg-card px-4 py-3.5 max-md:[:root:has([data-bottom-bar])_&]:bottom-[calc(61px+env(safe-area-inset-bottom))] sm:-mx-8 sm:px-8"
    >
      {missing > 0 ? (
        <div
          role="alert"
          className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-danger-tint px-4 py-3 text-ui leading-6! text-danger"
        >
          <CircleAlert size={20} className="shrink-0 self-start max-sm:mt-0.5" />
          <p className="min-w-0 flex-1">
            You need {moreCredits(missing)}{' '}
            {sum.chosen === 1 ? 'for this file' : `for all ${inWords(sum.chosen)}`}.
          </p>
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full max-sm:*:flex-1">
            {fitting > 0 ? (
              <Button
                size="small"
                variant="quiet"
                className="text-danger! underline"
                onClick={() => void batch.remove(tooMany.map(({ key }) => key))}
              >
                Keep the {fitting === 1 ? 'one' : inWords(fitting)} that{' '}
                {fitting === 1 ? 'fits' : 'fit'}
              </Button>
            ) : null}
            <BuyCredits />
          </div>
        </div>
      ) : null}
      {problem ? <InlineError className="mb-5">{problem}</InlineError> : null}
      {stopped && !isBusy ? (
        <InlineError
          tone="warn"
          className="mb-5"
          action={
            <Button size="small" onClick={batch.tryAgain}>
              Try again
            </Button>
          }
        >
          {stopped.trouble}
        </InlineError>
      ) : null}
      <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between">
        <p id="batch-why" className="text-small text-ink-2">
          {isBusy
            ? 'Confirmed. The work begins when all files have arrived; please keep this page open.'
            : (why ?? balanceInWords(sum, available))}
        </p>
        <Button
          variant="primary"
          className="w-full sm:w-auto"
          disabled={why !== null}
          pending={isBusy}
          aria-describedby="batch-why"
          onClick={() => {
            if (!isBusy) batch.confirm({ summaryLanguage, options, document: orderOf(document) })
          }}
        >
          Confirm {formatCredits(sum.credits)}
        </Button>
      </div>
    </div>
  )
}

/** Why the prices cannot be confirmed yet. */
function whyNot(lines: readonly Line[]): string | null {
  const open = lines.filter((line) => isChosen(line) && priceOf(line) === null)
  if (open.length === 0) return null
  if (open.some(({ seconds }) => seconds === 'reading')) return 'Reading the lengths…'
  return open.length === 1
    ? 'The price of one file is known when it has arrived.'
    : `The prices of ${inWords(open.length)} files are known when they have arrived.`
}

/** "You have 67 credits, and 52 afterwards.": the price itself is on the button. */
function balanceInWords({ credits }: Sum, available: number): string {
  const left = (available - credits).toLocaleString('en-US')
  return `You have ${formatCredits(available)}, and ${left} afterwards.`
}

function Row({
  line,
  isBusy,
  onRemove,
  onOpen,
  onAgain,
  onTryAgain,
}: {
  line: Line
  isBusy: boolean
  onRemove: () => void
  /** What its owner has is opened in its place. */
  onOpen: () => void
  onAgain: () => void
  onTryAgain: () => void
}) {
  const { name, refusal, trouble, same, arrived, file, seconds } = line
  const [isHeard, setHeard] = useState(false)
  const levels = useLevels(line)
  const source = file ?? (arrived ? addressOf(getMedia, { params: { id: arrived.id } }) : null)
  const hear = source === null ? null : () => setHeard(!isHeard)
  const price = priceOf(line)
  return (
    <li className="flex flex-wrap items-center gap-x-5 py-3.5">
      <Levels levels={levels} className="max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p
          className={classes(
            'leading-6! font-[650] wrap-anywhere',
            refusal !== null && 'text-ink-2',
          )}
        >
          {name}
        </p>
        {refusal === null ? (
          <p className="text-small leading-5.5! text-ink-2 tabular-nums">
            {same ? (
              <SameNote
                same={same}
                onOpen={!isBusy && isHad(line) && (file ?? same.hasSameBytes) ? onOpen : null}
              />
            ) : isSilent(levels) ? (
              <SilentNote onListen={hear} />
            ) : (
              <>
                <Facts line={line} />
                {arrived?.recordedAt && !isBusy ? (
                  <>
                    {' · '}
                    <RecordedLine id={arrived.id} recordedAt={arrived.recordedAt} />
                  </>
                ) : null}
                {file && originOf(file) && hear ? (
                  <>
                    {' · '}
                    <button type="button" className="text-link" onClick={hear}>
                      Listen to it
                    </button>
                  </>
                ) : null}
              </>
            )}
          </p>
        ) : (
          <p className="flex items-start gap-2 text-small text-danger">
            <CircleAlert size={18} className="mt-0.5 shrink-0" />
            {refusal}
          </p>
        )}
        {trouble === null ? null : (
          <p className="flex flex-wrap items-center gap-x-3 text-small font-medium text-warn">
            Not sent yet.
            <button
              type="button"
              className="min-h-6 underline pointer-coarse:min-h-11"
              onClick={onTryAgain}
              aria-label={`Try again: ${name}`}
            >
              Try again
            </button>
          </p>
        )}
      </div>
      {refusal !== null ? null : isHad(line) ? (
        <Button
          size="small"
          disabled={isBusy}
          onClick={onAgain}
          className="max-sm:order-1 max-sm:mt-2 max-sm:basis-full"
        >
          Transcribe again{price === null ? '' : ` · ${price}`}
        </Button>
      ) : (
        <Price line={line} />
      )}
      <IconButton
        data-remove
        label={`Remove ${name}`}
        disabled={isBusy}
        className="-mr-2.5"
        onClick={onRemove}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
        }}
      >
        <X />
      </IconButton>
      {isHeard && source !== null ? (
        <div className="basis-full">
          <SoundPlayer
            file={source}
            seconds={typeof seconds === 'number' ? seconds : 0}
            levels={levels ?? []}
          />
        </div>
      ) : null}
    </li>
  )
}

/** As the server has measured it; before that as far as this browser knows. */
function useLevels({ file, seconds, arrived }: Line): readonly number[] | null | undefined {
  const isRead = arrived === null && seconds !== 'reading'
  const { data } = useQuery(localSoundQuery(isRead ? file : null, isRead ? seconds : null))
  return arrived ? arrived.levels : data && data.levels
}

/** "43:20 · 39.7 MB" */
function Facts({ line }: { line: Line }) {
  const size = <Size line={line} />
  if (line.seconds === null) return size
  return (
    <>
      <Length line={line} />
      {line.sizeBytes === null ? null : <> · {size}</>}
    </>
  )
}

function Size({ line: { sent, sizeBytes, arrived } }: { line: Line }) {
  if (sent && !arrived)
    return sent.sentBytes >= sent.totalBytes ? 'Measuring its length…' : bytesSent(sent)
  return sizeBytes === null ? null : formatBytes(sizeBytes)
}

function Length({ line: { seconds, file, arrived } }: { line: Line }) {
  if (seconds === 'reading') return 'Reading the length…'
  if (seconds === null) return null
  return (
    <>
      <span className="sr-only">Length </span>
      {file && !arrived && !isLengthSure(file) ? 'about ' : null}
      <Timecode s={seconds} className="text-fine!" />
    </>
  )
}

function Price({ line }: { line: Line }) {
  const price = priceOf(line)
  const other = hasOtherPrice(line)
  return (
    // It has room for two digits before it is known, or a name would take another line then.
    <span className="min-w-6 text-right font-[650] tabular-nums">
      {price === null ? (
        <span className="text-small font-normal text-ink-2">
          {line.seconds === 'reading' ? null : 'Price after upload'}
        </span>
      ) : other ? (
        <>
          {other.before} <span aria-hidden="true">→</span>
          <span className="sr-only">becomes</span> {formatCredits(price)}
        </>
      ) : (
        <>
          {price.toLocaleString('en-US')}
          <span className="sr-only">{price === 1 ? ' credit' : ' credits'}</span>
        </>
      )}
    </span>
  )
}
