import { useQuery } from '@tanstack/react-query'
import { Download, Plus, Share2 } from 'lucide-react'
import { type ComponentProps, useState } from 'react'

import type { Render } from '#features/cuts/contract.ts'
import { rangesOf } from '#features/cuts/ui/cutting.ts'
import { MadeFiles } from '#features/cuts/ui/made-files.tsx'
import { cutsQuery } from '#features/cuts/ui/queries.ts'
import { rendersQuery } from '#features/cuts/ui/renders.ts'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { downloadAll } from '#features/transcriptions/ui/downloads.ts'
import { wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import { Button } from '#web/ui/button.tsx'

import { resultsAsText } from './as-text.ts'
import { textQuery } from './export-choice.ts'
import { ExportPanel, useChoice } from './export-panel.tsx'
import { filmOf } from './menu.ts'
import { openAsGiven } from './open-as-given.ts'
import { shareText } from './share.ts'
import { takeOne } from './take.ts'
import { keptTextChoice } from './text-choice.ts'
import { textOf } from './text-of.ts'

export function ExportTab({
  transcription,
  onChapters,
  onNewFile,
  onCutExport,
  onShareFile,
}: {
  transcription: Transcription
  /** Opens the chapters, to be changed; null while the text can only be read. */
  onChapters: (() => void) | null
  onNewFile: () => void
  /** Leads to the recording without its cuts. */
  onCutExport: (from: HTMLElement) => void
  /** Gives a file away that was made of it. */
  onShareFile: (made: Render) => void
}) {
  const [part, setPart] = useState<1 | 2 | null>(null)
  const { id, originalName, chapters, recordingKeptUntil, duration } = transcription
  const { data: words } = useQuery(wordsQuery(id))
  const { data: cuts } = useQuery(cutsQuery(id))
  const [choice, change] = useChoice(id, transcription.filmStart)
  const downloadBoth = async () => {
    await downloadAll(transcription, setPart, textQuery(choice))
    setPart(null)
  }
  const share = () => {
    const open = { transcription, words: words ?? wordsFromSegments(transcription) }
    const given = openAsGiven(open, cuts)
    const text = resultsAsText(given.transcription, given.words, keptTextChoice())
    return shareText({ title: originalName, text })
  }
  return (
    <section aria-labelledby="export" className="pt-4 pb-12 lg:pt-6">
      <h2 id="export" className="sr-only">
        Export
      </h2>
      <ExportPanel
        id={id}
        className="lg:grid-cols-[260px_minmax(0,1fr)_280px] lg:gap-x-9 xl:gap-x-12"
        known={{
          originalName,
          hasText: textOf('transcription', transcription) !== '',
          hasChapters: chapters.length > 0,
          hasRecording: recordingKeptUntil !== null,
          isDoubtKnown: !words?.isDoubtUnknown,
          ...filmOf(transcription),
        }}
        durationS={duration}
        hidden={transcription.hiddenForOthers?.length ?? 0}
        chapters={chapters}
        onChapters={onChapters}
        choice={choice}
        onChange={change}
        take={(taken) => takeOne(transcription, taken)}
        onCutExport={onCutExport}
        files={
          cuts && cuts.files > 0 ? (
            <FilesMade {...{ id, duration }} list={rangesOf(cuts)} onShare={onShareFile} />
          ) : null
        }
        below={
          <div className="flex flex-wrap justify-between gap-x-4 lg:grid">
            <Quiet icon={<Download />} pending={part !== null} onClick={() => void downloadBoth()}>
              {/* Both labels lie on top of each other, so that the width never changes. */}
              <span className="grid justify-items-start">
                <span className={part === null ? '[grid-area:1/1]' : 'invisible [grid-area:1/1]'}>
                  Download All Results
                </span>
                {part === null ? null : (
                  <span className="[grid-area:1/1]">Downloading {part}/2</span>
                )}
              </span>
            </Quiet>
            <Quiet icon={<Share2 />} onClick={() => void share()}>
              Share Results
            </Quiet>
            <Quiet icon={<Plus />} onClick={onNewFile}>
              Process New File
            </Quiet>
          </div>
        }
      />
    </section>
  )
}

function FilesMade(props: Omit<ComponentProps<typeof MadeFiles>, 'renders'>) {
  const { data } = useQuery(rendersQuery(props.id))
  return data ? <MadeFiles {...props} renders={data.renders} /> : null
}

function Quiet(props: ComponentProps<typeof Button>) {
  return (
    <Button
      {...props}
      variant="quiet"
      className="max-w-full justify-start px-0! lg:-ml-3 lg:h-[46px] lg:gap-3! lg:px-3! lg:font-normal! max-lg:[&>svg]:hidden"
    />
  )
}
