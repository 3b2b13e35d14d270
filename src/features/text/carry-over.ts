/**
 * Carries corrections over into a new transcription. For each change of the engine's old text a
 * place is looked for in the new one, by the words around it and by its time. A correction with a
 * place is put in. One without a place is listed, with what it was and what stands there now. None
 * is lost without a word. Pure.
 */
import { type Word, joinWords } from '#features/speech/contract.ts'

import { wordsIn } from '#shared/written.ts'

import { align, fold, match } from './align.ts'

/** A stretch of the old text that somebody wrote anew; times are ms of the recording. */
export interface Correction {
  startMs: number
  endMs: number
  /** The words of the engine; empty where words were added. */
  was: string
  /** The words written instead; empty where words were taken out. */
  mine: string
}

/** A correction without a place in the new text, and what is read there at that time. */
export interface Unplaced extends Correction {
  now: string
}

export interface CarriedOver {
  /** The new words with what was put in: a list for each given turn, which may be empty. */
  turns: Word[][]
  /** How many corrections are in the new text. */
  kept: number
  unplaced: Unplaced[]
}

/** How much text on each side is compared to find where in the new text a correction belongs. */
const AROUND_MS = 4_000
/** How many words beside a correction are looked at: one of them must be the same in both texts. */
const NEIGHBOURS = 3
/** How far new words may lie from the old ones that stand for the same sound. */
const NEAR_MS = 1_000

/**
 * @param before the words of the engine's old text
 * @param corrected the same after all corrections; what was not touched has its old times
 * @param after the words of the engine's new text, turn by turn
 */
export function carryOver({
  before,
  corrected,
  after,
}: {
  before: readonly Word[]
  corrected: readonly Word[]
  after: readonly (readonly Word[])[]
}): CarriedOver {
  const words = after.flat()
  const placed: Placed[] = []
  const unplaced: Unplaced[] = []
  for (const change of changesOf(before, corrected)) {
    const range = placeOf(change, { corrected, words })
    // Two that lie upon each other cannot both stand: the second one is told.
    if (range && range.from >= (placed.at(-1)?.to ?? 0)) placed.push({ ...range, change })
    else unplaced.push(told(change, words))
  }
  return {
    turns: written(after, placed, confirmedIn(before, corrected, words)),
    kept: placed.length,
    unplaced,
  }
}

/** How many corrections there are. */
export const countCorrections = (before: readonly Word[], corrected: readonly Word[]): number =>
  changesOf(before, corrected).length

interface Change {
  /** The corrected words are those from `from` to `to`, the last not included. */
  from: number
  to: number
  was: readonly Word[]
  mine: readonly Word[]
  startMs: number
  endMs: number
}

interface Range {
  from: number
  to: number
}

interface Placed extends Range {
  change: Change
}

/** Where the two differ, case and punctuation included. */
function changesOf(before: readonly Word[], corrected: readonly Word[]): Change[] {
  // A word that nobody touched kept its time to the millisecond.
  const places = new Map(before.map((word, index) => [keyOf(word), index]))
  const changes: Change[] = []
  let old = 0
  let from = 0
  const close = (oldTo: number, to: number) => {
    const was = before.slice(old, oldTo)
    const mine = corrected.slice(from, to)
    // Also words that were only given other times.
    if (textOf(was) === textOf(mine)) return
    const timed = was.length > 0 ? was : mine
    const startMs = timed[0]?.startMs ?? 0
    const endMs = timed.reduce((end, word) => Math.max(end, word.endMs), startMs)
    changes.push({ from, to, was, mine, startMs, endMs })
  }
  for (const [index, word] of corrected.entries()) {
    const place = places.get(keyOf(word))
    if (place === undefined || place < old) continue
    close(place, index)
    old = place + 1
    from = index + 1
  }
  close(before.length, corrected.length)
  return changes
}

const keyOf = ({ text, startMs, endMs }: Word): string => `${startMs} ${endMs} ${text}`

