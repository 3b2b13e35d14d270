/**
 * Keeps words at their times when the text is corrected. What is written is compared with the words
 * that are there, and with those that the engine heard. A word that stayed keeps its time to the
 * millisecond. A word of the engine that is typed again gets its time back. A corrected word takes
 * the time of the word that it replaces. All other words share the time of the words that they
 * replace, or of the gap into which they were put. Pure.
 *
 * Promise: what is written in a turn does not move it; the engine's words, typed again, lie where
 * they were heard (in-turn.ts).
 */
import { distance } from 'fastest-levenshtein'

import type { Word } from '#features/speech/contract.ts'
import { wordsIn } from '#shared/written.ts'

import { spread } from './replacing.ts'

/** How many pairs of words are compared. With more, the middle of a text is replaced as a whole. */
const MOST_PAIRS = 4_000_000

/** The costs of a step. Two words that stand for each other cost less than one gone and one new. */
const GONE = 20
const NEW = 20
const OTHER = 32
const ALIKE = 14

/** A word that is said takes some time. Words that were typed give time to others beside them. */
const SHORTEST_WORD_MS = 60

/** From when to when in the recording. */
export interface Span {
  startMs: number
  endMs: number
}

/** A word that a written one may stand for. */
interface Known {
  word: Word
  heard: string
  /** It is in the text as it is. */
  isThere: boolean
  /** The engine heard it there. */
  isHeard: boolean
}

/** A written word that has its time; `at`: the number of the known word that it stands for. */
interface Placed {
  at: number
  word: Word
  isTyped: boolean
}

/**
 * The words of `text`, with the times of words that they stand for.
 *
 * A corrected or added word has confidence 1: somebody wrote it.
 *
 * @param before the words as they are
 * @param span from where to where there may be words: added ones find their time in it
 * @param heard the engine's words for this stretch, where they belong in this span
 */
export function align(
  before: readonly Word[],
  text: string,
  span: Span,
  heard: readonly Word[] = [],
): Word[] {
  const tokens = wordsIn(text)
  const now = tokens.map(fold)
  const known = allKnown(before, heard)
  const pairs = whole(known, 'isThere', now) ?? whole(known, 'isHeard', now) ?? pairsOf(known, now)
  const placed = tokens.map((token, index): Placed | null => {
    const at = pairs[index]
    const old = at === undefined ? undefined : known[at]
    if (at === undefined || !old) return null
    const cost = pairCost(old.heard, now[index] ?? '')
    if (cost === OTHER) return null
    const confidence = cost === 0 ? old.word.confidence : 1
    return { at, word: { ...old.word, text: token, confidence }, isTyped: isTyped(old) }
  })
  freeClashes(placed)
  freeTyped(placed, span)
  return fill(tokens, placed, known, span)
}

/** Somebody wrote it, and its time is a guess. */
const isTyped = ({ word, isHeard }: Known): boolean => !isHeard && word.confidence === 1

/** The words as they are and those that the engine heard, in their order; what is in both is once. */
function allKnown(before: readonly Word[], heard: readonly Word[]): Known[] {
  const keyOf = ({ text, startMs, endMs }: Word) => `${startMs} ${endMs} ${fold(text)}`
  const numbers = new Map(heard.map((word, index) => [keyOf(word), index]))
  const there = new Set(before.map(keyOf))
  const known: Known[] = []
  const add = (word: Word, lists: Pick<Known, List>) =>
    known.push({ word, heard: fold(word.text), ...lists })
  let next = 0
  const hearTo = (end: number, untilMs = Infinity) => {
    for (let word = heard[next]; word && next < end; word = heard[next]) {
      // A heard word that is still in the text comes with the words of the text.
      if (word.startMs > untilMs || (untilMs < Infinity && there.has(keyOf(word)))) return
      add(word, { isThere: false, isHeard: true })
      next += 1
    }
  }
  for (const word of before) {
    const same = numbers.get(keyOf(word)) ?? -1
    const isHeard = same >= next
    if (isHeard) hearTo(same)
    else hearTo(heard.length, word.startMs)
    add(word, { isThere: true, isHeard })
    if (isHeard) next += 1
  }
  hearTo(heard.length)
  return known
}

