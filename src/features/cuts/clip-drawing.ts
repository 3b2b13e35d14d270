/** What is drawn upon a clip, as a script of libass: captions, names, and the wave where there is no film. */
import type { Drawing } from '#features/sound/framing.ts'
import {
  type ClipCaptions,
  type ClipShape,
  clipColours,
  clipLayouts,
  clipSizes,
} from '#shared/clips.ts'
import { isFromRight } from '#shared/direction.ts'
import { speakerLetters } from '#shared/speaker-letters.ts'
import { heightsOf, laneOf } from '#shared/wave.ts'

import {
  type Caption,
  type Said,
  captionsOf,
  hasSpaceBefore,
  markedIn,
  voicesOfBars,
} from './clip-captions.ts'
import { PEN_FONT, type Pen, penFor } from './clip-pen.ts'
import type { Range } from './ranges.ts'

export interface ClipContents {
  shape: Exclude<ClipShape, 'sound'>
  captions: ClipCaptions
  /** In the order they are said, in milliseconds of the clip. */
  words: readonly Said[]
  /** By the number of the speaker; none where names are not shown. */
  names: ReadonlyMap<number, string>
  /** Of the recording. */
  title: string
  isFilm: boolean
}

/** As the dark page has them: letters, their ground, and bars. */
const speakers = [
  ['#8fcbfe', '#1c3346', '#5eaceb'],
  ['#e8aee2', '#3d283b', '#cf88c8'],
  ['#f2b685', '#412b18', '#db9152'],
  ['#76d8cc', '#103833', '#26bdae'],
  ['#c3bafe', '#302c46', '#a497ea'],
  ['#b0d18f', '#29351c', '#8cb460'],
  ['#fbabb0', '#442729', '#e5848c'],
  ['#d2c67c', '#363114', '#b6a643'],
] as const
const nobody = ['#afbbb2', '#263029', '#8a998f'] as const
const coloursOf = (speaker: number | null) =>
  (speaker === null ? null : speakers[laneOf(speaker)]) ?? nobody

const LINE = 1.36
/** Where the base line of a line stands, and how much room a mark leaves around a word; in sizes. */
const BASE = 0.98
const MARK = { side: 0.14, above: 0.93, below: 0.29, round: 0.14 }
const { name: NAME_PX, title: TITLE_PX } = clipSizes
const MARGIN = 0.075
const GAP = 0.27

export async function drawingOf(
  contents: ClipContents,
  { durationMs, heights }: { durationMs: number; heights: readonly number[] },
): Promise<Drawing> {
  const { shape, words, title, isFilm } = contents
  const names = new Map([...contents.names].map(([speaker, name]) => [speaker, shortened(name)]))
  const layout = clipLayouts[shape]
  const captions =
    contents.captions === 'none'
      ? []
      : captionsOf(words, { letters: layout.letters, endMs: durationMs })
  const letters = [...new Set(words.map(({ speaker }) => speaker))].flatMap((speaker) =>
    speaker === null ? [] : speakerLetters(speaker),
  )
  const shown = captions.flatMap(({ lines }) => lines.flat().map(({ text }) => text))
  const pen = await penFor([...shown, ...names.values(), ...letters, title])
  const whole = { startMs: 0, endMs: durationMs }
  const events: string[] = []
  const drawn: Drawn = {
    pen,
    layout,
    contents: { ...contents, names },
    draw: (layer, look) => events.push(event(layer, look)),
  }

  if (!isFilm) {
    drawTitle(drawn, whole)
    drawWave(drawn, { durationMs, heights })
    for (const stretch of voicesOf(words, durationMs)) drawName(drawn, stretch)
  }
  for (const caption of captions) drawCaption(drawn, caption)
  return { script: script(layout, events), font: pen.font }
}

/** A longer name is cut. */
const LONGEST_NAME = 24

const shortened = (name: string): string =>
  name.length > LONGEST_NAME
    ? `${name
        .slice(0, LONGEST_NAME - 1)
        .toWellFormed()
        .trimEnd()}…`
    : name

type Layout = (typeof clipLayouts)[ClipContents['shape']]

interface Drawn {
  pen: Pen
  layout: Layout
  contents: ClipContents
  draw: (layer: number, look: Look) => void
}

interface Look extends Range {
  /** In eighths of a pixel. */
  lines: string
  colour: string
  /** From 0, unseen, to 1. */
  seen?: number
  /** Tags of libass before the lines. */
  more?: string
}

