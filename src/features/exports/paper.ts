import type { Block } from '#features/documents/contract.ts'
import { formatTimecode } from '#shared/format.ts'

import type { LookLine } from './contract.ts'
import type { Exported, Section } from './writers/writer.ts'
import { nameOf, readersNames } from './speaker-names.ts'
import { headingsOf } from './plain-text.ts'
import { factsOf } from './text-formats.ts'

/** A transcription as it is printed: what Word files and PDFs are drawn from. */
export interface Paper {
  title: string
  /** Language, length, engine: one line under the title. */
  facts: string[]
  /** ISO 639-1, for hyphenation and screen readers: of what was said, or of its translation. */
  language: string
  /** Of the summary and the chapters, where it is another: they are not translated. */
  ownLanguage?: string
  sections: Section[]
  turns: {
    /** Chapters that begin with it. */
    headings: string[]
    at: string | null
    name: string | null
    text: string
  }[]
  /** Whether the lines of the transcript are numbered, so many on each page. */
  hasLineNumbers?: boolean
  /** A document instead of a transcript. */
  blocks?: Block[]
}

/** `isEachNamed`: an only voice has a name too, as for programs that ask who speaks. */
export function paperOf(exported: Exported, { isEachNamed = false } = {}): Paper {
  const { title, language, said, names, note, sections } = exported
  const nameIn = isEachNamed
    ? (speaker: number | null) => nameOf(speaker, names)
    : readersNames(said, names)
  const chaptersAt = headingsOf(said, exported.headings)
  const shownName = exported.speakers ? nameIn : () => null
  return {
    title,
    facts: [...factsOf(exported), ...(note === null ? [] : [note])],
    language,
    ownLanguage: exported.translation?.from ?? language,
    hasLineNumbers: exported.lineNumbers,
    sections: sections.map(onPaper),
    turns: said.map(({ startMs, speaker, text }, turn) => ({
      headings: chaptersAt(turn).map((chapter) => chapter.title),
      at: exported.times ? formatTimecode(startMs / 1000) : null,
      name: shownName(speaker),
      text,
    })),
  }
}

/** On each page of a transcript whose lines are numbered, as courts have it. */
export const NUMBERED_LINES = 25

/** A first page has about as many letters. */
const BEGINNING = 1_600

/**
 * How a file that is drawn from this paper begins, line by line in its own words; what the file writes
 * besides, it must write here too. `isWhole`: nothing comes after it.
 */
export function beginningOf(
  paper: Paper,
  { isTimeFirst }: { isTimeFirst: boolean },
): { page: LookLine[]; isWhole: boolean } {
  const page: LookLine[] = []
  let letters = 0
  for (const line of linesOf(paper, isTimeFirst)) {
    if (letters > BEGINNING) return { page, isWhole: false }
    page.push(line)
    letters += 'text' in line ? line.text.length : 0
  }
  return { page, isWhole: true }
}

function* linesOf({ title, facts, sections, turns }: Paper, isTimeFirst: boolean) {
  const line = (as: Exclude<LookLine['as'], 'who'>, text: string): LookLine => ({
    as,
    text: printable(text),
  })
  yield line('title', title)
  yield line('facts', facts.join(' · '))
  for (const { heading, lines, isList } of sections) {
    if (heading !== null) yield line('heading', heading)
    for (const text of lines) yield line(isList ? 'item' : 'text', text)
  }
  if (sections.length > 0) yield line('heading', 'Transcript')
  for (const { headings, at, name, text } of turns) {
    for (const heading of headings) yield line('chapter', heading)
    const who = [
      ...(name === null ? [] : [{ as: 'name' as const, text: printable(name) }]),
      ...(at === null ? [] : [{ as: 'time' as const, text: at }]),
    ]
    if (who.length > 0) yield { as: 'who' as const, parts: isTimeFirst ? who.toReversed() : who }
    yield line('text', text)
  }
}

/** Paper has no boxes to tick. An item that is done says so, in words that every font has. */
const onPaper = ({ isDone = [], ...section }: Section): Section => ({
  ...section,
  lines: section.lines.map((line, index) => (isDone[index] ? `Done: ${line}` : line)),
})

/** Text that XML and fonts have a place for. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
