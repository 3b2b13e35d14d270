/**
 * The letters of every writing that the fonts of the product have: which font draws which of them,
 * where a line may end, and in which order its stretches are seen.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import bidiModule from 'bidi-js'
import decompress from 'woff2-encoder/decompress'

import { openFont } from './fonts.ts'

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

/** Writings with a font of their own; what else is in that font is drawn by the first. */
const writings = [
  '@fontsource/noto-sans-armenian',
  '@fontsource/noto-sans-bengali',
  '@fontsource/noto-sans-ethiopic',
  '@fontsource/noto-sans-georgian',
  '@fontsource/noto-sans-gujarati',
  '@fontsource/noto-sans-gurmukhi',
  '@fontsource/noto-sans-kannada',
  '@fontsource/noto-sans-khmer',
  '@fontsource/noto-sans-lao',
  '@fontsource/noto-sans-malayalam',
  '@fontsource/noto-sans-myanmar',
  '@fontsource/noto-sans-sinhala',
  '@fontsource/noto-sans-tamil',
  '@fontsource/noto-sans-telugu',
  '@fontsource/noto-sans-thai',
]
const signs = [
  '@fontsource/noto-sans-math',
  '@fontsource/noto-sans-symbols',
  '@fontsource/noto-sans-symbols-2',
]
const familyOf = (name: string) => name.replace('@fontsource/', '')

/** Earlier ones come first: Latin letters are never taken from a Chinese font. */
export const fonts: Font[] = [
  ...filesOf('@fontsource/noto-sans', static400('noto-sans')).toSorted(
    (a, b) => rank(a.name) - rank(b.name),
  ),
  ...filesOf('@fontsource/noto-sans-arabic', static400('noto-sans-arabic')),
  ...filesOf('@fontsource/noto-sans-hebrew', static400('noto-sans-hebrew')),
  ...writings.flatMap((name) =>
    filesOf(name, static400(familyOf(name))).filter((font) =>
      font.name.endsWith(` ${familyOf(name).replace('noto-sans-', '')}`),
    ),
  ),
  ...signs.flatMap((name) => filesOf(name, static400(familyOf(name)))),
  ...filesOf('@fontsource-variable/noto-sans-sc', variable('noto-sans-sc'), true),
  ...filesOf('@fontsource-variable/noto-sans-kr', variable('noto-sans-kr'), true),
]

function rank(name: string): number {
  const order = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek']
  const found = order.indexOf(name.split(' ').at(-1) ?? '')
  return found === -1 ? order.length : found
}

/** The bytes of a font as the library that draws reads them: a variable one only when unpacked. */
const loaded = new Map<Font, { bytes: Buffer; has: (code: number) => boolean }>()

async function load(font: Font) {
  const known = loaded.get(font)
  if (known) return known
  const packed = readFileSync(font.file)
  const bytes = font.isVariable ? Buffer.from(await decompress(packed)) : packed
  const opened = openFont(bytes, font.name)
  const has = (code: number) => opened.hasGlyphForCodePoint(code)
  const made = { bytes, has }
  loaded.set(font, made)
  return made
}

/** Of a font that was chosen for some letter. */
export function bytesOf(font: Font): Buffer {
  const known = loaded.get(font)
  if (!known) throw new Error(`${font.name} was chosen for no letter`)
  return known.bytes
}

const chosen = new Map<string, Font | null>()
/** How many are remembered from one drawing to the next. */
const MOST_CHOSEN = 50_000

/** Before a drawing, whose letters are all chosen first: what is forgotten then is not missed in it. */
export function beginDrawing(): void {
  if (chosen.size >= MOST_CHOSEN) chosen.clear()
}

/**
 * The font that has every sign of a letter with its marks. The lists of the packages are written for
 * style sheets and name more than the files hold, so the file itself is asked.
 */
async function choose(letter: string): Promise<Font | null> {
  const known = chosen.get(letter)
  if (known !== undefined) return known
  const codes = partsSeen(letter)
  const [first = 0] = codes
  // The Chinese font's own list names all of Hangul, but the font lacks letters of it.
  const isKorean = /\p{Script=Hangul}/u.test(letter)
  let found: Font | null = null
  for (const font of fonts) {
    if (isKorean && !font.name.includes('noto-sans-kr')) continue
    if (!font.ranges.some(([from, to]) => first >= from && first <= to)) continue
    const { has } = await load(font)
    if (!codes.every(has)) continue
    found = font
    break
  }
  chosen.set(letter, found)
  return found
}

/** They choose how a sign is shown, or join two, and have no glyph. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{VS}/u

const partsSeen = (letter: string): number[] =>
  [...letter].filter((sign) => !unseen.test(sign)).map((sign) => sign.codePointAt(0) ?? 0)

/** The spelling of signs that no font has, where NFKC knows no other. */
const spelt: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2015': '—',
  '♪': '#',
  '♫': '#',
  '☐': '[ ]',
  '☑': '[x]',
  // The same sound in the other kana.
  ゔ: 'ヴ',
}

/** How a letter is drawn: as it is, spelt otherwise, or not at all. */
async function asDrawn(letter: string): Promise<string | null> {
  if (partsSeen(letter).length === 0) return ''
  // An emoji of several signs is one picture; a font for text has its parts at most.
  const isPicture = /\p{RGI_Emoji}/v.test(letter) && partsSeen(letter).length > 1
  if (!isPicture && (await choose(letter))) return letter
  const other = spelt[letter] ?? letter.normalize('NFKC')
  if (other === letter) return null
  for (const { segment } of graphemes.segment(other)) if (!(await choose(segment))) return null
  return other
}

