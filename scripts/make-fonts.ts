/**
 * Cuts the fonts of .fonts before the browser side is built: from each font that pages are set
 * in, what English text and times need of it, 36 kB instead of 107. Whatever else is written, names
 * in other alphabets, a summary in French or a brace, comes from the whole files (unicode-range in
 * src/web/styles.css).
 *
 * On a slow line text waits for these files, and each of them comes in two round trips while five
 * are under way (11.6 kB with its headers), which the whole ones do not. The fonts are under the SIL
 * Open Font License, which allows this.
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
/** Left to the whole files: text would wait one round trip longer for signs that it rarely has. */
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

/** Headings do without the second shapes of letters and figures; kerning stays. */
const HEADING: Options = { noLayoutClosure: true }
/** Figures of one width stand in tables and times. */
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
  // A build of the same moment must never read half a font.
  const part = `${target}.${process.pid}`
  await writeFile(part, font)
  await rename(part, target)
}

/** When it came to stand here: what npm unpacks keeps the date of its making. */
const changedMs = async (path: string): Promise<number> => (await stat(path)).ctimeMs
