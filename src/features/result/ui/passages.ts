import type { WordTurn } from '#features/text/contract.ts'

/** Of the recording, in milliseconds. */
export interface Passage {
  startMs: number
  endMs: number
}

/** A clip of a key point is proposed to be no longer. */
const LONGEST_PROPOSED_S = 60

/** From where a key point was taken to the end of its turn. */
export const passageFrom = (at: number, { end }: Pick<WordTurn, 'end'>): Passage => ({
  startMs: Math.round(at * 1000),
  endMs: Math.round(Math.min(Math.max(end, at + 1), at + LONGEST_PROPOSED_S) * 1000),
})