/**
 * A text that can be drawn letter by letter. What no font has is named in brackets: "[emoji]",
 * "[Tibetan]", once for a whole stretch. A sign with another spelling is spelt so.
 */
export async function drawable(
  text: string,
  { isNamed = true } = {},
): Promise<{ text: string; isWhole: boolean }> {
  if (/^[ -~]*$/.test(text)) {
    for (const letter of new Set(text)) await choose(letter)
    return { text, isWhole: true }
  }
  let drawn = ''
  let isWhole = true
  let named: string | null = null
  for (const { segment } of graphemes.segment(text)) {
    const letter = await asDrawn(segment)
    if (letter !== null) {
      // A space between two letters of one writing is a part of the stretch.
      if (named !== null && /^\s$/.test(letter)) continue
      const isApart = named !== null && /^[\p{L}\p{N}]/u.test(letter)
      // "2⅓" is not "21⁄3".
      const isFraction = letter !== segment && /^\d/.test(letter) && /\d$/.test(drawn)
      if ((isApart || isFraction) && !drawn.endsWith(' ')) drawn += ' '
      named = null
      drawn += letter
      continue
    }
    const name = nameOf(segment)
    if (isNamed && name !== named) {
      if (/[\p{L}\p{N}\]]$/u.test(drawn)) drawn += ' '
      drawn += `[${name}]`
      for (const sign of `[${name}] `) await choose(sign)
    }
    if (isNamed) named = name
    isWhole = false
  }
  return { text: drawn, isWhole }
}

const unnamed =
  'Adlam Balinese Buginese Cherokee Coptic Cham Gothic Javanese Mongolian Nko Runic Samaritan Sundanese Syriac Tagalog Thaana Tibetan Tifinagh Vai Yi'
    .split(' ')
    .map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

function nameOf(letter: string): string {
  if (/\p{RGI_Emoji}|\p{Extended_Pictographic}/v.test(letter)) return 'emoji'
  const writing = unnamed.find(([, pattern]) => pattern.test(letter))?.[0]
  if (writing !== undefined) return writing
  return /\p{L}/u.test(letter) ? 'letter' : 'sign'
}

interface FontRun {
  text: string
  font: Font
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text by the fonts it needs; it has been through `drawable`. */
export function piecesOf(text: string): FontRun[] {
  const pieces: FontRun[] = []
  for (const { segment } of graphemes.segment(text)) {
    const font = chosen.get(segment) ?? null
    if (font === null) continue
    const last = pieces.at(-1)
    if (last?.font === font) last.text += segment
    else pieces.push({ text: segment, font })
  }
  return pieces
}

/** Puts as many words into each line as fit, or characters where a writing has no spaces. */
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
/** Here a dictionary says where a word ends, and a line may too. */
const joined = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** No line begins with what closes a sentence. */
function charactersOf(text: string, by = graphemes): string[] {
  const characters: string[] = []
  for (const { segment } of by.segment(text))
    if (/^[\p{Pe}\p{Pf}\p{Po}\s]/u.test(segment) && characters.length > 0)
      characters.push(`${characters.pop() ?? ''}${segment}`)
    else characters.push(segment)
  return characters
}

/** Where a line may end: after spaces, around characters that stand for words, in endless words. */
function partsOf(text: string): string[] {
  return text.split(/(?<=\s)/u).flatMap((part) => {
    if (unspaced.test(part)) return charactersOf(part)
    if (joined.test(part)) return charactersOf(part, words)
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

/**
 * Writings whose letters are drawn joined, parted or in another order than they are written in. From what is
 * drawn no program can tell what was written: it copies and finds other words, unless a file says it. Hebrew
 * is drawn letter by letter, and programs put its letters in order by themselves.
 */
export const drawnAsOthers = new RegExp(
  `[${[
    'Arabic',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Thai',
    'Lao',
    'Myanmar',
    'Khmer',
  ]
    .map((name) => `\\p{Script=${name}}`)
    .join('')}]`,
  'u',
)

/**
 * Fonts put the letters of Arabic and Hebrew in order themselves; signs between them are turned here.
 * `said` is what a file has to say of a piece so that its words are copied: as it was written; but what
 * is read from the right stands there as it is seen, each word by itself, because those who read files
 * (PDFium, Poppler, MuPDF) turn what is said just like what is drawn. Vowel signs would part its letters.
 */
export function visualPieces(run: Run): (FontRun & { said: string })[] {
  const pieces = piecesOf(run.text)
  if (!run.isFromRight) return pieces.map((piece) => ({ ...piece, said: piece.text }))
  return pieces.toReversed().flatMap(({ text, ...rest }) =>
    wordsFromRight(text).map((part) => ({
      ...rest,
      text: fromTheRight.test(part) ? part : mirrored(part),
      said: [...part.replace(/\p{Mn}/gu, '')].toReversed().join(''),
    })),
  )
}

/** The words of what is drawn joined, and the signs between them, in the order in which they are seen. */
const wordsFromRight = (text: string): string[] =>
  drawnAsOthers.test(text)
    ? text
        .split(/([\p{L}\p{M}؛؟]+)/u)
        .filter((part) => part !== '')
        .toReversed()
    : [text]

const mirrored = (text: string): string =>
  [...text]
    .toReversed()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('')
