import { Check, ChevronLeft, ChevronRight, Pencil, Play, X } from 'lucide-react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { WordTurn } from '../contract.ts'
import type { WordPlace } from './word-places.ts'

/** Letters of context on either side of a word. */
const AROUND = 70

/** One doubtful word after the other: hear it, accept it or correct it. */
export function CheckQueue({
  queue,
  at,
  turns,
  onMove,
  onPlay,
  onAccept,
  onCorrect,
  onClose,
}: {
  queue: readonly WordPlace[]
  at: number
  turns: readonly WordTurn[]
  onMove: (steps: 1 | -1) => void
  /** Null where there is nothing to hear any more. */
  onPlay: (() => void) | null
  onAccept: () => void
  onCorrect: () => void
  onClose: () => void
}) {
  const place = queue[at]
  const turn = place && turns[place.turn]
  return (
    <section
      aria-label="Words to check"
      className="relative mt-3 rounded-panel border border-line bg-card p-4 pr-14"
    >
      {place && turn ? (
        <>
          <p className="text-reading" dir="auto">
            <Context turn={turn} place={place} />
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {onPlay ? (
              <Button
                size="small"
                icon={<Play aria-hidden="true" strokeWidth={1.75} />}
                onClick={onPlay}
              >
                Play
              </Button>
            ) : null}
            <Button
              size="small"
              variant="primary"
              icon={<Check aria-hidden="true" strokeWidth={1.75} />}
              onClick={onAccept}
            >
              Looks right
            </Button>
            <Button
              size="small"
              icon={<Pencil aria-hidden="true" strokeWidth={1.75} />}
              onClick={onCorrect}
            >
              Correct
            </Button>
            <span className="ml-auto flex items-center gap-1">
              <IconButton label="Word before" onClick={() => onMove(-1)}>
                <ChevronLeft aria-hidden="true" strokeWidth={1.75} />
              </IconButton>
              <output className="min-w-16 text-center text-small text-ink-2 tabular-nums">
                {at + 1} of {queue.length}
              </output>
              <IconButton label="Word after" onClick={() => onMove(1)}>
                <ChevronRight aria-hidden="true" strokeWidth={1.75} />
              </IconButton>
            </span>
          </div>
        </>
      ) : (
        <p role="status" className="text-ui">
          All words are checked.
        </p>
      )}
      <IconButton label="Close words to check" className="absolute top-2 right-2" onClick={onClose}>
        <X aria-hidden="true" strokeWidth={1.75} />
      </IconButton>
    </section>
  )
}

function Context({ turn, place }: { turn: WordTurn; place: WordPlace }) {
  const start = Math.max(0, turn.text.lastIndexOf(' ', Math.max(0, place.from - AROUND)) + 1)
  const next = turn.text.indexOf(' ', place.to + AROUND)
  const end = next < 0 ? turn.text.length : next
  return (
    <>
      <Timecode s={place.startMs / 1000} className="mr-3 text-fine! text-ink-2" />
      {start > 0 ? '… ' : ''}
      {turn.text.slice(start, place.from)}
      <mark className="marked">{turn.text.slice(place.from, place.to)}</mark>
      {turn.text.slice(place.to, end)}
      {end < turn.text.length ? ' …' : ''}
    </>
  )
}