/** Which of the new words give way to a correction; null where that cannot be said. */
function placeOf(
  change: Change,
  { corrected, words }: { corrected: readonly Word[]; words: readonly Word[] },
): Range | null {
  const fromMs = change.startMs - AROUND_MS
  const toMs = change.endMs + AROUND_MS
  const left = corrected.slice(firstAt(corrected, fromMs, change.from), change.from)
  const right = corrected.slice(change.to, lastAt(corrected, toMs, change.to))
  const first = firstFrom(words, fromMs)
  const last = lastAt(words, toMs, first)
  const there = words.slice(first, last).map(({ text }) => fold(text))

  const tries = [change.mine, change.was].map((middle) => fit({ left, middle, right, there }))
  const [byMine, byOld] = tries
  const best = byMine && byOld && byOld.equal > byMine.equal ? byOld : byMine
  if (!best) return null

  const reads = there.slice(best.from, best.to)
  const near = ({ from, to }: Range) => {
    const [one, other] = [words[first + from], words[first + to - 1]]
    return (
      one !== undefined &&
      other !== undefined &&
      one.startMs < change.endMs + NEAR_MS &&
      other.endMs > change.startMs - NEAR_MS
    )
  }
  const at = (range: Range) => ({ from: first + range.from, to: first + range.to })
  for (const sought of [change.mine, change.was]) {
    const found = within(
      reads,
      sought.map(({ text }) => fold(text)),
    )
    if (found === null) continue
    const range = { from: best.from + found, to: best.from + found + sought.length }
    if (best.isLeftSure || best.isRightSure || near(range)) return at(range)
  }
  if (!best.isLeftSure || !best.isRightSure) return null
  // Nothing is there to be taken out.
  if (change.mine.length === 0) return reads.length === 0 ? at(best) : null
  const most = Math.max(change.mine.length, change.was.length) + 1
  return reads.length <= most ? at(best) : null
}

interface Fit extends Range {
  /** How many words are the same in both texts. */
  equal: number
  isLeftSure: boolean
  isRightSure: boolean
}

/** Lays a stretch of the old text over the new one: what lies between its two sides. */
function fit({
  left,
  middle,
  right,
  there,
}: {
  left: readonly Word[]
  middle: readonly Word[]
  right: readonly Word[]
  there: readonly string[]
}): Fit {
  const here = [...left, ...middle, ...right].map(({ text }) => fold(text))
  const [start, end] = [left.length, left.length + middle.length]
  let [from, to] = [0, there.length]
  let equal = 0
  // Where nothing was said beside it, the silence is its neighbour.
  let isLeftSure = left.length === 0
  let isRightSure = right.length === 0
  for (const [index, pair] of match(here, there).entries()) {
    if (pair === undefined) continue
    const isEqual = here[pair] === there[index]
    if (isEqual) equal += 1
    if (pair < start) {
      from = index + 1
      if (isEqual && pair >= start - NEIGHBOURS) isLeftSure = true
    } else if (pair >= end) {
      to = Math.min(to, index)
      if (isEqual && pair < end + NEIGHBOURS) isRightSure = true
    }
  }
  return { from, to: Math.max(from, to), equal, isLeftSure, isRightSure }
}

/** Where in a list another one stands; null also for one without members. */
function within(list: readonly string[], sought: readonly string[]): number | null {
  if (sought.length === 0) return null
  for (let from = 0; from + sought.length <= list.length; from += 1)
    if (sought.every((each, index) => list[from + index] === each)) return from
  return null
}

