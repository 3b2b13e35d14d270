import { useState } from 'react'

import { ActionItems } from '#features/action-items/ui/action-items.tsx'
import type { Words, WordTurn } from '#features/text/contract.ts'
import { Source, SourceButton } from '#features/text/ui/source.tsx'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { doubtSentence, isWorthSaying } from '#features/text/words-in-doubt.ts'
import { summaryHeading } from '#features/transcriptions/summary-text.ts'
import type { Player } from '#web/player.ts'
import { classes } from '#web/ui/classes.ts'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { WithRail } from '#web/ui/with-rail.tsx'

import { TalkTime, Topics } from './rail.tsx'
import type { Result } from './result.ts'

export function SummaryTab({ result: { text, sound } }: { result: Result }) {
  const { transcription, voices, words, doubt } = text
  const reader = { ...text, player: sound.player }
  const { keyPoints, keyPointTimes, keyPointQuotes, topics } = transcription
  const { summaryKind, summaryNote, summaryPending } = transcription
  const summary = transcription.summary?.trim() ?? ''
  const isEmpty = [keyPoints, topics, transcription.actionItems].every(({ length }) => length === 0)
  if (summary === '' && isEmpty)
    return summaryPending ? (
      <Pending className="mt-8" />
    ) : (
      <EmptyPad className="mt-8" text="No summary available" />
    )
  return (
    <WithRail
      rail={
        <>
          <Topics topics={topics} id="rail-topics" />
          <TalkTime voices={voices} id="rail-talk-time" />
        </>
      }
    >
      {summaryPending ? <Pending className="mt-8" /> : null}
      {keyPoints.length > 0 ? (
        <section aria-labelledby="key-points" className="pt-8">
          <h2 id="key-points" className="mb-4 font-display text-section font-semibold">
            Key points
          </h2>
          <ol className="border-t border-rule">
            {keyPoints.map((point, index) => {
              const at = keyPointTimes[index] ?? null
              return (
                <KeyPoint
                  key={point}
                  number={index + 1}
                  point={point}
                  at={at}
                  quote={keyPointQuotes[index] ?? null}
                  turn={at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]}
                  reader={reader}
                />
              )
            })}
          </ol>
        </section>
      ) : null}
      <ActionItems reader={reader} />
      {summary === '' ? null : (
        <section aria-labelledby="summary" className="pt-10">
          <h2 id="summary" className="mb-3 font-display text-section font-semibold">
            {summaryHeading(summaryKind)}
          </h2>
          <div className="max-w-[66ch] space-y-4 text-reading" dir="auto">
            {summary.split(/\n+/).map((paragraph, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
              <p key={index}>{paragraph}</p>
            ))}
          </div>
        </section>
      )}
      {summaryNote ? (
        <p className="mt-6 text-small text-ink-2">
          {summaryNote}{' '}
          {isWorthSaying(doubt) ? doubtSentence(doubt, { of: ' of the transcript' }) : null}
        </p>
      ) : null}
      <div className="mt-10 space-y-9 lg:hidden">
        <Topics topics={topics} id="topics" />
        <TalkTime voices={voices} id="talk-time" />
      </div>
      <div className="h-8" />
    </WithRail>
  )
}

/** Says that what stands here is for the time being. */
function Pending({ className }: { className?: string }) {
  return (
    <p
      role="status"
      className={classes(
        'flex items-baseline gap-3 rounded-[8px] bg-paper-2 px-4 py-3 text-small',
        className,
      )}
    >
      <span
        aria-hidden="true"
        className="h-3.5 w-0.5 flex-none translate-y-0.5 animate-breathe bg-playhead"
      />
      <span>
        A better summary is being written.{' '}
        <span className="text-ink-2">It takes the place of this one when it is there.</span>
      </span>
    </p>
  )
}

/** A key point. A press on its time shows the words that it was taken from. */
function KeyPoint({
  number,
  point,
  at,
  quote,
  turn,
  reader,
}: {
  number: number
  point: string
  at: number | null
  /** The words it was taken from, as they were said. */
  quote: string | null
  turn: WordTurn | undefined
  reader: { words: Pick<Words, 'speakers'>; player: Player | null }
}) {
  const [isOpen, setOpen] = useState(false)
  const quoteId = `quote-${number}`
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-b border-rule py-4 lg:grid-cols-[24px_minmax(0,1fr)_auto]">
      <span
        aria-hidden="true"
        className="w-5 font-display text-body leading-[1.62]! font-semibold text-ink-3 tabular-nums"
      >
        {number}
      </span>
      <p className="max-w-[66ch] text-reading" dir="auto">
        {point}
      </p>
      {at !== null && turn ? (
        <div className="max-lg:col-start-2 max-lg:mt-1.5">
          <SourceButton at={at} isOpen={isOpen} id={quoteId} onPress={() => setOpen(!isOpen)} />
        </div>
      ) : null}
      {at === null ? (
        // The model wrote this point, and no words in the transcript prove it.
        <p className="text-small text-ink-2 italic max-lg:col-start-2">No source found</p>
      ) : null}
      {isOpen && turn ? (
        <Source
          id={quoteId}
          className="mt-4 lg:col-start-2 lg:col-end-4"
          {...{ at: at ?? turn.start, quote, turn, reader }}
        />
      ) : null}
    </li>
  )
}
