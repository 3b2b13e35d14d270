/**
 * Draws words as lines for libass, which then needs no font and no file of one: the letters are those of
 * the pages of the product, and of its prints where a page has none for a writing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import decompress from 'woff2-encoder/decompress'

import { type Font, openFont } from '#server/fonts.ts'
import {
  type Font as Face,
  beginDrawing,
  bytesOf,
  drawable,
  visualPieces,
  visualRuns,
} from '#server/letters.ts'
import { isFromRight } from '#shared/direction.ts'

/** Of the font that every pen has. */
export const PEN_FONT = 'Atkinson Hyperlegible Next'

export interface Pen {
  /** A font in full, named `PEN_FONT`. */
  font: Uint8Array
  /** A text as it can be drawn; empty where no font has any of its letters. */
  spelt(text: string): string
  /** In pixels. */
  widthOf(text: string, px: number): number
  /** Lines of libass, in eighths of a pixel, from the left end of the base line. */
  lines(text: string, place: { x: number; y: number; px: number }): string
}

/** A letter's line in shares of its size, the y axis pointing up. */
interface Step {
  command: 'm' | 'l' | 'b'
  points: readonly (readonly [number, number])[]
}
interface Shaped {
  width: number
  steps: readonly Step[]
}

const WEIGHT = { wght: 700 }
const require = createRequire(import.meta.url)
const pagesFont = '@fontsource-variable/atkinson-hyperlegible-next'
let ownFaces: Promise<OwnFace[]> | undefined
interface OwnFace {
  bytes: Buffer
  font: Font
}

/** The fonts of the pages: of Latin letters, and of those with marks. */
const openOwn = (): Promise<OwnFace[]> =>
  (ownFaces ??= Promise.all(
    ['latin', 'latin-ext'].map(async (part) => {
      const file = join(
        require.resolve(`${pagesFont}/package.json`),
        `../files/atkinson-hyperlegible-next-${part}-wght-normal.woff2`,
      )
      const bytes = Buffer.from(await decompress(readFileSync(file)))
      return { bytes, font: openFont(bytes, file).getVariation(WEIGHT) }
    }),
  ))

const opened = new Map<string, Font>()

/** As heavy as the words of a caption are; signs have one weight. */
function heavy(face: Face): Font {
  const known = opened.get(face.name)
  if (known) return known
  const file = face.file.replace('-400-', '-700-')
  const font = face.isVariable
    ? openFont(bytesOf(face), face.name).getVariation(WEIGHT)
    : openFont(readFileSync(existsSync(file) ? file : face.file), face.name)
  opened.set(face.name, font)
  return font
}

/** A pen for these texts. */
export async function penFor(texts: Iterable<string>): Promise<Pen> {
  beginDrawing()
  const own = await openOwn()
  const faces = own.map(({ font }) => font)
  const spelt = new Map<string, string>()
  for (const text of new Set(texts)) {
    const neat = text.toWellFormed().replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
    const drawn = await drawable(neat.trim(), { isNamed: false })
    spelt.set(text, drawn.text.trim())
  }
  const shaped = new Map<string, Shaped>()
  const shapeOf = (text: string): Shaped => {
    const known = shaped.get(text)
    if (known) return known
    const made = shape(spelt.get(text) ?? '', faces)
    shaped.set(text, made)
    return made
  }
  return {
    font: own[0]?.bytes ?? new Uint8Array(),
    spelt: (text) => spelt.get(text) ?? '',
    widthOf: (text, px) => shapeOf(text).width * px,
    lines: (text, { x, y, px }) =>
      shapeOf(text)
        .steps.map(({ command, points }) => {
          const at = points.map(
            ([across, up]) => `${eighths(x + across * px)} ${eighths(y - up * px)}`,
          )
          return `${command} ${at.join(' ')}`
        })
        .join(' '),
  }
}

const eighths = (px: number): number => Math.round(px * 8)

function shape(text: string, faces: readonly Font[]): Shaped {
  const steps: Step[] = []
  let width = 0
  const pieces = visualRuns(text, isFromRight(text)).flatMap(visualPieces)
  for (const piece of pieces)
    for (const run of inFaces(piece.text, faces, piece.font)) {
      const { glyphs, positions } = run.font.layout(run.text)
      const scale = 1 / run.font.unitsPerEm
      for (const [index, glyph] of glyphs.entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
        const place = (x: number, y: number) =>
          [width + (x + xOffset) * scale, (y + yOffset) * scale] as const
        steps.push(...stepsOf(glyph.path.commands, place))
        width += xAdvance * scale
      }
    }
  return { width, steps }
}

/** A piece by the fonts that draw it: the product's own where they have its letters. */
function inFaces(
  text: string,
  faces: readonly Font[],
  other: Face,
): { text: string; font: Font }[] {
  const runs: { text: string; font: Font }[] = []
  for (const { segment } of graphemes.segment(text)) {
    const codes = [...segment].map((sign) => sign.codePointAt(0) ?? 0)
    const font =
      faces.find((face) => codes.every((code) => face.hasGlyphForCodePoint(code))) ?? heavy(other)
    const last = runs.at(-1)
    if (last?.font === font) last.text += segment
    else runs.push({ text: segment, font })
  }
  return runs
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

type Point = readonly [number, number]

function stepsOf(
  commands: readonly { command: string; args: number[] }[],
  place: (x: number, y: number) => Point,
): Step[] {
  const steps: Step[] = []
  let [atX, atY] = [0, 0]
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
    switch (command) {
      case 'moveTo':
        steps.push({ command: 'm', points: [place(a, b)] })
        break
      case 'lineTo':
        steps.push({ command: 'l', points: [place(a, b)] })
        break
      case 'quadraticCurveTo': {
        // libass knows curves of two handles: each lies two thirds of the way to the one handle.
        const first = place(atX + (2 / 3) * (a - atX), atY + (2 / 3) * (b - atY))
        const second = place(c + (2 / 3) * (a - c), d + (2 / 3) * (b - d))
        steps.push({ command: 'b', points: [first, second, place(c, d)] })
        break
      }
      case 'bezierCurveTo':
        steps.push({ command: 'b', points: [place(a, b), place(c, d), place(e, f)] })
        break
      default:
        continue
    }
    ;[atX = 0, atY = 0] = args.slice(-2)
  }
  return steps
}
