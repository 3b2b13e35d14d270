/**
 * The letters of every writing that the fonts of the product have: which font draws which of them,
 * where a line may end, and in which order its stretches are seen.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import bidiModule from 'bidi-js'

import { NotDrawable } from './paper.ts'

const require = createRequire(import.meta.url)

// Its types promise a default export, but the module is the function itself.
const bidi = (bidiModule as unknown as typeof bidiModule.default)()

export interface Font {
  name: string
  file: string
  ranges: (readonly [from: number, to: number])[]
  /** A font of all weights in one, of which the library that draws takes the thinnest. */
  isVariable: boolean
}

/** The files of a font package, each with the characters it holds. */
function filesOf(name: string, fileOf: (part: string) => string, isVariable = false): Font[] {
  const folder = join(require.resolve(`${name}/package.json`), '..')
  const parts = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >
  return Object.entries(parts).map(([part, ranges]) => ({
    name: `${name} ${part}`,
    file: join(folder, 'files', fileOf(part.replace(/[[\]]/g, ''))),
    ranges: ranges.split(',').map((range) => {
      const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
      return [parseInt(from, 16), parseInt(to, 16)] as const
    }),
    isVariable,
  }))
}

const static400 = (family: string) => (part: string) => `${family}-${part}-400-normal.woff`
const variable = (family: string) => (part: string) => `${family}-${part}-wght-normal.woff2`

/** Earlier ones come first: Latin letters are never taken from a Chinese font. */
export const fonts: Font[] = [
  ...filesOf('@fontsource/noto-sans', static400('noto-sans')).toSorted(
    (a, b) => rank(a.name) - rank(b.name),
  ),
  ...filesOf('@fontsource/noto-sans-arabic', static400('noto-sans-arabic')),
  ...filesOf('@fontsource/noto-sans-hebrew', static400('noto-sans-hebrew')),
  ...filesOf('@fontsource-variable/noto-sans-sc', variable('noto-sans-sc'), true),
  ...filesOf('@fontsource-variable/noto-sans-kr', variable('noto-sans-kr'), true),
]

function rank(name: string): number {
  const order = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek']
  const found = order.indexOf(name.split(' ').at(-1) ?? '')
  return found === -1 ? order.length : found
}

const chosen = new Map<number, Font | null>()

export function fontOf(code: number): Font | null {
  const known = chosen.get(code)
  if (known !== undefined) return known
  // The Chinese font's own list names all of Hangul, but the font lacks letters of it.
  const isKorean = /\p{Script=Hangul}/u.test(String.fromCodePoint(code))
  const font =
    fonts.find(
      ({ name, ranges }) =>
        (!isKorean || name.includes('noto-sans-kr')) &&
        ranges.some(([from, to]) => code >= from && code <= to),
    ) ?? null
  chosen.set(code, font)
  return font
}

interface Piece {
  text: string
  font: Font
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text by the fonts it needs. What is no letter and in no font is left out. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  for (const { segment } of graphemes.segment(text)) {
    const font = fontOf(segment.codePointAt(0) ?? 0)
    if (font === null) {
      if (/\p{L}/u.test(segment)) throw new NotDrawable('no font has a letter of this text')
      continue
    }
    const last = pieces.at(-1)
    if (last?.font === font) last.text += segment
    else pieces.push({ text: segment, font })
  }
  return pieces
}

/** As many words to a line as fit; where none are set apart, as many characters. */
export function linesOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const part of partsOf(text)) {
    const more = widthOf(part)
    if (used + widthOf(part.trimEnd()) > width && line !== '') {
      lines.push(line)
      line = ''
      used = 0
    }
    line += part
    used += more
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}

const LONGEST_PART = 40
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** No line begins with what closes a sentence. */
function charactersOf(text: string): string[] {
  const characters: string[] = []
  for (const { segment } of graphemes.segment(text))
    if (/^[\p{Pe}\p{Pf}\p{Po}\s]/u.test(segment) && characters.length > 0)
      characters.push(`${characters.pop() ?? ''}${segment}`)
    else characters.push(segment)
  return characters
}

/** Where a line may end: after spaces, around characters that stand for words, in endless words. */
function partsOf(text: string): string[] {
  return text.split(/(?<=\s)/u).flatMap((part) => {
    if (unspaced.test(part)) return charactersOf(part)
    if (part.length <= LONGEST_PART) return [part]
    const all = [...graphemes.segment(part)].map(({ segment }) => segment)
    const pieces: string[] = []
    for (let at = 0; at < all.length; at += 10) pieces.push(all.slice(at, at + 10).join(''))
    return pieces
  })
}

interface Run {
  text: string
  isFromRight: boolean
}

/** The stretches of a line in one direction, from left to right as they are seen. */
export function visualRuns(line: string, fromRight: boolean): Run[] {
  if (!fromRight && !fromTheRight.test(line)) return [{ text: line, isFromRight: false }]
  const { levels } = bidi.getEmbeddingLevels(line, fromRight ? 'rtl' : 'ltr')
  const runs: { text: string; level: number }[] = []
  for (let at = 0; at < line.length; at += 1) {
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    if (last && last.level === level) last.text += line[at] ?? ''
    else runs.push({ text: line[at] ?? '', level })
  }
  const highest = Math.max(...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level -= 1)
    for (let from = 0; from < runs.length; from += 1) {
      let to = from
      while (to < runs.length && (runs[to]?.level ?? 0) >= level) to += 1
      if (to > from + 1) runs.splice(from, to - from, ...runs.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  return runs.map(({ text, level }) => ({ text, isFromRight: level % 2 === 1 }))
}

export const fromTheRight = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Fonts put the letters of Arabic and Hebrew in order themselves; signs between them are turned here. */
export function visualPieces(run: Run): Piece[] {
  const pieces = piecesOf(run.text)
  if (!run.isFromRight) return pieces
  return pieces
    .toReversed()
    .map(({ text, font }) => ({ text: fromTheRight.test(text) ? text : mirrored(text), font }))
}

const mirrored = (text: string): string =>
  [...text]
    .toReversed()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('')
