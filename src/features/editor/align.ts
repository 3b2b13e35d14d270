/**
 * Words keep their places when their text is corrected. What is written is compared with what
 * there was; a word that stayed keeps its time to the millisecond, one that was corrected takes the
 * time of the word it stands for, and what was added shares the gap it was put into. Pure.
 */
import { distance } from 'fastest-levenshtein'

import type { Word } from '#features/speech/contract.ts'
import { spread } from '#features/transcriptions/replacing.ts'
import { wordsIn } from '#shared/written.ts'

/** Beyond so many pairs the middle of a text is not compared word by word but replaced. */
const MOST_PAIRS = 4_000_000

/** What a step costs; two words that stand for each other are cheaper than one gone and one new. */
const GONE = 1
const NEW = 1
const OTHER = 1.6
const ALIKE = 0.7

/** Between whom new words find room when the text begins or ends with them. */
export interface Room {
  startMs: number
  endMs: number
}

/**
 * The words of `text`, with the times of `before` as far as they stand for the same.
 *
 * A corrected or added word has confidence 1: somebody wrote it.
 */
export function align(before: readonly Word[], text: string, room: Room): Word[] {
  const tokens = wordsIn(text)
  const pairs = match(
    before.map((word) => fold(word.text)),
    tokens.map(fold),
  )
  const placed = tokens.map((token, index): Word | null => {
    const old = before[pairs[index] ?? -1]
    if (!old) return null
    const isSame = fold(old.text) === fold(token)
    return { ...old, text: token, confidence: isSame ? old.confidence : 1 }
  })
  return fill(tokens, placed, room)
}

/**
 * How many words were changed, taken out or put in: the fewest that turn one text into the other, as
 * a listener hears them.
 */
export function differences(before: readonly Word[], after: readonly Word[]): number {
  // The library compares letters, so each different word becomes one.
  const letters = new Map<string, string>()
  const spelled = (words: readonly Word[]) =>
    words
      .map(({ text }) => {
        const heard = fold(text)
        const letter = letters.get(heard) ?? String.fromCharCode(letters.size)
        letters.set(heard, letter)
        return letter
      })
      .join('')
  return distance(spelled(before), spelled(after))
}

/** As a listener hears it: case and punctuation make no other word. */
export function fold(text: string): string {
  const heard = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return heard === '' ? text : heard
}

/** For each new word the number of the old one it stands for, or undefined. */
export function match(old: readonly string[], now: readonly string[]): (number | undefined)[] {
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1
  const middle = cheapest(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  return now.map((_, index) => {
    if (index < head) return index
    if (index >= now.length - tail) return index + old.length - now.length
    const found = middle[index - head]
    return found === undefined ? undefined : found + head
  })
}

/** Needleman and Wunsch's table, of words. */
function cheapest(old: readonly string[], now: readonly string[]): (number | undefined)[] {
  const found = Array.from<number | undefined>({ length: now.length })
  if (old.length === 0 || now.length === 0 || old.length * now.length > MOST_PAIRS) return found
  const width = now.length + 1
  const cost = new Float32Array((old.length + 1) * width)
  for (let column = 1; column < width; column += 1) cost[column] = column * NEW
  for (let row = 1; row <= old.length; row += 1) {
    cost[row * width] = row * GONE
    for (let column = 1; column < width; column += 1) {
      const pair = pairCost(old[row - 1] ?? '', now[column - 1] ?? '')
      cost[row * width + column] = Math.min(
        (cost[(row - 1) * width + column - 1] ?? 0) + pair,
        (cost[(row - 1) * width + column] ?? 0) + GONE,
        (cost[row * width + column - 1] ?? 0) + NEW,
      )
    }
  }
  let row = old.length
  let column = now.length
  while (row > 0 && column > 0) {
    const here = cost[row * width + column] ?? 0
    const pair = pairCost(old[row - 1] ?? '', now[column - 1] ?? '')
    if (isNear(here, (cost[(row - 1) * width + column - 1] ?? 0) + pair)) {
      found[column - 1] = row - 1
      row -= 1
      column -= 1
    } else if (isNear(here, (cost[(row - 1) * width + column] ?? 0) + GONE)) row -= 1
    else column -= 1
  }
  return found
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3

function pairCost(old: string, now: string): number {
  if (old === now) return 0
  const shared = sharedEnds(old, now)
  return shared * 2 >= Math.max(old.length, now.length) ? ALIKE : OTHER
}

/** Letters the two begin and end with alike: enough to tell a misspelling from another word. */
function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return head + tail
}

/** Added words share what lies between their neighbours, by length; it may be no time at all. */
function fill(tokens: readonly string[], placed: readonly (Word | null)[], room: Room): Word[] {
  const words: Word[] = []
  for (let index = 0; index < placed.length;) {
    const here = placed[index]
    if (here) {
      words.push(here)
      index += 1
      continue
    }
    let end = index
    while (end < placed.length && !placed[end]) end += 1
    const fromMs = words.at(-1)?.endMs ?? Math.min(room.startMs, placed[end]?.startMs ?? Infinity)
    const toMs = Math.max(fromMs, placed[end]?.startMs ?? room.endMs)
    words.push(...spread(tokens.slice(index, end), fromMs, toMs))
    index = end
  }
  return words
}
