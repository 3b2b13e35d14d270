import { expect, test } from 'vitest'

import { openFont } from '#server/fonts.ts'
import { bytesOf, drawable, drawnAsOthers, linesOf, piecesOf } from '#server/letters.ts'
import { isFromRight } from '#shared/direction.ts'
import { stringOf, streamsIn } from '#test/pdf.ts'
import { fontPackages, writings } from '#test/writings.ts'
import { filesIn } from '#test/zip.ts'

import { draw } from './exports.ts'
import { type Paper, printable } from './paper.ts'
import { draw as toDocx } from './writers/docx.ts'
import { NOT_ALL, drawn, draw as toPdf, pageBreaks } from './writers/pdf.ts'

const paper = (...texts: string[]): Paper => ({
  title: 'interview.m4a',
  facts: ['English', '1:12'],
  language: 'en',
  sections: [],
  turns: texts.map((text) => ({ headings: [], at: '00:00:01', name: 'Speaker A', text })),
})

/** The text of a Word file's body. */
const bodyOf = (docx: Uint8Array) => filesIn(Buffer.from(docx)).get('word/document.xml')!

const inManyWritings = Object.values(writings)

test('a Word file knows that a Hebrew turn which begins with a Latin name is Hebrew', async () => {
  const body = bodyOf(await toDocx({ ...paper('iPhone הוא מכשיר טוב, לא?'), language: 'he' }))
  expect(body).toMatch(/<w:bidi\/>(?:(?!<\/w:p>).)*iPhone/)
})

test('a Word file says its language for letters of every writing', async () => {
  const docx = await toDocx({ ...paper('会議は九時に始まります'), language: 'ja' })
  const styles = filesIn(Buffer.from(docx)).get('word/styles.xml')!
  for (const kind of ['val', 'eastAsia', 'bidi'])
    expect(styles).toMatch(new RegExp(`<w:lang [^>]*w:${kind}="ja"`))
})

test.for(fontPackages)('a PDF is drawn whole in the letters of %s', async (name) => {
  const sentence = writings[name]!
  const { text, isWhole } = await drawable(sentence)
  expect(isWhole).toBe(true)
  expect(piecesOf(text).map(({ font }) => font.name.replace(/ .*/, ''))).toContain(name)
  const pdf = Buffer.from(await toPdf(paper(sentence))).toString('latin1')
  expect(pdf).toMatch(/^%PDF-[^]*\/FontFile[23]/)
})

/** The text that a PDF names beside what it draws, run by run. */
const namedIn = (pdf: Uint8Array): string[] =>
  [...streamsIn(pdf).values()].flatMap((content) =>
    Array.from(
      content.matchAll(/\/Span <<\s*\/ActualText \(((?:\\[^]|[^\\)])*)\)/g),
      ([, escaped = '']) => stringOf(escaped),
    ),
  )

test('what a PDF says of Arabic is a word at a time, in the order in which it is seen', async () => {
  const sentence = 'اجتمعنا في الساعة 10:30 مع iPhone الجديد، وقررنا (أن) نرفع السعر.'
  const said = namedIn(await toPdf(paper(sentence)))
  const words = sentence.match(/[\u0620-\u064a]+/g)!
  const backwards = (text: string) => [...text].toReversed().join('')
  expect(said.map(backwards).toReversed().toSorted()).toEqual([...words].toSorted())
})

