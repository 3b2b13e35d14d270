import { Suspense, useState } from 'react'

import { lazyPart } from '#web/lazy-part.ts'
import { Question } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'

import { accuracySentence } from './accuracy.ts'
import { RailKeyPoints, TalkTime, Topics } from './rail.tsx'
import type { Reader } from './reader.ts'
import { Reading, type ReadingProps } from './reading.tsx'
import { WithRail } from './with-rail.tsx'

const EarlierText = lazyPart(
  () => import('./earlier-text.tsx'),
  ({ EarlierText }) => EarlierText,
)

/** The text of a result beside its key points, topics and talk time. */
export function TranscriptionTab(props: ReadingProps) {
  const { reader } = props
  const { transcription, words, voices, carried, edits } = reader
  const { transcriptionText, language, engine, keyPoints, topics } = transcription
  const text = transcriptionText?.trim() ?? ''
  if (text === '' && words.turns.length === 0)
    return <EmptyPad className="mt-8" text="No transcription available" />
  const rail = (
    <>
      <RailKeyPoints keyPoints={keyPoints} />
      <Topics topics={topics} id="rail-topics" />
      <TalkTime voices={voices} id="rail-talk-time" only={reader.only} onOnly={reader.setOnly} />
    </>
  )
  const foot = (
    <div className="pt-2 pb-8 text-small text-ink-2">
      {engine === 'pocketsphinx' ? (
        <p>Recognized by the embedded engine, English only. Check before you quote.</p>
      ) : null}
      <GoneThrough reader={reader} />
      <RestoreAll reader={reader} />
      {carried.keptUntil !== null && !carried.isShown && edits ? (
        <Suspense>
          <EarlierText
            canDrop
            id={transcription.id}
            keptUntil={carried.keptUntil}
            className="mt-2 flex flex-wrap items-baseline gap-x-4"
          />
        </Suspense>
      ) : null}
    </div>
  )
  if (words.turns.length > 0)
    return (
      <Reading {...props} rail={rail}>
        {foot}
      </Reading>
    )
  return (
    <WithRail rail={rail}>
      <div
        className="max-w-[66ch] space-y-4 py-6 text-reading"
        dir="auto"
        lang={language ?? undefined}
      >
        {text.split(/\n+/).map((paragraph, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
          <p key={index}>{paragraph}</p>
        ))}
      </div>
      {foot}
    </WithRail>
  )
}

/** What the corrections say about the text, once its user has gone through it. */
function GoneThrough({ reader: { words, edits } }: { reader: Reader }) {
  const [state, setState] = useState<'idle' | 'counting' | 'failed'>('idle')
  if (words.checked)
    return (
      <p role="status" className="mt-2">
        {accuracySentence(words.checked)}
      </p>
    )
  if (!edits) return null
  return (
    <p className="mt-2">
      Have you gone through all of it?{' '}
      <button
        type="button"
        className="min-h-6 text-link"
        aria-busy={state === 'counting'}
        onClick={async () => {
          setState('counting')
          setState((await edits.measure()) ? 'idle' : 'failed')
        }}
      >
        Count what was right
      </button>
      {state === 'failed' ? <span role="alert"> It could not be counted. Try again.</span> : null}
    </p>
  )
}

/** Takes back every correction of the text. The user is asked first, and can undo it. */
function RestoreAll({ reader: { words, edits } }: { reader: Reader }) {
  const [isAsking, setAsking] = useState(false)
  const edited = words.turns.filter(({ isEdited }) => isEdited).length
  if (!edits || edited === 0) return null
  return (
    <p className="mt-2">
      {edited} {edited === 1 ? 'turn was' : 'turns were'} corrected by hand.{' '}
      <button type="button" className="min-h-6 text-link" onClick={() => setAsking(true)}>
        Restore the original text
      </button>
      <Question
        open={isAsking}
        title="Restore the original text?"
        description="All turns become what the engine wrote, with its speakers. You can undo this."
        keep="Keep the corrections"
        verb="Restore the original"
        onKeep={() => setAsking(false)}
        onAct={() => {
          void edits.restoreAll(words.revision)
          setAsking(false)
        }}
      />
    </p>
  )
}
