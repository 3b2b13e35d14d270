import { ChevronRight, CircleAlert } from 'lucide-react'
import { type ReactNode, useRef } from 'react'

import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { priceLines } from '#features/billing/ui/credit-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { Fingerprint } from '#web/ui/fingerprint.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { Transcription } from '../contract.ts'

type Quote = Pick<Transcription, 'id' | 'originalName' | 'duration' | 'creditsRequired'>

/** Shows the price before the work: nothing is charged until it is confirmed. Escape is Cancel. */
export function ConfirmDialog({
  quote,
  available,
  busy,
  problem,
  onConfirm,
  onCancel,
}: {
  quote: Quote
  available: number
  /** The request that the server has not answered yet. */
  busy: 'confirm' | 'cancel' | null
  /** Why it cannot be confirmed, apart from too few credits. */
  problem: ReactNode
  onConfirm: () => void
  onCancel: () => void
}) {
  const actions = useRef<HTMLDivElement>(null)
  const missing = Math.max(0, quote.creditsRequired - available)
  const isShort = missing > 0
  const cancel = () => {
    if (!busy) onCancel()
  }
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open) cancel()
      }}
      onOpenAutoFocus={(event) => {
        const main = actions.current?.querySelector<HTMLElement>('[data-main]')
        if (!main) return
        event.preventDefault()
        main.focus()
      }}
      // The page moves the focus itself: the row or button that opened this may be gone.
      onCloseAutoFocus={(event) => event.preventDefault()}
      title="Confirm credits"
    >
      <div className="mt-3 flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-body leading-6! font-[650] wrap-anywhere">{quote.originalName}</p>
          <p className="text-small text-ink-2">
            Duration <Timecode s={quote.duration} className="text-fine!" />
          </p>
        </div>
        <Fingerprint seed={quote.id} className="max-[360px]:hidden" />
      </div>
      <Bill quote={quote} available={available} />
      {isShort ? (
        <div
          role="alert"
          className="mt-4 flex items-start gap-3 rounded-control bg-danger-tint p-4 text-ui leading-6! text-danger"
        >
          <CircleAlert size={20} className="mt-0.5 shrink-0" />
          Insufficient credits. You need {missing.toLocaleString('en-US')} more credits to process
          this file.
        </div>
      ) : (
        <HowItIsMade quote={quote} />
      )}
      {problem}
      <div ref={actions}>
        <DialogActions className="*:w-full *:sm:w-auto">
          <Button
            variant={isShort ? 'quiet' : 'secondary'}
            pending={busy === 'cancel'}
            onClick={cancel}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={isShort}
            pending={busy === 'confirm'}
            onClick={() => {
              if (!busy) onConfirm()
            }}
            {...(isShort ? { title: 'You have too few credits' } : { 'data-main': true })}
          >
            Confirm
          </Button>
          {isShort ? <BuyCredits variant="primary" size="medium" isMain /> : null}
        </DialogActions>
      </div>
    </AlertDialog>
  )
}

function Bill({ quote, available }: { quote: Quote; available: number }) {
  const transcription = creditsFor(quote.duration)
  const document = quote.creditsRequired - transcription
  const after = available - quote.creditsRequired
  const missing = -after
  return (
    <dl className="mt-4 border-t border-rule text-body">
      <Line what="Transcription" credits={transcription} />
      {document > 0 ? <Line what="Document" credits={document} /> : null}
      <Line
        what="Credits required"
        credits={quote.creditsRequired}
        className="border-t border-line font-semibold"
      />
      <Line what="Your credits" credits={available} />
      <Line
        what="Credits remaining after"
        // A balance never falls below zero, so this says how many credits are missing.
        credits={missing > 0 ? `${missing.toLocaleString('en-US')} too few` : after}
        className="border-t-[3px] border-double border-line font-semibold *:last:text-lead *:last:leading-6"
      />
    </dl>
  )
}

function Line({
  what,
  credits,
  className,
}: {
  what: string
  /** A number of credits, or words where the number would be below zero. */
  credits: number | string
  className?: string
}) {
  return (
    <div
      className={classes(
        'flex items-baseline justify-between gap-4 py-2.5 sm:py-[11px]',
        className ?? 'border-t border-rule text-ink-2 first:border-t-0',
      )}
    >
      <dt>{what}</dt>
      <dd className="font-semibold text-ink tabular-nums">{credits.toLocaleString('en-US')}</dd>
    </div>
  )
}

function HowItIsMade({ quote }: { quote: Quote }) {
  const withDocument = quote.creditsRequired > creditsFor(quote.duration)
  return (
    <details open className="group mt-3 text-small text-ink-2">
      <summary className="-mx-1 inline-flex min-h-9 items-center gap-2 px-1 font-semibold">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        How this price is made
      </summary>
      <ul className="pl-6 leading-6">
        {priceLines(quote.duration, { withDocument }).map(({ what, time, credits }) => (
          <li key={what} className="tabular-nums">
            {what}
            {time ? (
              <>
                {' '}
                <span className="font-mono text-fine">{time}</span>
              </>
            ) : null}
            : {credits}
          </li>
        ))}
      </ul>
    </details>
  )
}
