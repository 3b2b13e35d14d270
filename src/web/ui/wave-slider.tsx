import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react'

import { lanesOfBars } from '#shared/wave.ts'

import type { Player, Stretches } from '../player.ts'
import { classes } from './classes.ts'
import { type Wave, startWave } from './wave.ts'

/** Always the same, so that the wave is not drawn anew. */
const none: readonly never[] = []

export interface Stretch {
  start: number
  end: number
  lane: number | null
  speaker: string
}

/** The wave of a recording, to be seen and moved along. */
export function WaveSlider({
  player,
  duration,
  peaks,
  stretches,
  marks = [],
  points = [],
  chapters = none,
  cuts = none,
  tone,
  className,
  onChosen,
}: {
  player: Player
  duration: number
  peaks: readonly number[]
  stretches: readonly Stretch[]
  /** Seconds of the search's hits, as ticks above the wave. */
  marks?: readonly number[]
  /** Seconds of words in doubt, as quiet points above the wave. */
  points?: readonly number[]
  /** By their beginning, in seconds. */
  chapters?: readonly { start: number; title: string }[]
  /** What is left out, in seconds: pale in the wave. */
  cuts?: Stretches
  tone?: Wave['tone']
  className?: string
  /** Somebody has chosen a second here, and let go of it. */
  onChosen?: ((seconds: number) => void) | undefined
}) {
  const svg = useRef<SVGSVGElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  const choose = useEffectEvent((seconds: number) => onChosen?.(seconds))
  useEffect(() => {
    if (!svg.current || !slider.current) return
    return startWave(
      { svg: svg.current, slider: slider.current },
      {
        player,
        duration,
        peaks,
        lanesOf: (count) => lanesOfBars(stretches, count, duration),
        speakerAt: (at) => lastBegun(stretches, at)?.speaker,
        chapterAt: (at) => lastBegun(chapters, at)?.title,
        isOutAt: (at) => cuts.some(([from, to]) => from <= at && at < to),
        tone,
        onChosen: (seconds) => choose(seconds),
      },
    )
  }, [player, duration, peaks, stretches, chapters, cuts, tone])
  return (
    <div className={classes('relative h-16', className)}>
      <WaveFace
        svg={{ ref: svg }}
        slider={{ ref: slider, max: Math.max(1, Math.floor(duration)) }}
      />
      <Marks marks={points} duration={duration} className="size-[3px] bg-warn" />
      <Marks marks={marks} duration={duration} className="h-2 w-[3px] bg-ink" />
    </div>
  )
}

const lastBegun = <Part extends { start: number }>(parts: readonly Part[], seconds: number) =>
  parts.findLast(({ start }) => start <= seconds + 0.05)

/** Attributes by which a script without React finds it. */
type Data = Record<`data-${string}`, string>

/** The elements that `startWave` draws into and listens to, in a box of 64 px. */
export function WaveFace({
  svg,
  slider,
}: {
  svg: ComponentProps<'svg'> & Data
  slider: ComponentProps<'input'> & Data
}) {
  return (
    <>
      <svg
        {...svg}
        aria-hidden="true"
        className="keeps-colour absolute inset-0 size-full overflow-visible"
      />
      <input
        {...slider}
        type="range"
        aria-label="Playback position"
        min={0}
        step={1}
        defaultValue={0}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-mark bg-transparent opacity-100 -outline-offset-2 [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:h-16 [&::-webkit-slider-thumb]:w-px [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:opacity-0"
      />
    </>
  )
}

/** More ticks than this would run together into one line. */
const MOST_MARKS = 300

function Marks({
  marks,
  duration,
  className,
}: {
  marks: readonly number[]
  duration: number
  className: string
}) {
  if (marks.length === 0 || marks.length > MOST_MARKS) return null
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-1 h-2">
      {marks.map((seconds) => (
        <span
          key={seconds}
          className={classes('keeps-colour absolute -translate-x-1/2 rounded-full', className)}
          style={{ left: `${(seconds / duration) * 100}%` }}
        />
      ))}
    </div>
  )
}
