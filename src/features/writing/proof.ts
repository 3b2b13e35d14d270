/**
 * Proves that something was said. A model must quote the words that each of its points rests on.
 * They are searched in the transcript, letter for letter, but without case and punctuation. The
 * quote that is kept is the transcript's text, never the model's.
 *
 * Promise: a quote is shown as it was said.
 */
import type { WritingTurn } from './contract.ts'

export interface Source {
  /** Index of the turn. */
  turn: number
  /** As it stands in the turn. */
  quote: string
  /** Where it stands there. */
  from: number
  startMs: number
}

/** A shorter quote can be found in almost any recording, so it proves nothing. */
const LEAST_LETTERS = 10
const FEWEST_WORDS = 3

/** The letters and digits of a text, each with its place in the real text. */
export interface Folded {
  letters: string
  places: number[]
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const countable = /[\p{L}\p{N}\p{M}]/u

/** Without case, punctuation and spaces. */
export function fold(text: string): Folded {
  let letters = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    if (countable.test(character)) {
      const folded = character.normalize('NFKC').toLowerCase()
      letters += folded
      for (let unit = 0; unit < folded.length; unit += 1) places.push(at)
    }
    at += character.length
  }
  return { letters, places }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text, folded, also in scripts without spaces. */
export function wordsIn(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text))
    if (isWordLike) words.push(fold(segment).letters)
  return words
}

export interface Prover {
  /** Finds a quote: first in the turns that the model named, then in all. */
  find(quote: string, named: readonly number[]): Source | null
}

export function proverOf(turns: readonly WritingTurn[]): Prover {
  const folded = new Map<number, Folded>()
  const foldedAt = (index: number): Folded => {
    const known = folded.get(index)
    if (known) return known
    const made = fold(turns[index]?.text ?? '')
    folded.set(index, made)
    return made
  }

  function findIn(index: number, wanted: string): Source | null {
    const turn = turns[index]
    if (!turn) return null
    const { letters, places } = foldedAt(index)
    for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) {
      const from = places[at] ?? 0
      const last = places[at + wanted.length - 1] ?? from
      const to = last + (String.fromCodePoint(turn.text.codePointAt(last) ?? 0).length || 1)
      if (!isWhole(turn.text, from, to)) continue
      const startMs = timeAt(turn, at, letters)
      return { turn: index, quote: turn.text.slice(from, to), from, startMs }
    }
    return null
  }

  return {
    find(quote, named) {
      const wanted = partsOf(quote)
      for (const part of wanted) {
        const near = named.filter((index) => turns[index])
        for (const index of near) {
          const source = findIn(index, part)
          if (source) return source
        }
        for (const index of turns.keys()) {
          const source = near.includes(index) ? null : findIn(index, part)
          if (source) return source
        }
      }
      return null
    },
  }
}

/** The quote, or the longest of its pieces where the model left something out between them. */
function partsOf(quote: string): string[] {
  const pieces = [quote, ...quote.split(/…|\.{3}|\[[^\]]*\]/)]
    .filter((piece) => isEnough(piece))
    .map((piece) => fold(piece).letters)
  return [...new Set(pieces)].sort((a, b) => b.length - a.length)
}

/** Whether a quote is long enough to prove anything. */
export function isEnough(piece: string): boolean {
  if (unspaced.test(piece)) return fold(piece).letters.length >= FEWEST_WORDS * 2
  const words = piece.split(/\s+/).filter((word) => countable.test(word))
  return words.length >= FEWEST_WORDS && fold(piece).letters.length >= LEAST_LETTERS
}

/** Whether a match begins and ends between words: "art" is not said in "start". */
function isWhole(text: string, from: number, to: number): boolean {
  const before = text.slice(0, from).at(-1) ?? ''
  const after = text.slice(to, to + 1)
  const first = text.slice(from, from + 1)
  const last = text.slice(to - 1, to)
  const joins = (one: string, other: string) =>
    countable.test(one) && countable.test(other) && !unspaced.test(one) && !unspaced.test(other)
  return !joins(before, first) && !joins(last, after)
}

/** From the word's own time where there is one, else in proportion to the text. */
function timeAt({ startMs, endMs, words }: WritingTurn, at: number, letters: string): number {
  let passed = 0
  for (const word of words ?? []) {
    passed += fold(word.text).letters.length
    if (passed > at) return word.startMs
  }
  return Math.round(startMs + ((endMs - startMs) * at) / Math.max(1, letters.length))
}
