import { Check, ChevronLeft, ChevronRight, Pencil, Play, X } from 'lucide-react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { WordTurn } from '../contract.ts'
import type { Checking } from './use-checking.ts'
import type { WordPlace } from './word-places.ts'

/** Letters of context on either side of a word. */
const AROUND = 70

/** Shows the words in doubt one by one, to be heard, accepted or corrected. */
export function CheckQueue({
  checking: { queue, at, word: place, play, accept, move },
  turns,
  onCorrect,
  onClose,
}: {
  checking: Checking
  turns: readonly WordTurn[]
  onCorrect: (place: WordPlace) => void
  onClose: () => void
}) {
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
            {play ? (
              <Button size="small" icon={<Play />} onClick={play}>
                Play
              </Button>
            ) : null}
            <Button size="small" variant="primary" icon={<Check />} onClick={accept}>
              Looks right
            </Button>
            <Button size="small" icon={<Pencil />} onClick={() => onCorrect(place)}>
              Correct
            </Button>
            <span className="ml-auto flex items-center gap-1">
              <IconButton label="Word before" onClick={() => move(-1)}>
                <ChevronLeft />
              </IconButton>
              <output className="min-w-16 text-center text-small text-ink-2 tabular-nums">
                {(at ?? 0) + 1} of {queue.length}
              </output>
              <IconButton label="Word after" onClick={() => move(1)}>
                <ChevronRight />
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
        <X />
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
