/** The menu of a result: acts on all of it that are used once a recording or less. */
import {
  Calendar,
  Download,
  EyeOff,
  FileAudio,
  History,
  Info,
  Pencil,
  Plus,
  RotateCw,
  Scissors,
  Tag,
  Trash2,
  Undo2,
  VolumeX,
} from 'lucide-react'
import type { ReactNode } from 'react'

import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { useDelete } from '#features/transcriptions/ui/queries.ts'
import { formatBytes, formatDate } from '#shared/format.ts'

import { keysFor } from './keys/key-names.ts'
import type { Result } from './result.ts'
import type { Beside, Over } from './view.ts'

export interface MenuAct {
  label: string
  icon: ReactNode
  /** At the end of its line. */
  hint?: ReactNode
  /** Below its line. */
  more?: string
  isDanger?: true
  /** The focus goes back to `from`. */
  run: (from: HTMLElement | null) => void
}

export interface MenuDoors {
  onNewFile: () => void
  /** Opens a panel beside the text, which is shown for it. */
  openBeside: (beside: Beside) => void
}

/** The acts of the menu, which the palette has too. */
export function useMenuActs(
  { text: { transcription, edits, saved, carried }, cuts, view }: Result,
  { onNewFile, openBeside }: MenuDoors,
): Record<'first' | 'own' | 'cut' | 'last', MenuAct[]> {
  const remove = useDelete({ onDeleted: onNewFile })
  const opens =
    (kind: Exclude<Over['kind'], 'name'>): MenuAct['run'] =>
    (from) =>
      view.open({ kind }, from)
  const only = (isOffered: boolean, act: MenuAct) => (isOffered ? [act] : [])
  const { recordingKeptUntil, recordingBytes } = transcription
  return {
    first: [{ label: 'Process New File', icon: <Plus />, run: onNewFile }],
    own: [
      ...only(edits !== null && saved.undoable > 0, {
        label: 'Undo the last change',
        icon: <Undo2 />,
        run: () => void edits?.undo(),
      }),
      {
        label: 'Rename…',
        icon: <Pencil />,
        hint: (
          <span aria-hidden="true" className="pointer-coarse:hidden">
            {keysFor('reading.rename-recording')}
          </span>
        ),
        run: opens('rename'),
      },
      { label: 'About this recording', icon: <Info />, run: opens('about') },
      { label: 'Recorded on…', icon: <Calendar />, run: opens('recorded') },
      { label: 'Tag…', icon: <Tag />, run: opens('tag') },
      ...only(canTranscribeAgain(transcription), {
        label: 'Transcribe again…',
        icon: <RotateCw />,
        run: opens('again'),
      }),
      ...only(carried.keptUntil !== null, {
        label: 'Versions…',
        icon: <History />,
        run: opens('versions'),
      }),
    ],
    cut: [
      ...only(cuts.canAct, {
        label: 'Take out ums and repeats…',
        icon: <Scissors />,
        run: () => openBeside({ kind: 'tidy' }),
      }),
      ...only(edits !== null, {
        label: 'Hide a name…',
        icon: <EyeOff />,
        run: () => openBeside({ kind: 'hide', words: '' }),
      }),
      ...only(cuts.canAct && (cuts.list.length > 0 || cuts.files > 0), {
        label: cuts.list.length > 0 ? 'Export the cut recording…' : 'Files made…',
        icon: <Download />,
        run: opens('cut-export'),
      }),
    ],
    last: [
      ...(recordingKeptUntil === null
        ? []
        : [
            {
              label: 'Save the recording',
              icon: <FileAudio />,
              hint: recordingBytes ? formatBytes(recordingBytes) : null,
              run: () => void saveRecording(transcription),
            },
            {
              label: 'Delete the recording now',
              icon: <VolumeX />,
              more: `It is kept until ${formatDate(recordingKeptUntil)}.`,
              run: opens('delete-recording'),
            },
          ]),
      {
        label: 'Delete',
        icon: <Trash2 />,
        isDanger: true,
        run: () => remove.mutate(transcription),
      },
    ],
  }
}
