import { useQuery } from '@tanstack/react-query'
import { Check, EyeOff, Play, Search } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import { counted, formatTime } from '#shared/format.ts'
import { BAR } from '#shared/hidden-words.ts'
import { sentenceOf } from '#web/api.ts'
import type { Player } from '#web/player.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'

import type { FoundWords } from '../contract.ts'
import { foundQuery, hiddenQuery, useHide } from './queries.ts'

/** Each Play begins so much before, and ends so much after. */
const AROUND_S = 1

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

/** Finds a name in a recording, shows where it stands and what else it may be, and takes it out for good. */
export function HidePanel({ id, words: selected, turns, player, onShow, onClose }: HidePanelProps) {
  const [typed, setTyped] = useState(selected)
  const [name, setName] = useState(selected.trim())
  /** Proposals that are not as they were proposed. */
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const [isListed, setListed] = useState(false)
  const [mark, setMark] = useState<(typeof marks)[number]['value']>('bar')
  const [sound, setSound] = useState<(typeof sounds)[number]['value']>('tone')
  const [isAsked, setAsked] = useState(false)
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
  const { data } = useQuery(hiddenQuery(id))
  const done = hide.data
  const isMaking = data?.hidden.some((each) => each.sound === 'making') === true

  const find = (event: FormEvent) => {
    event.preventDefault()
    hide.reset()
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
  return (
    <SidePanel
      title="Hide a name"
      closeLabel="Close hide a name"
      onClose={onClose}
      foot={
        done ? (
          <LookThrough turns={turns} places={done.places} onShow={onShow} />
        ) : counts && places > 0 ? (
          <Button
            variant="primary"
            icon={<EyeOff />}
            disabled={isMaking || all.isPlaceholderData}
            onClick={() => setAsked(true)}
          >
            Hide it in {counted(places, 'place')}
          </Button>
        ) : null
      }
    >
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
      <div role="status" className="mt-3 text-small text-ink-2">
        {done ? (
          <p>Hidden in {counted(done.places, 'place')} · a voice can still give a person away</p>
        ) : problem ? (
          <p className="text-danger">{sentenceOf(problem)}</p>
        ) : found.isFetching ? (
          'Looking…'
        ) : counts && places === 0 ? (
          <p>“{name}” is nowhere in this recording.</p>
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
              <Rows counts={counts} />
              <div className="mt-4 space-y-4">
                <Segments label="In its place" value={mark} onChange={setMark} choices={marks} />
                {counts.seconds > 0 ? (
                  <Segments
                    label="In the sound"
                    value={sound}
                    onChange={setSound}
                    choices={sounds}
                  />
                ) : null}
              </div>
            </>
          )}
        </>
      )}
      {isAsked ? (
        <Confirm
          name={name}
          hide={hide}
          onClose={() => setAsked(false)}
          onConfirm={(confirmation) =>
            hide.mutate(
              { words, mark, sound, confirmation },
              {
                onSuccess: () => {
                  setAsked(false)
                  // Nor does the page say any more what it was.
                  setTyped('')
                  setName('')
                },
              },
            )
          }
        />
      ) : null}
    </SidePanel>
  )
}

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

function Rows({ counts }: { counts: Counts }) {
  const { text, seconds, summary, chapters, documents, translations, questions } = counts
  const number = (count: number) => count.toLocaleString('en-US')
  const rows: readonly (readonly [name: string, said: string | null])[] = [
    ['Text and captions', number(text)],
    ['Sound', seconds > 0 ? formatTime(Math.ceil(seconds)) : null],
    ['Summary and key points', summary > 0 ? number(summary) : null],
    ['Chapters', chapters > 0 ? number(chapters) : null],
    ['Documents', documents > 0 ? number(documents) : null],
    ['Translations', translations > 0 ? number(translations) : null],
    ['Questions', questions > 0 ? number(questions) : null],
    ['Search, links, exports, API', 'all'],
  ]
  return (
    <ul className="mt-4 border-t border-rule">
      {rows.map(([name, said]) =>
        said === null ? null : (
          <li
            key={name}
            className="flex min-h-9 items-center gap-3 border-b border-rule text-ui pointer-coarse:min-h-11"
          >
            <Check aria-hidden="true" size={18} className="shrink-0 text-ink-2" />
            <span className="flex-1">{name}</span>
            <span className="font-mono text-code text-ink-2 tabular-nums">{said}</span>
          </li>
        ),
      )}
    </ul>
  )
}

/** Goes from bar to bar. */
function LookThrough({
  turns,
  places,
  onShow,
}: {
  turns: readonly WordTurn[]
  places: number
  onShow: (turn: number) => void
}) {
  const barred = useMemo(
    () =>
      turns.flatMap(({ text }, turn) =>
        text.includes(BAR) || text.includes('[name]') ? [turn] : [],
      ),
    [turns],
  )
  const [next, setNext] = useState(0)
  const turn = barred[next % Math.max(1, barred.length)]
  if (turn === undefined) return null
  return (
    <Button
      onClick={() => {
        onShow(turn)
        setNext(next + 1)
      }}
    >
      Look through {places.toLocaleString('en-US')}
    </Button>
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
      description="The recording is replaced by one without it, and the original is deleted. What was there before cannot be brought back: its earlier texts, corrections and files that were made go. A voice can still give a person away."
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
          error={hide.error ? `Nothing was hidden. ${sentenceOf(hide.error)}` : undefined}
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
