import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { AgainDialog } from '#features/again/ui/again-dialog.tsx'
import { AgainWork } from '#features/again/ui/again-work.tsx'
import { ChapterSheet } from '#features/chapters/ui/chapter-sheet.tsx'
import { besideChapter } from '#features/chapters/ui/chapters.ts'
import { GenerateTab } from '#features/documents/ui/generate-tab.tsx'
import { hasDocuments, useDocumentsOf } from '#features/documents/ui/queries.ts'
import { ExportTab } from '#features/exports/ui/export-tab.tsx'
import { copyPart, shareSummary } from '#features/exports/ui/share.ts'
import { textOf } from '#features/exports/ui/text-of.ts'
import { useLaterRooms } from '#features/library/ui/later-rooms.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { downloadResult } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { TurnsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { type OpenTranscript, useLendToPalette } from '#web/palette/palette.ts'
import { changeSpeed } from '#web/player.ts'
import { NotLoaded } from '#web/ui/inline-error.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { momentIn } from '#web/paths.ts'

import { Pedal } from './keys/pedal.ts'
import { Picture } from './player/picture.tsx'
import { Playback } from './player/playback.tsx'
import { ResultHead } from './result-head.tsx'
import type { ScrollAnchor } from './reading/reading.tsx'
import { TranscriptionTab } from './reading/transcription-tab.tsx'
import { type Reader, useReader } from './reader.ts'
import { useReadingKeys } from './keys/use-reading-keys.ts'
import { ShortcutsDialog } from './keys/shortcuts-dialog.tsx'
import { SpeakerPopover } from './speaker-form.tsx'
import { SpeakersTab } from './speakers-tab.tsx'
import { SummaryTab } from './summary-tab.tsx'

const tabNames = ['transcription', 'summary', 'speakers', 'generate', 'export'] as const
const tabLabels = {
  transcription: 'Transcription',
  summary: 'Summary',
  speakers: 'Speakers',
  generate: 'Generate',
  export: 'Export',
}
type TabName = (typeof tabNames)[number]

