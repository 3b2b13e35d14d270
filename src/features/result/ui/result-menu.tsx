/** What the menu of a result holds: what concerns all of it, and on phones what has buttons elsewhere. */
import {
  Calendar,
  Copy,
  Download,
  FileAudio,
  History,
  Keyboard,
  Languages,
  MessageCircleQuestionMark,
  Pencil,
  Plus,
  RotateCw,
  Share2,
  Tag,
  Trash2,
} from 'lucide-react'

import type { RefObject } from 'react'

import { EarlierText } from '#features/again/ui/earlier-text.tsx'
import { copyPart } from '#features/exports/ui/share.ts'
import type { Open } from '#features/exports/ui/text-of.ts'
import { TagPopover } from '#features/library/ui/tag-popover.tsx'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { type Part, saveRecording } from '#features/transcriptions/ui/downloads.ts'
import { useDelete } from '#features/transcriptions/ui/queries.ts'
import { RecordedDialog } from '#features/transcriptions/ui/recorded-dialog.tsx'
import { RenameDialog } from '#features/transcriptions/ui/rename-dialog.tsx'
import { TranslationDialog } from '#features/translations/ui/translation-dialog.tsx'
import { useHasTranslations, useTranslation } from '#features/translations/ui/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

export type MenuDialog = 'rename' | 'recorded' | 'tag' | 'earlier' | 'translation'

/** What can be done with all of a result. What opens a dialog is given what gets the focus back. */
export interface ResultActs {
  /** Opens the questions to the recording; null where there is no text to ask. */
  onAsk: (() => void) | null
  /** Asks how to transcribe again. */
  onAgain: (from: HTMLElement) => void
  /** Opens what gives the text away, as a link or as it is. */
  onShare: (from: HTMLElement) => void
  /** Shows the list of keys. */
  onKeys: () => void
  onNewFile: () => void
}

export function ResultItems({
  open,
  keptUntil,
  part,
  isExport,
  acts: { onAsk, onAgain, onShare, onKeys, onNewFile },
  from,
  onDownload,
  onAsked,
}: {
  open: Open
  /** Until when the text from before is kept; null where there is none. */
  keptUntil: string | null
  /** The text in view; null where there is none. */
  part: Part | null
  /** The tab has its own button for the next file. */
  isExport: boolean
  acts: ResultActs
  /** The button of the menu. */
  from: RefObject<HTMLElement | null>
  onDownload: (part: Part) => Promise<void>
  onAsked: (asked: MenuDialog) => void
}) {
  const { transcription } = open
  const withFocus = (act: (from: HTMLElement) => void) => () => {
    if (from.current) act(from.current)
  }
  const remove = useDelete({ onDeleted: onNewFile })
  const hasTranslations = useHasTranslations(transcription.id, open.words.revision)
  return (
    <>
      {isExport ? null : (
        <MenuItem className="lg:hidden" icon={<Plus />} onSelect={onNewFile}>
          Process New File
        </MenuItem>
      )}
      {part === null ? null : (
        <>
          <MenuItem className="lg:hidden" icon={<Copy />} onSelect={() => copyPart(part, open)}>
            Copy
          </MenuItem>
          <MenuItem
            className="lg:hidden"
            icon={<Download />}
            onSelect={() => void onDownload(part)}
          >
            Download
          </MenuItem>
          <MenuItem className="lg:hidden" icon={<Share2 />} onSelect={withFocus(onShare)}>
            Share
          </MenuItem>
        </>
      )}
      {onAsk ? (
        <MenuItem className="sm:hidden" icon={<MessageCircleQuestionMark />} onSelect={onAsk}>
          Ask this recording
        </MenuItem>
      ) : null}
      {isExport ? null : <MenuSeparator className="lg:hidden" />}
      <MenuItem icon={<Pencil />} onSelect={() => onAsked('rename')}>
        Rename…
      </MenuItem>
      <MenuItem icon={<Calendar />} onSelect={() => onAsked('recorded')}>
        Recorded on…
      </MenuItem>
      <MenuItem icon={<Tag />} onSelect={() => onAsked('tag')}>
        Tag…
      </MenuItem>
      {part === 'transcription' && hasTranslations ? (
        <MenuItem icon={<Languages />} onSelect={() => onAsked('translation')}>
          Translation…
        </MenuItem>
      ) : null}
      {canTranscribeAgain(transcription) ? (
        <MenuItem icon={<RotateCw />} onSelect={withFocus(onAgain)}>
          Transcribe again…
        </MenuItem>
      ) : null}
      {transcription.recordingKeptUntil === null ? null : (
        <MenuItem icon={<FileAudio />} onSelect={() => void saveRecording(transcription)}>
          Download recording
        </MenuItem>
      )}
      {keptUntil === null ? null : (
        <MenuItem icon={<History />} onSelect={() => onAsked('earlier')}>
          Earlier text…
        </MenuItem>
      )}
      <MenuItem icon={<Keyboard />} className="pointer-coarse:hidden" onSelect={onKeys}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={() => remove.mutate(transcription)}>
        Delete
      </MenuItem>
    </>
  )
}

/** The dialog that an item opens. */
export function ResultQuestion({
  asked,
  open: { transcription, words },
  keptUntil,
  ...answered
}: {
  asked: MenuDialog
  open: Open
  keptUntil: string | null
  onClose: () => void
  focusAfter: () => void
}) {
  const { id, tags = [], language } = transcription
  const { choose } = useTranslation(id, words.revision)
  switch (asked) {
    case 'rename':
      return <RenameDialog {...answered} row={transcription} />
    case 'recorded':
      return <RecordedDialog {...answered} row={transcription} />
    case 'tag':
      return <TagPopover {...answered} ids={[id]} rows={[{ id, tags }]} anchor={null} />
    case 'translation':
      return (
        <TranslationDialog
          {...answered}
          {...{ id, revision: words.revision, spoken: language }}
          onChoose={choose}
        />
      )
    case 'earlier':
      return keptUntil === null ? null : (
        <Dialog
          open
          title="The text from before"
          onOpenChange={answered.onClose}
          focusAfter={answered.focusAfter}
        >
          <EarlierText canDrop id={id} keptUntil={keptUntil} className="mt-4 space-y-2 text-ui" />
        </Dialog>
      )
  }
}
