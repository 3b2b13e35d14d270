/** Searching in a transcript: case and accents do not matter, places are those of the real text. */
import { type Folded, fold } from '#shared/fold.ts'

export interface Hit {
  turn: number
  /** [from, to) in the turn's text. */
  from: number
  to: number
}

/** Every place of the wanted words, in order; none when only spaces are wanted. */
export function findIn(turns: readonly Folded[], wanted: string): Hit[] {
  const needle = fold(wanted.trim()).text
  if (needle === '') return []
  const hits: Hit[] = []
  turns.forEach(({ text, origin }, turn) => {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const end = at + needle.length
      hits.push({ turn, from: origin?.[at] ?? at, to: origin?.[end] ?? end })
    }
  })
  return hits
}
