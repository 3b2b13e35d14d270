import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'

import {
  type ClipCaptions,
  type ClipShape,
  clipColours,
  clipLayouts,
  clipSizes,
} from '#shared/clips.ts'
import { heightsOf } from '#shared/wave.ts'
import type { Player } from '#web/player.ts'
import { classes } from '#web/ui/classes.ts'
import { SpeakerBadge, speakerColours } from '#web/ui/speaker-badge.tsx'

import {
  type Caption,
  type Said,
  captionsOf,
  hasSpaceBefore,
  markedIn,
  voicesOfBars,
} from '../clip-captions.ts'
import { type Range, clockWithout, cutsAround } from '../ranges.ts'

type Layout = (typeof clipLayouts)[Exclude<ClipShape, 'sound'>]
interface Centre {
  x: number
  y: number
}

/** A clip as it will be, at the moment that is heard: the same layout as that of the file. */
export function ClipPicture({
  shape,
  captions: style,
  names,
  title,
  said,
  player,
  passage,
  list,
  duration,
  levels,
  centre,
  onCentre,
}: {
  shape: Exclude<ClipShape, 'sound'>
  captions: ClipCaptions
  /** By the number of the speaker; none where they are not shown. */
  names: ReadonlyMap<number, string>
  title: string
  said: readonly Said[]
  player: Player
  passage: Range
  /** The cuts of the recording. */
  list: readonly Range[]
  duration: number
  /** Of the whole recording. */
  levels: readonly number[]
  centre: Centre
  onCentre: (centre: Centre) => void
}) {
  const layout = clipLayouts[shape]
  const { width, height } = layout
  const durationMs = duration * 1000
  const { clock, lengthMs } = useMemo(() => {
    const made = clockWithout(cutsAround(list, passage, { durationMs }))
    return { clock: made, lengthMs: made(passage.endMs) }
  }, [list, passage, durationMs])
  const captions = useMemo(
    () => captionsOf(said, { letters: layout.letters, endMs: lengthMs }),
    [said, layout.letters, lengthMs],
  )
  const film = player.screen
  const now = useHeard(player, { passage, clock, captions })
  const caption = captions[now.caption]
  const speaker = caption?.speaker ?? said[0]?.speaker ?? null
  const name = speaker === null ? undefined : names.get(speaker)
  const size = (share: number) => `${share * 100}cqw`
  const px = layout.px / width
  const named =
    speaker !== null && name !== undefined ? (
      <SpeakerBadge
        speaker={speaker}
        name={name}
        className="text-[1em] [&>span:first-child]:size-[1.45em] [&>span:first-child]:rounded-[0.26em] [&>span:first-child]:text-[0.86em]"
      />
    ) : null
  return (
    <div
      className={classes(
        'dark relative overflow-hidden rounded-control border border-line text-[#eaf0eb]',
        shape === 'upright'
          ? 'max-lg:h-[40dvh] lg:w-[162px]'
          : shape === 'square'
            ? 'w-[200px]'
            : 'w-full max-w-[320px]',
      )}
      style={{
        aspectRatio: `${width} / ${height}`,
        background: clipColours.ground,
        containerType: 'inline-size',
      }}
    >
      <div
        role="img"
        aria-label={style === 'none' ? 'The clip' : said.map(({ text }) => text).join(' ')}
        className="absolute inset-0"
      >
        {film ? (
          <FilmPart {...{ film, player, layout, centre }} />
        ) : (
          <>
            <div className="absolute inset-x-[7.5%]" style={{ top: `${layout.top * 100 - 2.5}%` }}>
              <p
                className="truncate font-bold text-[#afbbb2]"
                style={{ fontSize: size(px * clipSizes.title) }}
              >
                {title}
              </p>
              <div className="mt-[0.5em]" style={{ fontSize: size(px * clipSizes.name) }}>
                {named}
              </div>
            </div>
            <SoundWave
              {...{ layout, said, levels, passage, duration, lengthMs }}
              share={now.share}
            />
          </>
        )}
        {caption && style !== 'none' ? (
          <div
            className="absolute inset-x-0 flex flex-col items-center text-center leading-[1.36] font-bold whitespace-nowrap"
            style={{
              fontSize: size(px),
              ...(film
                ? { bottom: `${(1 - layout.foot) * 100}%` }
                : { top: `${layout.captions * 100}%` }),
            }}
          >
            {film && named ? (
              <div
                className="mb-[0.4em] rounded-[0.3em] bg-[#0e1612a8] px-[0.4em]"
                style={{ fontSize: size(px * clipSizes.name) }}
              >
                {named}
              </div>
            ) : null}
            <Lines
              {...{ caption, isFilm: film !== null }}
              marked={style === 'words' ? now.word : -1}
            />
          </div>
        ) : null}
      </div>
      {film ? <Middle {...{ film, layout, centre, onCentre }} /> : null}
    </div>
  )
}

function Lines({
  caption: { lines },
  marked,
  isFilm,
}: {
  caption: Caption
  /** The place of the word that is said. */
  marked: number
  isFilm: boolean
}) {
  let count = 0
  return lines.map((line, row) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines have no identity but their place
    <p key={row} dir="auto" className={isFilm ? 'rounded-[0.16em] bg-[#0e1612a8] px-[0.3em]' : ''}>
      {line.map((word, at) => {
        const isMarked = count++ === marked
        return (
          // oxlint-disable-next-line react/no-array-index-key -- words have no identity but their place
          <span key={at}>
            {hasSpaceBefore(line, at) ? ' ' : ''}
            <span
              className={isMarked ? 'rounded-[0.14em] px-[0.14em] -mx-[0.14em]' : ''}
              style={
                isMarked
                  ? { background: clipColours.marker, color: clipColours.markerInk }
                  : undefined
              }
            >
              {word.text}
            </span>
          </span>
        )
      })}
    </p>
  ))
}

