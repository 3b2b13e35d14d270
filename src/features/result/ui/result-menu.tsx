/** What the menu of a result holds: what concerns all of it, and on phones what has buttons elsewhere. */
import {
  Copy,
  Download,
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

import { EarlierText } from '#features/again/ui/earlier-text.tsx'
import { copyPart } from '#features/exports/ui/share.ts'
import type { Open } from '#features/exports/ui/text-of.ts'
import { TagPopover } from '#features/library/ui/tag-popover.tsx'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'
import { useDelete } from '#features/transcriptions/ui/queries.ts'
import { RenameDialog } from '#features/transcriptions/ui/rename-dialog.tsx'
import { TranslationDialog } from '#features/translations/ui/translation-dialog.tsx'
import { useHasTranslations, useTranslation } from '#features/translations/ui/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

export type Asked = 'rename' | 'tag' | 'earlier' | 'translation'

export function ResultItems({
  open,
  keptUntil,
  part,
  isExport,
  onDownload,
  onQuestion,
  onShare,
  onAgain,
  onKeys,
  onAsk,
  onNewFile,
}: {
  open: Open
  /** Until when the text from before is kept; null where there is none. */
  keptUntil: string | null
  /** The text in view; null where there is none. */
  part: Part | null
  /** The tab has its own button for the next file. */
  isExport: boolean
  onDownload: (part: Part) => Promise<void>
  /** Opens the questions to the recording; null where there is no text to ask. */
  onQuestion: (() => void) | null
  onShare: () => void
  onAgain: () => void
  onKeys: () => void
  onAsk: (asked: Asked) => void
  onNewFile: () => void
}) {
  const { transcription } = open
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
          <MenuItem className="lg:hidden" icon={<Share2 />} onSelect={onShare}>
            Share
          </MenuItem>
        </>
      )}
      {onQuestion ? (
        <MenuItem className="sm:hidden" icon={<MessageCircleQuestionMark />} onSelect={onQuestion}>
          Ask this recording
        </MenuItem>
      ) : null}
      {isExport ? null : <MenuSeparator className="lg:hidden" />}
      <MenuItem icon={<Pencil />} onSelect={() => onAsk('rename')}>
        Rename…
      </MenuItem>
      <MenuItem icon={<Tag />} onSelect={() => onAsk('tag')}>
        Tag…
      </MenuItem>
      {part === 'transcription' && hasTranslations ? (
        <MenuItem icon={<Languages />} onSelect={() => onAsk('translation')}>
          Translation…
        </MenuItem>
      ) : null}
      {canTranscribeAgain(transcription) ? (
        <MenuItem icon={<RotateCw />} onSelect={onAgain}>
          Transcribe again…
        </MenuItem>
      ) : null}
      {keptUntil === null ? null : (
        <MenuItem icon={<History />} onSelect={() => onAsk('earlier')}>
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
  asked: Asked
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
