import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { classes } from '#web/ui/classes.ts'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

import type { Player } from '#web/player.ts'
import { heightsOf, lanesOfBars, placeInWords } from './wave.ts'

export interface Stretch {
  start: number
  end: number
  lane: number | null
  speaker: string
}

const STEP_SECONDS = 5
const PAGE_SECONDS = 15
const HEIGHT = 40
/** A bar of 4 px and its gap; phones have room for fewer. */
const SLOT_PX = 7

/**
 * The wave of a recording, with an invisible slider on top for the mouse, fingers and keys. It
 * listens to the player itself, so that React need not render sixty times a second.
 */
export function WaveSlider({
  player,
  duration,
  peaks,
  stretches,
  marks,
  className,
}: {
  player: Player
  duration: number
  peaks: readonly number[]
  stretches: readonly Stretch[]
  /** Seconds of what was searched for, as ticks above the wave. */
  marks?: readonly number[]
  className?: string
}) {
  const slider = useRef<HTMLInputElement>(null)
  const played = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [box, count] = useBarCount()
  const heights = useMemo(() => heightsOf(peaks, count), [peaks, count])
  const lanes = useMemo(() => lanesOfBars(stretches, count, duration), [stretches, count, duration])

  useEffect(() => {
    let second = -1
    return player.onTick((seconds) => {
      const share = duration > 0 ? Math.min(1, seconds / duration) : 0
      if (played.current) played.current.style.clipPath = `inset(0 ${(1 - share) * 100}% 0 0)`
      if (head.current) head.current.style.transform = `translateX(${share * 100}%)`
      const whole = Math.floor(seconds)
      if (whole === second || !slider.current) return
      second = whole
      slider.current.value = String(whole)
      const speaker = stretches.findLast(({ start }) => start <= seconds + 0.05)?.speaker
      slider.current.setAttribute('aria-valuetext', placeInWords(seconds, duration, speaker))
    })
  }, [player, duration, stretches])

  const wave = (
    <WaveFigure heights={heights} speakers={lanes} height={HEIGHT} everySecondOnPhones={false} />
  )
  return (
    <div className={classes('relative h-16', className)} ref={box}>
      <Bars className="opacity-42">{wave}</Bars>
      <div ref={played} className="absolute inset-0" style={{ clipPath: 'inset(0 100% 0 0)' }}>
        <Bars>{wave}</Bars>
      </div>
      <Marks marks={marks ?? []} duration={duration} />
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 overflow-clip [overflow-clip-margin:6px]"
      >
        <div ref={head} className="size-full">
          <div className="absolute inset-y-1 left-0 w-[2.5px] -translate-x-1/2 rounded-full bg-playhead">
            <div className="absolute -top-0.5 left-1/2 size-2.5 -translate-x-1/2 rounded-full bg-playhead" />
          </div>
        </div>
      </div>
      <input
        ref={slider}
        type="range"
        aria-label="Playback position"
        min={0}
        max={Math.max(1, Math.floor(duration))}
        step={1}
        defaultValue={0}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-mark bg-transparent opacity-100 [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:h-16 [&::-webkit-slider-thumb]:w-px [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:opacity-0"
        onChange={(event) => player.seek(Number(event.target.value))}
        onKeyDown={(event) => {
          const by = stepOf(event.key)
          if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          player.skip(by)
        }}
      />
    </div>
  )
}

function stepOf(key: string): number {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return STEP_SECONDS
    case 'ArrowLeft':
    case 'ArrowDown':
      return -STEP_SECONDS
    case 'PageUp':
      return PAGE_SECONDS
    case 'PageDown':
      return -PAGE_SECONDS
    default:
      return 0
  }
}

function Bars({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      aria-hidden="true"
      className={classes('absolute inset-x-0 top-1/2 -translate-y-1/2', className)}
    >
      {children}
    </div>
  )
}

/** More ticks than this would run together into one line. */
const MOST_MARKS = 300

function Marks({ marks, duration }: { marks: readonly number[]; duration: number }) {
  if (marks.length === 0 || marks.length > MOST_MARKS) return null
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-1 h-2">
      {marks.map((seconds) => (
        <span
          key={seconds}
          className="absolute h-2 w-[3px] -translate-x-1/2 rounded-full bg-ink"
          style={{ left: `${(seconds / duration) * 100}%` }}
        />
      ))}
    </div>
  )
}

function useBarCount(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [count, setCount] = useState(0)
  const [measure] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setCount(Math.max(8, Math.floor(entry.contentRect.width / SLOT_PX)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  })
  return [measure, count]
}
