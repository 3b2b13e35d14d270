import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  AudioLines,
  Check,
  Clock,
  Coins,
  Copy,
  Download,
  PanelTop,
  RotateCcw,
  Search,
  Share2,
  SunMoon,
  X,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { User } from '#features/account/contract.ts'
import { formatDate, formatTime } from '#shared/format.ts'
import type { OpenTranscript, TextPart } from '#web/palette.ts'
import { paths } from '#web/paths.ts'
import { chooseTheme, themes, useTheme } from '#web/theme.ts'
import { IconButton } from '#web/ui/button.tsx'
import { creditWords } from '#web/ui/credit-pill.tsx'
import { Scrim } from '#web/ui/dialog.tsx'

import { TO_LIBRARY, withOpen, withoutOpen } from '../library-address.ts'
import { type Findable, type Page, pagesFor, ranked, secondsIn } from './commands.ts'
import { namesQuery } from './palette-queries.ts'

interface Act extends Findable {
  /** Never the same twice. */
  id: string
  icon: ReactNode
  /** At the end of the line. */
  note?: ReactNode
  /** Stays open: the answer is in the list itself. */
  staysOpen?: boolean
  run: () => void
}

interface Group {
  name: string
  acts: readonly Act[]
}

const TITLE = 'Search and commands'
const LONGEST_QUERY = 200
const PAUSE_MS = 200
const RECENT = 5

