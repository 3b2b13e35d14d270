/**
 * Opens fonts. fontkit 2.0.4 throws at any mark that its font does not place upon the letter before
 * it, as in Gurmukhi, Malayalam and Khmer (https://github.com/foliojs/fontkit/issues/367). Here it
 * goes on with the font's next rule, as other programs do. Once fontkit does so itself, this file is
 * `create` again.
 */
import { type Font, create } from 'fontkit'

export type { Font }

interface Placing {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void
  applyLookup(kind: number, table: object): boolean
}

const ENGINE = '_layoutEngine'

let isMended = false

/** @throws Error where the bytes are a collection of fonts */
export function openFont(bytes: Buffer, name: string): Font {
  const font = create(bytes)
  if (!('layout' in font)) throw new Error(`${name} is a collection of fonts`)
  if (!isMended) isMended = mend(font)
  return font
}

/** All fonts share what places marks, those that the library for PDF opens by itself too. */
function mend(font: Font): boolean {
  const { GPOSProcessor } = (font as unknown as WithEngine)[ENGINE].engine
  if (!GPOSProcessor) return false
  const placing = Object.getPrototypeOf(GPOSProcessor) as Placing
  const { applyAnchor, applyLookup } = placing
  let isPlaced = true
  placing.applyAnchor = function (mark, base, at) {
    isPlaced = mark.markAnchor !== null && base !== null
    if (isPlaced) applyAnchor.call(this, mark, base, at)
  }
  placing.applyLookup = function (kind, table) {
    const isApplied = applyLookup.call(this, kind, table) && isPlaced
    isPlaced = true
    return isApplied
  }
  return true
}

/** Properties of a font that its types lack. */
interface WithEngine {
  [ENGINE]: { engine: { GPOSProcessor: Placing | null } }
}
