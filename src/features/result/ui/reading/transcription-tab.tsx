import { AddChapters } from '#features/chapters/ui/add-chapters.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { WithRail } from '#web/ui/with-rail.tsx'

import { TextRail } from '../rail.tsx'
import { Reading, type ReadingProps } from './reading.tsx'
import { TextActs } from './text-acts.tsx'

/** The text of a result beside its key points, topics and talk time. */
export function TranscriptionTab(props: ReadingProps) {
  const { reader } = props
  const { transcription, words, player } = reader
  const { transcriptionText, language, engine } = transcription
  const text = transcriptionText?.trim() ?? ''
  if (text === '' && words.turns.length === 0)
    return <EmptyPad className="mt-8" text="No transcription available" />
  // Beside a picture it stands under that.
  const rail = player?.screen ? null : <TextRail reader={reader} hasTopics />
  const foot = (
    <div className="pt-2 pb-8 text-small text-ink-2">
      {engine === 'pocketsphinx' ? (
        <p>Recognized by the embedded engine, English only. Check before you quote.</p>
      ) : null}
      <TextActs reader={reader} />
      <AddChapters chapters={reader.chapters} className="mt-4 lg:hidden" />
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
