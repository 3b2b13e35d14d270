/** The menu of a result: acts on all of it that are used once a recording or less. */
import {
  Calendar,
  Copy,
  Download,
  FileAudio,
  History,
  Info,
  Keyboard,
  Pencil,
  Plus,
  RotateCw,
  Tag,
  Trash2,
  Undo2,
  VolumeX,
} from 'lucide-react'
import type { RefObject } from 'react'

import { copyPart } from '#features/exports/ui/share.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { type Part, downloadResult, saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { useDelete } from '#features/transcriptions/ui/queries.ts'
import { formatDate } from '#shared/format.ts'
import { MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

import { keysFor } from './keys/key-names.ts'
import type { Result } from './result.ts'
import type { Over } from './view.ts'

export function ResultItems({
  result: { text, view },
  part,
  isExport,
  from,
  onNewFile,
}: {
  result: Result
  /** The text in view; null where there is none. */
  part: Part | null
  /** The tab has its own button for the next file. */
  isExport: boolean
  /** The button of the menu. */
  from: RefObject<HTMLElement | null>
  onNewFile: () => void
}) {
  const { transcription, edits, saved, carried } = text
  const { recordingKeptUntil } = transcription
  const remove = useDelete({ onDeleted: onNewFile })
  const opens = (kind: Exclude<Over['kind'], 'name'>) => () => view.open({ kind }, from.current)
  return (
    <>
      {isExport ? null : (
        <MenuItem className="lg:hidden" icon={<Plus />} onSelect={onNewFile}>
          Process New File
        </MenuItem>
      )}
      {part === null ? null : (
        <>
          <MenuItem className="lg:hidden" icon={<Copy />} onSelect={() => copyPart(part, text)}>
            Copy
          </MenuItem>
          <MenuItem
            className="lg:hidden"
            icon={<Download />}
            onSelect={() => void downloadResult(part, transcription)}
          >
            Download
          </MenuItem>
        </>
      )}
      {isExport && part === null ? null : <MenuSeparator className="lg:hidden" />}
      {edits && saved.undoable > 0 ? (
        <MenuItem icon={<Undo2 />} onSelect={() => void edits.undo()}>
          Undo the last change
        </MenuItem>
      ) : null}
      <MenuItem icon={<Pencil />} onSelect={opens('rename')}>
        <span className="flex-1">Rename…</span>
        <span aria-hidden="true" className="text-small text-ink-3 pointer-coarse:hidden">
          {keysFor('reading.rename-recording')}
        </span>
      </MenuItem>
      <MenuItem icon={<Info />} onSelect={opens('about')}>
        About this recording
      </MenuItem>
      <MenuItem icon={<Calendar />} onSelect={opens('recorded')}>
        Recorded on…
      </MenuItem>
      <MenuItem icon={<Tag />} onSelect={opens('tag')}>
        Tag…
      </MenuItem>
      {canTranscribeAgain(transcription) ? (
        <MenuItem icon={<RotateCw />} onSelect={opens('again')}>
          Transcribe again…
        </MenuItem>
      ) : null}
      {carried.keptUntil === null ? null : (
        <MenuItem icon={<History />} onSelect={opens('versions')}>
          Versions…
        </MenuItem>
      )}
      <MenuItem icon={<Keyboard />} className="pointer-coarse:hidden" onSelect={opens('keys')}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      {recordingKeptUntil === null ? null : (
        <>
          <MenuItem icon={<FileAudio />} onSelect={() => void saveRecording(transcription)}>
            Save the recording
          </MenuItem>
          <MenuItem icon={<VolumeX />} onSelect={opens('delete-recording')}>
            <span>
              Delete the recording now
              <span className="block text-small text-ink-2">
                It is kept until {formatDate(recordingKeptUntil)}.
              </span>
            </span>
          </MenuItem>
        </>
      )}
      <MenuItem danger icon={<Trash2 />} onSelect={() => remove.mutate(transcription)}>
        Delete
      </MenuItem>
    </>
  )
}
