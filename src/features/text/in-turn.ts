/** Words as they lie in the time of a turn. Pure. */
import type { Word } from '#features/speech/contract.ts'

import { type Span, fold } from './align.ts'

/** The words with their times, none of them outside: the times of a turn are whole milliseconds. */
export function within(words: readonly Word[], { startMs, endMs }: Span): Word[] {
  const inside = (ms: number) => {
    if (Math.round(ms) < startMs) return startMs
    return Math.round(ms) > endMs ? endMs : ms
  }
  return words.map((word) => ({
    ...word,
    startMs: inside(word.startMs),
    endMs: inside(word.endMs),
  }))
}

/** Whether each of the words begins there. */
export const beginIn = (words: readonly Word[], { startMs, endMs }: Span): boolean =>
  words.every((word) => Math.round(word.startMs) >= startMs && Math.round(word.startMs) <= endMs)

/** From where to where words are said. */
export function extentOf(words: readonly Word[]): Span {
  return {
    startMs: Math.round(words.reduce((start, word) => Math.min(start, word.startMs), Infinity)),
    endMs: Math.round(words.reduce((end, word) => Math.max(end, word.endMs), 0)),
  }
}

/** Words that are spread over another time as they were over one. */
export function respread(words: readonly Word[], from: Span, to: Span): Word[] {
  const scale = (to.endMs - to.startMs) / Math.max(1, from.endMs - from.startMs)
  const moved = (ms: number) =>
    Math.min(to.endMs, Math.round(to.startMs + (ms - from.startMs) * scale))
  return words.map((word) => ({
    ...word,
    startMs: moved(word.startMs),
    endMs: moved(word.endMs),
  }))
}

/**
 * The engine's words with times inside a turn: the times at which they were heard or, where somebody
 * moved the turn, those times moved with it. The words of the engine that still stand in the turn tell
 * which: at least half of them lie there. Where they lie at neither, no words are answered.
 */
export function heardIn(
  turn: Span & { words: readonly Word[] },
  original: readonly Word[],
): Word[] {
  const untyped = turn.words.filter(({ confidence }) => confidence !== 1)
  const isSo = (words: readonly Word[]) => {
    const places = new Set(words.flatMap(endsOf))
    const agree = untyped.filter((word) => endsOf(word).some((end) => places.has(end)))
    return beginIn(words, turn) && agree.length * 2 >= untyped.length
  }
  const moved = () => respread(original, extentOf(original), turn)
  const found = isSo(original) ? original : [moved()].find(isSo)
  return within(found ?? [], turn)
}

/** Of a word that the edge of a turn cuts off, one end is where it was. */
function endsOf({ text, startMs, endMs }: Word): string[] {
  const heard = fold(text)
  return [`from ${startMs} ${heard}`, `to ${endMs} ${heard}`]
}
