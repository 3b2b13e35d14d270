/**
 * The wave of a recording with its playhead, under a slider that nobody sees. Results, shared pages and
 * new recordings have this one. It is drawn without React, which need not look at every frame.
 */
import { heightsOf, laneOf, placeInWords } from '#shared/wave.ts'

import type { Player } from '../player.ts'

const STEP_SECONDS = 5
const PAGE_SECONDS = 15
/** A bar of 4 px and its gap; phones have room for fewer. */
const SLOT_PX = 7
const BAR_PX = 4
/** Of the loudest bar, in a box of 64 px. */
const TALL_PX = 40
const MIDDLE_PX = 32
const AHEAD = '0.42'
const OUT = '0.3'
const SVG = 'http://www.w3.org/2000/svg'

export interface Wave {
  player: Player
  duration: number
  peaks: readonly number[]
  /** The speaker of each of `count` bars; null for nobody in particular. */
  lanesOf: (count: number) => readonly (number | null)[]
  /** The speaker at a second, for screen readers. */
  speakerAt?: (seconds: number) => string | undefined
  /** The title of the chapter at a second, for screen readers. */
  chapterAt?: (seconds: number) => string | undefined
  /** Whether a second is left out: its bar is pale, played or not. */
  isOutAt?: (seconds: number) => boolean
  /** The colour of bars in which nobody in particular speaks. */
  tone?: 'fill-line' | 'fill-ink'
  /** Somebody has chosen a second by the wave, and let go of it. */
  onChosen?: ((seconds: number) => void) | undefined
}

export function startWave(
  { svg, slider }: { svg: SVGSVGElement; slider: HTMLInputElement },
  { player, duration, speakerAt, chapterAt, onChosen, ...bars }: Wave,
): () => void {
  const wave = drawWave(svg, { ...bars, duration })
  let second = -1
  const stop = player.onTick((seconds) => {
    wave.moveTo(duration > 0 ? Math.min(1, seconds / duration) : 0)
    const whole = Math.floor(seconds)
    if (whole === second) return
    second = whole
    slider.value = String(whole)
    const heard = [speakerAt?.(seconds), chapterAt?.(seconds)]
    slider.setAttribute('aria-valuetext', placeInWords(seconds, duration, ...heard))
  })
  const seek = () => player.seek(Number(slider.value))
  const choose = () => onChosen?.(player.now())
  const press = (event: KeyboardEvent) => {
    const by = stepOf(event.key)
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    player.skip(by)
    choose()
  }
  slider.addEventListener('input', seek)
  slider.addEventListener('change', choose)
  slider.addEventListener('keydown', press)
  return () => {
    stop()
    wave.end()
    slider.removeEventListener('input', seek)
    slider.removeEventListener('change', choose)
    slider.removeEventListener('keydown', press)
  }
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

/** Draws as many bars as there is room for. */
function drawWave(
  svg: SVGSVGElement,
  {
    duration,
    peaks,
    lanesOf,
    isOutAt,
    tone = 'fill-line',
  }: Pick<Wave, 'duration' | 'peaks' | 'lanesOf' | 'isOutAt' | 'tone'>,
) {
  let share = 0
  let bars: { at: number; shape: SVGElement }[] = []
  let width = 0
  /** The drawn state: where the playhead is, and how many bars as played. */
  let playhead = -1
  let played = 0
  const line = make('path', { class: 'stroke-playhead', 'stroke-width': 2.5, d: 'M0 4V60' })
  const dot = make('circle', { class: 'fill-playhead', r: 5, cy: 7 })
  const move = () => {
    // Half a pixel is many pictures of the screen: nothing is drawn anew for less.
    const x = Math.round(share * width * 2) / 2
    if (x === playhead) return
    playhead = x
    line.setAttribute('d', `M${x} 4V60`)
    dot.setAttribute('cx', String(x))
    const now = bars.filter(({ at }) => at <= share).length
    for (const { shape } of bars.slice(Math.min(played, now), Math.max(played, now)))
      shape.setAttribute('opacity', now > played ? '1' : AHEAD)
    played = now
  }
  const draw = () => {
    width = svg.clientWidth
    const count = Math.max(8, Math.floor(width / SLOT_PX))
    const lanes = lanesOf(count)
    bars = heightsOf(peaks, count).map((height, index) => {
      const at = (index + 0.5) / count
      const tall = Math.max(BAR_PX * 0.75, Math.round(height * TALL_PX))
      const speaker = lanes[index] ?? null
      const shape = make('rect', {
        x: at * width - BAR_PX / 2,
        y: MIDDLE_PX - tall / 2,
        width: BAR_PX,
        height: tall,
        rx: BAR_PX / 2,
        opacity: AHEAD,
        ...(isOutAt?.(at * duration) ? { 'fill-opacity': OUT } : {}),
        class: speaker === null ? (height > 0 ? tone : 'fill-line') : 'fill-speaker-lane',
        ...(speaker === null ? {} : { 'data-speaker': laneOf(speaker) }),
      })
      return { at, shape }
    })
    playhead = -1
    played = 0
    svg.replaceChildren(...bars.map(({ shape }) => shape), line, dot)
    move()
  }
  const observer = new ResizeObserver(draw)
  observer.observe(svg)
  return {
    moveTo: (to: number) => {
      share = to
      move()
    },
    end: () => observer.disconnect(),
  }
}

function make(name: string, values: Record<string, string | number>): SVGElement {
  const shape = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(values)) shape.setAttribute(key, String(value))
  return shape
}
