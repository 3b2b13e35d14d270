import type { Block } from '#features/documents/contract.ts'
import * as speech from '#features/speech/speech.ts'
import { formatTimecode } from '#shared/format.ts'

import type { Exported, Section } from './writers/writer.ts'

/** A transcription as it is printed: what Word files and PDFs are drawn from. */
export interface Paper {
  title: string
  /** Language, length, engine: one line under the title. */
  facts: string[]
  /** ISO 639-1, for hyphenation and screen readers. */
  language: string
  sections: Section[]
  turns: { at: string | null; name: string | null; text: string }[]
  /** A document instead of a transcript. */
  blocks?: Block[]
}

type Printed = Pick<
  Exported,
  | 'title'
  | 'language'
  | 'said'
  | 'names'
  | 'note'
  | 'sections'
  | 'speakers'
  | 'times'
  | 'durationMs'
  | 'engine'
>

/** `isEachNamed`: an only voice has a name too, as for programs that ask who speaks. */
export function paperOf(exported: Printed, { isEachNamed = false } = {}): Paper {
  const { title, language, said, names, note, sections } = exported
  const nameIn = isEachNamed
    ? (speaker: number | null) => speech.nameOf(speaker, names)
    : speech.readersNames(said, names)
  const nameOf = exported.speakers ? nameIn : () => null
  return {
    title,
    facts: [...speech.factsOf(exported), ...(note === null ? [] : [note])],
    language,
    sections,
    turns: said.map(({ startMs, speaker, text }) => ({
      at: exported.times ? formatTimecode(startMs / 1000) : null,
      name: nameOf(speaker),
      text,
    })),
  }
}

/** Text that XML and fonts have a place for. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
