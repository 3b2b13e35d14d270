/** The parts of a result that are opened later: the words are there before them. */
import { createPortal } from 'react-dom'

import { ChapterEditor } from '#features/chapters/ui/chapter-list.tsx'
import { TurnsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { later } from '#web/later.tsx'
import { classes } from '#web/ui/classes.ts'

const skeleton = () => <TurnsSkeleton />

export const SummaryTab = later(
  async () => (await import('./summary-tab.tsx')).SummaryTab,
  skeleton,
)
export const SpeakersTab = later(
  async () => (await import('./speakers-tab.tsx')).SpeakersTab,
  skeleton,
)
export const GenerateTab = later(
  async () => (await import('#features/documents/ui/generate-tab.tsx')).GenerateTab,
  skeleton,
)
export const BestMoments = later(async () => (await import('./best-moments.tsx')).BestMoments)
export const ExportTab = later(
  async () => (await import('#features/exports/ui/export-tab.tsx')).ExportTab,
  skeleton,
)
export const ResultDialog = later(async () => (await import('./result-dialogs.tsx')).ResultDialog)
export const LookPopover = later(async () => (await import('./look-popover.tsx')).LookPopover)
export const ToolsSheet = later(async () => (await import('./tools-sheet.tsx')).ToolsSheet)
export const SpeakerPopover = later(async () => (await import('./speaker-form.tsx')).SpeakerPopover)
export const ChapterSheet = later(
  async () => (await import('#features/chapters/ui/chapter-sheet.tsx')).ChapterSheet,
)
export const Picture = later(
  async () => (await import('./player/picture.tsx')).Picture,
  // Its place above the text: it must push nothing when it comes.
  ({ isHome, place }) =>
    isHome && place
      ? createPortal(
          <div className="-mx-4 aspect-video max-h-[40dvh] bg-code-bg sm:-mx-6 lg:hidden print:hidden" />,
          place,
        )
      : null,
)
export const AgainWork = later(
  async () => (await import('#features/again/ui/again-work.tsx')).AgainWork,
)
export const CutStrip = later(
  async () => (await import('#features/cuts/ui/cut-strip.tsx')).CutStrip,
)
export const TidyPanel = later(
  async () => (await import('#features/cuts/ui/tidy-panel.tsx')).TidyPanel,
)
export const ClipPanel = later(
  async () => (await import('#features/cuts/ui/clip-panel.tsx')).ClipPanel,
)
export const ClipStrip = later(
  async () => (await import('#features/cuts/ui/clip-strip.tsx')).ClipStrip,
)
export const AgainPanel = later(
  async () => (await import('#features/again/ui/again-panel.tsx')).AgainPanel,
)
export const NewElsewhere = later(
  async () => (await import('#features/again/ui/again-panel.tsx')).NewElsewhere,
)
export const AskPanel = later(
  async () => (await import('#features/asking/ui/ask-panel.tsx')).AskPanel,
)
export const CheckQueue = later(async () => (await import('./checking/check-queue.tsx')).CheckQueue)
export const ReplaceBox = later(async () => (await import('./find/replace-box.tsx')).ReplaceBox)
export const SelectionBar = later(
  async () => (await import('./reading/selection-bar.tsx')).SelectionBar,
)
export const TurnEditor = later(
  async () => (await import('./reading/turn-editor.tsx')).TurnEditor,
  ({ turn }) => <p className="text-turn">{turn.text}</p>,
)

export const ConflictBox = later(
  async () => (await import('./reading/conflict-box.tsx')).ConflictBox,
)
export const EarlierText = later(
  async () => (await import('#features/again/ui/earlier-text.tsx')).EarlierText,
)
export const TranslationLine = later(
  async () => (await import('#features/translations/ui/translation-line.tsx')).TranslationLine,
  // Its place above the text: it must push nothing when it comes.
  ({ shown: { translation }, className }) =>
    translation ? (
      <div
        className={classes(
          'min-h-[30px]',
          translation.isReadable && 'max-sm:min-h-[43.5px]',
          className,
        )}
      />
    ) : null,
)

/** What keys open. */
export const openedByKeys = [
  TurnEditor,
  ReplaceBox,
  AskPanel,
  CheckQueue,
  ClipPanel,
  SpeakerPopover,
  ChapterEditor,
]