function SoundWave({
  layout,
  said,
  levels,
  passage,
  duration,
  lengthMs,
  share,
}: {
  layout: Layout
  said: readonly Said[]
  levels: readonly number[]
  passage: Range
  duration: number
  lengthMs: number
  /** How much of it was heard. */
  share: number
}) {
  const { bars, wave, waveHeight } = layout
  const shapes = useMemo(() => {
    const each = (duration * 1000) / Math.max(1, levels.length)
    const from = Math.floor(passage.startMs / each)
    const heights = heightsOf(levels.slice(from, Math.ceil(passage.endMs / each)), bars)
    const voices = voicesOfBars(said, { bars, lengthMs })
    return heights.map((height, at) => ({ height, lane: voices[at] ?? null }))
  }, [duration, levels, passage, bars, said, lengthMs])
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-x-[7.5%]"
      style={{
        top: `${(wave - waveHeight / 2) * 100}%`,
        height: `${waveHeight * 100}%`,
        width: '85%',
      }}
      viewBox={`0 0 ${bars} 100`}
      preserveAspectRatio="none"
    >
      {shapes.map(({ height, lane }, at) => {
        const tall = Math.max(3, height * 100)
        return (
          <rect
            key={at} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
            {...(lane === null ? {} : speakerColours(lane))}
            className={lane === null ? 'fill-line' : 'fill-speaker-lane'}
            opacity={(at + 0.5) / bars <= share ? 1 : 0.38}
            x={at + 0.25}
            width={0.5}
            y={50 - tall / 2}
            height={tall}
          />
        )
      })}
    </svg>
  )
}

interface Framed {
  film: HTMLVideoElement
  layout: Layout
  centre: Centre
}

/** The film as it is framed. */
function FilmPart({
  film,
  player,
  layout: { width, height },
  centre,
}: Framed & { player: Player }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const draw = () => {
      const context = canvas.current?.getContext('2d')
      if (!context || film.videoWidth === 0) return
      const { x, y, w, h } = framedIn(film, { ratio: width / height, centre })
      context.drawImage(film, x, y, w, h, 0, 0, width / 4, height / 4)
    }
    const stop = player.onTick(draw)
    film.addEventListener('loadeddata', draw)
    return () => {
      stop()
      film.removeEventListener('loadeddata', draw)
    }
  }, [film, player, width, height, centre])
  return <canvas ref={canvas} width={width / 4} height={height / 4} className="size-full" />
}

const STEP = 0.05
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
const within = (share: number): number => Math.min(1, Math.max(0, share))

/** Lies over the film. A press puts its place into the middle; arrow keys move it. */
function Middle({
  film,
  layout: { width, height },
  centre,
  onCentre,
}: Framed & { onCentre: (centre: Centre) => void }) {
  const press = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const { x, y, w, h } = framedIn(film, { ratio: width / height, centre })
    onCentre({
      x: within((x + ((clientX - box.left) / box.width) * w) / Math.max(1, film.videoWidth)),
      y: within((y + ((clientY - box.top) / box.height) * h) / Math.max(1, film.videoHeight)),
    })
  }
  const step = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    onCentre({ x: within(centre.x + by[0]), y: within(centre.y + by[1]) })
  }
  return (
    <button
      type="button"
      aria-label="Middle of the picture: press a place, or use the arrow keys"
      title="Press what is to be in the middle"
      className="absolute inset-0 cursor-crosshair"
      onPointerUp={press}
      onKeyDown={step}
    />
  )
}

/** The part of a film that is seen. As the file has it: see `framed` of the server. */
function framedIn(
  { videoWidth, videoHeight }: HTMLVideoElement,
  { ratio, centre }: { ratio: number; centre: Centre },
): { x: number; y: number; w: number; h: number } {
  const w = Math.min(videoWidth, videoHeight * ratio)
  const h = Math.min(videoHeight, videoWidth / ratio)
  const place = (all: number, part: number, share: number) =>
    Math.max(0, Math.min(all - part, share * all - part / 2))
  return { x: place(videoWidth, w, centre.x), y: place(videoHeight, h, centre.y), w, h }
}

/** Which caption is seen, and which of its words is said. Before and after the clip it is at its beginning. */
function useHeard(
  player: Player,
  {
    passage,
    clock,
    captions,
  }: { passage: Range; clock: (ms: number) => number; captions: readonly Caption[] },
): { caption: number; word: number; share: number } {
  const [now, setNow] = useState({ caption: 0, word: 0, share: 0 })
  useEffect(
    () =>
      player.onTick((seconds) => {
        const isIn = seconds * 1000 >= passage.startMs && seconds * 1000 < passage.endMs
        const ms = isIn ? clock(seconds * 1000) : 0
        const found = captions.findIndex(({ startMs, endMs }) => startMs <= ms && ms < endMs)
        const caption = found < 0 && !isIn ? 0 : found
        const shown = captions[caption]
        const word = shown ? placeOf(shown, ms) : 0
        // Bars become bright one by one.
        const share = Math.floor((ms / Math.max(1, clock(passage.endMs))) * 80) / 80
        setNow((before) =>
          before.caption === caption && before.word === word && before.share === share
            ? before
            : { caption, word, share },
        )
      }),
    [player, passage, clock, captions],
  )
  return now
}

function placeOf(caption: Caption, ms: number): number {
  const marked = markedIn(caption).findLast(({ startMs }) => startMs <= ms)?.word
  return marked ? caption.lines.flat().indexOf(marked) : 0
}
