/** Finds the words of a quote in the text as it is now. */
import type { WordTurn } from '#features/text/contract.ts'
import { type WordPlace, turnIndexAt } from '#features/text/ui/word-places.ts'

import type { Quote } from '../contract.ts'

export type Quoted = Pick<Quote, 'turnId' | 'at' | 'text'>

/**
 * The letters of a quote. Where the text was changed since, these are the word that is said then, or the
 * turn; null only where there is no text.
 */
export function placeOfQuote(
  { turnId, at, text }: Quoted,
  turns: readonly Pick<WordTurn, 'id' | 'start' | 'text'>[],
  places: readonly WordPlace[],
): { turn: number; from: number; to: number } | null {
  const known = turns.findIndex(({ id }) => id === turnId)
  const turn = known >= 0 ? known : Math.max(0, turnIndexAt(turns, at))
  const written = turns[turn]?.text
  if (written === undefined) return null
  const word = places.find((place) => place.turn === turn && place.startMs >= at * 1000 - 1)
  const from = nearest(written, text, word?.from ?? 0)
  if (from !== null) return { turn, from, to: from + text.length }
  return word ? { turn, from: word.from, to: word.to } : { turn, from: 0, to: written.length }
}

/** Where these words stand: of several such places the one nearest to where they were said. */
function nearest(written: string, text: string, wanted: number): number | null {
  let best: number | null = null
  for (let next = written.indexOf(text); next >= 0; next = written.indexOf(text, next + 1))
    if (best === null || Math.abs(next - wanted) < Math.abs(best - wanted)) best = next
  return best
}

/** The words of a quote that are in doubt, as places in its text. */
export function doubtsOfQuote(
  quote: Quoted,
  {
    turns,
    places,
    toCheck,
  }: {
    turns: readonly Pick<WordTurn, 'id' | 'start' | 'text'>[]
    places: readonly WordPlace[]
    toCheck: readonly WordPlace[]
  },
): [from: number, to: number][] {
  const place = placeOfQuote(quote, turns, places)
  if (!place || turns[place.turn]?.text.slice(place.from, place.to) !== quote.text) return []
  return toCheck
    .filter(({ turn, from, to }) => turn === place.turn && from >= place.from && to <= place.to)
    .map(({ from, to }) => [from - place.from, to - place.from])
}
