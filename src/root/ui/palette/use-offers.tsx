/**
 * The palette's offers for a typed text: commands at once, recordings when the server has found them.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  AudioLines,
  Check,
  Clock,
  Coins,
  Keyboard,
  List,
  LogOut,
  Quote,
  RotateCcw,
  Search,
  SunMoon,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { listSpeakers, listTranscriptions } from '#features/library/calls.ts'
import { withOpen, withoutOpen } from '#features/library/ui/library-address.ts'
import type { KnownSpeakers } from '#features/library/contract.ts'
import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import { formatDate, formatTime } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { type Findable, pagesFor, ranked, secondsIn } from '#web/palette/commands.ts'
import { type OpenTranscript, PaletteContext } from '#web/palette/palette.ts'
import {
  PRESSED_RECORD,
  TO_DASHBOARD,
  dashboardPaths,
  paths,
  recordPath,
  recorderPath,
} from '#web/paths.ts'
import { chooseTheme, themes, useTheme } from '#web/theme.ts'
import { creditWords } from '#web/ui/credit-pill.tsx'

export interface Act extends Findable {
  /** Unique among the offers. */
  id: string
  icon: ReactNode
  /** Stands at the end of the line. */
  note?: ReactNode
  /** The palette stays open, because the answer comes in its list. */
  staysOpen?: boolean
  run: () => void
}

const PAUSE_MS = 200
const RECENT = 5
/** Moments, speakers and chapters that are shown; the library and the rail have the rest. */
const MOST_FOUND = 5

export function useOffers(typed: string, transcript: OpenTranscript | null) {
  const query = typed.trim()
  const settled = useSettled(query)
  const goTo = useGoTo()
  const { credits, planType, isOperator } = useUser()
  const { recordings, found, isSearching, isFailed, retry } = useRecordings(query, settled)
  const speakers = useSpeakers(query, settled)
  const recordingActs = isFailed
    ? [tryAgain(retry)]
    : recordings
        .filter(({ id }) => query !== '' || id !== transcript?.id)
        .map((recording) => recordingAct(recording, goTo.recording))
  const commands = [
    { name: 'This transcript', acts: transcript ? transcriptActs(transcript) : [] },
    {
      name: 'Go to',
      acts: pageActs({ canUpgrade: planType !== 'enterprise', isOperator }, goTo.page).filter(
        ({ isRare }) => query !== '' || !isRare,
      ),
    },
    { name: 'Theme', acts: useThemeActs() },
    { name: 'Credits', acts: [buyAct(credits, goTo.page)] },
    { name: 'This app', acts: useOwnActs() },
  ].map(({ name, acts }) => ({ name, acts: ranked(query, acts) }))
  const groups: { name: string; acts: readonly Act[] }[] =
    query === ''
      ? [{ name: 'Recent', acts: recordingActs.slice(0, RECENT) }, ...commands]
      : [
          { name: 'Moment', acts: transcript ? momentActs(query, transcript) : [] },
          { name: 'Chapters', acts: transcript ? chapterActs(query, transcript) : [] },
          ...commands,
          { name: 'Recordings', acts: isFailed ? recordingActs : ranked(query, recordingActs) },
          {
            name: 'Speakers',
            acts: speakers.slice(0, MOST_FOUND).map((speaker) => speakerAct(speaker, goTo.search)),
          },
          {
            name: 'In what was said',
            acts: isSearching ? [] : saidActs(query, { found, isFailed }, goTo),
          },
        ]
  return { groups: groups.filter(({ acts }) => acts.length > 0), query, isSearching, isFailed }
}

/** Enough rows for names to be among them: the server also finds recordings by their words. */
const SEARCH_ROWS = 50
const RECENT_ROWS = 20

/** The newest recordings, or those that the library's own search finds. Asked again with every opening. */
const recordingsQuery = (q: string) =>
  queryOptions({
    // Not cached with the library's lists, because deleting a row changes those in place.
    queryKey: ['palette', q] as const,
    queryFn: ({ signal }) =>
      ask(listTranscriptions, {
        query: q === '' ? { limit: RECENT_ROWS } : { limit: SEARCH_ROWS, q, sort: 'best' },
        signal,
      }),
    staleTime: 0,
  })

/** Searches the newest recordings at once, and adds those that the server finds later. */
function useRecordings(query: string, settled: string) {
  const recent = useQuery(recordingsQuery(''))
  const found = useQuery({ ...recordingsQuery(settled), enabled: settled !== '' })
  const asked = query === '' ? recent : found
  const isSearching = query !== settled || asked.isPending
  const foundRows = settled === query ? (found.data ?? []) : []
  const rows = [...(recent.data ?? []), ...foundRows]
  return {
    found: foundRows,
    recordings: rows.filter(({ id }, place) => rows.findIndex((row) => row.id === id) === place),
    isSearching,
    isFailed: !isSearching && asked.isError,
    retry: () => void asked.refetch(),
  }
}

/** Speakers with a name that the query begins; a failure leaves them out. */
function useSpeakers(query: string, settled: string): KnownSpeakers {
  const { data = [] } = useQuery({
    queryKey: ['palette', 'speakers', settled] as const,
    queryFn: ({ signal }) => ask(listSpeakers, { query: { q: settled }, signal }),
    enabled: settled !== '',
    staleTime: 0,
  })
  return settled === query ? data : []
}

/** The typed text, once the typing pauses; an empty field at once. */
function useSettled(query: string): string {
  const [settled, setSettled] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), query === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [query])
  return settled
}

