import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { useAskPanel } from '#features/asking/ui/use-ask-panel.ts'
import { besideChapter } from '#features/chapters/ui/chapters.ts'
import { useCuts } from '#features/cuts/ui/use-cuts.ts'
import { hasDocuments, useDocumentsOf } from '#features/documents/ui/queries.ts'
import { fetchAsGiven, shareSummary } from '#features/exports/ui/share.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { TurnsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { useTranslation } from '#features/translations/ui/use-translation.ts'
import { useLoadedForKeys } from '#web/later.tsx'
import { momentIn } from '#web/paths.ts'
import { changeSpeed } from '#web/player.ts'
import { TALL, useMedia } from '#web/use-media.ts'
import { NotLoaded } from '#web/ui/inline-error.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { Veiled, useVeil } from '#web/ui/with-bars.tsx'

import { useChaptersOut } from './chapters-out.ts'
import { useSearch } from './find/use-search.ts'
import { Pedal } from './keys/pedal.ts'
import { useReadingKeys } from './keys/use-reading-keys.ts'
import {
  AgainWork,
  BestMoments,
  ChapterSheet,
  ClipStrip,
  CutStrip,
  ExportTab,
  GenerateTab,
  LookPopover,
  Picture,
  ResultDialog,
  SpeakerPopover,
  SpeakersTab,
  SummaryTab,
  ToolsSheet,
  openedByKeys,
} from './later.tsx'
import { Playback } from './player/playback.tsx'
import { type ScrollAnchor, placeInSight } from './reading/landing.ts'
import { TranscriptionTab } from './reading/transcription-tab.tsx'
import type { Passage } from './passages.ts'
import { ResultHead } from './result-head.tsx'
import { ResultTools } from './result-tools.tsx'
import type { Result } from './result.ts'
import { useSound } from './sound.ts'
import { useText } from './text.ts'
import { useLent } from './use-lent.tsx'
import { type Beside, useView } from './view.ts'

const tabNames = ['transcription', 'summary', 'speakers', 'generate', 'export'] as const
const tabLabels = {
  transcription: 'Transcription',
  summary: 'Summary',
  speakers: 'Speakers',
  generate: 'Generate',
  export: 'Export',
}
type TabName = (typeof tabNames)[number]

interface ResultsProps {
  transcription: Job
  headingRef: HeadingRef
  onNewFile: () => void
  /** The place that was being read when the result took the place of the running job. */
  stay: ScrollAnchor | null
}

/** A finished transcription, with bars over what is hidden for others. */
export function ResultsView(props: ResultsProps) {
  return (
    <Veiled of={props.transcription}>
      <Results {...props} />
    </Veiled>
  )
}

