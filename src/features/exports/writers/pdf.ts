/**
 * A transcription as a PDF with its letters in it, in every writing that a font is here for. Lines are
 * broken and put in order here, because a line may need several fonts, and be read from the right.
 *
 * It is tagged: title, headings, lists and paragraphs are told apart for screen readers, page numbers
 * are no part of the text, and what is read from the right is there once more in its own order.
 */
import PdfDocument from 'pdfkit'

import type { Block } from '#features/documents/contract.ts'
import {
  type Font,
  beginDrawing,
  bytesOf,
  drawable,
  fonts,
  fromTheRight,
  linesOf,
  piecesOf,
  drawnAsOthers,
  visualPieces,
  visualRuns,
} from '#server/letters.ts'
import { BRAND } from '#shared/business.ts'
import { isFromRight } from '#shared/direction.ts'

import { NUMBERED_LINES, type Paper, beginningOf, printable, paperOf } from '../paper.ts'
import type { Look, Write } from './writer.ts'

const MARGIN = 64
/** Where letters stand in their line, in sizes: the same for every font of a line. */
const BASELINE = 1.07
const GREY = '#5a6b63'
const INK = '#17211c'

/** Said in a file that does not show every sign. */
export const NOT_ALL =
  'What stands in [brackets] are signs that cannot be drawn in a PDF here. The other formats have them.'

/** The same paper with nothing in it that no font has. */
export async function drawn(paper: Paper): Promise<Paper> {
  beginDrawing()
  let isWhole = true
  const able = async (text: string) => {
    const made = await drawable(printable(text))
    isWhole &&= made.isWhole
    return made.text
  }
  const each = (texts: readonly string[]) => inOrder(texts, able)
  const shown: Paper = {
    ...paper,
    title: await able(paper.title),
    facts: await each(paper.facts),
    sections: await inOrder(paper.sections, async (section) => ({
      ...section,
      heading: section.heading === null ? null : await able(section.heading),
      lines: await each(section.lines),
    })),
    turns: await inOrder(paper.turns, async ({ headings, at, name, text }) => ({
      headings: await each(headings),
      at,
      name: name === null ? null : await able(name),
      text: await able(text),
    })),
    blocks: await inOrder(paper.blocks ?? [], async (block) => ({
      ...block,
      spans: await inOrder(block.spans, async (span) => ({
        ...span,
        text: (await each(span.text.split('\n'))).join('\n'),
      })),
    })),
  }
  // Of what the pages write by themselves.
  await able(`${NOT_ALL}•·Transcript0123456789:/.`)
  return isWhole ? shown : { ...shown, facts: [...shown.facts, NOT_ALL] }
}

async function inOrder<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  for (const item of items) made.push(await make(item))
  return made
}

interface Style {
  size: number
  color?: string
  isBold?: boolean
  /** How far a line begins from the edge, where a label stands. */
  indent?: number
}

export const write: Write = (exported) => draw(paperOf(exported))
export const look: Look = async (exported) =>
  beginningOf(await drawn(paperOf(exported)), { isTimeFirst: false })

export async function draw(paper: Paper): Promise<Uint8Array> {
  const shown = await drawn(paper)
  const { title, facts, language, ownLanguage = language, sections, turns, blocks = [] } = shown
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    info: { Title: printable(title), Creator: BRAND },
    ...(language === 'und' ? {} : { lang: language }),
  })
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', resolve)
    document.on('error', reject)
  })
  const pen = penOn(document, language)
  const tags = tagsOf(document)
  // Text in another language than the file's is marked for screen readers.
  const inLanguage = (lang: string) => (lang === language ? {} : { lang })
  const inEnglish = inLanguage('en')
  const own = inLanguage(ownLanguage)

  tags.add('H1', title, () => pen.write(title, { size: 20, isBold: true }))
  const about = facts.join(' · ')
  tags.add('P', about, () => pen.write(about, { size: 9.5, color: GREY }), inEnglish)
  pen.skip(14)
  for (const { heading, lines, isList } of sections) {
    if (heading !== null) {
      pen.keep(60)
      tags.add('H2', heading, () => pen.write(heading, { size: 14, isBold: true }), inEnglish)
      pen.skip(4)
    }
    for (const line of lines) {
      if (isList) drawItem({ pen, tags }, '•', line, own)
      else tags.add('P', line, () => pen.write(line, { size: 11 }), own)
      pen.skip(isList ? 2 : 6)
    }
    tags.endList()
    pen.skip(12)
  }
  if (sections.length > 0) {
    pen.keep(80)
    const word = 'Transcript'
    tags.add('H2', word, () => pen.write(word, { size: 14, isBold: true }), inEnglish)
    pen.skip(6)
  }
  for (const block of blocks) drawBlock({ pen, tags }, block)
  tags.endList()
  const numbered = shown.hasLineNumbers ? pen.beginNumbered() : null
  for (const { headings, at, name, text } of turns) {
    const opening = pen.heightOf({ size: 9.5 }) + 1 + pen.openingOf(text, { size: 11 })
    for (const heading of headings) {
      pen.keep(pen.heightOf({ size: 12 }) + 12 + opening)
      pen.skip(8)
      const level = sections.length > 0 ? 'H3' : 'H2'
      tags.add(level, heading, () => pen.write(heading, { size: 12, isBold: true }), own)
      pen.skip(4)
    }
    const head = [name, at].filter((part) => part !== null).join('   ')
    if (head !== '') {
      pen.keep(opening)
      const style = { size: 9.5, color: name === null ? GREY : INK, isBold: name !== null }
      tags.add('P', head, () => pen.write(head, style))
      pen.skip(1)
    }
    tags.add('P', text, () => pen.write(text, { size: 11 }))
    pen.skip(8)
  }
  tags.end()
  if (numbered !== null) numberLines(document, numbered)
  numberPages(document)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

