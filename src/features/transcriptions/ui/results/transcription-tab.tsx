import { EmptyPad } from '#web/ui/empty-pad.tsx'

import type { Transcription } from '../../contract.ts'
import { segmentAt } from '../segments.ts'
import type { SpeakerSegment, Voice } from '../segments.ts'
import { RailKeyPoints, TalkTime, Topics } from './rail.tsx'
import { TurnList } from './turn-list.tsx'
import { WithRail } from './with-rail.tsx'

export function TranscriptionTab({
  transcription: { transcriptionText, language, engine, keyPoints, topics },
  segments,
  voices,
  at,
}: {
  transcription: Transcription
  segments: SpeakerSegment[]
  voices: Voice[]
  /** The second a link leads to. */
  at: number | null
}) {
  const text = transcriptionText?.trim() ?? ''
  if (text === '') return <EmptyPad className="mt-8" text="No transcription available" />
  return (
    <WithRail
      rail={
        <>
          <RailKeyPoints keyPoints={keyPoints} />
          <Topics topics={topics} id="rail-topics" />
          <TalkTime voices={voices} id="rail-talk-time" />
        </>
      }
    >
      {segments.length > 0 ? (
        <TurnList
          segments={segments}
          language={language}
          at={at === null ? undefined : segmentAt(segments, at)}
        />
      ) : (
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
      )}
      {engine === 'pocketsphinx' ? (
        <p className="pt-2 pb-8 text-small text-ink-2">
          Recognised by the embedded engine, English only. Check before you quote.
        </p>
      ) : null}
    </WithRail>
  )
}
