import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import type { WordTurn } from '#features/text/contract.ts'
import { Source, SourceButton } from '#features/text/ui/source.tsx'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { pointsOf, useChangeSummary } from '#features/transcriptions/ui/own-summary.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { LONGEST_POINT, MOST_POINTS } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { MoveButtons } from '#web/ui/move-buttons.tsx'
import { barred, useVeil } from '#web/ui/with-bars.tsx'

import { OwnForm } from './own-form.tsx'
import { type Passage, passageFrom } from './passages.ts'
import type { Result } from './result.ts'

/** The form that is open: of the point at a place, or of one that is added at the end. */
interface Open {
  place: number
}

/** The key points, which can be changed, moved, deleted and added where they stand. */
export function KeyPoints({
  result: { text, sound },
  onClip,
}: {
  result: Result
  onClip: (passage: Passage) => void
}) {
  const { transcription, words } = text
  const { keyPoints, keyPointTimes, keyPointQuotes, keyPointsOwn = [] } = transcription
  const reader = { ...text, player: sound.player }
  const [open, setOpen] = useState<Open | null>(null)
  const list = useRef<HTMLElement>(null)
  /**
   * `next`: the place whose button gets the focus; after those of the points comes the one that adds.
   * Where another form was opened meanwhile, that one stays.
   */
  const end = (ended: Open, next: number) => {
    flushSync(() => setOpen((now) => (now === ended ? null : now)))
    if (list.current?.querySelector('form')) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-change]')
    buttons?.item(Math.min(next, buttons.length - 1)).focus()
  }
  const isAdding = open?.place === keyPoints.length
  const isThere = keyPoints.length > 0 || transcription.summaryChanged?.includes('keyPoints')
  if (!isThere) return null
  return (
    <section ref={list} aria-labelledby="key-points" className="pt-7">
      <h2 id="key-points" className="mb-2.5 font-display text-h3 font-semibold">
        Key points
      </h2>
      <ul className="border-t border-rule">
        {keyPoints.map((point, place) => {
          const at = keyPointTimes[place] ?? null
          return open?.place === place ? (
            <li key="open" className="border-b border-rule py-3 last:border-0">
              <ChangeForm
                {...{ transcription, point, open }}
                onMoved={(next) => setOpen((now) => (now === open ? next : now))}
                onEnd={(next) => end(open, next)}
              />
            </li>
          ) : (
            <KeyPoint
              // oxlint-disable-next-line react/no-array-index-key -- the focus stays when its words are others
              key={place}
              id={`quote-${place + 1}`}
              quote={keyPointQuotes[place] ?? null}
              isOwn={keyPointsOwn[place] ?? false}
              turn={at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]}
              onChange={() => setOpen({ place })}
              {...{ point, at, reader, onClip }}
            />
          )
        })}
        {open && isAdding ? (
          <li className="py-3">
            <AddForm transcription={transcription} onEnd={() => end(open, keyPoints.length)} />
          </li>
        ) : null}
      </ul>
      {isAdding || keyPoints.length >= MOST_POINTS ? null : (
        <Button
          data-change
          size="small"
          variant="quiet"
          icon={<Plus />}
          className="mt-1 -ml-3.5 print:hidden"
          onClick={() => setOpen({ place: keyPoints.length })}
        >
          <span>
            Add one<span className="sr-only"> to the key points</span>
          </span>
        </Button>
      )}
    </section>
  )
}

/** A key point. A press on its time plays and shows the words that it was taken from. */
function KeyPoint({
  id,
  point,
  at,
  quote,
  isOwn,
  turn,
  reader,
  onChange,
  onClip,
}: {
  /** Of the words that are shown. */
  id: string
  point: string
  at: number | null
  /** The words it was taken from, as they were said. */
  quote: string | null
  isOwn: boolean
  turn: WordTurn | undefined
  reader: Pick<Result['text'], 'words'> & Pick<Result['sound'], 'player'>
  onChange: () => void
  onClip: (passage: Passage) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const veil = useVeil()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-b border-rule py-2 last:border-0">
      <button
        type="button"
        data-change
        dir="auto"
        aria-label={`Change “${veil.say(point)}”`}
        title="Change"
        className="-mx-1.5 block min-h-8 rounded-[4px] px-1.5 py-0.5 text-left text-body wrap-anywhere select-text hover:bg-paper-2"
        onClick={onChange}
      >
        {barred(point, veil, true)}
      </button>
      {at !== null && turn ? (
        <SourceButton
          {...{ at, isOpen, id }}
          player={reader.player}
          onPress={() => setOpen(!isOpen)}
        />
      ) : null}
      {at === null && !isOwn ? (
        // The model wrote this point, and no words in the transcript prove it.
        <p className="text-fine text-ink-2 italic">No source found</p>
      ) : null}
      {isOpen && turn ? (
        <Source
          id={id}
          className="mt-2.5 mb-1"
          onClip={at === null ? undefined : () => onClip(passageFrom(at, turn))}
          {...{ at: at ?? turn.start, quote, turn, reader }}
        />
      ) : null}
    </li>
  )
}

function ChangeForm({
  transcription,
  point,
  open,
  onMoved,
  onEnd,
}: {
  transcription: Job
  point: string
  open: Open
  onMoved: (open: Open) => void
  onEnd: (next: number) => void
}) {
  const { place } = open
  const all = pointsOf(transcription)
  const save = useChangeSummary(transcription.id)
  const withThis = (text: string) => all.map((one, at) => (at === place ? { ...one, text } : one))
  const move = (typed: string, to: number) => {
    const points = withThis(typed.trim() || point)
    const rest = points.filter((_, at) => at !== place)
    const keyPoints = [...rest.slice(0, to), ...points.slice(place, place + 1), ...rest.slice(to)]
    save.mutate({ keyPoints, onShown: () => onMoved({ place: to }) })
  }
  const remove = () => {
    const keyPoints = all.filter((_, at) => at !== place)
    const told = { title: 'Deleted', description: point }
    save.mutate({ keyPoints, told, onShown: () => onEnd(Infinity) })
  }
  return (
    <OwnForm
      label="Key point"
      text={point}
      most={LONGEST_POINT}
      isSaving={save.isPending}
      error={save.error}
      onSave={(text) => save.mutate({ keyPoints: withThis(text), onShown: () => onEnd(place) })}
      onCancel={() => onEnd(place)}
      renderMore={(typed) => (
        <span className="ml-auto flex">
          <MoveButtons place={place} count={all.length} onMove={(to) => move(typed, to)} />
          <Button size="small" variant="quiet" aria-label={`Delete “${point}”`} onClick={remove}>
            Delete
          </Button>
        </span>
      )}
    />
  )
}

function AddForm({ transcription, onEnd }: { transcription: Job; onEnd: () => void }) {
  const add = useChangeSummary(transcription.id)
  return (
    <OwnForm
      label="Key point"
      text=""
      most={LONGEST_POINT}
      isSaving={add.isPending}
      error={add.error}
      onSave={(text) => {
        const keyPoints = [...pointsOf(transcription), { text, quote: null, time: null }]
        add.mutate({ keyPoints, onShown: onEnd })
      }}
      onCancel={onEnd}
    />
  )
}
