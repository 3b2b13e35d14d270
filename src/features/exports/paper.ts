import type { Block } from '#features/documents/contract.ts'
import { formatTimecode } from '#shared/format.ts'

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
    sections: sections.map(onPaper),
    turns: said.map(({ startMs, speaker, text }, turn) => ({
      headings: chaptersAt(turn).map((chapter) => chapter.title),
      at: exported.times ? formatTimecode(startMs / 1000) : null,
      name: shownName(speaker),
      text,
    })),
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
