/** Reads the PDFs that are written here, as programs that copy or search their text do. */
import { inflateSync } from 'node:zlib'

/** What each of its packed streams holds, by the number of the object. */
export function streamsIn(pdf: Uint8Array): Map<string, string> {
  const objects = Buffer.from(pdf)
    .toString('latin1')
    .matchAll(/^(\d+) 0 obj\n(?:(?!endobj)[^])*?FlateDecode\s*>>\s*stream\n([^]*?)\nendstream/gm)
  return new Map(
    Array.from(objects, ([, number = '', packed = '']) => [
      number,
      inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'),
    ]),
  )
}

/** A string of a PDF, from between its brackets. */
export function stringOf(escaped: string): string {
  const letters = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
  const text = escaped.replaceAll(
    /\\([^])/g,
    (_, letter: string) => letters[letter as 'n'] ?? letter,
  )
  if (!text.startsWith('þÿ')) return text
  return Buffer.from(text, 'latin1').swap16().toString('utf16le').replace('\ufeff', '')
}

const stringsIn = (source: string): string[] =>
  Array.from(source.matchAll(/\(((?:\\[^]|[^\\)])*)\)/g), ([, escaped = '']) => stringOf(escaped))

/** All that it says: what is drawn on its pages, piece by piece, and what it names beside that. */
export function textOf(pdf: Uint8Array): string {
  const source = Buffer.from(pdf).toString('latin1')
  const streams = streamsIn(pdf)
  const fonts = new Map(
    Array.from(source.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, font = '', number = '']) => {
      const object = new RegExp(`^${number} 0 obj\\n((?:(?!endobj)[^])*)`, 'm').exec(source)?.[1]
      const table = /\/ToUnicode (\d+) 0 R/.exec(object ?? '')?.[1]
      return [font, lettersOf(streams.get(table ?? '') ?? '')]
    }),
  )
  const unpacked = source.replaceAll(/stream\n[^]*?\nendstream/g, '')
  const pages = [...streams.values()].filter((stream) => stream.includes('] TJ'))
  return [
    ...stringsIn(unpacked),
    ...pages.flatMap((page) => [...stringsIn(page), drawnOn(page, fonts)]),
  ].join('\n')
}

type Letters = ReadonlyMap<number, string>

/** What each glyph of a font stands for. */
function lettersOf(table: string): Letters {
  const letters = new Map<number, string>()
  for (const [, from = '', list = ''] of table.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    for (const [at, [, code = '']] of [...list.matchAll(/<([\w ]+)>/g)].entries()) {
      const units = Buffer.from(code.replaceAll(' ', ''), 'hex')
      letters.set(parseInt(from, 16) + at, units.swap16().toString('utf16le'))
    }
  return letters
}

function drawnOn(page: string, fonts: ReadonlyMap<string, Letters>): string {
  let drawn = ''
  let letters: Letters = new Map()
  for (const [act, font, glyphs] of page.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ|\bET\b/g))
    if (font !== undefined) letters = fonts.get(font) ?? new Map()
    else if (glyphs === undefined) drawn += '\n'
    else
      for (const [, codes = ''] of glyphs.matchAll(/<(\w+)>/g))
        for (const code of codes.match(/.{4}/g) ?? []) {
          const letter = letters.get(parseInt(code, 16))
          if (letter === undefined) throw new Error(`nothing says what is drawn by ${act}`)
          drawn += letter
        }
  return drawn
}