type Pairs = (number | undefined)[]
type List = 'isThere' | 'isHeard'

/** All words of one list, where they are what is written. */
function whole(known: readonly Known[], list: List, now: readonly string[]): Pairs | null {
  const numbers = numbersOf(known, list)
  const isIt =
    numbers.length === now.length && numbers.every((at, i) => known[at]?.heard === now[i])
  return isIt ? numbers : null
}

const numbersOf = (known: readonly Known[], list: List): number[] =>
  known.flatMap((each, at) => (each[list] ? [at] : []))

/** For each written word the number of the known one it stands for. */
function pairsOf(known: readonly Known[], now: readonly string[]): Pairs {
  const found: Pairs = Array.from({ length: now.length })
  let [from, to] = [0, known.length]
  let [head, tail] = [0, now.length]
  // One of these words may come back where a typed word that reads the same stands now.
  const lost = new Set(known.filter(({ isThere }) => !isThere).map(({ heard }) => heard))
  const takeEnds = (list: List) => {
    const numbers = numbersOf(known, list).filter((at) => at >= from && at < to)
    let [first, last] = [0, numbers.length]
    const isSame = (at: number | undefined, text: string | undefined) => {
      const old = at === undefined ? undefined : known[at]
      return old !== undefined && old.heard === text && !(isTyped(old) && lost.has(text))
    }
    while (first < last && head < tail && isSame(numbers[first], now[head])) {
      found[head] = numbers[first]
      from = (numbers[first] ?? from) + 1
      first += 1
      head += 1
    }
    while (first < last && head < tail && isSame(numbers[last - 1], now[tail - 1])) {
      last -= 1
      tail -= 1
      found[tail] = numbers[last]
      to = numbers[last] ?? to
    }
  }
  takeEnds('isThere')
  if ((to - from) * (tail - head) > MOST_PAIRS) takeEnds('isHeard')
  const middle = known.slice(from, to)
  const pairs = cheapest(
    middle.map(({ heard }) => heard),
    now.slice(head, tail),
    middle.map(goneCost),
  )
  for (const [index, at] of pairs.entries()) if (at !== undefined) found[head + index] = from + at
  return found
}