/** Everything by its name: pages, recordings, moments, and what can be done with the open result. */
export function PaletteDialog({
  user,
  transcript,
  from,
  onClose,
}: {
  user: User
  /** What is open on the page, and what it can do. */
  transcript: OpenTranscript | null
  /** Where the focus was. */
  from: Element | null
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [pointed, setPointed] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const idOf = ({ id }: Act) => `${listId} ${id}`.replaceAll(' ', '-')
  const query = typed.trim()
  const settled = useSettled(query)
  const recent = useQuery(namesQuery(''))
  const found = useQuery({ ...namesQuery(settled), enabled: settled !== '' })
  const names = query === '' ? recent : found
  const isSearching = query !== settled || names.isPending
  const isFailed = !isSearching && names.isError
  const goTo = useGoTo()
  // What is known already is there at once; what the server finds comes after it.
  const rows = [...(recent.data ?? []), ...(settled === query ? (found.data ?? []) : [])]
  const recordings = rows
    .filter(({ id }, place) => rows.findIndex((row) => row.id === id) === place)
    .filter(({ id }) => query !== '' || id !== transcript?.id)
    .map((row): Act => ({
      id: `open ${row.id}`,
      label: row.originalName,
      icon: <AudioLines aria-hidden="true" strokeWidth={1.75} />,
      note: `${formatDate(row.createdAt)} · ${formatTime(row.duration)}`,
      run: () => goTo.recording(row.id),
    }))
  const commands = [
    ...(transcript ? [{ name: 'This transcript', acts: actsOf(transcript) }] : []),
    {
      name: 'Go to',
      acts: pageActs(user, goTo.page).filter(({ isRare }) => query !== '' || !isRare),
    },
    { name: 'Theme', acts: useThemeActs() },
    {
      name: 'Credits',
      acts: [
        {
          id: 'buy',
          label: 'Buy credits',
          words: 'subscribe plan top up payment',
          icon: <Coins aria-hidden="true" strokeWidth={1.75} />,
          note: creditWords(user.credits),
          run: () => goTo.page({ path: paths.subscribe }),
        },
      ],
    },
  ].map(({ name, acts }): Group => ({ name, acts: ranked(query, acts) }))
  const again: Act = {
    id: 'again',
    label: 'Try again',
    icon: <RotateCcw aria-hidden="true" strokeWidth={1.75} />,
    staysOpen: true,
    run: () => void names.refetch(),
  }
  const groups: Group[] =
    query === ''
      ? [{ name: 'Recent', acts: isFailed ? [again] : recordings.slice(0, RECENT) }, ...commands]
      : [
          { name: 'Moment', acts: transcript ? momentIn(query, transcript) : [] },
          ...commands,
          { name: 'Recordings', acts: isFailed ? [again] : ranked(query, recordings) },
        ]
  if (query !== '' && !isSearching)
    groups.push({
      name: 'In what was said',
      acts: [
        {
          id: 'search',
          label: `Search transcripts for ‘${query}’`,
          icon: <Search aria-hidden="true" strokeWidth={1.75} />,
          run: () => goTo.search(query),
        },
      ],
    })
  const acts = groups.flatMap((group) => group.acts)
  const isNothing = !isSearching && acts.length === 1 && acts[0]?.id === 'search'
  // The first, until another one is pointed at.
  const active = acts.find(({ id }) => id === pointed) ?? acts[0]
  const run = (act: Act) => {
    if (!act.staysOpen) onClose()
    act.run()
  }
  const move = (steps: 1 | -1) => {
    const next = acts.at((acts.findIndex(({ id }) => id === active?.id) + steps) % acts.length)
    if (!next) return
    setPointed(next.id)
    // The name of its group comes into sight with the first.
    if (next.id === acts[0]?.id) list.current?.scrollTo(0, 0)
    else document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') {
      if (active) run(active)
    } else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // A new page has taken the focus meanwhile, or has its heading take it.
            if (document.activeElement !== document.body) return
            if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
          }}
          className={panelClasses}
        >
          <Dialog.Title className="sr-only">{TITLE}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-rule pr-2 pl-4">
            <Search
              aria-hidden="true"
              size={20}
              strokeWidth={1.75}
              className="shrink-0 text-ink-2"
            />
            <input
              type="text"
              role="combobox"
              aria-label={TITLE}
              aria-autocomplete="list"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={active && idOf(active)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="go"
              dir="auto"
              maxLength={LONGEST_QUERY}
              placeholder={
                transcript ? 'A name, a page, or a time: 12:30' : 'A name, a page, or a command'
              }
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setPointed(null)
                list.current?.scrollTo(0, 0)
              }}
              onKeyDown={onKeyDown}
              className="h-14 min-w-0 flex-1 bg-transparent text-body text-ink outline-none! placeholder:text-ink-3"
            />
            <Dialog.Close asChild>
              <IconButton label="Close">
                <X aria-hidden="true" strokeWidth={1.75} />
              </IconButton>
            </Dialog.Close>
          </div>
          <output className="sr-only">
            {isSearching ? '' : isNothing ? 'Nothing found.' : countInWords(acts.length)}
          </output>
          {isFailed ? (
            <p role="alert" className="px-4 pt-3 text-small text-danger">
              Your recordings could not be searched. Everything else is here.
            </p>
          ) : null}
          {isNothing ? <p className="px-4 pt-4 text-ui">Nothing found.</p> : null}
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={TITLE}
            className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 not-empty:pb-2"
          >
            {groups
              .filter((group) => group.acts.length > 0)
              .map(({ name, acts }) => (
                <div key={name} role="group" aria-label={name} className="pt-3">
                  <p aria-hidden="true" className="px-2 pb-1 text-fine font-semibold text-ink-2">
                    {name}
                  </p>
                  {acts.map((act) => (
                    <Option
                      key={act.id}
                      id={idOf(act)}
                      act={act}
                      isActive={act.id === active?.id}
                      onPoint={() => setPointed(act.id)}
                      onRun={() => run(act)}
                    />
                  ))}
                </div>
              ))}
          </div>
          {isSearching ? (
            <p className="animate-appear px-4 py-3 text-small text-ink-2">
              {query === '' ? 'Loading your recordings…' : 'Searching your recordings…'}
            </p>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** On phones a sheet from the top, where the keyboard does not cover it. */
const panelClasses =
  'fixed inset-x-0 top-0 z-50 flex max-h-[min(70dvh,34rem)] flex-col overflow-hidden rounded-b-panel border border-float-edge bg-card pt-[env(safe-area-inset-top)] text-ink shadow-float outline-none ' +
  'data-[state=open]:animate-fade-in sm:top-[12dvh] sm:mx-auto sm:w-[38rem] sm:rounded-panel sm:pt-0'

/** The focus stays in the field, which says which option Enter would take. */
function Option({
  id,
  act: { label, icon, note },
  isActive,
  onPoint,
  onRun,
}: {
  id: string
  act: Act
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onRun}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-[4px] px-2 py-1.5 text-ui select-none aria-selected:bg-paper-2 aria-selected:shadow-[inset_3px_0_0_var(--primary)] sm:min-h-10 pointer-coarse:min-h-11 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-2"
    >
      {icon}
      <span dir="auto" title={label} className="min-w-0 flex-1 truncate">
        {label}
      </span>
      {note ? <span className="shrink-0 text-small text-ink-2 tabular-nums">{note}</span> : null}
    </div>
  )
}

const countInWords = (count: number) => (count === 1 ? '1 result' : `${count} results`)

/** What was typed, as soon as the typing pauses; nothing typed is known at once. */
function useSettled(query: string): string {
  const [settled, setSettled] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), query === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [query])
  return settled
}

