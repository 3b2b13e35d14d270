import { useState } from 'react'
import { Link } from 'react-router'

import { ActionItems } from '#features/action-items/ui/action-items.tsx'
import { DocumentsInShort } from '#features/documents/ui/documents-in-short.tsx'
import type { WordTurn } from '#features/text/contract.ts'
import { Source, SourceButton } from '#features/text/ui/source.tsx'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { doubtSentence, isWorthSaying } from '#features/text/words-in-doubt.ts'
import { summaryHeading } from '#features/transcriptions/summary-text.ts'
import { classes } from '#web/ui/classes.ts'
import { EmptyPad } from '#web/ui/empty-pad.tsx'

import { useReadingKeys } from './keys/use-reading-keys.ts'
import type { Result } from './result.ts'

/** With fewer words there is nothing to sum up. */
const FEWEST_WORDS = 60

/** The summary and its key points; beside them what is to be done, the topics and the documents. */
export function SummaryTab({ result: { text, sound } }: { result: Result }) {
  const { transcription, words } = text
  const { keyPoints, keyPointTimes, keyPointQuotes, topics } = transcription
  const reader = { ...text, player: sound.player }
  useReadingKeys({
    'edit-turn': () => {
      const item = document.activeElement?.closest('li')
      const change = item?.querySelector<HTMLElement>('[data-change]')
      change?.click()
      return change !== null && change !== undefined
    },
  })
  return (
    <div className="gap-x-10 pt-2.5 pb-8 sm:pt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(280px,31vw,400px)]">
      <div className="min-w-0 max-w-[720px]">
        <Summary text={text} />
        {keyPoints.length > 0 ? (
          <section aria-labelledby="key-points" className="pt-7">
            <h2 id="key-points" className="mb-2.5 font-display text-h3 font-semibold">
              Key points
            </h2>
            <ul className="border-t border-rule">
              {keyPoints.map((point, index) => {
                const at = keyPointTimes[index] ?? null
                return (
                  <KeyPoint
                    key={point}
                    id={`quote-${index + 1}`}
                    point={point}
                    at={at}
                    quote={keyPointQuotes[index] ?? null}
                    turn={at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]}
                    reader={reader}
                  />
                )
              })}
            </ul>
          </section>
        ) : null}
      </div>
      <div className="min-w-0 space-y-9 pt-8 lg:pt-0">
        <ActionItems reader={reader} />
        {topics.length > 0 ? (
          <section aria-labelledby="topics">
            <h2 id="topics" className="mb-2.5 font-display text-h3 font-semibold">
              Topics covered
            </h2>
            <ul className="flex flex-wrap gap-2">
              {topics.map((topic) => (
                <li
                  key={topic}
                  dir="auto"
                  className="rounded-badge border border-rule px-3 py-1 text-small leading-5! wrap-anywhere"
                >
                  {topic}
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <DocumentsInShort id={transcription.id} />
      </div>
    </div>
  )
}

/** The text, and under it how it was made; or why there is none. */
function Summary({ text: { transcription, doubt } }: { text: Result['text'] }) {
  const { summaryKind, summaryNote, summaryPending, keyPoints } = transcription
  const summary = transcription.summary?.trim() ?? ''
  const note = summaryPending ? (
    <Pending />
  ) : summaryNote ? (
    <p className="mt-2.5 text-fine text-ink-2">
      {summaryNote}{' '}
      {isWorthSaying(doubt) ? doubtSentence(doubt, { of: ' of the transcript' }) : null}
    </p>
  ) : null
  if (summary === '')
    return summaryPending || keyPoints.length > 0 ? note : <None {...transcription} />
  return (
    <section aria-labelledby="summary">
      <h2
        id="summary"
        className={classes(
          'mb-2 font-display text-section font-semibold',
          // On a phone the tab has just said it.
          summaryKind === 'summary' && 'max-sm:sr-only',
        )}
      >
        {summaryHeading(transcription)}
      </h2>
      <div className="space-y-3 text-reading max-sm:text-body" dir="auto">
        {summary.split(/\n+/).map((paragraph, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
          <p key={index}>{paragraph}</p>
        ))}
      </div>
      {note}
    </section>
  )
}

function None({ wordCount }: { wordCount: number | null }) {
  if (!wordCount || wordCount >= FEWEST_WORDS) return <EmptyPad text="No summary available" />
  return (
    <EmptyPad
      text={
        <>
          Too short to sum up. It is all on{' '}
          <Link
            to={{ search: window.location.search, hash: '#transcription' }}
            className="text-link"
          >
            Transcription
          </Link>
          .
        </>
      }
    />
  )
}

/** Says that what stands here is for the time being. */
function Pending() {
  return (
    <p role="status" className="mt-2.5 flex items-center gap-2.5 text-fine text-ink-2">
      <span aria-hidden="true" className="h-3.5 w-0.5 flex-none animate-breathe bg-playhead" />
      A better summary is being written.
    </p>
  )
}

/** A key point. A press on its time plays and shows the words that it was taken from. */
function KeyPoint({
  id,
  point,
  at,
  quote,
  turn,
  reader,
}: {
  /** Of the words that are shown. */
  id: string
  point: string
  at: number | null
  /** The words it was taken from, as they were said. */
  quote: string | null
  turn: WordTurn | undefined
  reader: Pick<Result['text'], 'words'> & Pick<Result['sound'], 'player'>
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-b border-rule py-2.5 last:border-0">
      <p className="text-body wrap-anywhere" dir="auto">
        {point}
      </p>
      {at !== null && turn ? (
        <SourceButton
          {...{ at, isOpen, id }}
          player={reader.player}
          onPress={() => setOpen(!isOpen)}
        />
      ) : null}
      {at === null ? (
        // The model wrote this point, and no words in the transcript prove it.
        <p className="text-fine text-ink-2 italic">No source found</p>
      ) : null}
      {isOpen && turn ? (
        <Source
          id={id}
          className="mt-2.5 mb-1"
          {...{ at: at ?? turn.start, quote, turn, reader }}
        />
      ) : null}
    </li>
  )
}
