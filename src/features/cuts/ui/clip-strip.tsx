import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'

import type { Words } from '#features/text/contract.ts'
import { peaksQuery } from '#features/text/ui/words-query.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { formatTime } from '#shared/format.ts'
import { heightsOf, laneOf, lanesOfBars } from '#shared/wave.ts'
import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'

import { type Range, rangeAt, without } from '../ranges.ts'
import { type Edge, lengthInWords, moved, snapped, stepped, wordAt } from './clip-words.ts'
import type { CutsState } from './use-cuts.ts'

/** So much is seen before and after a clip. */
const AROUND_MS = 20_000
const BARS = 90
const FINE_MS = 100

interface Props {
  transcriptionId: string
  words: Words
  places: readonly WordPlace[]
  player: Player
  cuts: CutsState
  /** Of the recording, in seconds. */
  duration: number
  passage: Range
  onPassage: (passage: Range) => void
}

/** Over the player while a clip is made: where it begins and ends. */
export function ClipStrip(props: Props) {
  const { player, cuts, passage } = props
  const play = () => {
    // A clip is never heard with what is cut.
    cuts.setSkipped(true)
    player.playFrom(passage.startMs / 1000, passage.endMs / 1000)
  }
  return (
    <div role="group" aria-label="Clip" data-strip="" className="border-t border-rule bg-paper-2">
      <Container className="flex min-h-14 items-center gap-x-4 text-small text-ink-2 gap-y-1 max-sm:flex-wrap max-sm:py-2">
        <Time ms={passage.startMs} />
        <Wave {...props} />
        <Time ms={passage.endMs} />
        <span className="whitespace-nowrap tabular-nums">{lengthInWords(passage, cuts.list)}</span>
        <Button size="small" icon={<Play />} className="ml-auto" onClick={play}>
          Play the clip
        </Button>
      </Container>
    </div>
  )
}

const Time = ({ ms }: { ms: number }) => (
  <span className="font-mono text-code whitespace-nowrap text-ink tabular-nums">
    {inTenths(ms)}
  </span>
)

/** "0:09.4" */
function inTenths(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${formatTime(Math.floor(tenths / 10))}.${tenths % 10}`
}

function Wave({
  transcriptionId,
  words,
  places,
  player,
  cuts: { list },
  duration,
  passage,
  onPassage,
}: Props) {
  const durationMs = duration * 1000
  /** What is seen stays while an edge is dragged. */
  const [held, setHeld] = useState<Range | null>(null)
  const around = {
    startMs: Math.max(0, passage.startMs - AROUND_MS),
    endMs: Math.min(durationMs, passage.endMs + AROUND_MS),
  }
  const seen = held ?? around
  const lengthMs = seen.endMs - seen.startMs
  const shareOf = (ms: number) => `${((ms - seen.startMs) / lengthMs) * 100}%`
  const wave = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  const { data } = useQuery(peaksQuery(transcriptionId))
  const bars = useMemo(() => {
    const peaks = data?.peaks ?? []
    const each = (duration * 1000) / Math.max(1, peaks.length)
    const from = Math.floor(seen.startMs / each)
    const heights = heightsOf(peaks.slice(from, Math.ceil(seen.endMs / each)), BARS)
    const stretches = words.turns.map(({ start, end, speaker }) => ({
      start: start * 1000 - seen.startMs,
      end: end * 1000 - seen.startMs,
      lane: speaker,
    }))
    const lanes = lanesOfBars(
      stretches.filter(({ start, end }) => end > 0 && start < lengthMs),
      BARS,
      lengthMs,
    )
    return heights.map((height, at) => ({ height, lane: lanes[at] ?? null }))
  }, [data, duration, words, seen.startMs, seen.endMs, lengthMs])
  useEffect(
    () =>
      player.onTick((seconds) => {
        const share = (seconds * 1000 - seen.startMs) / lengthMs
        const { style } = playhead.current ?? {}
        if (!style) return
        style.left = `${share * 100}%`
        style.visibility = share >= 0 && share <= 1 ? 'visible' : 'hidden'
      }),
    [player, seen.startMs, lengthMs],
  )
  const drag = (edge: Edge) => (event: PointerEvent<HTMLElement>) => {
    if (!held) return
    const { left, width } = wave.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    const ms = seen.startMs + ((event.clientX - left) / width) * lengthMs
    onPassage(snapped(places, passage, { edge, ms }))
  }
  const press = (edge: Edge) => (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
    if (by !== 1 && by !== -1) return
    event.preventDefault()
    event.stopPropagation()
    onPassage(
      event.shiftKey
        ? moved(passage, { edge, by: by * FINE_MS, durationMs })
        : stepped(places, passage, { edge, by }),
    )
  }
  return (
    <div
      ref={wave}
      className="relative h-11 flex-1 touch-none sm:max-w-[29rem] max-sm:order-first max-sm:basis-full"
    >
      <svg
        aria-hidden="true"
        className="keeps-colour absolute inset-0 size-full"
        preserveAspectRatio="none"
        viewBox={`0 0 ${BARS} 44`}
      >
        {bars.map(({ height, lane }, at) => {
          const tall = Math.max(2, height * 38)
          const isOut = rangeAt(list, seen.startMs + ((at + 0.5) / BARS) * lengthMs) !== null
          return (
            <rect
              key={at} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
              {...(lane === null ? {} : { 'data-speaker': laneOf(lane) })}
              className={classes(
                lane === null ? 'fill-line' : 'fill-speaker-lane',
                isOut && 'opacity-30',
              )}
              x={at + 0.22}
              width={0.56}
              y={22 - tall / 2}
              height={tall}
            />
          )
        })}
      </svg>
      {without([passage], list).map(({ startMs, endMs }) => (
        <div
          key={startMs}
          className="absolute inset-y-0 bg-marker/45"
          style={{ left: shareOf(startMs), width: `${((endMs - startMs) / lengthMs) * 100}%` }}
        />
      ))}
      <div ref={playhead} className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-playhead" />
      {(['startMs', 'endMs'] as const).map((edge) => (
        <div
          key={edge}
          role="slider"
          tabIndex={0}
          aria-label={edge === 'startMs' ? 'Beginning' : 'End'}
          aria-valuemin={0}
          aria-valuemax={duration}
          aria-valuenow={passage[edge] / 1000}
          aria-valuetext={`${(passage[edge] / 1000).toFixed(1)} seconds, ${wordAt({ turns: words.turns, places }, passage, edge)}`}
          className={classes(
            'absolute inset-y-0 grid w-3 cursor-ew-resize touch-none place-items-center rounded-[3px] bg-ink before:h-4 before:w-0.5 before:bg-paper after:absolute after:-inset-x-4 after:inset-y-0 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus',
            edge === 'startMs' && '-translate-x-full',
          )}
          style={{ left: shareOf(passage[edge]) }}
          onKeyDown={press(edge)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            setHeld(around)
          }}
          onPointerMove={drag(edge)}
          onPointerUp={() => setHeld(null)}
          onPointerCancel={() => setHeld(null)}
        />
      ))}
    </div>
  )
}
