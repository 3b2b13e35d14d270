/** Where words stand in the turns of a text, and when they are said. Pure. */
import type { Word } from '#features/speech/contract.ts'
import type { Hit } from '#shared/hits.ts'

import { placesIn } from './places.ts'

export interface SaidTurn {
  id: string
  text: string
  startMs: number
  endMs: number
  words: readonly Pick<Word, 'text' | 'startMs' | 'endMs' | 'isEstimated'>[]
}

/** A place in the text of a turn, and when it is said. */
export interface WordPlace {
  turnId: string
  from: number
  to: number
  startMs: number
  endMs: number
  /** Its times are a guess. */
  isEstimated: boolean
}

/** Every hit in a text as a whole. One that goes over the end of a turn has a place in each. */
export function wordPlaces(
  said: readonly SaidTurn[],
  hitsIn: (text: string) => readonly Hit[],
): WordPlace[] {
  const begins: number[] = []
  let whole = ''
  for (const { text } of said) {
    begins.push(whole.length)
    whole += `${text}\n`
  }
  const places: WordPlace[] = []
  let next = 0
  for (const [from, to] of hitsIn(whole)) {
    while ((begins[next + 1] ?? Infinity) <= from) next += 1
    for (let at = next; (begins[at] ?? Infinity) < to; at += 1) {
      const [turn, begin = 0] = [said[at], begins[at]]
      if (!turn) break
      const here: Hit = [Math.max(0, from - begin), Math.min(turn.text.length, to - begin)]
      if (here[0] < here[1])
        places.push({ turnId: turn.id, from: here[0], to: here[1], ...timesOf(turn, here) })
    }
  }
  return places
}

/** From the beginning of the first word that is touched to the end of the last. */
function timesOf(turn: SaidTurn, [from, to]: Hit) {
  const touched = placesIn(turn.text, turn.words).flatMap((place, at) => {
    const word = turn.words[at]
    return word && place.from < to && place.to > from ? [word] : []
  })
  if (touched.length === 0) return { startMs: turn.startMs, endMs: turn.endMs, isEstimated: true }
  return {
    startMs: Math.min(...touched.map(({ startMs }) => startMs)),
    endMs: Math.max(...touched.map(({ endMs }) => endMs)),
    isEstimated: touched.some((word) => word.isEstimated === true),
  }
}
