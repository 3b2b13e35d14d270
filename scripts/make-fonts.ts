/**
 * Makes the small fonts in .fonts before the browser side is built. Each has only what English text
 * and times need: 36 kB in place of 107. Other characters, such as another alphabet, a French
 * accent or a brace, come from the whole fonts (unicode-range in src/web/styles.css).
 *
 * On a slow connection text waits for these files. Each is small enough (11.6 kB with its headers)
 * to arrive in two round trips while five are loaded at once. The fonts are under the SIL Open Font
 * License, which allows this.
 */
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import subsetFont from 'subset-font'

const folder = fileURLToPath(new URL('../.fonts/', import.meta.url))
const { resolve } = createRequire(import.meta.url)

const ASCII = String.fromCharCode(
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index),
)
/** Only in the whole fonts: text rarely has these, and they would cost one more round trip. */
const RARE = '*<=>[\\]^`{|}~'
const PROSE = [...ASCII].filter((sign) => !RARE.includes(sign)).join('')
/** As in the unicode-range of each in styles.css. The space is in all: line boxes are measured by its font. */
export const TEXT = `${PROSE}\u00a0¢·×–—‘’“”•…−`
export const TIMES = ' ,-./0123456789:–'

const besley = (weight: number) => `@fontsource/besley/files/besley-latin-${weight}-normal.woff2`
const atkinson = (face: 'next' | 'mono') =>
  `@fontsource-variable/atkinson-hyperlegible-${face}/files/atkinson-hyperlegible-${face}-latin-wght-normal.woff2`

/** `keepFeatures` is newer than the published types. */
type Options = NonNullable<Parameters<typeof subsetFont>[2]> & { keepFeatures?: string[] }

interface Cut {
  name: string
  from: string
  text: string
  options?: Options
}

/** Headings need no alternative shapes of letters and figures; kerning is kept. */
const HEADING: Options = { noLayoutClosure: true }
/** Tables and times use figures of equal width. */
const BODY: Options = {
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['kern', 'liga', 'tnum'],
}

const cuts: readonly Cut[] = [
  { name: 'heading', from: besley(600), text: TEXT, options: HEADING },
  { name: 'statement', from: besley(400), text: TEXT, options: HEADING },
  { name: 'text', from: atkinson('next'), text: TEXT, options: BODY },
  { name: 'times', from: atkinson('mono'), text: TIMES },
]

export async function makeFonts(): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(cuts.map(cutOne))
}

async function cutOne({ name, from, text, options }: Cut): Promise<void> {
  const source = resolve(from)
  const target = join(folder, `${name}.woff2`)
  const made = await stat(target).catch(() => null)
  if (
    made &&
    made.mtimeMs > Math.max(await changedMs(source), await changedMs(import.meta.filename))
  )
    return
  const font = await subsetFont(await readFile(source), text, {
    targetFormat: 'woff2',
    ...options,
  })
  // Written under another name and renamed, so that a build that runs now never reads half a font.
  const part = `${target}.${process.pid}`
  await writeFile(part, font)
  await rename(part, target)
}

/** When a file was put here. Its own date is that of its making: npm keeps it when it unpacks. */
const changedMs = async (path: string): Promise<number> => (await stat(path)).ctimeMs