/** The first word of a long text that begins then or later. */
function firstFrom(words: readonly Word[], ms: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.startMs ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** The first word before `end` that has not ended by then. */
function firstAt(words: readonly Word[], ms: number, end: number): number {
  let from = end
  while (from > 0 && (words[from - 1]?.endMs ?? 0) > ms) from -= 1
  return from
}

/** The first word from `start` on that begins later. */
function lastAt(words: readonly Word[], ms: number, start: number): number {
  let to = start
  while (to < words.length && (words[to]?.startMs ?? 0) < ms) to += 1
  return to
}

function told({ was, mine, startMs, endMs }: Change, words: readonly Word[]): Unplaced {
  const first = firstFrom(words, startMs - NEAR_MS)
  const heard = words
    .slice(first, lastAt(words, endMs, first))
    .filter((word) => isHeard(word, { startMs, endMs }))
  return { startMs, endMs, was: textOf(was), mine: textOf(mine), now: textOf(heard) }
}

/** Whether most of a word lies in a stretch of time. */
function isHeard(word: Word, { startMs, endMs }: { startMs: number; endMs: number }): boolean {
  const middleMs = (word.startMs + word.endMs) / 2
  return middleMs >= startMs && middleMs <= endMs
}

const textOf = (words: readonly Word[]): string => joinWords(words.map(({ text }) => text))

/** New words that read as an old one that somebody listened to and found right. */
function confirmedIn(
  before: readonly Word[],
  corrected: readonly Word[],
  words: readonly Word[],
): Set<Word> {
  const doubted = new Set(before.filter(({ confidence }) => confidence !== 1).map(keyOf))
  const confirmed = new Set<Word>()
  let first = 0
  for (const word of corrected) {
    if (word.confidence !== 1 || !doubted.has(keyOf(word))) continue
    while ((words[first]?.endMs ?? Infinity) < word.startMs - NEAR_MS) first += 1
    for (const now of words.slice(first, lastAt(words, word.endMs + NEAR_MS, first)))
      if (
        fold(now.text) === fold(word.text) &&
        now.startMs < word.endMs &&
        now.endMs > word.startMs
      )
        confirmed.add(now)
  }
  return confirmed
}

/** The same turns with a correction put in where it was said, whatever is written there. */
export function putIn(turns: readonly (readonly Word[])[], correction: Correction): Word[][] {
  const words = turns.flat()
  const { startMs, endMs } = correction
  const heard = words.filter((word) => isHeard(word, correction))
  const first = heard[0]
  const from = first ? words.indexOf(first) : words.findIndex((word) => word.startMs >= endMs)
  const at = from === -1 ? words.length : from
  const mine = wordsIn(correction.mine).map((text) => ({ text, startMs, endMs, confidence: 1 }))
  const change = { ...correction, from: 0, to: mine.length, was: heard, mine }
  return written(turns, [{ from: at, to: at + heard.length, change }], new Set())
}

/** The new turns with what was put in. */
function written(
  after: readonly (readonly Word[])[],
  placed: readonly Placed[],
  confirmed: ReadonlySet<Word>,
): Word[][] {
  const words = after.flatMap((turn, number) => turn.map((word) => ({ word, number })))
  const turns: Word[][] = after.map(() => [])
  const put = (word: Word, number: number) => turns[number]?.push(word)
  let at = 0
  const copyTo = (end: number) => {
    for (const { word, number } of words.slice(at, end))
      put(confirmed.has(word) ? { ...word, confidence: 1 } : word, number)
    at = end
  }
  for (const { from, to, change } of placed) {
    copyTo(from)
    const instead = words.slice(from, to)
    const [before, next] = [words[from - 1], words[to]]
    const gap = {
      startMs: before?.word.endMs ?? change.startMs,
      endMs: next?.word.startMs ?? Math.max(change.endMs, before?.word.endMs ?? 0),
    }
    const mine = align(
      instead.map(({ word }) => word),
      textOf(change.mine),
      gap,
    )
    // Where several turns give way, each new word goes to the one in whose time it lies.
    const among = instead.length > 0 ? instead : [before, next].filter((each) => each !== undefined)
    for (const word of mine) {
      const of = among.findLast((each) => each.word.startMs <= word.startMs) ?? among[0]
      put({ ...word, confidence: 1 }, of?.number ?? 0)
    }
    at = to
  }
  copyTo(words.length)
  return turns
}
