import type { Block } from '#features/documents/contract.ts'

/** A transcription as it is printed: what Word files and PDFs are drawn from. */
export interface Paper {
  title: string
  /** Language, length, engine: one line under the title. */
  facts: string[]
  /** ISO 639-1, for hyphenation and screen readers. */
  language: string
  sections: { heading: string; lines: string[]; isList: boolean }[]
  turns: { at: string | null; name: string | null; text: string }[]
  /** A document instead of a transcript. */
  blocks?: Block[]
}

/** Thrown where no font at hand has the letters of a text. */
export class NotDrawable extends Error {}

/** Whether a text is read from the right: by its first letter. */
export function isFromRight(text: string): boolean {
  const [letter = ''] = /\p{L}/u.exec(text) ?? []
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(letter)
}

/** Text that XML and fonts have a place for. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