const deskPaths: readonly string[] = [paths.start, paths.home, paths.dashboard]

function useGoTo() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // The dashboard has three addresses; another one of them would be another page, and end an upload.
  const desk = deskPaths.includes(pathname)
    ? { pathname, search }
    : { pathname: paths.dashboard, search: '' }
  return {
    page: ({ path, isDocument = false }: { path: string; isDocument?: boolean }) => {
      if (isDocument) location.assign(path)
      else if (path === paths.dashboard)
        void navigate({ pathname: desk.pathname, search: withoutOpen(desk.search), hash: '' })
      else void navigate(path)
    },
    recording: (id: string) =>
      void navigate({ pathname: desk.pathname, search: withOpen(desk.search, id), hash: '' }),
    /** The library's own search, of names and of what was said. */
    search: (q: string) =>
      void navigate(
        { pathname: desk.pathname, search: `?${new URLSearchParams({ q })}`, hash: '' },
        { state: TO_LIBRARY },
      ),
  }
}

function pageActs(
  user: User,
  go: ReturnType<typeof useGoTo>['page'],
): (Act & Pick<Page, 'isRare'>)[] {
  return pagesFor(user).map((page) => ({
    ...page,
    id: `page ${page.label}`,
    icon: <ArrowRight aria-hidden="true" strokeWidth={1.75} />,
    run: () => go(page),
  }))
}

function useThemeActs(): Act[] {
  const now = useTheme()
  return themes.map(({ value, label }) => ({
    id: `theme ${value}`,
    label: `${label} theme`,
    words: 'appearance mode colours',
    icon: <SunMoon aria-hidden="true" strokeWidth={1.75} />,
    ...(value === now
      ? {
          note: (
            <>
              <span className="sr-only">chosen</span>
              <Check aria-hidden="true" strokeWidth={1.75} />
            </>
          ),
        }
      : {}),
    run: () => chooseTheme(value),
  }))
}

function momentIn(query: string, { durationS, jumpTo }: OpenTranscript): Act[] {
  const seconds = secondsIn(query)
  if (seconds === null) return []
  const isPast = seconds > durationS
  return [
    {
      id: 'jump',
      label: isPast
        ? `Jump to the end, ${formatTime(durationS)}`
        : `Jump to ${formatTime(seconds)}`,
      icon: <Clock aria-hidden="true" strokeWidth={1.75} />,
      run: () => jumpTo(Math.min(seconds, durationS)),
    },
  ]
}

function actsOf({ parts, tabs, copy, download, share }: OpenTranscript): Act[] {
  const ofParts = (verb: string, icon: ReactNode, act: (part: TextPart) => void): Act[] =>
    parts.map((part) => ({
      id: `${verb} ${part}`,
      label: `${verb} ${part}`,
      icon,
      run: () => act(part),
    }))
  return [
    ...ofParts('Copy', <Copy aria-hidden="true" strokeWidth={1.75} />, copy),
    ...ofParts('Download', <Download aria-hidden="true" strokeWidth={1.75} />, download),
    ...ofParts('Share', <Share2 aria-hidden="true" strokeWidth={1.75} />, share),
    ...tabs.map(({ label, open }): Act => ({
      id: `tab ${label}`,
      label: `Open ${label}`,
      words: 'tab',
      icon: <PanelTop aria-hidden="true" strokeWidth={1.75} />,
      run: open,
    })),
  ]
}
