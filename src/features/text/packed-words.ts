/**
 * Where words lie in a turn's text, packed small enough that hours of them travel at once: five
 * whole numbers for each word. Read by server and browser alike.
 */

/** A word as a reader clicks it: `from` and `to` are places in the turn's text. */
export interface PlacedWord {
  from: number
  to: number
  startMs: number
  endMs: number
  /** 0 to 100; SURE also when somebody confirmed or typed it. Null where the engine does not say. */
  confidence: number | null
}

/** The confidence of a word that somebody has written or confirmed. */
export const SURE = 100

const NUMBERS = 5
const UNKNOWN = -1

/**
 * For each word: characters since the end of the word before it, its length, milliseconds since
 * the start of the word before it (the first: since the turn's start), how long it takes, and its
 * confidence in percent, -1 where there is none.
 */
export function packWords(words: readonly PlacedWord[], turnStartMs: number): number[] {
  const packed: number[] = []
  let at = 0
  let ms = turnStartMs
  for (const { from, to, startMs, endMs, confidence } of words) {
    packed.push(from - at, to - from, startMs - ms, endMs - startMs, confidence ?? UNKNOWN)
    at = to
    ms = startMs
  }
  return packed
}

/** The packed words with those at these places confirmed. */
export function confirmed(packed: readonly number[], places: readonly number[]): number[] {
  const confidences = new Set(places.map((place) => place * NUMBERS + NUMBERS - 1))
  return packed.map((value, index) => (confidences.has(index) ? SURE : value))
}

/** The words of a turn, as GET …/words sends them. */
export function unpackWords(turn: { start: number; words: readonly number[] }): PlacedWord[] {
  const words: PlacedWord[] = []
  let at = 0
  let ms = Math.round(turn.start * 1000)
  const { words: packed } = turn
  // No array is made for each word: hours of talk have tens of thousands.
  for (let index = 0; index + NUMBERS <= packed.length; index += NUMBERS) {
    const { [index]: gap = 0, [index + 1]: length = 0, [index + 2]: laterMs = 0 } = packed
    const { [index + 3]: lengthMs = 0, [index + 4]: confidence = UNKNOWN } = packed
    const from = at + gap
    at = from + length
    ms += laterMs
    words.push({
      from,
      to: at,
      startMs: ms,
      endMs: ms + lengthMs,
      confidence: confidence === UNKNOWN ? null : confidence,
    })
  }
  return words
}