/** A finished transcription. The address has the open tab in its hash and the moment in `at`. */
export function ResultsView({
  transcription,
  headingRef,
  onNewFile,
  stay,
}: {
  transcription: Job
  headingRef: HeadingRef
  onNewFile: () => void
  /** What was being read when the result took the place of the running job. */
  stay: ScrollAnchor | null
}) {
  const { id } = transcription
  const { ShareDialog } = useLaterRooms()
  const isOffered = hasDocuments(useUser())
  useDocumentsOf(id, { isOffered, isFresh: transcription.isFresh })
  const names = tabNames.filter((name) => name !== 'generate' || isOffered)
  const [tab, setTab] = useTab(names)
  const [jump, setJump] = useState<number | null>(null)
  const show = (seconds: number) => {
    if (tab !== 'transcription') setTab('transcription')
    setJump(seconds)
  }
  const { reader, wordsState, edits, naming } = useReader(transcription, {
    isTextShown: tab === 'transcription',
    show,
  })
  const { words, player, carried, chapters } = reader
  const [marks, setMarks] = useState<readonly number[]>([])
  const [checks, setChecks] = useState<readonly number[] | null>(null)
  const [isHelping, setHelping] = useState(false)
  /** What asked to share, and gets the focus back; null while the dialog is closed. */
  const [sharedFrom, setSharedFrom] = useState<HTMLElement | null>(null)
  /** The button that asked to transcribe again; null while the dialog is closed. */
  const [againFrom, setAgainFrom] = useState<HTMLElement | null>(null)
  /** Where a picture stands beside the text and the turns. */
  const [beside, setBeside] = useState<HTMLElement | null>(null)
  /** Stays when the work is over: then it says what was found. */
  const [hasWork, setHasWork] = useState(false)
  if (transcription.again && !hasWork) setHasWork(true)
  const screen = player?.screen
  const isHome = tab === 'transcription' || tab === 'speakers'
  const canAsk = words.turns.length > 0
  const openTab = (name: TabName) => {
    // A panel belongs to the text; what is asked goes on without it.
    if (name !== tab) reader.setPanel(null)
    setTab(name)
  }
  const openAsking = () => {
    openTab('transcription')
    chapters.close()
    reader.setReplacing(false)
    reader.setPanel('ask')
    // It may be open already.
    reader.asking.field.current?.focus()
  }
  const { at, searched } = useLandingPlace()
  useResultKeys(reader, {
    names,
    setTab: openTab,
    onNewFile,
    onAsk: canAsk ? openAsking : null,
    onHelp: () => setHelping(true),
  })
  useLent(reader, {
    tabs: names.map((name) => ({ label: tabLabels[name], open: () => openTab(name) })),
    ask: canAsk ? openAsking : null,
    jumpTo: (seconds) => {
      player?.seek(seconds)
      show(seconds)
    },
    onShare: () => setSharedFrom(document.querySelector('h1')),
    showKeys: () => setHelping(true),
  })
  const panels: Record<TabName, ReactNode> = {
    transcription: wordsState.isPending ? (
      <TurnsSkeleton />
    ) : (
      <>
        {wordsState.isError ? <WordsMissing {...wordsState} /> : null}
        <TranscriptionTab
          reader={reader}
          at={at}
          searched={searched}
          jump={jump}
          stay={stay}
          onJumped={() => setJump(null)}
          onMarks={setMarks}
          onChecks={setChecks}
          onAgain={canTranscribeAgain(transcription) ? setAgainFrom : null}
          onAsk={openAsking}
        />
      </>
    ),
    summary: <SummaryTab reader={reader} />,
    speakers: <SpeakersTab reader={reader} />,
    generate: <GenerateTab transcriptionId={id} onNewFile={onNewFile} />,
    export: <ExportTab transcription={transcription} onNewFile={onNewFile} />,
  }
  return (
    <>
      <Pedal player={player} />
      {player && screen ? <Picture {...{ reader, player, screen, isHome, beside }} /> : null}
      <ResultHead
        open={reader}
        keptUntil={carried.keptUntil}
        headingRef={headingRef}
        part={tab === 'transcription' || tab === 'summary' ? tab : null}
        isExport={tab === 'export'}
        hasMainAct={hasMainAct(reader, tab)}
        acts={{
          onAsk: canAsk ? openAsking : null,
          onAgain: setAgainFrom,
          onShare: setSharedFrom,
          onKeys: () => setHelping(true),
          onNewFile,
        }}
      />
      {sharedFrom ? (
        <ShareDialog
          id={id}
          onClose={() => setSharedFrom(null)}
          focusAfter={() => sharedFrom.focus()}
        />
      ) : null}
      {againFrom ? (
        <AgainDialog
          id={id}
          fileName={transcription.originalName}
          onClose={() => setAgainFrom(null)}
          onStarted={() => setAgainFrom(null)}
          focusAfter={() => againFrom.focus()}
        />
      ) : null}
      {hasWork ? <AgainWork {...{ transcription, onNewFile }} onFound={edits.tellOfJob} /> : null}
      <Tabs
        label="Results"
        className={
          screen && isHome
            ? 'narrow mt-4 lg:grid lg:grid-cols-[50%_minmax(0,1fr)] lg:gap-x-7'
            : 'mt-4'
        }
        value={tab}
        onValueChange={openTab}
        tabs={names.map((name) => ({
          value: name,
          label: tabLabels[name],
          panel: panels[name],
        }))}
      >
        {screen && isHome ? <div ref={setBeside} className="max-lg:hidden" /> : null}
      </Tabs>
      <SpeakerPopover {...naming} speakers={words.speakers} turns={words.turns} edits={edits} />
      {chapters.isSheet ? <ChapterSheet chapters={chapters} /> : null}
      <Playback
        {...{ transcription, player, words }}
        chapters={chapters.list.length > 0 ? chapters : null}
        marks={marks.length > 0 ? marks : (checks ?? carried.marks)}
        onShortcuts={() => setHelping(true)}
      />
      {isHelping ? <ShortcutsDialog open onOpenChange={setHelping} /> : null}
    </>
  )
}

