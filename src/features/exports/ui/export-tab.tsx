import { useQuery } from '@tanstack/react-query'
import { Download, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { downloadAll } from '#features/transcriptions/ui/downloads.ts'
import { wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import { summaryFileName, transcriptionFileName } from '#shared/file-names.ts'
import { Button } from '#web/ui/button.tsx'

import { resultsAsText } from './as-text.ts'
import { shareText } from './share.ts'
import { keptTextChoice } from './text-choice.ts'
import { textQuery } from './export-choice.ts'
import { MoreFormats, useChoice } from './export-formats.tsx'

export function ExportTab({
  transcription,
  onNewFile,
}: {
  transcription: Transcription
  onNewFile: () => void
}) {
  const [part, setPart] = useState<1 | 2 | null>(null)
  const { id, originalName } = transcription
  const { data: words } = useQuery(wordsQuery(id))
  const [choice, change] = useChoice()
  const spoken = words ?? wordsFromSegments(transcription)
  const download = async () => {
    await downloadAll(transcription, setPart, textQuery(choice))
    setPart(null)
  }
  return (
    <>
      <section aria-labelledby="export" className="pt-8 pb-12">
        <h2 id="export" className="mb-4 font-display text-section font-semibold">
          Export
        </h2>
        <ul className="border-t border-rule *:border-b *:border-rule">
          <Row
            name="Everything as text"
            button={
              <Button
                variant="primary"
                icon={<Download />}
                pending={part !== null}
                onClick={() => void download()}
              >
                {/* Both labels lie on top of each other, so that the width never changes. */}
                <span className="grid justify-items-center">
                  <span className={part === null ? '[grid-area:1/1]' : 'invisible [grid-area:1/1]'}>
                    Download All Results
                  </span>
                  {part === null ? null : (
                    <span className="[grid-area:1/1]">Downloading {part}/2</span>
                  )}
                </span>
              </Button>
            }
          >
            What was said, with what is chosen for documents below, and the summary. Two files, one
            after the other:
            <span className="block font-medium wrap-anywhere text-ink">
              {transcriptionFileName(originalName)}
            </span>
            <span className="block font-medium wrap-anywhere text-ink">
              {summaryFileName(originalName)}
            </span>
          </Row>
          <Row
            name="Send to an app"
            button={
              <Button
                icon={<Share2 />}
                onClick={() =>
                  void shareText({
                    title: originalName,
                    text: resultsAsText(transcription, spoken, keptTextChoice()),
                  })
                }
              >
                Share Results
              </Button>
            }
          >
            Hands the text to an app of your device, or copies it where there is none to take it.
            For a link that others can open, press Share on the Transcription tab.
          </Row>
        </ul>
      </section>
      <MoreFormats
        named={transcription}
        choice={choice}
        onChange={change}
        isDoubtKnown={!words?.isDoubtUnknown}
        hasChapters={transcription.chapters.length > 0}
        hasRecording={transcription.recordingKeptUntil !== null}
      />
      <section aria-label="Start again" className="pb-8">
        <ul className="border-t border-rule *:border-b *:border-rule">
          <Row name="Start again" button={<Button onClick={onNewFile}>Process New File</Button>}>
            This result stays in your library.
          </Row>
        </ul>
      </section>
    </>
  )
}

function Row({ name, button, children }: { name: string; button: ReactNode; children: ReactNode }) {
  return (
    <li className="grid gap-x-6 gap-y-3 py-6 lg:grid-cols-[288px_minmax(0,1fr)_232px] lg:items-center">
      <h3 className="font-display text-h3 font-semibold">{name}</h3>
      <p className="text-ink-2">{children}</p>
      {/* A label in large letters may need two lines. */}
      <div className="mt-1 *:w-full *:label-wraps! lg:mt-0">{button}</div>
    </li>
  )
}
