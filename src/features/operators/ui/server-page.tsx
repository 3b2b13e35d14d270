import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Search, TriangleAlert, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { type Place, fold, placesOf } from '#shared/fold.ts'
import { formatClock } from '#shared/format.ts'
import { adminPaths, adminServerPath } from '#web/admin-paths.ts'
import { groupBy } from '#web/group-by.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'
import { Marked } from '#web/ui/marked.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useMedia } from '#web/use-media.ts'
import { useSlash } from '#web/use-slash.ts'

import type { ServerFacts, SettingGroup } from '../contract.ts'
import { serverQuery } from './queries.ts'
import { BESIDE, GroupHead, titleOf } from './server-trials.tsx'
import { Subpage, WayBack } from './subpage.tsx'
import { day } from './words.ts'

type Setting = ServerFacts['settings'][number]
type Look = ServerFacts['looks'][number]

/** The settings of the server, with its engines and models. They are changed where it is started. */
export default function ServerPage() {
  const query = useQuery(serverQuery)
  const { hash } = useLocation()
  // On a phone the groups are a list, and each is a page.
  const list = hash === '' ? '' : 'max-lg:hidden'
  return (
    <Subpage
      title="Server"
      back={
        <>
          <WayBack to={adminPaths.admin} className={classes('flex', list)}>
            Operations
          </WayBack>
          {hash === '' ? null : (
            <WayBack to={adminPaths.adminServer} className="flex lg:hidden">
              Server
            </WayBack>
          )}
        </>
      }
    >
      <div
        className={classes(
          'mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-1',
          list,
        )}
      >
        <h1 className="font-display text-app font-semibold">Server</h1>
        {query.dataUpdatedAt > 0 ? (
          <p className="text-small text-ink-2 tabular-nums">
            Read at {formatClock(new Date(query.dataUpdatedAt).toISOString())}. Set where the server
            is started.
          </p>
        ) : null}
      </div>
      <Loaded query={query} what="how this server is set up">
        {(facts) => <Groups facts={facts} />}
      </Loaded>
    </Subpage>
  )
}

