/** Small examples of the product's screens, for the landing and the features page. */
import { priceLines } from '#features/billing/ui/plan-words.ts'
import { Fragment, type ReactNode } from 'react'

import { creditsFor } from '#features/credits/contract.ts'
import { formatBytes, formatTime } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'
import { Fingerprint } from '#web/ui/fingerprint.tsx'
import { SpeakerBadge } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { isDoubtful, nameOf, sample, type Turn } from './sample.ts'

/** An example file whose length shows both parts of a price. */
const interview = { name: 'interview.m4a', bytes: 40_055_603, seconds: 41 * 60 + 10 }

export function ChosenFile() {
  return (
    <div className="flex max-w-[560px] items-center gap-4 rounded-panel border border-rule bg-card px-5 py-4">
      <Fingerprint seed={interview.name} speakers={3} className="max-sm:hidden" />
      <div className="min-w-0">
        <p className="font-[650] wrap-anywhere">{interview.name}</p>
        <p className="text-small text-ink-2 tabular-nums">
          {formatBytes(interview.bytes)} · <Timecode s={interview.seconds} />
        </p>
      </div>
      <p className="ml-auto text-small font-semibold whitespace-nowrap">
        {creditsFor(interview.seconds)} credits
      </p>
    </div>
  )
}

/** The price of that file, line by line. */
export function PriceExample() {
  return (
    <dl className="max-w-[420px] border-t border-rule">
      {priceLines(interview.seconds).map(({ what, time, credits }) => (
        <div key={what} className="flex justify-between gap-4 border-b border-rule py-3">
          <dt className="text-ink-2">
            {what} {time ? <span className="font-mono text-code">{time}</span> : null}
          </dt>
          <dd className="font-semibold tabular-nums">{credits}</dd>
        </div>
      ))}
      <div className="-mt-px flex justify-between gap-4 border-t-2 border-line py-3 font-semibold">
        <dt>Credits required</dt>
        <dd className="tabular-nums">{creditsFor(interview.seconds)}</dd>
      </div>
    </dl>
  )
}

/** Turns of the sample by their numbers; `mark` is a stretch of words that stands on the marker. */
export function SampleTurns({ numbers, mark = '' }: { numbers: readonly number[]; mark?: string }) {
  return (
    <div className="grid gap-y-6 text-body">
      {numbers.map((number) => {
        const turn = sample.turns[number]
        return turn ? (
          <div key={number} className="grid gap-x-5 gap-y-1 sm:grid-cols-[120px_1fr]">
            <div className="flex items-baseline gap-x-3 sm:block">
              <SpeakerBadge speaker={turn.speaker} name={nameOf(turn.speaker)} />
              <Timecode s={turn.startMs / 1000} className="text-ink-2 sm:ml-[30px] sm:block" />
            </div>
            <p className="max-w-[66ch]">
              <Said turn={turn} mark={mark} />
            </p>
          </div>
        ) : null
      })}
    </div>
  )
}

/** The words of a turn, with those in doubt underlined, and a stretch of them on the marker. */
export function Said({ turn: { text, words }, mark }: { turn: Turn; mark: string }): ReactNode {
  const from = mark ? text.indexOf(mark) : -1
  const runs: { look: string; text: string }[] = []
  let at = 0
  for (const word of words) {
    const isMarked = from >= 0 && at >= from && at < from + mark.length
    const look = isMarked ? 'marked' : isDoubtful(word) ? 'to-check' : ''
    const last = runs.at(-1)
    if (last?.look === look) last.text += ` ${word.text}`
    else runs.push({ look, text: word.text })
    at += word.text.length + 1
  }
  return runs.map((run, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they never change
    <Fragment key={index}>
      {index > 0 ? ' ' : ''}
      {run.look === '' ? run.text : <span className={run.look}>{run.text}</span>}
    </Fragment>
  ))
}

/** Key points of the sample with the moment that each rests on. */
export function KeyPoints({ count, numbered = false }: { count: number; numbered?: boolean }) {
  return (
    <ol className="border-t border-rule text-body">
      {sample.keyPoints.slice(0, count).map(({ text, quote, startMs }, index) => (
        <li key={startMs} className="flex items-baseline gap-4 border-b border-rule py-3">
          {numbered ? (
            <span aria-hidden="true" className="w-3 shrink-0 font-display font-semibold text-ink-2">
              {index + 1}
            </span>
          ) : null}
          <span data-where="summaryLanguages">{text}</span>
          <span data-where-not="summaryLanguages">{quote}</span>
          <Timecode
            s={startMs / 1000}
            className="ml-auto shrink-0 rounded-control border border-rule bg-card px-2 py-1"
          />
        </li>
      ))}
    </ol>
  )
}

/** A document on the ruled pad, made from the sample: as a model writes it, or of its sentences. */
export function DocumentExample({ className }: { className?: string }) {
  return (
    <>
      <figure data-where="documentsByModel">
        <Pad className={className}>
          <p className="font-[650]">Meeting minutes: why the price went up</p>
          <p>
            Present: Ada, Ben. Decision: every meeting is recorded from Thursday, for four weeks,
            and the text is kept where everybody finds it. Everyone is asked first; one no turns it
            off. Open: the reason for the new price.
          </p>
        </Pad>
      </figure>
      <figure data-where-not="documentsByModel">
        <Pad className={className}>
          <p className="font-[650]">Next steps</p>
          {[5, 10].map((number) => {
            const { text = '', startMs = 0, speaker = 0 } = sample.turns[number] ?? {}
            return (
              <p key={number}>
                {text} ({nameOf(speaker)}, {formatTime(startMs / 1000)})
              </p>
            )
          })}
        </Pad>
      </figure>
    </>
  )
}

function Pad({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    <div
      className={classes(
        'relative overflow-hidden rounded-panel border border-rule pb-[31px] pl-14 sm:pl-16',
        'before:absolute before:inset-y-0 before:left-8 before:w-[2.5px] before:bg-playhead sm:before:left-9',
        className,
      )}
    >
      <div className="ruled-pad -ml-16 pt-8 pr-5 pl-16 text-body leading-8!">{children}</div>
    </div>
  )
}

/** A lane for each speaker, which shows when they spoke, over the whole recording. */
export function SpeakerLanes({ talkTime }: { talkTime: readonly number[] }) {
  return (
    <ul className="border-b border-rule">
      {sample.speakers.map((name, speaker) => (
        <li
          key={name}
          className="grid grid-cols-[auto_auto_1fr] items-center gap-x-4 border-t border-rule py-3 sm:grid-cols-[96px_56px_1fr]"
        >
          <SpeakerBadge speaker={speaker} name={name} />
          <span className="font-mono text-code tabular-nums">
            {formatTime(talkTime[speaker] ?? 0)}
            <span className="sr-only"> of talking</span>
          </span>
          <svg
            width="100%"
            height="14"
            aria-hidden="true"
            data-speaker={speaker}
            className="keeps-colour block"
          >
            {sample.turns
              .filter((turn) => turn.speaker === speaker)
              .map(({ startMs, endMs }) => (
                <rect
                  key={startMs}
                  x={`${((startMs / sample.durationMs) * 100).toFixed(2)}%`}
                  width={`${(((endMs - startMs) / sample.durationMs) * 100).toFixed(2)}%`}
                  height="14"
                  rx="3"
                  className="fill-speaker-lane"
                />
              ))}
          </svg>
        </li>
      ))}
    </ul>
  )
}
