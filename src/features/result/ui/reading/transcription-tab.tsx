import { AddChapters } from '#features/chapters/ui/add-chapters.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { WithRail } from '#web/ui/with-rail.tsx'

import { TextRail } from '../rail.tsx'
import { Reading, type ReadingProps } from './reading.tsx'
import { TextActs } from './text-acts.tsx'

/** The text of a result, and what it is in short. */
export function TranscriptionTab({
  onTab,
  ...props
}: ReadingProps & { onTab: (tab: 'summary') => void }) {
  const { result } = props
  const { text, sound } = result
  const { transcription, words } = text
  const { transcriptionText, language, engine } = transcription
  const plain = transcriptionText?.trim() ?? ''
  if (plain === '' && words.turns.length === 0)
    return <EmptyPad className="mt-8" text="No transcription available" />
  // Beside a picture it stands under that.
  const rail = sound.player?.screen ? null : <TextRail {...{ result, onTab }} />
  const foot = (
    <div className="pt-2 pb-8 text-small text-ink-2 print:hidden">
      {engine === 'pocketsphinx' ? (
        <p>Recognized by the embedded engine, English only. Check before you quote.</p>
      ) : null}
      <TextActs text={text} />
      <AddChapters chapters={sound.chapters} className="mt-4 lg:hidden" />
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
        {plain.split(/\n+/).map((paragraph, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
          <p key={index}>{paragraph}</p>
        ))}
      </div>
      {foot}
    </WithRail>
  )
}
