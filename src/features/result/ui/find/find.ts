/** Searches in a transcript. Places count letters of the text as it is, not as it is compared. */
import { type Folded, placesOf } from '#shared/fold.ts'

export interface Hit {
  turn: number
  /** [from, to) in the turn's text. */
  from: number
  to: number
}

/** Every place of the wanted words, in order; none when only spaces are wanted. */
export const findIn = (turns: readonly Folded[], wanted: string): Hit[] =>
  turns.flatMap((folded, turn) =>
    placesOf(folded, wanted).map(([from, to]): Hit => ({ turn, from, to })),
  )