function drawCaption({ pen, layout, contents, draw }: Drawn, caption: Caption): void {
  const { isFilm } = contents
  const margin = layout.width * MARGIN
  const lines = caption.lines
    .map((line) => line.filter(({ text }) => pen.spelt(text) !== ''))
    .filter((line) => line.length > 0)
  const widest = Math.max(...lines.map((line) => lengthOf(pen, line, layout.px)))
  // A font that is wider than others is drawn smaller, so that nothing leaves the picture.
  const px = layout.px * Math.min(1, (layout.width - 2 * margin) / widest)
  const top = isFilm
    ? layout.height * layout.foot - lines.length * px * LINE
    : layout.height * layout.captions
  const placed = new Map<Said, { x: number; y: number }>()
  const paths: string[] = []
  for (const [row, line] of lines.entries()) {
    const width = lengthOf(pen, line, px)
    const y = top + row * px * LINE + BASE * px
    let x = (layout.width - width) / 2
    if (isFilm) {
      const room = { x: x - px * 0.3, y: y - px * BASE, width: width + px * 0.6, height: px * LINE }
      draw(1, { ...caption, lines: box(room, px * 0.16), colour: clipColours.ground, seen: 0.66 })
    }
    for (const { word, hasSpace } of asSeen(line)) {
      if (hasSpace) x += GAP * px
      placed.set(word, { x, y })
      paths.push(pen.lines(word.text, { x, y, px }))
      x += pen.widthOf(word.text, px)
    }
  }
  draw(2, { ...caption, lines: paths.join(' '), colour: clipColours.ink })
  if (isFilm) drawNameAbove({ pen, layout, contents, draw }, { ...caption, top })
  if (contents.captions !== 'words') return
  for (const { word, ...marked } of markedIn(caption)) {
    const at = placed.get(word)
    if (!at) continue
    const room = {
      x: at.x - MARK.side * px,
      y: at.y - MARK.above * px,
      width: pen.widthOf(word.text, px) + 2 * MARK.side * px,
      height: (MARK.above + MARK.below) * px,
    }
    draw(3, { ...marked, lines: box(room, MARK.round * px), colour: clipColours.marker })
    draw(4, {
      ...marked,
      lines: pen.lines(word.text, { ...at, px }),
      colour: clipColours.markerInk,
    })
  }
}

const lengthOf = (pen: Pen, line: readonly Said[], px: number): number =>
  line.reduce(
    (sum, { text }, at) => sum + pen.widthOf(text, px) + (hasSpaceBefore(line, at) ? GAP * px : 0),
    0,
  )

/** The words of a line from left to right. In one that is read from the right, others keep their own order. */
function asSeen(line: readonly Said[]): { word: Said; hasSpace: boolean }[] {
  const spaced = line.map((word, at) => ({ word, hasSpace: hasSpaceBefore(line, at) }))
  if (!isFromRight(line.map(({ text }) => text).join(' '))) return spaced
  const runs: { fromRight: boolean; words: Said[] }[] = []
  for (const word of line) {
    const last = runs.at(-1)
    const fromRight = isFromRight(word.text, 'ar')
    if (last?.fromRight === fromRight) last.words.push(word)
    else runs.push({ fromRight, words: [word] })
  }
  return runs
    .toReversed()
    .flatMap(({ fromRight, words }) => (fromRight ? words.toReversed() : words))
    .map((word, at) => ({ word, hasSpace: at > 0 }))
}

/** Who speaks when: each until another one does. */
function voicesOf(words: readonly Said[], durationMs: number): (Range & { speaker: number })[] {
  const voices: (Range & { speaker: number })[] = []
  for (const { speaker, startMs } of words.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = voices.at(-1)
    if (speaker === null || speaker === last?.speaker) continue
    if (last) last.endMs = startMs
    voices.push({ speaker, startMs: last ? startMs : 0, endMs: durationMs })
  }
  return voices
}

function drawTitle({ pen, layout, contents, draw }: Drawn, whole: Range): void {
  const px = layout.px * TITLE_PX
  const room = layout.width * (1 - 2 * MARGIN)
  const fitted = px * Math.min(1, room / Math.max(1, pen.widthOf(contents.title, px)))
  const y = layout.height * layout.top
  const lines = pen.lines(contents.title, { x: layout.width * MARGIN, y, px: fitted })
  draw(0, { ...whole, lines, colour: clipColours.quiet })
}

function drawName(drawn: Drawn, { speaker, ...when }: Range & { speaker: number }): void {
  const { layout, contents } = drawn
  const name = contents.names.get(speaker)
  if (name === undefined) return
  const px = layout.px * NAME_PX
  badge(drawn, {
    ...when,
    speaker,
    name,
    px,
    x: layout.width * MARGIN,
    y: layout.height * layout.top + px * 1.7,
  })
}

