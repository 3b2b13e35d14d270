import { ArrowRight, Play } from 'lucide-react'
import { Link, type To } from 'react-router'

import { formatTime } from '#shared/format.ts'
import { Marked } from '#web/ui/marked.tsx'
import { SpeakerName } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { barred, useVeil } from '#web/ui/with-bars.tsx'

import type { Quote } from '../contract.ts'

/** How a quote is opened, and which of its words are in doubt. */
export interface Opening {
  /** The act of a press, in a word: "Play", "Go to". */
  verb: string
  to: (quote: Quote) => To
  /** Opens it on this page; without it the link is followed. */
  press?: (quote: Quote) => void
  /** The words of a quote that are in doubt, as places in its text. */
  doubtsOf?: (quote: Quote) => readonly (readonly [from: number, to: number])[]
}

/** A quote with its speaker and time; a press goes to that moment. */
export function QuoteLink({ quote, opening }: { quote: Quote; opening: Opening }) {
  const { text, marks, speaker, speakerNumber, at, isInDoubt } = quote
  const { verb, to, press, doubtsOf } = opening
  const veil = useVeil()
  return (
    <Link
      to={to(quote)}
      {...(press
        ? {
            onClick: (event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              press(quote)
              const link = event.currentTarget
              // A sheet gets lower, so that the text is in sight.
              requestAnimationFrame(() => link.scrollIntoView({ block: 'nearest' }))
            },
          }
        : {})}
      className="group flex gap-3 rounded-control border border-rule bg-card p-3 text-ui no-underline hover:border-line hover:bg-paper-2"
    >
      {verb === 'Play' ? (
        <Play size={18} className="mt-[3px] shrink-0 text-primary" />
      ) : (
        <ArrowRight size={18} className="mt-[3px] shrink-0 text-primary" />
      )}
      <span className="min-w-0 flex-1">
        <span className="sr-only">
          {verb} {formatTime(at)}
          {speaker === null ? '' : `, ${veil.say(speaker)}`}:{' '}
        </span>
        <span aria-hidden="true" className="flex min-w-0 items-center gap-x-2.5">
          {speaker === null ? null : (
            <SpeakerName
              speaker={speakerNumber}
              name={speaker}
              className="[&>:last-child]:truncate"
            />
          )}
          <Timecode s={at} className="text-fine! text-ink-2" />
        </span>
        <span dir="auto" className="mt-0.5 block leading-[1.5]! wrap-anywhere">
          “
          {veil.barsIn(text).length > 0 ? (
            barred(text, veil, true)
          ) : (
            <Marked text={text} marks={marks} doubts={doubtsOf?.(quote) ?? []} />
          )}
          ”
        </span>
        {isInDoubt ? (
          <span className="mt-1 block text-small text-warn">
            Hard to hear here. Listen before you quote it.
          </span>
        ) : null}
      </span>
    </Link>
  )
}
