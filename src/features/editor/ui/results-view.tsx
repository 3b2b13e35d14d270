import { ChevronLeft, Copy, Download, Ellipsis, Plus, Share2 } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { hasDocuments, useDocumentsOf } from '#features/documents/ui/queries.ts'
import { pathOf } from '#features/recordings/ui/queries.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { summaryAsText } from '#features/transcriptions/summary-text.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import { useLaterRooms } from '#features/transcriptions/ui/later-rooms.ts'
import { TO_DESK, withoutOpen } from '#features/transcriptions/ui/library-address.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { RecordingNote } from '#features/transcriptions/ui/recording-note.tsx'
import { RenameButton } from '#features/transcriptions/ui/rename-dialog.tsx'
import { TurnsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { BRAND } from '#shared/business.ts'
import { formatDate, languageName } from '#shared/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DotLine } from '#web/ui/dot-line.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Words } from '../contract.ts'
import { useDoubtNote } from './doubt-note.tsx'
import { useEdits } from './edits.ts'
import { PlayerBar, PlayerGone } from './player/player-bar.tsx'
import { type Player, usePlayer } from './player/player.ts'
import type { Reader } from './reader.ts'
import { copyText, shareText } from './share.ts'
import { type Naming, SpeakerPopover } from './speaker-form.tsx'
import { nameOf, voicesOf, wordsFromSegments } from './spoken.ts'
import { SummaryTab } from './summary-tab.tsx'
import { TranscriptionTab } from './transcription-tab.tsx'
import { changeSpeed } from './turn-editor.tsx'
import { useLendToPalette } from './use-lend-to-palette.ts'
import { useReadingKeys } from './use-reading-keys.ts'
import { placesOf, silencesOf, toCheckOf } from './word-places.ts'
import { peaksQuery, wordsQuery } from './words-query.ts'

const SpeakersTab = lazyPart(
  () => import('./speakers-tab.tsx'),
  ({ SpeakersTab }) => SpeakersTab,
)
const GenerateTab = lazyPart(
  () => import('#features/documents/ui/generate-tab.tsx'),
  ({ GenerateTab }) => GenerateTab,
)
const ShortcutsDialog = lazyPart(
  () => import('./shortcuts-dialog.tsx'),
  ({ ShortcutsDialog }) => ShortcutsDialog,
)

const tabNames = ['transcription', 'summary', 'speakers', 'generate', 'export'] as const
const tabLabels = {
  transcription: 'Transcription',
  summary: 'Summary',
  speakers: 'Speakers',
  generate: 'Generate',
  export: 'Export',
}
type TabName = (typeof tabNames)[number]

const noWords: Words = { revision: 0, checkBelow: null, speakers: [], turns: [] }

/** A finished transcription. The tab lies in the hash, the moment it was opened at in `at`. */
export function ResultsView({
  transcription,
  headingRef,
  onNewFile,
}: {
  transcription: Job
  headingRef: HeadingRef
  onNewFile: () => void
}) {
  const { id } = transcription
  const { loadExportTab } = useLaterRooms()
  const [ExportTab] = useState(() => lazyPart(loadExportTab, (module) => module.ExportTab))
  const edits = useEdits(id)
  const query = useQuery(wordsQuery(id))
  const isOffered = hasDocuments(useUser())
  const names = tabNames.filter((name) => name !== 'generate' || isOffered)
  const [tab, setTab] = useTab(names)
  const { speakerSegments } = transcription
  // Hours of it are not gone through for a moment in which nobody sees it.
  const isComing = query.isPending && tab === 'transcription'
  const plain = useMemo(
    () => (isComing ? noWords : wordsFromSegments({ speakerSegments })),
    [isComing, speakerSegments],
  )
  const words = query.data ?? plain
  const places = useMemo(() => placesOf(words.turns), [words.turns])
  const toCheck = useMemo(() => toCheckOf(places, words.checkBelow), [places, words.checkBelow])
  const note = useDoubtNote(id, { words: places.length, inDoubt: toCheck.length })
  const voices = useMemo(() => voicesOf(words), [words])
  const player = usePlayer(
    canPlay(transcription) ? `${pathOf(id)}/media` : null,
    transcription.duration,
  )
  const [only, setOnly] = useState<number | null>(null)
  const [naming, setNaming] = useState<Naming | null>(null)
  const anchor = useRef<HTMLElement>(null)
  const [marks, setMarks] = useState<readonly number[]>([])
  const [isHelping, setHelping] = useState(false)
  useDocumentsOf(id, { isOffered, isFresh: transcription.isFresh })
  const at = useAt()
  const [jump, setJump] = useState<number | null>(null)
  const reader: Reader = {
    transcription,
    words,
    places,
    toCheck,
    note,
    voices,
    player,
    edits: query.data ? edits : null,
    // A speaker who was made one with another has no turns any more.
    only: voices.some(({ speaker }) => speaker === only) ? only : null,
    setOnly,
    askName: ({ from, ...asked }) => {
      anchor.current = from
      setNaming(asked)
    },
  }
  useEffect(() => player?.setSilences(silencesOf(places)), [player, places])
  useMediaSession(player, transcription.originalName)
  useReadingKeys((act) => {
    switch (act.kind) {
      case 'toggle':
        player?.toggle()
        return player !== null
      case 'skip':
        player?.skip(act.seconds)
        return player !== null
      case 'speed':
        if (player) changeSpeed(player, act.steps)
        return player !== null
      case 'tab': {
        const name = names[act.number - 1]
        if (name) setTab(name)
        return name !== undefined
      }
      case 'upload':
        onNewFile()
        return true
      case 'undo':
        edits.undo()
        return true
      case 'help':
        setHelping(true)
        return true
      case 'search':
      case 'check':
      case 'turn':
      case 'play-turn':
      case 'edit-turn':
      case 'rename':
        return false // Of the text alone: see its tab.
    }
  })
  const parts = (['transcription', 'summary'] as const).filter(
    (part) => textOf(part, transcription) !== '',
  )
  useLendToPalette({
    id,
    durationS: transcription.duration,
    parts,
    tabs: names.map((name) => ({ label: tabLabels[name], open: () => setTab(name) })),
    jumpTo: (seconds) => {
      if (tab !== 'transcription') setTab('transcription')
      player?.seek(seconds)
      setJump(seconds)
    },
    copy: (part) => copyPart(part, transcription),
    download: (part) => void downloadResult(part, transcription),
    share: (part) => sharePart(part, transcription),
  })
  return (
    <>
      <Crumbs name={transcription.originalName} />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4 lg:items-end lg:justify-between">
        <div className="min-w-0 flex-[1_1_10rem] max-sm:basis-full lg:flex-auto">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {/* The pencil stays beside the name, also where the name takes several lines. */}
            <div className="flex min-w-0 items-end gap-x-3">
              <h1
                ref={headingRef}
                tabIndex={-1}
                className="min-w-0 font-sans text-file font-[650] text-wrap wrap-anywhere"
              >
                {transcription.originalName}
              </h1>
              <RenameButton row={transcription} />
            </div>
            {transcription.isSample ? <Badge>Sample · Corrected by hand</Badge> : null}
          </div>
          <MetaLine transcription={transcription} />
        </div>
        <Actions
          transcription={transcription}
          tab={tab}
          hasMainAct={tab === 'transcription' && note.isShown && toCheck.length > 0}
          onNewFile={onNewFile}
        />
      </div>
      <Tabs
        label="Results"
        className="mt-4"
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'transcription',
            label: tabLabels.transcription,
            panel: query.isPending ? (
              <TurnsSkeleton />
            ) : (
              <>
                {query.isError ? (
                  <InlineError
                    tone="warn"
                    className="mt-5"
                    action={
                      <Button
                        size="small"
                        pending={query.isFetching}
                        onClick={() => void query.refetch()}
                      >
                        Try again
                      </Button>
                    }
                  >
                    The times of the words could not be loaded, so the text cannot be corrected or
                    followed word by word at the moment.
                  </InlineError>
                ) : null}
                <TranscriptionTab
                  reader={reader}
                  at={at}
                  jump={jump}
                  onJumped={() => setJump(null)}
                  onMarks={setMarks}
                />
              </>
            ),
          },
          { value: 'summary', label: tabLabels.summary, panel: <SummaryTab reader={reader} /> },
          {
            value: 'speakers',
            label: tabLabels.speakers,
            panel: (
              <Suspense fallback={<TurnsSkeleton />}>
                <SpeakersTab reader={reader} />
              </Suspense>
            ),
          },
          ...(isOffered
            ? [
                {
                  value: 'generate' as const,
                  label: tabLabels.generate,
                  panel: (
                    <Suspense fallback={<TurnsSkeleton />}>
                      <GenerateTab transcriptionId={id} onNewFile={onNewFile} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          {
            value: 'export',
            label: tabLabels.export,
            panel: (
              <Suspense fallback={<TurnsSkeleton />}>
                <ExportTab {...{ transcription, onNewFile }} />
              </Suspense>
            ),
          },
        ]}
      />
      <SpeakerPopover
        naming={naming}
        anchor={anchor}
        speakers={words.speakers}
        turnCount={(speaker) => words.turns.filter((turn) => turn.speaker === speaker).length}
        edits={edits}
        onClose={() => setNaming(null)}
      />
      <Playback {...{ transcription, player, words, marks }} onShortcuts={() => setHelping(true)} />
      {isHelping ? (
        <Suspense>
          <ShortcutsDialog open onOpenChange={setHelping} />
        </Suspense>
      ) : null}
    </>
  )
}

/** A server that does not say yet what browsers can play is taken at its word that there is one. */
const canPlay = ({ mediaType, recordingKeptUntil }: Transcription) =>
  recordingKeptUntil !== null && mediaType !== null

function Playback({
  transcription,
  player,
  words,
  marks,
  onShortcuts,
}: {
  transcription: Transcription
  player: Player | null
  words: Words
  marks: readonly number[]
  onShortcuts: () => void
}) {
  const { id, duration, recordingDeletedAt, recordingKeptUntil } = transcription
  const { data } = useQuery({ ...peaksQuery(id), enabled: player !== null })
  const stretches = useMemo(
    () =>
      words.turns.map(({ start, end, speaker }) => ({
        start,
        end,
        lane: speaker,
        speaker: nameOf(speaker, words.speakers),
      })),
    [words],
  )
  if (player)
    return (
      <PlayerBar
        player={player}
        duration={duration}
        peaks={data?.peaks ?? []}
        stretches={stretches}
        marks={marks}
        transcriptionId={id}
        onShortcuts={onShortcuts}
      />
    )
  if (recordingKeptUntil === null)
    return (
      <PlayerGone>
        The recording was deleted
        {recordingDeletedAt ? ` on ${formatDate(recordingDeletedAt)}` : ''}. The text stays.
      </PlayerGone>
    )
  if (transcription.mediaType === null)
    return (
      <PlayerGone>Browsers cannot play a recording of this kind. The text is all here.</PlayerGone>
    )
  return null
}

/** Headphones, keyboards and lock screens show what plays, and can stop it. */
function useMediaSession(player: Player | null, title: string): void {
  useEffect(() => {
    if (!player || !('mediaSession' in navigator)) return
    const { mediaSession } = navigator
    mediaSession.metadata = new MediaMetadata({ title, artist: BRAND })
    const acts = {
      play: player.toggle,
      pause: player.pause,
      seekbackward: () => player.skip(-10),
      seekforward: () => player.skip(10),
    }
    const names = ['play', 'pause', 'seekbackward', 'seekforward'] as const
    for (const name of names) mediaSession.setActionHandler(name, acts[name])
    return () => {
      mediaSession.metadata = null
      for (const name of names) mediaSession.setActionHandler(name, null)
    }
  }, [player, title])
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

function useAt(): number | null {
  const [params] = useSearchParams()
  const at = Number(params.get('at') ?? Number.NaN)
  return Number.isFinite(at) ? at : null
}

function Crumbs({ name }: { name: string }) {
  const search = withoutOpen(useLocation().search)
  return (
    <nav aria-label="Breadcrumb" className="text-small text-ink-2 lg:mb-2 print:hidden">
      <Link
        to={{ search, hash: '' }}
        state={TO_DESK}
        className="-mt-4 -mb-1 inline-flex min-h-11 items-center gap-2.5 hover:underline lg:hidden"
      >
        <ChevronLeft aria-hidden="true" size={16} strokeWidth={1.75} />
        Library
      </Link>
      <ol className="hidden items-baseline gap-2.5 lg:flex">
        <li>
          <Link to={{ search, hash: '' }} state={TO_DESK} className="hover:underline">
            Library
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li className="max-w-[60ch] truncate" aria-current="page">
          {name}
        </li>
      </ol>
    </nav>
  )
}

function MetaLine({ transcription }: { transcription: Transcription }) {
  const { duration, wordCount, language, speakers } = transcription
  const facts = [
    wordCount === null
      ? null
      : `${wordCount.toLocaleString('en-US')} ${wordCount === 1 ? 'word' : 'words'}`,
    language === null ? null : languageName(language),
    speakers.length === 0
      ? null
      : `${speakers.length} ${speakers.length === 1 ? 'speaker' : 'speakers'}`,
  ].filter((part) => part !== null)
  return (
    <div className="mt-1 text-small text-ink-2 tabular-nums">
      <DotLine>
        <Timecode s={duration} />
        {facts.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <RecordingNote row={transcription} />
      </DotLine>
    </div>
  )
}

const failedCopy: Record<Part, string> = {
  transcription: 'Failed to copy transcription to clipboard',
  summary: 'Failed to copy summary to clipboard',
}

const copyPart = (part: Part, transcription: Transcription) =>
  void copyText(textOf(part, transcription), failedCopy[part])

const sharePart = (part: Part, transcription: Transcription) =>
  void shareText({ title: transcription.originalName, text: textOf(part, transcription) })

/** Copy, Download and Share of the tab in view; there is nothing to copy where there is no text. */
function Actions({
  transcription,
  tab,
  hasMainAct,
  onNewFile,
}: {
  transcription: Transcription
  tab: TabName
  /** Something on the page is more pressing than the next file: a screen has one main button. */
  hasMainAct: boolean
  onNewFile: () => void
}) {
  const [isDownloading, setDownloading] = useState(false)
  const part = tab === 'transcription' || tab === 'summary' ? tab : null
  const text = part === null ? '' : textOf(part, transcription)
  const download = async (part: Part) => {
    setDownloading(true)
    await downloadResult(part, transcription)
    setDownloading(false)
  }
  if (tab === 'export') return null
  return (
    <div className="print:hidden">
      <div className="hidden flex-wrap gap-2.5 lg:flex">
        {part !== null && text !== '' ? (
          <>
            <CopyButton
              key={part}
              text={text}
              copiedLabel="Copied"
              onCopied={() => toast({ title: 'Copied to clipboard' })}
              onFailed={() => toast({ title: failedCopy[part], variant: 'destructive' })}
            />
            <Button
              size="small"
              icon={<Download aria-hidden="true" strokeWidth={1.75} />}
              pending={isDownloading}
              onClick={() => void download(part)}
            >
              Download
            </Button>
            <Button
              size="small"
              icon={<Share2 aria-hidden="true" strokeWidth={1.75} />}
              onClick={() => sharePart(part, transcription)}
            >
              Share
            </Button>
          </>
        ) : null}
        <Button size="small" variant={hasMainAct ? 'secondary' : 'primary'} onClick={onNewFile}>
          Process New File
        </Button>
      </div>
      <div className="lg:hidden">
        <DropdownMenu
          trigger={
            <Button icon={<Ellipsis aria-hidden="true" strokeWidth={1.75} />}>Actions</Button>
          }
        >
          <MenuItem icon={<Plus aria-hidden="true" strokeWidth={1.75} />} onSelect={onNewFile}>
            Process New File
          </MenuItem>
          {part !== null && text !== '' ? (
            <>
              <MenuSeparator />
              <MenuItem
                icon={<Copy aria-hidden="true" strokeWidth={1.75} />}
                onSelect={() => copyPart(part, transcription)}
              >
                Copy
              </MenuItem>
              <MenuItem
                icon={<Download aria-hidden="true" strokeWidth={1.75} />}
                onSelect={() => void download(part)}
              >
                Download
              </MenuItem>
              <MenuItem
                icon={<Share2 aria-hidden="true" strokeWidth={1.75} />}
                onSelect={() => sharePart(part, transcription)}
              >
                Share
              </MenuItem>
            </>
          ) : null}
        </DropdownMenu>
      </div>
    </div>
  )
}

function textOf(part: Part, transcription: Transcription): string {
  return part === 'summary'
    ? summaryAsText(transcription)
    : (transcription.transcriptionText?.trim() ?? '')
}