/** Upon a film a name stands over its caption. */
function drawNameAbove(drawn: Drawn, { speaker, top, ...when }: Caption & { top: number }): void {
  const { pen, layout, contents, draw } = drawn
  const name = speaker === null ? undefined : contents.names.get(speaker)
  if (speaker === null || name === undefined) return
  const px = layout.px * NAME_PX
  const width = px * 2 + pen.widthOf(name, px)
  const x = (layout.width - width) / 2
  const y = top - px * 0.75
  const room = { x: x - px * 0.4, y: y - px * 1.25, width: width + px * 0.8, height: px * 1.8 }
  draw(1, { ...when, lines: box(room, px * 0.3), colour: clipColours.ground, seen: 0.66 })
  badge(drawn, { ...when, speaker, name, px, x, y })
}

/** A speaker's letter in its square, and the name beside it; `y` is the base line. */
function badge(
  { pen, draw }: Drawn,
  {
    speaker,
    name,
    px,
    x,
    y,
    ...when
  }: Range & { speaker: number; name: string; px: number; x: number; y: number },
): void {
  const [colour, tint] = coloursOf(speaker)
  const letter = speakerLetters(speaker)
  const size = px * 1.45
  draw(1, {
    ...when,
    lines: box({ x, y: y - px * 1.08, width: size, height: size }, px * 0.26),
    colour: tint,
  })
  const small = px * 0.86
  const inner = x + (size - pen.widthOf(letter, small)) / 2
  draw(2, { ...when, lines: pen.lines(letter, { x: inner, y: y - px * 0.05, px: small }), colour })
  draw(2, { ...when, lines: pen.lines(name, { x: x + px * 2, y, px }), colour })
}

/** Bars in the colours of who speaks; those that were heard are bright. */
function drawWave(
  { layout, contents, draw }: Drawn,
  { durationMs, heights }: { durationMs: number; heights: readonly number[] },
): void {
  const { width, height, bars } = layout
  const left = width * MARGIN
  const step = (width - 2 * left) / bars
  const middle = height * layout.wave
  const voices = voicesOfBars(contents.words, { bars, lengthMs: durationMs })
  const byColour = new Map<string, string[]>()
  for (const [at, share] of heightsOf(heights, bars).entries()) {
    const tall = Math.max(step * 0.5, share * height * layout.waveHeight)
    const room = {
      x: left + at * step + step * 0.25,
      y: middle - tall / 2,
      width: step * 0.5,
      height: tall,
    }
    const [, , colour] = coloursOf(voices[at] ?? null)
    byColour.set(colour, [...(byColour.get(colour) ?? []), box(room, step * 0.25)])
  }
  const whole = { startMs: 0, endMs: durationMs }
  const clip = (to: number) => `\\clip(0,0,${Math.round(to)},${height})`
  for (const [colour, boxes] of byColour) {
    const lines = boxes.join(' ')
    draw(0, { ...whole, lines, colour, seen: 0.38 })
    const more = `${clip(left)}\\t(0,${durationMs},${clip(width - left)})`
    draw(1, { ...whole, lines, colour, more })
  }
}

/** A box with round corners, as lines of libass. */
function box(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  radius: number,
): string {
  const r = Math.min(radius, width / 2, height / 2)
  // Where the handles of a curve lie that is a quarter of a circle.
  const k = r * 0.4477
  const [right, foot] = [x + width, y + height]
  const at = (...points: number[]) => points.map((point) => Math.round(point * 8)).join(' ')
  return [
    `m ${at(x + r, y)} l ${at(right - r, y)}`,
    `b ${at(right - k, y, right, y + k, right, y + r)} l ${at(right, foot - r)}`,
    `b ${at(right, foot - k, right - k, foot, right - r, foot)} l ${at(x + r, foot)}`,
    `b ${at(x + k, foot, x, foot - k, x, foot - r)} l ${at(x, y + r)}`,
    `b ${at(x, y + k, x + k, y, x + r, y)}`,
  ].join(' ')
}

const script = ({ width, height }: Layout, events: readonly string[]): string =>
  [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, PrimaryColour, Outline, Shadow, Alignment',
    `Style: D,${PEN_FONT},&H00FFFFFF,0,0,7`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    ...events,
    '',
  ].join('\n')

function event(
  layer: number,
  { startMs, endMs, lines, colour, seen = 1, more = '' }: Look,
): string {
  const alpha = Math.round((1 - seen) * 255)
  const tags = `\\pos(0,0)\\1c&H${bgr(colour)}&\\1a&H${alpha.toString(16).toUpperCase()}&${more}\\p4`
  return `Dialogue: ${layer},${timeOf(startMs)},${timeOf(endMs)},D,{${tags}}${lines}`
}

/** Colours of libass are written from blue to red. */
const bgr = (colour: string): string =>
  colour
    .slice(1)
    .replace(/(..)(..)(..)/, '$3$2$1')
    .toUpperCase()

/** `0:00:01.25` */
function timeOf(ms: number): string {
  const hundredths = Math.round(ms / 10)
  const two = (count: number) => String(count).padStart(2, '0')
  const seconds = Math.floor(hundredths / 100)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`
}
