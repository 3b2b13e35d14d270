import { CircleAlert, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { useUser } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { LeftNote } from '#features/recordings/ui/left-note.tsx'
import { localLevelsQuery } from '#features/recordings/ui/local-levels.ts'
import { OptionsRow } from '#features/recordings/ui/options-row.tsx'
import { userKey } from '#features/recordings/ui/queries.ts'
import { bytesSent } from '#features/recordings/ui/sent.ts'
import { SummaryLanguageSelect } from '#features/recordings/ui/summary-language-select.tsx'
import { takeFocus } from '#features/recordings/ui/take-focus.ts'
import { BillLine } from '#features/transcriptions/ui/bill.tsx'
import { formatBytes, formatCredits } from '#shared/format.ts'
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
  { lines, available }: { lines: readonly Line[]; available: number },
): void {
  const isShort = sumOf(lines).credits > available
  useQuery({ ...userQuery, refetchInterval: isShort ? EVERY_MS : false })
  const before = useRef(available)
  useEffect(() => {
    if (available > before.current) batch.tryAgain()
    before.current = available
  }, [batch, available])
}
const EVERY_MS = 5_000

/** Several files and one price: what is sent, what cannot be, and the one Confirm for the rest. */
export function BillCard({ batch, of }: { batch: Batch; of: ReturnType<typeof useBatch> }) {
  const { view, how } = of
  const { lines, phase, note, problem } = view
  const client = useQueryClient()
  const { credits: available } = useUser()
  useOnFocus(() => void client.invalidateQueries({ queryKey: userKey }))
  const card = useRef<HTMLElement>(null)
  const sum = sumOf(lines)
  useGoOnWhenBought(batch, { lines, available })
  const isBack = lines.every(({ file }) => file === null)
  const isBusy = phase !== 'bill'

  const remove = (key: string) => {
    const buttons = [...(card.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const index = lines.findIndex((line) => line.key === key)
    const next = buttons[index + 1] ?? buttons[index - 1]
    if (next) next.focus()
    void batch.remove([key])
  }
  return (
    <>
      {isBack ? <LeftNote /> : null}
      <section
        ref={card}
        aria-labelledby="batch-heading"
        className="mb-6 divide-y divide-rule rounded-panel border border-rule bg-card"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-5 sm:px-7 sm:py-6">
          <div>
            <h2
              ref={takeFocus}
              id="batch-heading"
              tabIndex={-1}
              className="text-lead leading-6.5! font-[650] outline-none"
            >
              {isBack
                ? `${filesInWords(lines.length)} waiting for your confirmation`
                : `${filesInWords(lines.length)} chosen`}
            </h2>
            <p className="text-small text-ink-2">
              {verdictOf(sum, available)}
              {isBack ? '. They are kept for an hour after they have arrived.' : ''}
            </p>
          </div>
          <div className="flex gap-2.5 max-sm:w-full max-sm:*:flex-1">
            <AddFiles disabled={isBusy} onFiles={batch.add} />
            <Button
              size="small"
              disabled={phase === 'asking'}
              onClick={() => void batch.remove(lines.map(({ key }) => key))}
            >
              Remove all
            </Button>
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
              onTryAgain={batch.tryAgain}
            />
          ))}
        </ul>
        {sum.chosen > 0 ? (
          <>
            <div className="grid gap-x-12 gap-y-6 px-4 py-6 sm:px-7 md:grid-cols-2">
              <div className="space-y-5">
                <div>
                  <SummaryLanguageSelect
                    value={how.summaryLanguage}
                    describedBy="batch-language-help"
                    disabled={isBusy}
                    onChange={how.setLanguage}
                  />
                  <p id="batch-language-help" className="mt-2 text-small text-ink-2">
                    {forHowMany(sum.chosen)}
                  </p>
                </div>
                <OptionsRow fileName="" options={how.options} onChange={how.setOptions} isNarrow />
              </div>
              <dl className="border-t border-line text-body">
                <BillLine
                  what={sum.chosen === 1 ? '1 transcription' : `${sum.chosen} transcriptions`}
                  credits={sum.credits}
                  className="font-semibold"
                />
                <BillLine
                  what="Your credits"
                  credits={available}
                  className="border-t border-rule text-ink-2"
                />
                <BillLine
                  what="Credits remaining after"
                  credits={
                    sum.credits > available
                      ? `${(sum.credits - available).toLocaleString('en-US')} too few`
                      : available - sum.credits
                  }
                  className="border-t-[3px] border-double border-line font-semibold *:last:text-lead *:last:leading-6"
                />
              </dl>
            </div>
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
  const { view } = of
  const { options, summaryLanguage } = of.how
  const missing = Math.max(0, sum.credits - available)
  const isBusy = view.phase !== 'bill'
  const stopped = view.lines.find((line) => isChosen(line) && line.trouble !== null)
  const tooMany = missing > 0 ? beyond(view.lines, available) : []
  const fitting = sum.chosen - tooMany.length
  const price = formatCredits(sum.credits)
  const why = missing > 0 ? `${price} in all; you have ${available}.` : whyNot(view.lines)
  return (
    <div className="sticky bottom-0 z-10 rounded-b-panel bg-card px-4 py-4 shadow-[0_-1px_0_var(--color-rule)] sm:px-7 sm:py-5">
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
            : (why ??
              `${price} ${sum.credits === 1 ? 'is' : 'are'} reserved now. A file that fails costs nothing.`)}
        </p>
        <Button
          variant="primary"
          className="w-full sm:w-auto"
          disabled={why !== null}
          pending={isBusy}
          aria-describedby="batch-why"
          onClick={() => {
            if (!isBusy) batch.confirm({ summaryLanguage, options })
          }}
        >
          Confirm {price}
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

function Row({
  line,
  isBusy,
  onRemove,
  onTryAgain,
}: {
  line: Line
  isBusy: boolean
  onRemove: () => void
  onTryAgain: () => void
}) {
  const { name, refusal, trouble } = line
  return (
    <li className="flex items-center gap-x-5 px-4 py-3.5 sm:px-7">
      {line.file && !line.arrived ? (
        <FileLevels file={line.file} seconds={line.seconds} />
      ) : (
        <Levels levels={line.arrived?.levels} className="max-sm:hidden" />
      )}
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
          <p className="text-small text-ink-2 tabular-nums">
            <Size line={line} />
            <span className="sm:hidden">
              {line.sizeBytes === null ? '' : ' · '}
              <Length line={line} />
            </span>
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
      {refusal === null ? (
        <>
          <span className="text-right text-small text-ink-2 max-sm:hidden">
            <Length line={line} />
          </span>
          <Price line={line} />
        </>
      ) : null}
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
    </li>
  )
}

/** A file before the server has measured it, as far as this browser knows. */
function FileLevels({ file, seconds }: { file: File; seconds: Line['seconds'] }) {
  const { data } = useQuery({
    ...localLevelsQuery(file, seconds === 'reading' ? null : seconds),
    enabled: seconds !== 'reading',
  })
  return <Levels levels={data} className="max-sm:hidden" />
}

function Size({ line: { sent, sizeBytes, arrived } }: { line: Line }) {
  if (sent && !arrived)
    return sent.sentBytes >= sent.totalBytes ? 'Measuring its length…' : bytesSent(sent)
  return sizeBytes === null ? null : formatBytes(sizeBytes)
}

function Length({ line: { seconds } }: { line: Line }) {
  if (seconds === 'reading') return 'Reading the length…'
  if (seconds === null) return null
  return (
    <>
      <span className="sr-only">Length </span>
      <Timecode s={seconds} className="text-fine!" />
    </>
  )
}

function Price({ line }: { line: Line }) {
  const price = priceOf(line)
  const other = hasOtherPrice(line)
  return (
    <span className="min-w-20 text-right font-[650] tabular-nums sm:min-w-24">
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
        formatCredits(price)
      )}
    </span>
  )
}
