/**
 * The picture that messengers show beside an address: the title, the speakers along the time, and the
 * name of the owner, in the fonts that files are printed with. Letters that no font has are left out.
 */
import { readFileSync } from 'node:fs'

import { printable } from '#features/exports/paper.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import { type Font, openFont } from '#server/fonts.ts'
import {
  type Font as Face,
  beginDrawing,
  drawable,
  linesOf,
  piecesOf,
  visualPieces,
  visualRuns,
} from '#server/letters.ts'
import {
  INNER,
  MARGIN,
  colours,
  letters,
  mark,
  pictureOf,
  widthOf,
} from '#server/preview-picture.ts'
import { BRAND, TAGLINE } from '#shared/business.ts'
import { isFromRight } from '#shared/direction.ts'
import { formatTime } from '#shared/format.ts'
import { laneOf } from '#shared/wave.ts'

import { cut, talkOf } from './page.ts'
import type { Shown } from './shown.ts'

const TITLE_PX = 60
const MOST_LINES = 3
const MOST_VOICES = 4
/** All together, in characters. */
const LONGEST_NAMES = 60
/** As the lanes of the pages: A, B, C and five that repeat. */
const lanes = [
  '#3487c8',
  '#ab60a5',
  '#b86a1c',
  '#3f8f57',
  '#7d6fc4',
  '#b6506b',
  '#5c7f97',
  '#8a7a2d',
]

export const drawnOf = async (shown: Shown): Promise<Uint8Array> =>
  pictureOf(...(await drawingsOf(shown)))

type Drawn = Pick<Shown, 'title' | 'said' | 'names' | 'durationMs'>

export async function drawingsOf({ title, said, names, durationMs }: Drawn): Promise<string[]> {
  beginDrawing()
  const pen = penOf()
  const voices = talkOf(said)
  const listed = voices.slice(0, MOST_VOICES).map(({ speaker }) => labelOf(speaker, names))
  const more = voices.length > MOST_VOICES ? [`${voices.length - MOST_VOICES} more`] : []
  const facts = [
    ...listed.map((name) => cut(name, LONGEST_NAMES / listed.length)),
    ...more,
    formatTime(durationMs / 1000),
  ]
  const separate = facts.flatMap((fact, at) => (at === 0 ? [fact] : [' · ', fact]))
  return [
    pen.title(await withFonts(cut(title, 140))),
    pen.line(await Promise.all(separate.map(withFonts)), {
      x: MARGIN,
      y: 366,
      px: 28,
      fill: colours.quiet,
    }),
    `<rect x="${MARGIN}" y="392" width="${INNER}" height="40" fill="${colours.rule}"/>`,
    ...said.map((turn) => stretch(turn, durationMs)),
    mark(MARGIN, 520),
    pen.line([await withFonts(BRAND)], { x: MARGIN + 58, y: 556, px: 38, fill: colours.ink }),
    pen.line([await withFonts(TAGLINE)], { x: 310, y: 554, px: 26, fill: colours.quiet }),
  ]
}

interface Style {
  x: number
  y: number
  px: number
  fill: string
}

/** A text without the letters that no font has. */
const withFonts = async (text: string): Promise<string> =>
  (await drawable(printable(text), { isNamed: false })).text

/** Draws texts, each line in the order in which it is seen; opens the fonts that it comes to need. */
function penOf() {
  const opened = new Map<string, Font>()
  function open({ name, file }: Face): Font {
    const font = opened.get(name) ?? openFont(readFileSync(file), name)
    opened.set(name, font)
    return font
  }
  const lengthOf = (text: string, px: number): number =>
    piecesOf(text).reduce((sum, piece) => sum + widthOf(open(piece.font), piece.text, px), 0)

  function draw(text: string, fromRight: boolean, { x, ...style }: Style): string {
    let at = x
    return visualRuns(text, fromRight)
      .flatMap(visualPieces)
      .map((piece) => {
        const font = open(piece.font)
        const from = at
        at += widthOf(font, piece.text, style.px)
        // Letters of variable fonts are their thinnest ones: those need more.
        const outline = piece.font.isVariable ? 0.065 : 0.03
        return letters(font, piece.text, { ...style, x: from, outline })
      })
      .join('')
  }

  return {
    /** Texts from left to right, each in its own direction. */
    line(texts: readonly string[], style: Style): string {
      let { x } = style
      return texts
        .map((text) => {
          const from = x
          x += lengthOf(text, style.px)
          return draw(text, isFromRight(text), { ...style, x: from })
        })
        .join('')
    },
    title(text: string): string {
      const all = linesOf(text, INNER, (part) => lengthOf(part, TITLE_PX))
      const lines = all.slice(0, MOST_LINES)
      const last = lines.at(-1)
      if (last !== undefined && all.length > MOST_LINES)
        lines[MOST_LINES - 1] = `${last.slice(0, -1).toWellFormed().trimEnd()}…`
      const fromRight = isFromRight(text)
      return lines
        .map((line, at) => {
          const x = fromRight ? MARGIN + INNER - lengthOf(line, TITLE_PX) : MARGIN
          const y = 130 + at * 74
          return draw(line, fromRight, { x, y, px: TITLE_PX, fill: colours.ink })
        })
        .join('')
    },
  }
}

function stretch(
  { speaker, startMs, endMs }: Pick<Shown['said'][number], 'speaker' | 'startMs' | 'endMs'>,
  durationMs: number,
): string {
  if (speaker === null || durationMs <= 0) return ''
  const x = MARGIN + (startMs / durationMs) * INNER
  const width = Math.max(1, ((endMs - startMs) / durationMs) * INNER)
  return `<rect x="${x.toFixed(1)}" y="392" width="${width.toFixed(1)}" height="40" fill="${lanes[laneOf(speaker)]}"/>`
}
