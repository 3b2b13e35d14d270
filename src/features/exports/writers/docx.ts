/** A transcription as a Word file: real headings and styles, so that it can be worked on. */
import {
  Document,
  Footer,
  HeadingLevel,
  type IParagraphOptions,
  type IRunOptions,
  LineNumberRestartFormat,
  LineRuleType,
  Packer,
  PageNumber,
  Paragraph,
  SectionType,
  TextRun,
} from 'docx'

import type { Block } from '#features/documents/contract.ts'
import { BRAND } from '#shared/business.ts'
import { isFromRight } from '#shared/direction.ts'

import { NUMBERED_LINES, type Paper, beginningOf, printable, paperOf } from '../paper.ts'
import type { Exported, Look, Write } from './writer.ts'

const GREY = '5A6B63'

const paper = (exported: Exported) => paperOf(exported, { isEachNamed: true })
export const write: Write = (exported) => draw(paper(exported))
export const look: Look = (exported) => beginningOf(paper(exported), { isTimeFirst: true })

export async function draw({
  title,
  facts,
  language,
  ownLanguage = language,
  sections,
  turns,
  blocks = [],
  hasLineNumbers = false,
}: Paper): Promise<Uint8Array> {
  const hasSections = sections.length > 0
  const inEnglish = inLanguage('en', language)
  const own = (text: string, options: ParagraphOptions = {}) =>
    line(text, ownLanguage, options, inLanguage(ownLanguage, language))
  const heading = { heading: HeadingLevel.HEADING_1 }
  const row = hasLineNumbers ? numberedRow : {}
  const transcript = turns.flatMap((turn) => [
    ...turn.headings.map((text) => own(text, { heading: HeadingLevel.HEADING_2, ...row })),
    ...said(turn, language, row),
  ])
  const document = new Document({
    title: printable(title),
    creator: BRAND,
    styles: {
      default: {
        document: {
          run: { size: 22, ...(language === 'und' ? {} : inAll(language)) },
        },
        title: { run: { size: 36, bold: true }, paragraph: { spacing: { after: 80 } } },
        heading1: {
          run: { size: 28, bold: true },
          paragraph: { spacing: { before: 320, after: 120 } },
        },
      },
    },
    sections: [
      {
        children: [
          line(title, language, { heading: HeadingLevel.TITLE }),
          new Paragraph({
            spacing: { after: 240 },
            children: [
              new TextRun({
                text: printable(facts.join(' · ')),
                color: GREY,
                size: 20,
                ...inEnglish,
              }),
            ],
          }),
          ...sections.flatMap((section) => [
            ...(section.heading === null ? [] : [line(section.heading, 'en', heading, inEnglish)]),
            ...section.lines.map((text) =>
              own(text, section.isList ? { bullet: { level: 0 } } : {}),
            ),
          ]),
          ...(hasSections ? [line('Transcript', 'en', heading, inEnglish)] : []),
          ...blocks.map((block) => blockOf(block, language)),
          ...(hasLineNumbers ? [] : transcript),
        ],
      },
      ...(hasLineNumbers ? [{ ...numberedPages, children: transcript }] : []),
    ],
  })
  return Packer.toBuffer(document)
}

/** The height of A4 between the margins of Word, in twentieths of a point, over the lines. */
const ROW = Math.floor((16_838 - 2 * 1440) / NUMBERED_LINES)
const numberedRow = {
  spacing: { line: ROW, lineRule: LineRuleType.EXACT, before: 0, after: 0 },
  widowControl: false,
} satisfies Partial<IParagraphOptions>

/** Whoever cites a line names its page too. */
const numberedPages = {
  properties: {
    type: SectionType.NEXT_PAGE,
    lineNumbers: { countBy: 1, restart: LineNumberRestartFormat.NEW_PAGE },
  },
  footers: {
    default: new Footer({
      children: [
        new Paragraph({ children: [new TextRun({ children: [PageNumber.CURRENT], size: 18 })] }),
      ],
    }),
  },
}

type ParagraphOptions = Exclude<ConstructorParameters<typeof Paragraph>[0], string>

/** Marks text in another language than the file's, for spelling and for screen readers. */
const inLanguage = (value: string, ofFile: string): IRunOptions =>
  value === ofFile || value === 'und' ? {} : inAll(value)

/** Word asks one of three, by the writing of a letter. */
const inAll = (value: string): IRunOptions => ({
  language: { value, eastAsia: value, bidirectional: value },
})

function line(
  text: string,
  language: string,
  options: ParagraphOptions = {},
  run: IRunOptions = {},
): Paragraph {
  const rightToLeft = isFromRight(text, language)
  return new Paragraph({
    spacing: { after: 160 },
    ...options,
    bidirectional: rightToLeft,
    children: [new TextRun({ text: printable(text), rightToLeft, ...run })],
  })
}

function blockOf(block: Block, language: string): Paragraph {
  const text = block.spans.map((span) => span.text).join('')
  const rightToLeft = isFromRight(text, language)
  const isNumbered = block.kind === 'item' && block.number !== null
  const runs = block.spans.flatMap((span) =>
    span.text.split('\n').map(
      (part, index) =>
        new TextRun({
          text: printable(part),
          bold: span.isBold,
          italics: block.kind === 'quote',
          rightToLeft,
          ...(index > 0 ? { break: 1 } : {}),
        }),
    ),
  )
  return new Paragraph({
    spacing: { after: block.kind === 'item' ? 60 : 160 },
    bidirectional: rightToLeft,
    ...(block.kind === 'heading'
      ? { heading: block.level === 2 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2 }
      : {}),
    ...(block.kind === 'quote' ? { indent: { start: 480 } } : {}),
    ...(isNumbered ? { indent: { start: 360, hanging: 360 } } : {}),
    ...(block.kind === 'item' && !isNumbered ? { bullet: { level: block.depth } } : {}),
    children: isNumbered ? [new TextRun({ text: `${block.number}. ` }), ...runs] : runs,
  })
}

function said(
  { at, name, text }: Paper['turns'][number],
  language: string,
  row: ParagraphOptions,
): Paragraph[] {
  const bidirectional = isFromRight(text, language)
  // Programs that play a paragraph look for its time at the beginning.
  const head = [
    ...(at === null
      ? []
      : [new TextRun({ text: `${at}${name === null ? '' : '  '}`, color: GREY, size: 18 })]),
    ...(name === null
      ? []
      : [new TextRun({ text: printable(name), bold: true, rightToLeft: isFromRight(name) })]),
  ]
  return [
    ...(head.length > 0
      ? [
          new Paragraph({
            keepNext: true,
            bidirectional,
            spacing: { before: 160, after: 40 },
            ...row,
            children: head,
          }),
        ]
      : []),
    line(text, language, row),
  ]
}