function Groups({ facts }: { facts: ServerFacts }) {
  const { hash } = useLocation()
  const [q, setQ] = useState('')
  const [isOnlySet, setOnlySet] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useSlash(field)
  const isBeside = useMedia(BESIDE)
  const onArrow = useArrows(isBeside)
  // Where the list gives way to the group, the focus goes to that.
  const pressed = useRef<SettingGroup>(null)

  const words = fold(q.trim()).text.split(/\s+/).filter(Boolean)
  const { settings } = facts
  const shown = settings.filter((one) => (one.isSet || !isOnlySet) && isFound(one, words))
  const groups = [...groupBy(settings, ({ group }) => group).keys()]
  const inGroups = groupBy(shown, ({ group }) => group)
  const open =
    groups.find((group) => adminServerPath(group) === adminPaths.adminServer + hash) ?? groups[0]
  const isSearch = words.length > 0
  return (
    <div className="mt-4 grid gap-x-14 gap-y-6 lg:grid-cols-[14.5rem_minmax(0,1fr)]">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the links in it */}
      <search
        onKeyDown={onArrow}
        className={hash === '' || isSearch ? '' : 'max-lg:hidden'}
        aria-label="Settings"
      >
        <SearchField {...{ q, setQ, field }} label={`Search ${settings.length} settings`} />
        <nav
          aria-label="Groups of settings"
          className={classes('mt-3.5', isSearch && 'max-lg:hidden')}
        >
          <ul className="border-l border-rule">
            {groups.map((group) => (
              <li key={group}>
                <Link
                  to={adminServerPath(group)}
                  aria-current={isBeside && !isSearch && group === open ? 'page' : undefined}
                  onClick={() => {
                    setQ('')
                    pressed.current = isBeside ? null : group
                  }}
                  className="-ml-px flex h-11 items-center justify-between border-l-3 border-transparent pl-3 text-ui text-ink-2 hover:text-ink lg:h-[38px] aria-[current]:border-playhead aria-[current]:font-semibold aria-[current]:text-ink"
                >
                  {group}
                  <Count
                    count={inGroups.get(group)?.length ?? 0}
                    looks={isSearch ? [] : looksOf(facts, group)}
                  />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Switch
          label={`Only what is set (${settings.filter(({ isSet }) => isSet).length})`}
          checked={isOnlySet}
          onChange={setOnlySet}
          className="mt-2 text-small [&>label]:flex-row-reverse [&>label]:justify-end [&>label]:gap-2.5"
        />
      </search>
      <div className={classes('min-w-0', hash === '' && !isSearch && 'max-lg:hidden')}>
        {isSearch ? (
          <Found {...{ q, words, isOnlySet, inGroups }} count={shown.length} />
        ) : open ? (
          <section
            key={open}
            ref={(section) => {
              if (!section || hash === '' || pressed.current !== open) return
              section.focus({ preventScroll: true })
              pressed.current = null
            }}
            tabIndex={-1}
            aria-labelledby="group"
            className="outline-none"
          >
            <GroupHead group={open} facts={facts}>
              {looksOf(facts, open).map((look) => (
                <LookAt key={look.what} look={look} />
              ))}
            </GroupHead>
            <Rows settings={inGroups.get(open) ?? []} words={words} />
            {isOnlySet ? (
              <p className="mt-4 text-small text-ink-2">
                The others have their defaults.{' '}
                <button type="button" className="text-link" onClick={() => setOnlySet(false)}>
                  Show them too
                </button>
              </p>
            ) : null}
          </section>
        ) : null}
      </div>
    </div>
  )
}

const looksOf = ({ looks }: ServerFacts, group: SettingGroup) =>
  looks.filter((look) => look.group === group)

/** ↑ and ↓ go through the search and the groups; beside it a group opens at once. */
function useArrows(isBeside: boolean) {
  const navigate = useNavigate()
  return (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=searchbox], a')]
    const next = stops[stops.findIndex((stop) => stop === event.target) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
    const to = next.getAttribute('href')
    if (to && isBeside) void navigate(to, { replace: true, preventScrollReset: true })
  }
}

function SearchField({
  q,
  setQ,
  field,
  label,
}: {
  q: string
  setQ: (q: string) => void
  field: { current: HTMLInputElement | null }
  label: string
}) {
  return (
    <div className="relative">
      <Search size={18} className="pointer-events-none absolute top-3.5 left-3 lg:top-2.5" />
      <input
        ref={field}
        type="text"
        role="searchbox"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={q}
        onChange={(event) => setQ(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setQ('')
        }}
        className={classes(inputClasses, 'pr-11 pl-10 lg:h-[38px] lg:text-small')}
      />
      {q === '' ? null : (
        <IconButton
          label="Clear the search"
          className="absolute top-1 right-1 size-9! lg:top-px"
          onClick={() => {
            setQ('')
            field.current?.focus()
          }}
        >
          <X />
        </IconButton>
      )}
    </div>
  )
}

/** How many settings a group has, or how much in it is to be looked at. */
function Count({ count, looks }: { count: number; looks: readonly Look[] }) {
  if (looks.length === 0)
    return (
      <span className="text-small tabular-nums">
        {count}
        <span className="sr-only"> {count === 1 ? 'setting' : 'settings'}</span>
      </span>
    )
  const [Icon, look] = faceOf(looks.some(({ isFailing }) => isFailing))
  return (
    <span className={classes('flex items-center gap-1.5 text-small tabular-nums', look)}>
      <Icon size={16} aria-hidden="true" />
      {looks.length}
      <span className="sr-only"> to look at</span>
    </span>
  )
}

const faceOf = (isFailing: boolean) =>
  isFailing ? ([CircleAlert, 'text-danger'] as const) : ([TriangleAlert, 'text-warn'] as const)

function LookAt({ look: { isFailing, what, at, why } }: { look: Look }) {
  const [Icon, look] = faceOf(isFailing)
  return (
    <p className="mt-3 flex gap-2.5 text-small">
      <Icon size={20} aria-hidden="true" className={classes('shrink-0', look)} />
      <span className="min-w-0 wrap-anywhere text-ink-2">
        <strong className="font-semibold text-ink">{what}</strong>
        {at ? ` ${day(at)}: ` : ' '}
        {why}
      </span>
    </p>
  )
}

function Found({
  q,
  words,
  isOnlySet,
  count,
  inGroups,
}: {
  q: string
  words: readonly string[]
  isOnlySet: boolean
  count: number
  inGroups: ReadonlyMap<SettingGroup, Setting[]>
}) {
  const which = isOnlySet ? ' that is set' : ''
  return (
    <>
      <p role="status" className="flex min-h-[38px] items-center text-ui">
        {count === 0
          ? `No setting${which} says “${q.trim()}”.`
          : `${count} ${count === 1 ? 'setting says' : 'settings say'} “${q.trim()}”.`}
      </p>
      {[...inGroups].map(([group, settings]) => (
        <section key={group} aria-label={group} className="mb-8">
          <h2 className="font-display text-h3 font-semibold">{titleOf(group)}</h2>
          <Rows settings={settings} words={words} />
        </section>
      ))}
    </>
  )
}

function Rows({ settings, words }: { settings: readonly Setting[]; words: readonly string[] }) {
  if (settings.length === 0) return <p className="mt-4 text-ui">Nothing here is set.</p>
  return (
    <dl className="mt-3.5 border-t border-rule">
      {settings.map(({ name, about, isSet, value }) => (
        <div
          key={name}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b border-rule py-[11px] sm:grid-cols-[14.75rem_minmax(0,1fr)_auto]"
        >
          <dt className="font-mono text-fine leading-[1.4rem] wrap-anywhere">
            <Marks text={name} words={words} />
          </dt>
          <dd className="text-small text-ink-2 sm:order-1">{isSet ? 'set' : 'default'}</dd>
          <dd className="min-w-0 wrap-anywhere max-sm:col-span-2 max-sm:mt-1">
            <span className={classes('block text-ui', value === 'Not set' ? '' : 'font-semibold')}>
              {value === null ? '••••••••' : <Marks text={value} words={words} />}
            </span>
            <span className="block max-w-[66ch] text-small text-ink-2">
              {value === null ? 'Shown to nobody. ' : ''}
              <Marks text={about} words={words} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Every word stands in its name, its value or its meaning. */
function isFound({ name, about, value }: Setting, words: readonly string[]): boolean {
  const text = fold(`${name} ${value ?? ''} ${about}`).text
  return words.every((word) => text.includes(word))
}

function Marks({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text
  const folded = fold(text)
  const places = words
    .flatMap((word) => placesOf(folded, word))
    .toSorted(([one], [other]) => one - other)
  const marks: Place[] = []
  for (const place of places) if (place[0] >= (marks.at(-1)?.[1] ?? 0)) marks.push(place)
  return <Marked text={text} marks={marks} />
}
