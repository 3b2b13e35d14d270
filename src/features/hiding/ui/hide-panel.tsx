import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, EyeOff, Play, Search } from 'lucide-react'
import { type ComponentProps, type FormEvent, useMemo, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import { counted, formatTime } from '#shared/format.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import type { Player } from '#web/player.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure, InlineError } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { useVeil } from '#web/ui/with-bars.tsx'

import type { FoundWords, Hidden } from '../contract.ts'
import { foundQuery, hiddenQuery, useDeleteFiles, useHide, usePutBack } from './queries.ts'

/** Each Play begins so much before, and ends so much after. */
const AROUND_S = 1

const scopes = [
  { value: 'others', label: 'For others' },
  { value: 'good', label: 'For good' },
] as const
/** What keeps nothing of its own, and is without it all the same. */
const elsewhere = { others: 'Links, exports, copies', good: 'Search, links, exports, API' } as const
const scopeNotes = {
  others:
    'Links, copies and files are without it. You still read and hear it, and can put it back.',
  good: 'The recording is replaced by one without it. Nothing brings it back.',
} as const
const marks = [
  { value: 'bar', label: 'Bar' },
  { value: 'name', label: '[name]' },
] as const
const sounds = [
  { value: 'tone', label: 'Tone' },
  { value: 'silence', label: 'Silence' },
] as const

export interface HidePanelProps {
  id: string
  /** Words that were selected in the text; else empty. */
  words: string
  turns: readonly WordTurn[]
  /** Null where nothing can be heard. */
  player: Player | null
  /** Shows a place of the text. */
  onShow: (turn: number) => void
  onClose: () => void
}

/**
 * Finds a name in a recording, shows where it stands and what else it may be, and hides it: from others,
 * until it is put back, or for good.
 */
export function HidePanel({ id, words: selected, turns, player, onShow, onClose }: HidePanelProps) {
  const [typed, setTyped] = useState(selected)
  const [name, setName] = useState(selected.trim())
  /** Proposals that are not as they were proposed. */
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const [isListed, setListed] = useState(false)
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('others')
  const [mark, setMark] = useState<(typeof marks)[number]['value']>('bar')
  const [sound, setSound] = useState<(typeof sounds)[number]['value']>('tone')
  const [isAsked, setAsked] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const found = useQuery(foundQuery(id, name === '' ? [] : [name]))
  const proposals = found.data?.proposals ?? []
  const isPicked = ({ text, isLikely }: Proposal) => isLikely !== others.has(text)
  const picked = proposals.filter(isPicked).map(({ text }) => text)
  const words = name === '' ? [] : [name, ...picked]
  const all = useQuery({
    ...foundQuery(id, found.data ? words : []),
    placeholderData: (last) => last,
  })
  const hide = useHide(id)
  const back = usePutBack(id)
  const { data } = useQuery(hiddenQuery(id))
  const done = hide.data
  const veiled = data?.hidden.filter((each) => each.for === 'others') ?? []
  const isMaking = data?.hidden.some((each) => each.for === 'good' && each.sound === 'making')
  const isVeiled = areHidden(words, veiled)

  const find = (event: FormEvent) => {
    event.preventDefault()
    hide.reset()
    back.reset()
    setOthers(new Set())
    setName(typed.trim())
  }
  const toggle = ({ text }: Proposal) => {
    const next = new Set(others)
    if (!next.delete(text)) next.add(text)
    setOthers(next)
  }
  const counts = all.data?.counts
  const places = counts ? placesIn(counts) : 0
  const problem = found.error ?? all.error
  const order = (confirmation?: string) =>
    hide.mutate(
      { words, for: scope, mark, sound, ...(confirmation === undefined ? {} : { confirmation }) },
      {
        onSuccess: () => {
          setAsked(false)
          // Nor does the field say any more what it was.
          setTyped('')
          setName('')
        },
      },
    )
  return (
    <SidePanel
      title="Hide a name"
      closeLabel="Close hide a name"
      onClose={onClose}
      foot={
        done ? (
          <LookThrough
            turns={turns}
            places={done.places}
            onShow={(turn) => {
              setLooking(true)
              onShow(turn)
            }}
          />
        ) : counts && places > 0 && !(isVeiled && scope === 'others') ? (
          <>
            {hide.error && !isAsked ? (
              <InlineError className="mb-2">{notHidden(hide.error)}</InlineError>
            ) : null}
            <Button
              variant="primary"
              icon={<EyeOff />}
              pending={hide.isPending}
              disabled={isMaking === true || all.isPlaceholderData}
              onClick={() => (scope === 'good' ? setAsked(true) : order())}
            >
              Hide it in {counted(places, 'place')}
            </Button>
          </>
        ) : null
      }
    >
      {/* On a phone the text is above the sheet, which gives way while it is looked through. */}
      <div className={done && isLooking ? 'max-lg:hidden' : undefined}>
        {data && veiled.length > 0 ? (
          <ForOthers
            {...{ id, veiled }}
            files={data.olderFiles}
            isBusy={back.isPending}
            onBack={(hiddenId) => back.mutate(hiddenId, { onSuccess: hide.reset })}
          />
        ) : null}
        <Failure error={back.error} className="mb-3" />
        <form onSubmit={find} className="flex items-end gap-2">
          <TextField
            className="min-w-0 flex-1"
            label="Name, number or words"
            value={typed}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" icon={<Search />} disabled={typed.trim() === ''}>
            Find
          </Button>
        </form>
      </div>
      <div role="status" className="mt-3 text-small text-ink-2">
        {done ? (
          <p>Hidden in {counted(done.places, 'place')} · a voice can still give a person away</p>
        ) : back.isSuccess ? (
          <p>Put back. Links have it again.</p>
        ) : problem ? (
          <p className="text-danger">{sentenceOf(problem)}</p>
        ) : found.isFetching ? (
          'Looking…'
        ) : counts && places === 0 ? (
          <p>“{name}” is nowhere in this recording.</p>
        ) : counts && isVeiled && scope === 'others' ? (
          <p>It is hidden for others.</p>
        ) : null}
        {isMaking ? <p>The sound is being redacted. Nobody hears it meanwhile.</p> : null}
      </div>
      {done || !counts ? null : (
        <>
          {proposals.length === 0 ? null : (
            <Heard
              {...{ proposals, isPicked, toggle, isListed, player }}
              onList={() => setListed(!isListed)}
            />
          )}
          {places === 0 ? null : (
            <>
              <Rows
                {...{ counts, player }}
                places={all.data?.places ?? []}
                last={elsewhere[scope]}
              />
              <Choice label="Hide it" value={scope} onChange={setScope} choices={scopes} />
              <p className="border-b border-rule pb-3 text-small text-ink-2">{scopeNotes[scope]}</p>
              <Choice label="In its place" value={mark} onChange={setMark} choices={marks} />
              {counts.seconds > 0 ? (
                <div className="border-t border-rule">
                  <Choice label="In the sound" value={sound} onChange={setSound} choices={sounds} />
                </div>
              ) : null}
            </>
          )}
        </>
      )}
      {isAsked ? (
        <Confirm name={name} hide={hide} onClose={() => setAsked(false)} onConfirm={order} />
      ) : null}
    </SidePanel>
  )
}

/** Never half: what could not be hidden everywhere is hidden nowhere. */
const notHidden = (error: unknown): string =>
  `Nothing was hidden. ${error instanceof ApiError ? sentenceOf(error) : 'Try again.'}`

/** Whether all of these are hidden for others already. */
function areHidden(words: readonly string[], veiled: readonly Hidden[]): boolean {
  const hidden = new Set(veiled.flatMap((each) => each.words ?? []).map(fold))
  return words.length > 0 && words.every((word) => hidden.has(fold(word)))
}

const fold = (word: string): string => word.trim().toLowerCase()

/** What is hidden for others, each with the way back, and what of it is not done yet. */
function ForOthers({
  id,
  veiled,
  files,
  isBusy,
  onBack,
}: {
  id: string
  veiled: readonly Hidden[]
  /** Those that were made before, by their ids. */
  files: readonly string[]
  isBusy: boolean
  onBack: (hiddenId: string) => void
}) {
  const remove = useDeleteFiles(id)
  const making = veiled.find(({ sound }) => sound === 'making')
  const isMute = veiled.some(({ sound }) => sound === 'gone')
  const isOne = files.length === 1
  return (
    <section aria-labelledby="hidden-for-others" className="mt-2 mb-4">
      <h3 id="hidden-for-others" className="text-small font-semibold">
        Hidden for others
      </h3>
      <ul className="mt-1 border-t border-rule">
        {veiled.map(({ id: hiddenId, words, places }) => (
          <li
            key={hiddenId}
            className="flex min-h-11 items-center gap-3 border-b border-rule text-ui"
          >
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {words?.[0]}
            </span>
            <span className="font-mono text-code text-ink-2 tabular-nums">
              {places.toLocaleString('en-US')}
            </span>
            <Button
              size="small"
              variant="quiet"
              className="-mr-3"
              disabled={isBusy}
              onClick={({ currentTarget }) => {
                // The button goes with its row.
                currentTarget.closest<HTMLElement>('[data-side-panel]')?.focus()
                onBack(hiddenId)
              }}
            >
              <span>
                Put it back<span className="sr-only"> {words?.[0]}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {making ? (
        <p className="mt-2 text-small text-ink-2 tabular-nums">
          The sound for links is being written. They have none until then. {making.progress}%
        </p>
      ) : isMute ? (
        <p className="mt-2 text-small text-warn">
          The sound could not be written without it, so links have none.
        </p>
      ) : null}
      {files.length > 0 ? (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-small">
          <p>
            {counted(files.length, 'file')} {isOne ? 'was' : 'were'} made before.{' '}
            {isOne ? 'It still has' : 'They still have'} the name.
          </p>
          <Button size="small" pending={remove.isPending} onClick={() => remove.mutate(files)}>
            {isOne ? 'Delete it' : 'Delete them'}
          </Button>
        </div>
      ) : null}
      <Failure error={remove.error} className="mt-2" />
    </section>
  )
}

/** A choice in a line. */
const Choice = <Value extends string>(choice: ComponentProps<typeof Segments<Value>>) => (
  <div className="flex min-h-14 items-center justify-between gap-4 text-ui [&_label]:px-3 [&_label]:whitespace-nowrap">
    <span aria-hidden="true">{choice.label}</span>
    <Segments hideLabel {...choice} />
  </div>
)

type Proposal = FoundWords['proposals'][number]
type Counts = FoundWords['counts']

function placesIn(all: Counts): number {
  const { seconds: _, ...counts } = all
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Other ways in which the name may stand in the text: each can be heard, and left. */
function Heard({
  proposals,
  isPicked,
  toggle,
  isListed,
  player,
  onList,
}: {
  proposals: readonly Proposal[]
  isPicked: (proposal: Proposal) => boolean
  toggle: (proposal: Proposal) => void
  isListed: boolean
  player: Player | null
  onList: () => void
}) {
  const picked = proposals.filter(isPicked)
  return (
    <>
      <p className="mt-3 text-small text-ink-2">
        {picked.length > 0
          ? `Also heard as ${picked.map(({ text }) => `“${text}”`).join(', ')}. `
          : 'Other spellings were found. '}
        <button
          type="button"
          aria-expanded={isListed}
          className="font-[650] text-ink underline decoration-line underline-offset-4"
          onClick={onList}
        >
          Change
        </button>
      </p>
      {isListed ? (
        <ul className="mt-2 border-t border-rule">
          {proposals.map((each) => {
            const [first] = each.places
            return (
              <li key={each.text} className="flex min-h-11 items-center gap-2 border-b border-rule">
                <Checkbox
                  className="min-w-0 flex-1 text-small"
                  checked={isPicked(each)}
                  onChange={() => toggle(each)}
                >
                  {each.text}
                </Checkbox>
                <span className="font-mono text-code text-ink-2 tabular-nums">{each.count}</span>
                {player && first ? (
                  <IconButton
                    label={`Play ${each.text} at ${formatTime(first.start)}`}
                    onClick={() =>
                      player.playFrom(Math.max(0, first.start - AROUND_S), first.end + AROUND_S)
                    }
                  >
                    <Play />
                  </IconButton>
                ) : null}
              </li>
            )
          })}
        </ul>
      ) : null}
    </>
  )
}

function Rows({
  counts,
  places,
  player,
  last,
}: {
  counts: Counts
  places: FoundWords['places']
  player: Player | null
  last: string
}) {
  const { text, seconds, summary, chapters, documents, translations, questions } = counts
  const number = (count: number) => count.toLocaleString('en-US')
  const rows: readonly (readonly [name: string, said: string | null])[] = [
    ['Sound', seconds > 0 ? formatTime(Math.ceil(seconds)) : null],
    ['Summary and key points', summary > 0 ? number(summary) : null],
    ['Chapters', chapters > 0 ? number(chapters) : null],
    ['Documents', documents > 0 ? number(documents) : null],
    ['Translations', translations > 0 ? number(translations) : null],
    ['Questions', questions > 0 ? number(questions) : null],
    [last, 'all'],
  ]
  return (
    <div className="mt-4 border-t border-rule">
      <details className="group border-b border-rule">
        <summary className={classes(row, 'cursor-pointer list-none')}>
          <Row name="Text and captions" said={number(text)} />
          <ChevronDown
            aria-hidden="true"
            size={18}
            className="shrink-0 text-ink-2 group-open:rotate-180"
          />
        </summary>
        <ul className="pb-2">
          {places.map(({ turnId, start, end, before, text: words, after }) => (
            <li
              key={`${turnId} ${start}`}
              className="flex items-center gap-2 text-small pointer-coarse:min-h-11"
            >
              <p dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
                {before.slice(-SHOWN_BEFORE)}
                <b className="text-ink">{words}</b>
                {after}
              </p>
              {player ? (
                <IconButton
                  label={`Play ${words} at ${formatTime(start)}`}
                  onClick={() => player.playFrom(Math.max(0, start - AROUND_S), end + AROUND_S)}
                >
                  <Play />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
      </details>
      <ul>
        {rows.map(([name, said]) =>
          said === null ? null : (
            <li key={name} className={classes(row, 'border-b border-rule')}>
              <Row {...{ name, said }} />
            </li>
          ),
        )}
      </ul>
    </div>
  )
}

/** So much of the words before a place fits a line with those after it. */
const SHOWN_BEFORE = 16
const row = 'flex min-h-9 items-center gap-3 text-ui pointer-coarse:min-h-11'

const Row = ({ name, said }: { name: string; said: string }) => (
  <>
    <Check aria-hidden="true" size={18} className="shrink-0 text-ink-2" />
    <span className="flex-1">{name}</span>
    <span className="font-mono text-code text-ink-2 tabular-nums">{said}</span>
  </>
)

/** Goes from bar to bar, and says at which it is. */
function LookThrough({
  turns,
  places,
  onShow,
}: {
  turns: readonly WordTurn[]
  places: number
  onShow: (turn: number) => void
}) {
  const { barsIn } = useVeil()
  const barred = useMemo(
    () =>
      turns.flatMap(({ text }, turn) =>
        text.includes('[name]') || barsIn(text).length > 0 ? [turn] : [],
      ),
    [turns, barsIn],
  )
  const [shown, setShown] = useState<number | null>(null)
  const next = shown === null ? 0 : (shown + 1) % Math.max(1, barred.length)
  const turn = barred[next]
  if (turn === undefined) return null
  return (
    <div className="flex items-center gap-3">
      <Button
        onClick={() => {
          onShow(turn)
          setShown(next)
        }}
      >
        {shown === null ? `Look through ${places.toLocaleString('en-US')}` : 'Next'}
      </Button>
      <p role="status" className="text-small text-ink-2 tabular-nums">
        {shown === null ? null : `Turn ${shown + 1} of ${barred.length}`}
      </p>
    </div>
  )
}

/** Nothing of it can be undone, so the name is typed once more. */
function Confirm({
  name,
  hide,
  onConfirm,
  onClose,
}: {
  name: string
  hide: ReturnType<typeof useHide>
  onConfirm: (confirmation: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog
      open
      title="Hide it for good?"
      description="The recording is replaced by one without it, and the original is deleted. Its earlier texts and corrections, and the files that were made of it with their links, go with it. None of it can be brought back. A voice can still give a person away."
      onOpenChange={onClose}
    >
      <form
        className="mt-5 space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm(typed)
        }}
      >
        <TextField
          label={`Type “${name}”`}
          value={typed}
          autoComplete="off"
          error={hide.error ? notHidden(hide.error) : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger" disabled={typed.trim() === '' || hide.isPending}>
            Hide it for good
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  )
}
