/**
 * The pictures that messengers show beside an address: their size, their colours and what all of
 * them hold. Letters are drawn as paths, so that no font of the system is needed.
 */
import { Resvg } from '@resvg/resvg-js'
import type { Font } from 'fontkit'

const WIDTH = 1200
const HEIGHT = 630
export const MARGIN = 80
export const INNER = WIDTH - 2 * MARGIN
export const colours = {
  paper: '#f6fcf7',
  ink: '#12221b',
  quiet: '#3c5248',
  bar: '#8aa295',
  rule: '#d0dcd3',
  playhead: '#f24522',
}

export const widthOf = (font: Font, text: string, px: number): number =>
  (font.layout(text).advanceWidth * px) / font.unitsPerEm

/** A text of one font and direction. An outline, in sizes, makes its letters bolder. */
export function letters(
  font: Font,
  text: string,
  {
    x,
    y,
    px,
    fill,
    outline = 0,
  }: { x: number; y: number; px: number; fill: string; outline?: number },
): string {
  const { glyphs, positions } = font.layout(text)
  const scale = px / font.unitsPerEm
  let at = 0
  const drawn = glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const path = `<path transform="translate(${at + xOffset} ${yOffset})" d="${glyph.path.toSVG()}"/>`
    at += xAdvance
    return path
  })
  const stroke =
    outline > 0 ? ` stroke="${fill}" stroke-width="${(outline * font.unitsPerEm).toFixed(1)}"` : ''
  // The y axis points up in fonts and down in pictures.
  return `<g fill="${fill}"${stroke} transform="translate(${x} ${y}) scale(${scale} ${-scale})">${drawn.join('')}</g>`
}

/** The same two paths as ui/mark.tsx. */
export const mark = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y}) scale(1.4)" fill="none" stroke-width="2.9" stroke-linecap="round"><path stroke="${colours.ink}" d="M3.4 10v9M7.3 5.5v18M11.1 3.5v3.2M11.1 22.3v3.2M15 3v2.7M15 23.3V26M18.9 3.5v3.2M18.9 22.3v3.2M26.6 10v9"/><path stroke="${colours.playhead}" d="M22.7 5.5v24.3"/></g>`

/** As PNG: these drawings on paper. */
export function pictureOf(...drawings: readonly string[]): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="${colours.paper}"/>
${drawings.join('\n')}
</svg>`
  const png = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
  // The memory of that one cannot be handed on to another thread.
  return new Uint8Array(png)
}
