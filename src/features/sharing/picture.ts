/**
 * The picture that messengers show beside an address: title, who speaks when, and by whom. Letters are
 * drawn as paths, so that no font of the system is needed; what our fonts have no letter for is left
 * out.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import { Resvg } from '@resvg/resvg-js'
import { type Font, create } from 'fontkit'

import { labelOf } from '#features/transcriptions/results.ts'
import { BRAND, TAGLINE } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'

import { cut, talkOf } from './page.ts'
import type { Shown } from './shown.ts'

const require = createRequire(import.meta.url)
const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const INNER = WIDTH - 2 * MARGIN
const TITLE_PX = 60
const MOST_LINES = 3
const MOST_VOICES = 4
const colours = {
  paper: '#f6fcf7',
  ink: '#12221b',
  quiet: '#3c5248',
  rule: '#d0dcd3',
  playhead: '#f24522',
}
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
const subsets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'devanagari']
/** What the first of them has letters for; each takes a moment to open. */
const isLatin = /^[\u0020-\u00ff\u2010-\u2026]*$/

export async function drawnOf(shown: Shown): Promise<Uint8Array> {
  const written = [shown.title, ...shown.names.values()].join(' ')
  const needed = isLatin.test(written) ? subsets.slice(0, 1) : subsets
  const fonts = await Promise.all(
    needed.map((subset) =>
      openFont(`@fontsource/noto-sans/files/noto-sans-${subset}-600-normal.woff2`),
    ),
  )
  const png = new Resvg(svgOf(shown, fonts), { font: { loadSystemFonts: false } }).render().asPng()
  // The memory of that one cannot be handed on to another thread.
  return new Uint8Array(png)
}

async function openFont(name: string): Promise<Font> {
  const font = create(await readFile(require.resolve(name)))
  if (!('layout' in font)) throw new Error(`${name} is a collection of fonts`)
  return font
}

function svgOf({ title, said, names, durationMs }: Shown, fonts: readonly Font[]): string {
  const lines = wrapped(fonts, cut(title, 140))
  const text = lines.map((line, index) =>
    letters(fonts, line, { x: MARGIN, y: 130 + index * 74, px: TITLE_PX, fill: colours.ink }),
  )
  const voices = talkOf(said)
  const listed = voices.slice(0, MOST_VOICES).map(({ speaker }) => labelOf(speaker, names))
  const more = voices.length > MOST_VOICES ? [`${voices.length - MOST_VOICES} more`] : []
  const facts = [...listed, ...more, formatTime(durationMs / 1000)].join(' · ')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="${colours.paper}"/>
${text.join('')}
<rect x="${MARGIN}" y="392" width="${INNER}" height="40" fill="${colours.rule}"/>
${said.map((turn) => stretch(turn, durationMs)).join('')}
${letters(fonts, cut(facts, 90), { x: MARGIN, y: 366, px: 28, fill: colours.quiet })}
${mark(MARGIN, 520)}
${letters(fonts, BRAND, { x: MARGIN + 58, y: 556, px: 38, fill: colours.ink })}
${letters(fonts, TAGLINE, { x: 310, y: 554, px: 26, fill: colours.quiet })}
</svg>`
}

function stretch(
  { speaker, startMs, endMs }: Pick<Shown['said'][number], 'speaker' | 'startMs' | 'endMs'>,
  durationMs: number,
): string {
  if (speaker === null || durationMs <= 0) return ''
  const x = MARGIN + (startMs / durationMs) * INNER
  const width = Math.max(1, ((endMs - startMs) / durationMs) * INNER)
  const lane = speaker < 3 ? speaker : 3 + ((speaker - 3) % 5)
  return `<rect x="${x.toFixed(1)}" y="392" width="${width.toFixed(1)}" height="40" fill="${lanes[lane]}"/>`
}

/** The same two paths as the mark of the pages. */
const mark = (x: number, y: number) =>
  `<g transform="translate(${x} ${y}) scale(1.4)" fill="none" stroke-width="2.9" stroke-linecap="round"><path stroke="${colours.ink}" d="M3.4 10v9M7.3 5.5v18M11.1 3.5v3.2M11.1 22.3v3.2M15 3v2.7M15 23.3V26M18.9 3.5v3.2M18.9 22.3v3.2M26.6 10v9"/><path stroke="${colours.playhead}" d="M22.7 5.5v24.3"/></g>`

function wrapped(fonts: readonly Font[], text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(fonts, longer) <= INNER) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.slice(0, MOST_LINES)
}

/** A text in stretches of one font each, which has all their letters. */
function runsOf(fonts: readonly Font[], text: string): { font: Font; text: string }[] {
  const runs: { font: Font; text: string }[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    const last = runs.at(-1)
    const font = last?.font.hasGlyphForCodePoint(code)
      ? last.font
      : fonts.find((each) => each.hasGlyphForCodePoint(code))
    if (!font) continue
    if (last && last.font === font) last.text += letter
    else runs.push({ font, text: letter })
  }
  return runs
}

const widthOf = (fonts: readonly Font[], text: string): number =>
  runsOf(fonts, text).reduce(
    (sum, run) => sum + (run.font.layout(run.text).advanceWidth * TITLE_PX) / run.font.unitsPerEm,
    0,
  )

function letters(
  fonts: readonly Font[],
  text: string,
  { x, y, px, fill }: { x: number; y: number; px: number; fill: string },
): string {
  let from = x
  return runsOf(fonts, text)
    .map((run) => {
      const { glyphs, positions, advanceWidth } = run.font.layout(run.text)
      const scale = px / run.font.unitsPerEm
      let at = 0
      const drawn = glyphs.map((glyph, index) => {
        const { xAdvance = 0, xOffset = 0 } = positions[index] ?? {}
        const path = `<path transform="translate(${at + xOffset} 0)" d="${glyph.path.toSVG()}"/>`
        at += xAdvance
        return path
      })
      const start = from
      from += advanceWidth * scale
      // The y axis points up in fonts and down in pictures.
      return `<g fill="${fill}" transform="translate(${start} ${y}) scale(${scale} ${-scale})">${drawn.join('')}</g>`
    })
    .join('')
}
