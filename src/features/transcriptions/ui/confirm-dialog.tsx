import { ChevronRight } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'

import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { priceLines } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { useMadeOf } from '#features/documents/ui/made-of.ts'
import { getMedia } from '#features/recordings/calls.ts'
import { SoundPlayer } from '#features/recordings/ui/recording/sound-player.tsx'
import { SameNote, SilentNote } from '#features/recordings/ui/same-note.tsx'
import { addressOf } from '#shared/call.ts'
import { isSilent } from '#shared/wave.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { Levels } from '#web/ui/levels.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { Transcription } from '../contract.ts'
import { BillLine, SumLines, TooFewCredits } from './bill.tsx'
import { RecordedLine } from './recorded-line.tsx'

type Quote = Pick<
  Transcription,
  'id' | 'originalName' | 'duration' | 'creditsRequired' | 'levels' | 'sameAs' | 'recordedAt'
>

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
  const [isHeard, setHeard] = useState(false)
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
          <p className="text-small text-ink-2">
            <RecordedLine id={quote.id} recordedAt={quote.recordedAt} />
          </p>
          <p className="text-small text-ink-2 empty:hidden">
            {quote.sameAs ? (
              <SameNote same={quote.sameAs} onOpen={null} />
            ) : isSilent(quote.levels) ? (
              <SilentNote onListen={() => setHeard(!isHeard)} />
            ) : null}
          </p>
        </div>
        <Levels levels={quote.levels} className="max-[360px]:hidden" />
      </div>
      {isHeard ? (
        <SoundPlayer
          file={addressOf(getMedia, { params: { id: quote.id } })}
          seconds={quote.duration}
          levels={quote.levels ?? []}
        />
      ) : null}
      <Bill quote={quote} available={available} />
      {isShort ? <TooFewCredits missing={missing} /> : null}
      {/* In the place of the hint: what stands here is read, and a higher dialog would move it. */}
      {problem ?? (isShort ? null : <HowItIsMade quote={quote} />)}
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
  const madeOf = useMadeOf()
  return (
    <dl className="mt-4 border-t border-rule text-body">
      <BillLine what="Transcription" credits={transcription} />
      {document > 0 ? <BillLine what="Document" how={madeOf} credits={document} /> : null}
      <SumLines required={quote.creditsRequired} available={available} />
    </dl>
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