function useGoTo() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // The dashboard has three addresses. The user stays on the present one: another would load the
  // page again and end an upload.
  const dashboard = dashboardPaths.includes(pathname)
    ? { pathname, search }
    : { pathname: paths.dashboard, search: '' }
  return {
    page: ({ path, isDocument = false }: { path: string; isDocument?: boolean }) => {
      if (isDocument) location.assign(path)
      else if (path === paths.dashboard)
        void navigate(
          { pathname: dashboard.pathname, search: withoutOpen(dashboard.search), hash: '' },
          { state: TO_DASHBOARD },
        )
      else if (path === recorderPath)
        void navigate(recordPath(dashboard), { state: PRESSED_RECORD })
      else void navigate(path)
    },
    recording: (id: string) =>
      void navigate({
        pathname: dashboard.pathname,
        search: withOpen(dashboard.search, id),
        hash: '',
      }),
    /** The text at the moment, with the searched words marked. */
    moment: ({ id, at, q }: { id: string; at: number; q: string }) => {
      const query = new URLSearchParams({ t: id, at: String(at), q })
      void navigate({ pathname: dashboard.pathname, search: `?${query}`, hash: '#transcription' })
    },
    /** The library's own search, in names and in texts. */
    search: (q: string) => void navigate(`${paths.library}?${new URLSearchParams({ q })}`),
  }
}

type GoTo = ReturnType<typeof useGoTo>

const tryAgain = (run: () => void): Act => ({
  id: 'again',
  label: 'Try again',
  icon: <RotateCcw />,
  staysOpen: true,
  run,
})

const recordingAct = (
  { id, originalName, createdAt, duration }: TranscriptionRow,
  open: GoTo['recording'],
): Act => ({
  id: `open ${id}`,
  label: originalName,
  icon: <AudioLines />,
  note: `${formatDate(createdAt)} · ${formatTime(duration)}`,
  run: () => open(id),
})

const pageActs = (account: Parameters<typeof pagesFor>[0], go: GoTo['page']) =>
  pagesFor(account).map((page) => ({
    ...page,
    id: `page ${page.label}`,
    icon: <ArrowRight />,
    run: () => go(page),
  }))

function useThemeActs(): Act[] {
  const now = useTheme()
  const chosen = (
    <>
      <span className="sr-only">chosen</span>
      <Check />
    </>
  )
  return themes.map(({ value, label }) => ({
    id: `theme ${value}`,
    label: `${label} theme`,
    words: 'appearance mode colours',
    icon: <SunMoon />,
    note: value === now ? chosen : null,
    run: () => chooseTheme(value),
  }))
}

function useOwnActs(): Act[] {
  const palette = useContext(PaletteContext)
  const { logOut } = useAuth()
  return [
    {
      id: 'keys',
      label: 'Keyboard shortcuts',
      words: 'keys hotkeys help',
      icon: <Keyboard />,
      run: () => palette?.showKeys(),
    },
    { id: 'log out', label: 'Log out', words: 'sign out leave', icon: <LogOut />, run: logOut },
  ]
}

const buyAct = (credits: number, go: GoTo['page']): Act => ({
  id: 'buy',
  label: 'Buy credits',
  words: 'subscribe plan top up payment',
  icon: <Coins />,
  note: creditWords(credits),
  run: () => go({ path: paths.subscribe }),
})

const searchAct = (query: string, search: GoTo['search']): Act => ({
  id: 'search',
  label: `Search transcripts for ‘${query}’`,
  icon: <Search />,
  run: () => search(query),
})

const speakerAct = ({ name, count }: KnownSpeakers[number], search: GoTo['search']): Act => ({
  id: `speaker ${name}`,
  label: name,
  icon: <UserRound />,
  note: count === 1 ? '1 recording' : `${count} recordings`,
  run: () => search(name),
})

/** The best places, and the way to all of them; nothing where nothing was found. */
function saidActs(
  query: string,
  { found, isFailed }: { found: readonly TranscriptionRow[]; isFailed: boolean },
  goTo: GoTo,
): Act[] {
  if (found.length === 0 && !isFailed) return []
  const moments = found
    .flatMap(({ id, originalName, hits = [] }) =>
      hits.map(({ at, speaker, snippet }): Act => ({
        id: `moment ${id} ${at}`,
        label: speaker === null ? snippet : `${speaker}: ${snippet}`,
        icon: <Quote />,
        note: `${shortened(originalName)} · ${formatTime(at)}`,
        run: () => goTo.moment({ id, at, q: query }),
      })),
    )
    .slice(0, MOST_FOUND)
  return [...moments, searchAct(query, goTo.search)]
}

const LONGEST_NOTE = 24
const shortened = (name: string): string =>
  name.length <= LONGEST_NOTE ? name : `${name.slice(0, LONGEST_NOTE - 1)}…`

/** A typed time such as "12:30" offers to jump there in the open recording. */
function momentActs(query: string, { durationS, jumpTo }: OpenTranscript): Act[] {
  const seconds = secondsIn(query)
  if (seconds === null) return []
  const time = formatTime(Math.min(seconds, durationS))
  return [
    {
      id: 'jump',
      label: seconds > durationS ? `Jump to the end, ${time}` : `Jump to ${time}`,
      icon: <Clock />,
      run: () => jumpTo(Math.min(seconds, durationS)),
    },
  ]
}

/** The chapters of the open recording, by their names. */
const chapterActs = (query: string, { chapters, jumpTo }: OpenTranscript): Act[] =>
  ranked(
    query,
    chapters.map(({ title, start }) => ({
      id: `chapter ${start}`,
      label: title,
      words: 'chapter',
      icon: <List />,
      note: formatTime(start),
      run: () => jumpTo(start),
    })),
  ).slice(0, MOST_FOUND)

const transcriptActs = ({ acts }: OpenTranscript): Act[] =>
  acts.map((act) => ({ ...act, id: `here ${act.label}` }))