/** The address has the open tab in its hash and the moment in `at`. */
function Results({ transcription, headingRef, onNewFile, stay }: ResultsProps) {
  const { id } = transcription
  const isOffered = hasDocuments(useUser())
  useDocumentsOf(id, { isOffered, isFresh: transcription.isFresh })
  const names = tabNames.filter((name) => name !== 'generate' || isOffered)
  const [tab, goToTab] = useTab(names)
  const isRead = tab === 'transcription'
  /** Where the text was left for another tab. It is opened there again, and not where a link led. */
  const [left, setLeft] = useState<{ place: ScrollAnchor | null } | null>(null)
  const setTab = (name: TabName) => {
    if (isRead && name !== tab) setLeft({ place: placeInSight(text.words.turns) })
    goToTab(name)
  }
  const [jump, setJump] = useState<number | null>(null)
  const [chosen, setChosen] = useState<{ seconds: number } | null>(null)
  const show = (seconds: number) => {
    if (!isRead) setTab('transcription')
    setJump(seconds)
  }
  const view = useView()
  const text = useText(transcription, { isShown: isRead })
  const sound = useSound(text, { view, isTextShown: isRead, show })
  const cuts = useCuts(id, {
    turns: text.words.turns,
    places: text.places,
    player: sound.player,
    canChange: text.edits !== null,
    steps: text.anyEdits.others,
  })
  const veil = useVeil()
  const isWhole = cuts.list.length === 0 && veil.isEmpty
  useEffect(() => {
    // What is copied then must be there within the press. A failure is tried again by the press.
    if (!isWhole) fetchAsGiven().catch(() => undefined)
  }, [isWhole])
  const result: Result = { text, sound, cuts, view }
  const isOut = useChaptersOut(result)
  const asking = useAskPanel(id)
  const search = useSearch(text, view)
  const shown = useTranslation(id, text.words.revision)
  /** Where a picture stands beside or above the text and the turns. */
  const [picturePlace, setPicturePlace] = useState<HTMLElement | null>(null)
  const [newsPlace, setNewsPlace] = useState<HTMLElement | null>(null)
  /** Stays when the work is over: then it says what was found. */
  const [hasWork, setHasWork] = useState(false)
  if (transcription.again && !hasWork) setHasWork(true)
  useWithoutHeader()
  useLoadedForKeys(openedByKeys)
  const { words, asked, carried, edits, anyEdits, toCheck } = text
  const { player, chapters } = sound
  const screen = player?.screen
  const isHome = isRead || tab === 'speakers'
  const isEmpty = words.turns.length === 0
  const part = tab === 'transcription' || tab === 'summary' ? tab : null
  const openTab = (name: TabName) => {
    // A panel beside the text belongs to this tab. A question goes on while its panel is closed.
    if (name !== tab) view.closeBeside()
    setTab(name)
  }
  /** Opens it beside the text, which is shown for it. */
  const openBeside = (beside: Beside) => {
    setTab('transcription')
    view.open(beside)
    // It may be open already.
    if (beside.kind === 'ask') asking.field.current?.focus()
  }
  const openAsking = isEmpty ? null : () => openBeside({ kind: 'ask' })
  const openSearch = isEmpty ? null : () => openBeside({ kind: 'find' })
  const landing = useLandingPlace()
  useResultKeys(result, {
    names,
    setTab: openTab,
    onNewFile,
    onAsk: openAsking,
    onSearch: openSearch,
  })
  const onChapters = chapters.canEdit
    ? () => {
        openTab('transcription')
        chapters.edit(null)
      }
    : null
  const openLook = (from: HTMLElement | null) => {
    openTab('transcription')
    view.open({ kind: 'look' }, from)
  }
  useLent(result, {
    tabs: names.map((name) => ({ label: tabLabels[name], open: () => openTab(name) })),
    onAsk: openAsking,
    onSearch: openSearch,
    onLook: openLook,
    openBeside,
    onNewFile,
    onWriteAgain: () => {
      openTab('summary')
      view.open({ kind: 'write-again' }, null)
    },
    jumpTo: (seconds) => {
      player?.seek(seconds)
      show(seconds)
    },
  })
  const openClip = (passage: Passage) => {
    openBeside({ kind: 'clip', passage })
    setJump(passage.startMs / 1000)
  }
  const onCutExport = (from: HTMLElement) => view.open({ kind: 'cut-export' }, from)
  const panels: Record<TabName, ReactNode> = {
    transcription:
      asked.isPending || shown.isComing ? (
        <TurnsSkeleton />
      ) : (
        <>
          {asked.isError ? <WordsMissing {...asked} /> : null}
          <TranscriptionTab
            {...{ result, asking, search, shown, jump, chosen, ...landing }}
            stay={left ? left.place : stay}
            isBack={left !== null}
            onJumped={() => setJump(null)}
            onTab={openTab}
          />
        </>
      ),
    summary: <SummaryTab result={result} onClip={openClip} />,
    speakers: <SpeakersTab result={result} />,
    generate: (
      <GenerateTab
        transcriptionId={id}
        isCut={cuts.list.length > 0}
        bestMoments={<BestMoments result={result} onClip={openClip} />}
        onNewFile={onNewFile}
      />
    ),
    export: (
      <ExportTab
        {...{ transcription, onChapters, onNewFile }}
        onCutExport={onCutExport}
        onShareFile={(file) => view.open({ kind: 'share', file }, null)}
      />
    ),
  }
  const marks = search.seconds.length > 0 ? search.seconds : carried.marks
  return (
    <>
      <Pedal player={player} />
      {player && screen ? (
        <Picture {...{ result, player, screen, isHome, place: picturePlace }} onTab={openTab} />
      ) : null}
      <ResultHead
        {...{ result, headingRef, part, onNewFile, openBeside, newsPlace }}
        isExport={tab === 'export'}
        onShare={(from) =>
          part === 'summary' ? shareSummary(text, cuts.now) : view.open({ kind: 'share' }, from)
        }
        onUndo={() => void edits?.undo()}
      />
      <Tabs
        label="Results"
        className={
          screen && isHome
            ? 'narrow lg:grid lg:grid-cols-[50%_minmax(0,1fr)] lg:gap-x-7'
            : undefined
        }
        value={tab}
        onValueChange={openTab}
        isPlaced={isRead && left !== null && left.place !== null}
        tabs={names.map((name) => ({
          value: name,
          label: tabLabels[name],
          panel: panels[name],
        }))}
        tools={
          <ResultTools
            {...{ result, search }}
            onAsk={openAsking}
            onSearch={openSearch}
            onLook={openLook}
            newsRef={setNewsPlace}
          />
        }
      >
        {screen && isHome ? <div ref={setPicturePlace} className="max-lg:contents" /> : null}
      </Tabs>
      <output className="sr-only">{cuts.said}</output>
      {view.over?.kind === 'name' ? (
        <SpeakerPopover
          naming={view.over.naming}
          speakers={words.speakers}
          turns={words.turns}
          edits={anyEdits}
          view={view}
        />
      ) : null}
      {view.over?.kind === 'look' ? <LookPopover {...{ result, shown }} /> : null}
      {view.over && view.over.kind !== 'look' && view.over.kind !== 'name' ? (
        <ResultDialog
          over={view.over}
          {...{ text, cuts, view }}
          onExport={() => openTab('export')}
        />
      ) : null}
      {chapters.isSheet ? (
        <ChapterSheet {...{ chapters, isOut }} onClosed={view.focusBack} />
      ) : null}
      {view.beside?.kind === 'tools' ? (
        <ToolsSheet
          {...{ result, part, openBeside }}
          onAsk={openAsking}
          onSearch={openSearch}
          onLook={() => {
            view.closeBeside()
            openLook(view.besideFrom)
          }}
        />
      ) : null}
      <Playback
        {...{ result }}
        marks={marks}
        doubts={toCheck}
        strip={
          <>
            {hasWork ? <AgainWork {...{ transcription }} onFound={anyEdits.tellOfJob} /> : null}
            {player && view.beside?.kind === 'clip' ? (
              <ClipStrip
                {...{ words, player, cuts }}
                places={text.places}
                transcriptionId={id}
                duration={transcription.duration}
                passage={view.beside.passage}
                onPassage={(passage) => view.change({ kind: 'clip', passage })}
              />
            ) : null}
            {player && cuts.stretches.length > 0 ? (
              <CutStrip cuts={cuts} duration={transcription.duration} onExport={onCutExport} />
            ) : null}
          </>
        }
        onShortcuts={() => view.open({ kind: 'keys' })}
        onChosen={(seconds) => {
          if (isRead) setChosen({ seconds })
        }}
      />
    </>
  )
}

