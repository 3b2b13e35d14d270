/** Turns that stand next to each other and become one. Pure. */
import { joinWords } from '#features/speech/contract.ts'

import type { StoredTurn } from './kept-turns.ts'

/** The turns as one, under the id and the speaker of the first. */
export function joined(first: StoredTurn, ...others: readonly StoredTurn[]): StoredTurn {
  const all = [first, ...others]
  return {
    ...first,
    words: all.flatMap(({ words }) => words),
    text: joinWords(all.map(({ text }) => text)),
    startMs: Math.min(...all.map(({ startMs }) => startMs)),
    endMs: Math.max(...all.map(({ endMs }) => endMs)),
    originalTo: all.at(-1)?.originalTo ?? null,
    isEdited: all.some(({ isEdited }) => isEdited),
  }
}

/** After a longer pause a speaker begins a new turn. */
const LONGEST_PAUSE_MS = 2_000
/** Some four minutes of talk: a longer turn is hard to read. */
const MOST_CHARACTERS = 4_000

interface Said {
  id: string
  speaker: number | null
  startMs: number
  endMs: number
  characters: number
}

/**
 * Turns, in their order, that only their speakers keep apart: of two speakers who become one, those
 * that follow each other without a long pause. Turns that one of them alone had apart stay apart.
 */
export function runsOfTwo(
  said: readonly Said[],
  [one, other]: readonly [number, number],
): Said[][] {
  const runs: Said[][] = []
  let characters = 0
  for (const [index, turn] of said.entries()) {
    const before = said[index - 1]
    const isNext =
      before !== undefined &&
      [one, other].every((each) => each === before.speaker || each === turn.speaker) &&
      turn.startMs - before.endMs <= LONGEST_PAUSE_MS &&
      characters + 1 + turn.characters <= MOST_CHARACTERS
    characters = isNext ? characters + 1 + turn.characters : turn.characters
    if (isNext) runs.at(-1)?.push(turn)
    else runs.push([turn])
  }
  return runs.filter(({ length }) => length > 1)
}
