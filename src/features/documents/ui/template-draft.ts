/** A type of document while somebody writes it. */
import { type OwnLength, type OwnPart, ownLengths } from '#features/writing/contract.ts'

import type { DocumentTemplate, WriteTemplate } from '../contract.ts'

export const newDraft: WriteTemplate = {
  name: '',
  instructions: '',
  length: 'middle',
  parts: ['speakers', 'quotes', 'times'],
}

export const draftOf = ({
  name,
  instructions,
  length,
  parts,
}: DocumentTemplate): WriteTemplate => ({ name, instructions, length, parts: [...parts] })

/** Instructions that show what can be said. */
export const EXAMPLE = `A report for the head of the team, who was not there.
Begin with the one thing they have to know. Then three headings: “What goes well”, “What is stuck” and “What we need”.
Short points in plain words. No praise, and nothing twice.`

export const partNames: Record<OwnPart, string> = {
  speakers: 'Who said what',
  quotes: 'Quotes, word for word',
  times: 'Times',
  facts: 'Date and length',
}

/** "150–500 words" */
export function rangeOf(length: OwnLength): string {
  const { minWords, maxWords } = ownLengths[length]
  return `${minWords}–${maxWords.toLocaleString('en-US')} words`
}

export const isSame = (one: WriteTemplate, other: WriteTemplate): boolean =>
  one.name === other.name &&
  one.instructions === other.instructions &&
  one.length === other.length &&
  one.parts.toSorted().join() === other.parts.toSorted().join()

/** The missing fields, in the words that stand under each. */
export const problemsWith = ({ name, instructions }: WriteTemplate) => ({
  name: name.trim() === '' ? 'Please give the type a name.' : undefined,
  instructions: instructions.trim() === '' ? 'Please say what the document is to be.' : undefined,
})
