/** What writing.ts has done in a thread. */
import type { WritingTurn } from './contract.ts'
import { extract, gather } from './extractive.ts'

interface ExtractRequest {
  turns: readonly WritingTurn[]
  language: string
}

export const summary = ({ turns, language }: ExtractRequest) => extract(turns, language)

/** Everything that a document may be made of. */
export const material = ({ turns, language }: ExtractRequest) => gather(turns, language)