interface Drawing {
  pen: ReturnType<typeof penOn>
  tags: ReturnType<typeof tagsOf>
}

function drawItem({ pen, tags }: Drawing, label: string, text: string, own: Own = {}): void {
  const style = { size: 11, indent: 8 + 6 * label.length }
  const drawn = {
    label: () => pen.label(label, text, style),
    body: () => pen.write(text, style),
  }
  tags.addItem(text, drawn, own)
}

function drawBlock({ pen, tags }: Drawing, block: Block): void {
  const text = block.spans.map((span) => span.text).join('')
  if (block.kind !== 'item') tags.endList()
  switch (block.kind) {
    case 'heading': {
      const size = block.level === 2 ? 14 : 12
      pen.keep(60)
      pen.skip(8)
      tags.add(block.level === 2 ? 'H2' : 'H3', text, () => pen.write(text, { size, isBold: true }))
      pen.skip(4)
      return
    }
    case 'item':
      drawItem({ pen, tags }, block.number === null ? '•' : `${block.number}.`, text)
      pen.skip(3)
      return
    case 'paragraph':
    case 'quote': {
      const isQuote = block.kind === 'quote'
      const isBold = block.spans.every((span) => span.isBold)
      tags.add(isQuote ? 'BlockQuote' : 'P', text, () => {
        for (const line of text.split('\n'))
          pen.write(line, { size: 11, isBold, ...(isQuote ? { color: GREY } : {}) })
      })
      pen.skip(7)
    }
  }
}

type Doc = InstanceType<typeof PdfDocument>

/** The language of an element, where it is not that of the file. */
interface Own {
  lang?: string
}

/** The tree of what is what, beside the pages. What an element draws is marked as its own. */
function tagsOf(document: Doc) {
  const root = document.struct('Document')
  document.addStructure(root)
  let list: ReturnType<Doc['struct']> | null = null
  // Text from right to left is drawn in the order in which it is seen. The order of reading is kept besides.
  const actual = (text: string) =>
    fromTheRight.test(text) ? { actual: printable(text).trim() } : {}
  const endList = () => {
    list?.end()
    list = null
  }
  return {
    add(
      type: 'H1' | 'H2' | 'H3' | 'P' | 'BlockQuote',
      text: string,
      draw: () => void,
      own: Own = {},
    ) {
      // An element of nothing would be read out as one.
      if (printable(text).trim() === '') draw()
      else root.add(document.struct(type, { ...actual(text), ...own }, draw))
    },
    /** One of those that follow each other as a list, until it is ended. */
    addItem(text: string, { label, body }: { label: () => void; body: () => void }, own: Own = {}) {
      if (!list) {
        list = document.struct('L')
        root.add(list)
      }
      const item = document.struct('LI')
      list.add(item)
      item.add(document.struct('Lbl', {}, label))
      item.add(document.struct('LBody', { ...actual(text), ...own }, body))
      item.end()
    },
    endList,
    end() {
      endList()
      root.end()
    },
  }
}

/** So many lines of a paragraph stand together at the end of a page, and at the beginning of the next. */
const FEWEST_LINES = 2

/** Before which lines of a paragraph a new page begins; so many lines have room on the first, and on each. */
export function pageBreaks(
  count: number,
  { first, each }: { first: number; each: number },
): ReadonlySet<number> {
  const breaks = new Set<number>()
  let at = 0
  let room = first
  while (count - at > room) {
    const left = count - at - room
    const fit = left < FEWEST_LINES ? room - (FEWEST_LINES - left) : room
    // On a page that is full already nothing has been drawn.
    at += fit < FEWEST_LINES && room < each ? 0 : Math.max(1, fit)
    breaks.add(at)
    room = each
  }
  return breaks
}

