/** Lists all words of a transcript in order, and finds the one that is being said or pressed. */
import { isTitle, sentenceEnd } from '#features/speech/contract.ts'

import type { WordTurn } from '../contract.ts'
import { isInDoubt } from '../words-in-doubt.ts'
import { type PlacedWord, unpackWords } from '../packed-words.ts'

export interface WordPlace extends PlacedWord {
  /** Index of its turn, and of itself among the turn's words. */
  turn: number
  index: number
}

type TurnWithWords = Pick<WordTurn, 'start' | 'words'>

export const placesOf = (turns: readonly TurnWithWords[]): WordPlace[] =>
  turns.flatMap((turn, position) =>
    unpackWords(turn).map((word, index) => ({ ...word, turn: position, index })),
  )

/** A word stays marked this long after its end, or the mark would flicker in every pause. */
const LINGER_MS = 400

/** The word that is being said; undefined in a pause. */
export function placeAt(places: readonly WordPlace[], ms: number): WordPlace | undefined {
  // A player that is sent to a word may answer with a place a hair before it.
  const place = lastSaid(places, Math.round(ms))
  return place && ms <= place.endMs + LINGER_MS ? place : undefined
}

/** Where two speak at once, so many words or turns that began before the last one may still go on. */
const LOOK_BACK = 8

/**
 * The word that is being said, or was said last. Where two speak at once it is the one that is read
 * later: the mark stays with a reply until that ends, and then returns to who went on speaking.
 */
function lastSaid(places: readonly WordPlace[], ms: number): WordPlace | undefined {
  const begun = inOrderOfTime(places)
  const last = lastUpTo(begun.length, (index) => begun[index]?.startMs ?? 0, ms)
  const said = begun
    .slice(Math.max(0, last - LOOK_BACK), last + 1)
    .filter(({ endMs }) => ms <= endMs + LINGER_MS)
  return said.toSorted((a, b) => a.turn - b.turn || a.index - b.index).at(-1) ?? begun[last]
}

const ordered = new WeakMap<readonly PlacedWord[], readonly PlacedWord[]>()

/** Words in the order in which they begin: where turns overlap, they are read in another one. */
function inOrderOfTime<Place extends PlacedWord>(places: readonly Place[]): readonly Place[] {
  const known = ordered.get(places) as readonly Place[] | undefined
  const inOrder = known ?? places.toSorted((a, b) => a.startMs - b.startMs)
  if (!known) ordered.set(places, inOrder)
  return inOrder
}

/** The word whose letters are at this place of a turn: the one a reader has pressed. */
export function placeInTurn(
  places: readonly WordPlace[],
  turn: number,
  offset: number,
): WordPlace | undefined {
  const before = lastUpTo(places.length, (index) => places[index]?.turn ?? 0, turn - 1)
  let found: WordPlace | undefined
  for (let next = before + 1; places[next]?.turn === turn; next += 1) {
    const place = places[next]
    if (!place || (found && place.from > offset)) break
    found = place
  }
  return found
}

/**
 * The word of a turn before or after the one where the player stands; from outside its first or last.
 * Undefined at the ends of the turn.
 */
export function besideWord(
  places: readonly WordPlace[],
  { place, seconds, steps }: { place: number; seconds: number; steps: 1 | -1 },
): WordPlace | undefined {
  const words = places.filter(({ turn }) => turn === place)
  const now = placeAt(words, seconds * 1000)
  return now ? words[now.index + steps] : words.at(steps === 1 ? 0 : -1)
}

/** When the sentence began that is being said. In a pause between two it is the moment itself. */
export function sentenceStart(
  turns: readonly Pick<WordTurn, 'text'>[],
  places: readonly WordPlace[],
  ms: number,
): number {
  const isLast = (at: number): boolean => {
    const { [at]: word, [at + 1]: next } = places
    if (!word || next?.turn !== word.turn) return true
    // Marks between two words belong to the one before.
    const written = turns[word.turn]?.text.slice(word.from, next.from).trim() ?? ''
    return sentenceEnd.test(written) && !isTitle(written)
  }
  const said = lastSaid(places, Math.round(ms))
  let at = said ? places.indexOf(said) : -1
  if (!said || (isLast(at) && ms >= said.endMs)) return ms
  while (at > 0 && !isLast(at - 1)) at -= 1
  return places[at]?.startMs ?? ms
}

/**
 * Index of the turn that is being said, or was said last; -1 before the first. A turn that goes on after
 * a reply within it is said again.
 */
export function turnIndexAt(
  turns: readonly { start: number; end?: number }[],
  seconds: number,
): number {
  const last = lastUpTo(turns.length, (index) => turns[index]?.start ?? 0, seconds + 0.05)
  const first = Math.max(0, last - LOOK_BACK)
  const going = turns.slice(first, last + 1).findLastIndex(({ end = 0 }) => end > seconds)
  return going === -1 ? last : first + going
}

/** Index of the last of ascending values that is not above the limit; -1 when all are above it. */
function lastUpTo(count: number, valueAt: (index: number) => number, limit: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (valueAt(middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * In seconds: the shortest pause that is skipped, and how much of it is played at both ends.
 */
const SILENCE_S = 1.5
const MARGIN_S = 0.3

/** Where nobody speaks for a while, [from, to) in seconds. */
export function silencesOf(places: readonly PlacedWord[]): [number, number][] {
  const silences: [number, number][] = []
  let end = 0
  for (const { startMs, endMs } of inOrderOfTime(places)) {
    const start = startMs / 1000
    if (start - end >= SILENCE_S) silences.push([end === 0 ? 0 : end + MARGIN_S, start - MARGIN_S])
    end = Math.max(end, endMs / 1000)
  }
  return silences
}

/** The words in doubt, in order: the engine was unsure of them and nobody has confirmed them. */
export function toCheckOf(places: readonly WordPlace[], checkBelow: number | null): WordPlace[] {
  if (checkBelow === null) return []
  return places.filter(({ confidence }) => isInDoubt(confidence, checkBelow))
}
