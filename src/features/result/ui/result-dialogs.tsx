import { AgainDialog } from '#features/again/ui/again-dialog.tsx'
import { EarlierText } from '#features/again/ui/earlier-text.tsx'
import { CutExportDialog } from '#features/cuts/ui/cut-export-dialog.tsx'
import type { CutsState } from '#features/cuts/ui/use-cuts.ts'
import { useLaterRooms } from '#features/library/ui/later-rooms.ts'
import { TagPopover } from '#features/library/ui/tag-popover.tsx'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { DeleteRecordingDialog } from '#features/transcriptions/ui/delete-dialogs.tsx'
import { RecordedDialog } from '#features/transcriptions/ui/recorded-dialog.tsx'
import { RenameDialog } from '#features/transcriptions/ui/rename-dialog.tsx'
import { WriteAgain } from '#features/transcriptions/ui/write-again.tsx'
import { counted, formatCredits, formatDate, formatTime } from '#shared/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'

import { ShortcutsDialog } from './keys/shortcuts-dialog.tsx'
import { factsOf } from './result-head.tsx'
import type { ResultText } from './text.ts'
import type { Over, View } from './view.ts'

/** The dialog that is open over a result. */
export function ResultDialog({
  over,
  text: { transcription, carried },
  cuts,
  view,
  onExport,
}: {
  over: Exclude<Over, { kind: 'look' | 'name' }>
  text: ResultText
  cuts: CutsState
  view: View
  /** Leads to the tab with all formats. */
  onExport: () => void
}) {
  const { ShareDialog } = useLaterRooms()
  const { id, tags = [], originalName } = transcription
  const { kind } = over
  const onClose = () => view.close(kind)
  const answered = { onClose, focusAfter: () => view.overFrom?.focus() }
  switch (over.kind) {
    case 'share':
      return <ShareDialog id={id} file={over.file ?? null} {...answered} />
    case 'again':
      return <AgainDialog {...answered} id={id} fileName={originalName} onStarted={onClose} />
    case 'keys':
      return <ShortcutsDialog open onOpenChange={onClose} />
    case 'rename':
      return <RenameDialog {...answered} row={transcription} />
    case 'about':
      return (
        <Dialog
          open
          title="About this recording"
          onOpenChange={onClose}
          focusAfter={answered.focusAfter}
        >
          <About transcription={transcription} />
        </Dialog>
      )
    case 'recorded':
      return <RecordedDialog {...answered} row={transcription} />
    case 'tag':
      return <TagPopover {...answered} ids={[id]} rows={[{ id, tags }]} anchor={null} />
    case 'write-again':
      return (
        <WriteAgain
          {...{ transcription, onClose }}
          anchor={view.overFrom}
          focusAfter={() => focusOn(view.overFrom, '#summary-note')}
        />
      )
    case 'cut-export':
      return (
        <CutExportDialog
          {...{ id, list: cuts.list, duration: transcription.duration, ...answered }}
          onShare={(file) => view.open({ kind: 'share', file }, view.overFrom)}
          onExport={() => {
            onClose()
            onExport()
          }}
        />
      )
    case 'delete-recording':
      return (
        <DeleteRecordingDialog
          {...answered}
          row={transcription}
          more={
            cuts.files > 0
              ? `${counted(cuts.files, 'file')} made of it and the links to them go with it.`
              : null
          }
        />
      )
    case 'versions':
      return carried.keptUntil === null ? null : (
        <Dialog
          open
          title="The text from before"
          onOpenChange={onClose}
          focusAfter={answered.focusAfter}
        >
          <EarlierText
            canDrop
            id={id}
            keptUntil={carried.keptUntil}
            className="mt-4 space-y-2 text-ui"
          />
        </Dialog>
      )
  }
}

/** What has opened a dialog is gone once it has done its work: then what tells of that gets the focus. */
function focusOn(from: HTMLElement | null, otherwise: string): void {
  const element = from?.isConnected ? from : document.querySelector<HTMLElement>(otherwise)
  element?.focus()
}

function About({ transcription }: { transcription: Transcription }) {
  const { duration, creditsRequired, isSample } = transcription
  const { recordingKeptUntil, recordingDeletedAt, picture, mediaType } = transcription
  const { words, language, speakers, recorded } = factsOf(transcription)
  const facts = [
    formatTime(duration),
    words,
    language,
    speakers,
    recorded,
    recordingKeptUntil === null
      ? recordingDeletedAt && `The recording was deleted on ${formatDate(recordingDeletedAt)}.`
      : `The recording is kept until ${formatDate(recordingKeptUntil)}.`,
    !isSample && creditsRequired ? `It took ${formatCredits(creditsRequired)}.` : null,
    // Why there is no picture, where somebody may look for one.
    picture === 'left_out' && 'Only the sound of this video was uploaded.',
    picture === 'cannot' && mediaType && 'The picture of this file cannot be shown; the sound can.',
    isSample && 'Sample, as it was heard.',
  ].filter((fact) => typeof fact === 'string')
  return (
    <>
      <p className="mt-3 font-[650] wrap-anywhere">{transcription.originalName}</p>
      <ul className="mt-2 space-y-1 text-ui">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </>
  )
}