/** Writes paragraphs from the top of the page to its end, and then on the next. */
function penOn(document: Doc, language: string) {
  const width = document.page.width - 2 * MARGIN
  const bottom = document.page.height - MARGIN
  const loaded = new Set<string>()
  let y = MARGIN
  /** How high each line is where lines are numbered: all are alike. */
  let row: number | null = null
  const heightOf = ({ size }: Style) => row ?? size * 1.45

  const choose = (font: Font, size: number) => {
    if (!loaded.has(font.name)) {
      document.registerFont(font.name, bytesOf(font))
      loaded.add(font.name)
    }
    document.font(font.name, size)
  }
  const widths = new Map<string, number>()
  const widthOf = (text: string, size: number): number => {
    const key = `${size} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    let sum = 0
    for (const piece of piecesOf(text)) {
      choose(piece.font, size)
      sum += document.widthOfString(piece.text)
    }
    widths.set(key, sum)
    return sum
  }
  const next = (height: number) => {
    if (y + height <= bottom + 0.01) return
    // A marked part ends on this page and goes on on the next.
    document.continueOnNewPage()
    y = MARGIN
  }

  /** One line, its runs in the order they are seen. */
  const draw = (
    line: string,
    { size, color = INK, isBold = false, indent = 0 }: Style,
    fromRight: boolean,
  ) => {
    const runs = visualRuns(line, fromRight)
    const total = runs.reduce((sum, { text }) => sum + widthOf(text, size), 0)
    let x = fromRight ? MARGIN + width - indent - total : MARGIN + indent
    for (const run of runs)
      for (const { text, font, said } of visualPieces(run)) {
        choose(font, size)
        // An outline makes thin letters regular, and regular ones bold.
        const outline = (isBold ? 0.03 : 0) + (font.isVariable ? 0.035 : 0)
        document
          .fillColor(color)
          .strokeColor(color)
          .lineWidth(size * outline)
        const options = { lineBreak: false, fill: true, stroke: outline > 0 }
        const isKept = drawnAsOthers.test(said)
        if (isKept) document.markContent('Span', { actual: said })
        const lowered = row ? row / 2 - size / 2 : 0
        document.text(text, x, y + lowered + size * BASELINE, {
          ...options,
          baseline: 'alphabetic',
        })
        if (isKept) document.endMarkedContent()
        x += document.widthOfString(text)
      }
  }

  const linesIn = (text: string, { size, indent = 0 }: Style) =>
    linesOf(text, width - indent, (part) => widthOf(part, size))

  return {
    /** How high the first lines of a text are that stand on one page. */
    openingOf(text: string, style: Style): number {
      const { length } = [...linesIn(printable(text).trim(), style)]
      return heightOf(style) * (length <= FEWEST_LINES + 1 ? length : FEWEST_LINES)
    },
    write(given: string, style: Style) {
      const text = printable(given).trim()
      const fromRight = isFromRight(text, language)
      const height = heightOf(style)
      const lines = [...linesIn(text, style)]
      const onPage = (from: number) => Math.floor((bottom - from + 0.01) / height)
      const breaks = pageBreaks(lines.length, { first: onPage(y), each: onPage(MARGIN) })
      for (const [at, line] of lines.entries()) {
        next(breaks.has(at) ? bottom : height)
        // A space at the end of a line keeps its last word from the next one's for whoever listens.
        draw(fromRight ? line.trimEnd() : line, style, fromRight)
        y += height
      }
    },
    /** Text in front of the first line. */
    label(label: string, text: string, style: Style) {
      next(this.openingOf(text, style))
      draw(label, { size: style.size }, isFromRight(text, language))
    },
    skip(points: number) {
      if (row === null) y += points
    },
    heightOf,
    /** From here on each page has the same lines. Answers the first such page. */
    beginNumbered(): number {
      if (y > MARGIN) next(bottom)
      row = ROW
      return document.bufferedPageRange().count - 1
    },
    /** Begins a new page unless this height is left of the page. */
    keep: next,
  }
}

/** The lines of a page of A4 fill it. */
const ROW = (841.89 - 2 * MARGIN) / NUMBERED_LINES

/** Numbers in the margin, which are no part of the text and are not read out. */
function numberLines(document: Doc, firstPage: number): void {
  const { start, count } = document.bufferedPageRange()
  const [latin] = fonts
  if (!latin) return
  for (let page = firstPage; page < start + count; page += 1) {
    document.switchToPage(page)
    // Below the margin pdfkit would begin another page.
    document.page.margins.bottom = 0
    document.markContent('Artifact', { type: 'Layout' })
    document.font(latin.name, 9).fillColor(GREY)
    for (let line = 0; line < NUMBERED_LINES; line += 1) {
      const y = MARGIN + ROW * (line + 0.5) - 4.5 + 9 * BASELINE
      const options = {
        lineBreak: false,
        width: 24,
        align: 'right',
        baseline: 'alphabetic',
      } as const
      document.text(String(line + 1), MARGIN - 36, y, options)
    }
    document.endMarkedContent()
  }
}

function numberPages(document: Doc): void {
  const { start, count } = document.bufferedPageRange()
  const [latin] = fonts
  if (!latin) return
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    // Below the margin pdfkit would begin another page.
    document.page.margins.bottom = 0
    document.markContent('Artifact', { type: 'Pagination' })
    document.font(latin.name, 8.5).fillColor(GREY)
    document.text(`${page + 1} / ${count}`, MARGIN, document.page.height - 40, {
      lineBreak: false,
      width: document.page.width - 2 * MARGIN,
      align: 'right',
    })
    document.endMarkedContent()
  }
}