/** How much of the top the row of tabs covers, with what is above it and some air; and the air alone. */
const COVERED_PX = 124
const AIR_PX = 16

/** On a narrow screen the head of the result takes the place of the app's header (see styles.css). */
function useWithoutHeader(): void {
  const isTall = useMedia(TALL)
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['reads'] ??= ''
    return () => {
      delete dataset['reads']
    }
  }, [])
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--covered-top', `${isTall ? COVERED_PX : AIR_PX}px`)
    return () => {
      style.removeProperty('--covered-top')
    }
  }, [isTall])
}

/** The keys that act whichever tab is open. */
function useResultKeys(
  { text: { edits }, sound: { player, chapters }, view }: Result,
  {
    names,
    setTab,
    onNewFile,
    onAsk,
    onSearch,
  }: {
    names: readonly TabName[]
    setTab: (tab: TabName) => void
    onNewFile: () => void
    /** Null where there is no text to ask. */
    onAsk: (() => void) | null
    onSearch: (() => void) | null
  },
): void {
  useReadingKeys({
    toggle: player && player.toggle,
    skip: player && (({ seconds }) => player.skip(seconds)),
    speed: player && (({ steps }) => changeSpeed(player, steps)),
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
    upload: onNewFile,
    // While the text is in view it takes these first, and goes to what has changed.
    undo: edits && (() => void edits.undo()),
    redo: edits && (() => void edits.redo()),
    ask: onAsk,
    search: onSearch,
    'rename-recording': () => view.open({ kind: 'rename' }),
    help: () => view.open({ kind: 'keys' }),
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
function useLandingPlace(): { at: number | null; to: number | null; searched: string } {
  const { search } = useLocation()
  return {
    at: momentIn(search),
    to: momentIn(search, 'to'),
    searched: new URLSearchParams(search).get('q') ?? '',
  }
}