/** Whether what is open has the main button of the screen. */
const hasMainAct = (
  { carried, note, toCheck, isReplacing, panel }: Reader,
  tab: TabName,
): boolean =>
  (tab === 'speakers' && carried.isShown) ||
  (tab === 'transcription' &&
    (isReplacing || panel !== null || carried.isShown || (note.isShown && toCheck.length > 0)))

/** What the palette offers while this result is open. */
function useLent(
  reader: Reader,
  {
    onShare,
    ...more
  }: Pick<OpenTranscript, 'tabs' | 'ask' | 'jumpTo' | 'showKeys'> & { onShare: () => void },
): void {
  const { transcription, chapters } = reader
  const parts = (['transcription', 'summary'] as const).filter(
    (part) => textOf(part, transcription) !== '',
  )
  useLendToPalette({
    id: transcription.id,
    durationS: transcription.duration,
    parts,
    chapters: chapters.list,
    copy: (part) => copyPart(part, reader),
    download: (part) => void downloadResult(part, transcription),
    share: (part) => (part === 'summary' ? shareSummary(transcription) : onShare()),
    ...more,
  })
}

/** The keys that act whichever tab is open. */
function useResultKeys(
  { player, edits, chapters }: Reader,
  {
    names,
    setTab,
    onNewFile,
    onAsk,
    onHelp,
  }: {
    names: readonly TabName[]
    setTab: (tab: TabName) => void
    onNewFile: () => void
    /** Null where there is no text to ask. */
    onAsk: (() => void) | null
    onHelp: () => void
  },
): void {
  useReadingKeys({
    toggle: () => {
      player?.toggle()
      return player !== null
    },
    skip: ({ seconds }) => {
      player?.skip(seconds)
      return player !== null
    },
    speed: ({ steps }) => {
      if (player) changeSpeed(player, steps)
      return player !== null
    },
    chapter: ({ steps }) => {
      if (!player || chapters.list.length === 0) return false
      const chapter = besideChapter(chapters.list, { seconds: player.now(), steps })
      if (chapter) player.seek(chapter.start)
      return true
    },
    tab: ({ number }) => {
      const name = names[number - 1]
      if (name) setTab(name)
      return name !== undefined
    },
    upload: () => {
      onNewFile()
      return true
    },
    // While the text is in view it takes these first, and goes to what has changed.
    undo: () => {
      void edits?.undo()
      return edits !== null
    },
    redo: () => {
      void edits?.redo()
      return edits !== null
    },
    ask: () => {
      onAsk?.()
      return onAsk !== null
    },
    help: () => {
      onHelp()
      return true
    },
  })
}

/** Says that the times of the words could not be loaded, above the plain text. */
function WordsMissing({ isFetching, refetch }: { isFetching: boolean; refetch: () => unknown }) {
  return (
    <NotLoaded tone="warn" className="mt-5" isAsking={isFetching} askAgain={refetch}>
      The times of the words could not be loaded, so the text cannot be corrected or followed word
      by word at the moment.
    </NotLoaded>
  )
}

function useTab(names: readonly TabName[]): [TabName, (tab: TabName) => void] {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const tab = names.find((name) => `#${name}` === hash) ?? 'transcription'
  return [
    tab,
    (tab) =>
      void navigate({ search, hash: `#${tab}` }, { replace: true, preventScrollReset: true }),
  ]
}

/** The moment that the address asks for, and what was searched for in the library. */
function useLandingPlace(): { at: number | null; searched: string } {
  const { search } = useLocation()
  return { at: momentIn(search), searched: new URLSearchParams(search).get('q') ?? '' }
}