test.for(['bengali', 'tamil', 'kannada', 'sinhala', 'khmer'])(
  'what is copied from a PDF in %s are the words that it shows',
  async (script) => {
    const sentence = writings[`@fontsource/noto-sans-${script}`]!
    const named = namedIn(await toPdf(paper(sentence))).join(' ')
    const words = sentence
      .split(/[\s,.()"\u061b\u0964-]+/)
      .filter((word) => drawnAsOthers.test(word))
    expect(words.length).toBeGreaterThan(2)
    expect(words.filter((word) => !named.includes(word))).toEqual([])
  },
)

test('a PDF says what is a heading, a list and a paragraph, in which language', async () => {
  const sections = [{ heading: 'Key points', lines: ['They met', 'They left'], isList: true }]
  const pdf = await toPdf({ ...paper('word '.repeat(2_000), 'שלום עולם'), sections })
  const written = Buffer.from(pdf).toString('latin1')
  const count = (type: string) => written.match(new RegExp(`/S /${type}\\b`, 'g'))?.length ?? 0
  expect(['Document', 'H1', 'H2', 'L', 'LI', 'LBody', 'P'].map(count)).toEqual([
    1, 1, 2, 1, 2, 2, 5,
  ])
  expect(written).toContain('/Marked true')
  expect(written).toContain('/Lang (en)')
  // Seen from the right, read in its own order.
  expect(written.match(/\/ActualText/g)).toHaveLength(1)
  // A turn that goes on on other pages is one paragraph of them all.
  expect(written.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(2)
})

/** The sizes of the lines on each page of a PDF, from its top on. */
function linesOfPages(pdf: Uint8Array): number[][] {
  const pages = [...streamsIn(pdf).values()].filter((text) => text.includes(' Tm\n'))
  return pages.map((page) =>
    Array.from(page.matchAll(/ Tm\n\/F\d+ ([\d.]+) Tf/g), ([, size]) => Number(size)),
  )
}

test('no page of a PDF begins or ends with one line of a turn, or ends with a name or a chapter', async () => {
  const said = 'They said that the board would decide on the printer before the end of the month. '
  const turns = Array.from({ length: 40 }, (_, at) => ({
    headings: at % 9 === 8 ? ['The next thing'] : [],
    at: '00:00:01',
    name: 'Speaker A',
    text: said.repeat(2 + (at % 3)) + (at % 2 === 0 ? '' : 'Then the meeting ended early.'),
  }))
  const pages = linesOfPages(await toPdf({ ...paper(), turns }))
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages.slice(1)) {
    const [first, second] = page
    // A name, a chapter, or two lines that go on.
    expect(first === 11 ? second : 11).toBe(11)
  }
  // Below the last line stands the number of the page.
  for (const page of pages.slice(0, -1)) expect(page.slice(-3, -1)).toEqual([11, 11])
})

test('lines that are numbered are 25 on each page of a PDF, and counted anew on each by Word', async () => {
  const turns = Array.from({ length: 30 }, () => ({
    headings: [],
    at: '00:00:01',
    name: 'Speaker A',
    text: 'They said that the board would decide on the printer at the end of the month. '.repeat(
      2,
    ),
  }))
  const numbered = { ...paper(), turns, hasLineNumbers: true }
  const [, ...pages] = linesOfPages(await toPdf(numbered))
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) {
    expect(page.filter((size) => size === 9)).toHaveLength(25)
    // The text, on as many lines or fewer.
    expect(page.filter((size) => size === 11 || size === 9.5).length).toBeLessThanOrEqual(25)
  }
  for (const page of pages.slice(0, -1))
    expect(page.filter((size) => size === 11 || size === 9.5).length).toBeGreaterThan(22)
  const body = bodyOf(await toDocx(numbered))
  expect(body).toMatch(/<w:lnNumType [^>]*w:countBy="1"[^>]*w:restart="newPage"/)
  expect(body.match(/<w:sectPr/g)).toHaveLength(2)
  expect(bodyOf(await toDocx(paper('Hello')))).not.toContain('lnNumType')
})

test('a paragraph of any length is parted where two lines stand together on each page', () => {
  for (let count = 1; count <= 130; count += 1)
    for (let first = 0; first <= 40; first += 1) {
      const ends = [...pageBreaks(count, { first, each: 40 }), count]
      const parts = ends.map((end, at) => end - (ends[at - 1] ?? 0))
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(count)
      expect(parts[0]).toBeLessThanOrEqual(first)
      expect(Math.max(...parts)).toBeLessThanOrEqual(40)
      // None where it begins on the next page.
      const shortest = Math.min(...parts.filter((part) => part > 0))
      expect(shortest, `${count} lines, ${first} on the first page`).toBeGreaterThan(
        count > 1 ? 1 : 0,
      )
    }
})

test('a paper is drawn as what was asked for, and nothing else can be asked for', async () => {
  const beginningOf = async (drawn: Promise<Uint8Array>) =>
    Buffer.from((await drawn).subarray(0, 4)).toString('latin1')
  expect(await beginningOf(draw({ format: 'pdf', paper: paper('Hello') }))).toBe('%PDF')
  expect(await beginningOf(draw({ format: 'docx', paper: paper('Hello') }))).toBe('PK\u0003\u0004')
  // @ts-expect-error -- every other format is written, not drawn
  expect(await draw({ format: 'odt', paper: paper('Hello') })).toBeUndefined()
})

test('signs are drawn, or spelt so that they can be read, and never boxes', async () => {
  const signs =
    'Profit ≥ 5 % → ✓ done ♪ ① ½ x² ≠ y 100 ₹ ☐ open ♫ ← ↑ ↓ ⇒ ≤ ≈ ‰ ∞ ∑ ∆ ⅓ ⅔ ⅛ ₂ ● ○ ■ □ ★ ℃ † ‡ ― ‐ ‑ ※ ☎ ♥ ゔ ｶﾞｲﾄﾞ'
  const { text, isWhole } = await drawable(signs)
  expect(isWhole).toBe(true)
  for (const { font, text: piece } of piecesOf(text))
    for (const sign of piece) {
      const has = openFont(bytesOf(font), font.name).hasGlyphForCodePoint(sign.codePointAt(0)!)
      expect([sign, has]).toEqual([sign, true])
    }
  expect(
    piecesOf(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
  expect(text).toContain('Profit ≥ 5 % → ✓ done ♪')
  expect(text).toContain('ヴ ｶﾞｲﾄﾞ')
})

test('of a text with very many different letters none is lost', async () => {
  // Each with other signs that choose how it is shown, and have no glyph.
  const many = Array.from({ length: 50_000 }, (_, number) =>
    [...number.toString(16)].reduce(
      (letter, digit) => letter + String.fromCodePoint(0xfe00 + parseInt(digit, 16)),
      'a',
    ),
  )
  const { text } = await drawable(`The beginning. ${many.join('')}`)
  const pieces = piecesOf(text).map((piece) => piece.text)
  expect(pieces.join('') === text).toBe(true)
})

test('every letter that the product says it draws has a font with a glyph for it', async () => {
  const lacking: string[] = []
  // Han and Hangul have hundreds of files, which take half a minute to open.
  for (let code = 0x20; code < 0x3100; code += 1) {
    const sign = String.fromCodePoint(code)
    if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(sign)) continue
    const { text, isWhole } = await drawable(sign)
    if (!isWhole) continue
    if (
      piecesOf(text)
        .map((piece) => piece.text)
        .join('') !== text
    )
      lacking.push(sign)
  }
  expect(lacking).toEqual([])
})

test('a writing that no font has is named, and the file says so', async () => {
  expect(await drawable('Hi 🙂👩‍🚀 བོད་སྐད་ yes')).toEqual({
    text: 'Hi [emoji] [Tibetan] yes',
    isWhole: false,
  })
  expect((await drawable('2⅓ and ⅓')).text).toBe('2 1⁄3 and 1⁄3')
  const shown = await drawn(paper('Good 🙂 morning, བོད་སྐད་', 'All of it'))
  expect(shown.turns.map(({ text }) => text)).toEqual([
    'Good [emoji] morning, [Tibetan]',
    'All of it',
  ])
  expect(shown.facts).toEqual(['English', '1:12', NOT_ALL])
  expect((await drawn(paper('Plain'))).facts).toEqual(['English', '1:12'])
  expect((await toPdf(paper('བོད་སྐད་'))).length).toBeGreaterThan(1_000)
})

test('Thai breaks its lines between words', async () => {
  const lines = linesOf(
    'ครั้งใหม่ของการประชุมเรื่องการจองห้องประชุมใหม่ทั้งหมดในวันนี้',
    12,
    (part) => part.length,
  )
  const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(lines.join(''))]
  const starts = new Set(words.map(({ index }) => index))
  let at = 0
  for (const line of lines) {
    expect([line, starts.has(at)]).toEqual([line, true])
    at += line.length
  }
})

test('endless words and empty turns do not stop a PDF', async () => {
  const pdf = await toPdf(paper('x'.repeat(5_000), '', ' '))
  expect(pdf.length).toBeGreaterThan(1_000)
})

test('a Word file holds what was said, as text', async () => {
  const body = bodyOf(await toDocx(paper('<w:p>& "quotes" \u0000\u0008', ...inManyWritings)))
  expect(body).toContain('&lt;w:p&gt;&amp; &quot;quotes&quot;')
  expect(body).toContain('人人生而自由')
  expect(body).toContain('<w:bidi/>')
  expect(body).not.toMatch(/(?!\s)\p{Cc}/u)
})

test('headings, summary and chapters of a translation say in which language they are', async () => {
  const sections = [{ heading: 'Key points', lines: ['They met'], isList: true }]
  const turns = [{ headings: ['How it began'], at: null, name: null, text: 'Wir trafen uns.' }]
  const german = { ...paper(), sections, turns, language: 'de', ownLanguage: 'en' }
  const body = bodyOf(await toDocx(german))
  const english = [...body.matchAll(/<w:lang w:val="en" [^>]*\/><\/w:rPr><w:t[^>]*>([^<]*)/g)]
  expect(english.map(([, text]) => text)).toEqual([
    'English · 1:12',
    'Key points',
    'They met',
    'Transcript',
    'How it began',
  ])
  const pdf = Buffer.from(await toPdf(german)).toString('latin1')
  expect([pdf.match(/\/Lang \(de\)/g)?.length, pdf.match(/\/Lang \(en\)/g)?.length]).toEqual([1, 5])
  expect(bodyOf(await toDocx({ ...german, language: 'en' }))).not.toContain('w:lang ')
})

test('which side a text is read from is told by its language, or by its first letter', () => {
  expect(isFromRight('123 שלום and more')).toBe(true)
  expect(isFromRight('Hello שלום')).toBe(false)
  expect(isFromRight('iPhone הוא מכשיר טוב, לא?', 'he')).toBe(true)
  expect(isFromRight('Yes, of course', 'he')).toBe(false)
  expect(isFromRight('Ben: مرحبا', 'ar')).toBe(true)
  expect(printable('a\u0000b\n\tc')).toBe('a b c')
})
