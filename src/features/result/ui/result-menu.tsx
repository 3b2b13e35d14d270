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
import type { ReactNode, RefObject } from 'react'

import { copyPart } from '#features/exports/ui/share.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { type Part, downloadResult, saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { useDelete } from '#features/transcriptions/ui/queries.ts'
import { formatBytes, formatDate } from '#shared/format.ts'
import { MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

import { keysFor } from './keys/key-names.ts'
import type { Result } from './result.ts'
import type { Over } from './view.ts'

interface MenuAct {
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

/** The acts of the menu, which the palette has too. */
export function useMenuActs(
  { text: { transcription, edits, saved, carried }, view }: Result,
  onNewFile: () => void,
): Record<'first' | 'own' | 'last', MenuAct[]> {
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

export function ResultItems({
  result,
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
  const { first, own, last } = useMenuActs(result, onNewFile)
  const items = (acts: MenuAct[]) =>
    acts.map(({ label, icon, hint, more, isDanger = false, run }) => (
      <MenuItem key={label} icon={icon} danger={isDanger} onSelect={() => run(from.current)}>
        <span className="flex-1">
          {label}
          {more ? <span className="block text-small text-ink-2">{more}</span> : null}
        </span>
        {hint ? <span className="text-small text-ink-3 tabular-nums">{hint}</span> : null}
      </MenuItem>
    ))
  return (
    <>
      <div className="lg:hidden">
        {isExport ? null : items(first)}
        {part === null ? null : (
          <>
            <MenuItem icon={<Copy />} onSelect={() => copyPart(part, result.text)}>
              Copy
            </MenuItem>
            <MenuItem
              icon={<Download />}
              onSelect={() => void downloadResult(part, result.text.transcription)}
            >
              Download
            </MenuItem>
          </>
        )}
        {isExport && part === null ? null : <MenuSeparator />}
      </div>
      {items(own)}
      <MenuItem
        icon={<Keyboard />}
        className="pointer-coarse:hidden"
        onSelect={() => result.view.open({ kind: 'keys' }, from.current)}
      >
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      {items(last)}
    </>
  )
}