/** Of two that are alike the one that is there stays, before one comes back, before a typed one stays. */
function goneCost(one: Known): number {
  if (isTyped(one)) return GONE - 1
  return one.isThere ? GONE + 1 : GONE
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

/** Needleman and Wunsch's table, of words. `gone`: what it costs that an old word is left out. */
function cheapest(
  old: readonly string[],
  now: readonly string[],
  gone?: readonly number[],
): (number | undefined)[] {
  const found = Array.from<number | undefined>({ length: now.length })
  if (old.length === 0 || now.length === 0 || old.length * now.length > MOST_PAIRS) return found
  const width = now.length + 1
  const cost = new Int32Array((old.length + 1) * width)
  for (let column = 1; column < width; column += 1) cost[column] = column * NEW
  for (let row = 1; row <= old.length; row += 1) {
    const left = gone?.[row - 1] ?? GONE
    cost[row * width] = (cost[(row - 1) * width] ?? 0) + left
    for (let column = 1; column < width; column += 1) {
      const pair = pairCost(old[row - 1] ?? '', now[column - 1] ?? '')
      cost[row * width + column] = Math.min(
        (cost[(row - 1) * width + column - 1] ?? 0) + pair,
        (cost[(row - 1) * width + column] ?? 0) + left,
        (cost[row * width + column - 1] ?? 0) + NEW,
      )
    }
  }
  let row = old.length
  let column = now.length
  while (row > 0 && column > 0) {
    const here = cost[row * width + column] ?? 0
    const pair = pairCost(old[row - 1] ?? '', now[column - 1] ?? '')
    if (here === (cost[(row - 1) * width + column - 1] ?? 0) + pair) {
      found[column - 1] = row - 1
      row -= 1
      column -= 1
    } else if (here === (cost[(row - 1) * width + column] ?? 0) + (gone?.[row - 1] ?? GONE))
      row -= 1
    else column -= 1
  }
  return found
}

function pairCost(old: string, now: string): number {
  if (old === now) return 0
  const shared = sharedEnds(old, now)
  // A single shared letter is chance: "be" does not stand for "we".
  return shared > 1 && shared * 2 >= Math.max(old.length, now.length) ? ALIKE : OTHER
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

/** A typed word that would be said at the same time as one beside it has lost its time. */
function freeClashes(placed: (Placed | null)[]): void {
  let nextMs = Infinity
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    const here = placed[index]
    if (here?.isTyped === true && here.word.endMs > nextMs) placed[index] = null
    else if (here) nextMs = here.word.startMs
  }
  let reachedMs = -Infinity
  for (const [index, here] of placed.entries())
    if (here?.isTyped === true && here.word.startMs < reachedMs) placed[index] = null
    else if (here) reachedMs = Math.max(reachedMs, here.word.endMs)
}

/** Where there is no time for words, the typed ones beside them share theirs, as far as needed. */
function freeTyped(placed: (Placed | null)[], span: Span): void {
  let start = 0
  while (start < placed.length) {
    if (placed[start]) {
      start += 1
      continue
    }
    let end = start
    while (end < placed.length && !placed[end]) end += 1
    const [left, right] = [placed[start - 1], placed[end]]
    const { startMs, endMs } = between(left, right, span)
    const isEnough = endMs - startMs >= SHORTEST_WORD_MS * (end - start)
    if (!isEnough && left?.isTyped === true) {
      placed[start - 1] = null
      while (start > 0 && !placed[start - 1]) start -= 1
    } else if (!isEnough && right?.isTyped === true) placed[end] = null
    else start = end
  }
}

function between(
  left: Placed | null | undefined,
  right: Placed | null | undefined,
  span: Span,
): Span {
  const endMs = right?.word.startMs ?? Math.max(span.endMs, left?.word.endMs ?? 0)
  return { startMs: Math.min(left?.word.endMs ?? span.startMs, endMs), endMs }
}

/** Words without a time share that of the words they were written for, or else the gap they are in. */
function fill(
  tokens: readonly string[],
  placed: readonly (Placed | null)[],
  known: readonly Known[],
  span: Span,
): Word[] {
  const words: Word[] = []
  for (let index = 0; index < placed.length;) {
    const here = placed[index]
    if (here) {
      words.push(here.word)
      index += 1
      continue
    }
    let end = index
    while (end < placed.length && !placed[end]) end += 1
    const [left, right] = [placed[index - 1], placed[end]]
    const gone = known.slice((left?.at ?? -1) + 1, right?.at ?? known.length)
    const heard = gone.filter(({ isHeard }) => isHeard)
    const old = (heard.length > 0 ? heard : gone).map(({ word }) => word)
    words.push(...instead(tokens.slice(index, end), old, between(left, right, span)))
    index = end
  }
  return words
}

/** Words in the place of others: one for one, or all of them over the same time. */
function instead(tokens: readonly string[], old: readonly Word[], span: Span): Word[] {
  const inside = (ms: number) => Math.min(span.endMs, Math.max(span.startMs, ms))
  if (tokens.length === old.length)
    return tokens.flatMap((text, index) => {
      const word = old[index]
      if (!word) return []
      const [startMs, endMs] = [inside(word.startMs), inside(word.endMs)]
      const confidence = fold(word.text) === fold(text) ? word.confidence : 1
      return [{ text, startMs, endMs, confidence }]
    })
  const fromMs = inside(old[0]?.startMs ?? span.startMs)
  const toMs = inside(old.reduce((end, { endMs }) => Math.max(end, endMs), fromMs))
  return fromMs < toMs ? spread(tokens, fromMs, toMs) : spread(tokens, span.startMs, span.endMs)
}
