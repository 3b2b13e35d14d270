/**
 * Words, chapters and moments as they are once cuts are out, in the times of what is left. Pure. What this
 * promises:
 *
 * - A word whose middle lies in a cut is in no text. The others stay, in their order; a turn without any goes.
 * - Chapters begin at the same moments in files, exports and links.
 */
import type { ActionItem } from '#features/action-items/contract.ts'
import { type Turn, type Word, isTitle, sentenceEnd } from '#features/speech/contract.ts'
import { placesIn } from '#features/text/places.ts'

import { type Range, clockWithout, isCut, rangeAt } from './ranges.ts'

export interface Cutting {
  cuts: readonly Range[]
  /** Where a moment lies without the cuts. */
  clock: (ms: number) => number
}

export const cuttingOf = (cuts: readonly Range[]): Cutting => ({ cuts, clock: clockWithout(cuts) })

export const moved = <Said extends Turn>(turn: Said, clock: Cutting['clock']): Said => ({
  ...turn,
  startMs: clock(turn.startMs),
  endMs: clock(turn.endMs),
  words: turn.words.map((word) => movedWord(word, clock)),
})

const movedWord = (word: Word, clock: Cutting['clock']): Word => ({
  ...word,
  startMs: clock(word.startMs),
  endMs: clock(word.endMs),
})

/** What is left of a turn; null where nothing is. */
export function turnAsCut<Said extends Turn>(turn: Said, { cuts, clock }: Cutting): Said | null {
  const { words } = turn
  if (words.length === 0) {
    const cut = rangeAt(cuts, turn.startMs)
    return cut && cut.endMs >= turn.endMs ? null : moved(turn, clock)
  }
  const stays = words.map((word) => !isCut(cuts, word))
  if (!stays.includes(false)) return moved(turn, clock)
  const { text, words: left } = without(turn, stays)
  const [first, last] = [left.at(0), left.at(-1)]
  if (!first || !last) return null
  const startMs = first === words[0] ? turn.startMs : Math.round(first.startMs)
  // One that lost its end may end with a word that is not the last to be over.
  const endMs = stays.at(-1)
    ? turn.endMs
    : Math.round(left.reduce((end, word) => Math.max(end, word.endMs), startMs))
  return moved({ ...turn, text, words: left, startMs, endMs }, clock)
}

/** A part of a text that belongs to a word; to several where the text does not have the words after it. */
interface Part {
  text: string
  words: Word[]
  stays: boolean
}

const stray = /[\s,;:،؛、，]+$/u
const strayBefore = /^[\s,;:،؛、，]+/u

/** A text without some of its words. What ends a sentence stays with the words that are left of it. */
function without(
  { text, words }: Pick<Turn, 'text' | 'words'>,
  stays: readonly boolean[],
): Pick<Turn, 'text' | 'words'> {
  const left: Part[] = []
  /** How the sentence ends that began before the cut. */
  let end: string | null = null
  let isSeam = false
  for (const part of partsOf(text, words, stays)) {
    if (part.stays) {
      if (isSeam) close(left.at(-1), end)
      left.push(part)
      ;[isSeam, end] = [false, null]
    } else {
      isSeam = true
      end ??= endIn(part.text)
    }
  }
  if (isSeam) close(left.at(-1), end ?? '')
  return {
    text: left
      .map((part) => part.text)
      .join('')
      .replace(strayBefore, '')
      .trimEnd(),
    words: left.flatMap((part) => part.words),
  }
}

function endIn(text: string): string | null {
  const word = text.trim()
  const end = isTitle(word) ? null : sentenceEnd.exec(word)
  return end && end[0].slice(0, 1)
}

/** Ends a sentence, or a text, whose last words are cut. Null: it goes on after the cut. */
function close(last: Part | undefined, end: string | null): void {
  if (!last || end === null) return
  const ended = (text: string): string => {
    const space = /\s*$/u.exec(text)?.[0] ?? ''
    const kept = text.trimEnd()
    return sentenceEnd.test(kept) && !isTitle(kept) ? text : kept.replace(stray, '') + end + space
  }
  last.text = ended(last.text)
  const word = last.words.pop()
  if (word) last.words.push({ ...word, text: ended(word.text) })
}

function partsOf(text: string, words: readonly Word[], stays: readonly boolean[]): Part[] {
  const places = placesIn(text, words)
  const parts: (Omit<Part, 'text'> & { from: number })[] = []
  let before = 0
  for (const [index, word] of words.entries()) {
    const { from = 0, to = 0 } = places[index] ?? {}
    const isThere = stays[index] ?? true
    const last = parts.at(-1)
    if (last && from === to) {
      last.words.push(word)
      last.stays &&= isThere
      continue
    }
    // What opens a word, such as a bracket, stands after the space before it.
    const opening = /\s(\S*)$/u.exec(text.slice(before, from))?.[1] ?? ''
    parts.push({ from: last ? from - opening.length : 0, words: [word], stays: isThere })
    before = to
  }
  return parts.map(({ from, ...part }, index) => ({
    ...part,
    text: text.slice(from, parts[index + 1]?.from),
  }))
}

/**
 * A chapter whose beginning is cut begins at the next word that stays. The one at the beginning of the
 * recording begins there.
 */
export function chaptersAsCut<Chapter extends { title: string; startMs: number }>(
  {
    chapters,
    spoken,
    durationMs,
  }: {
    chapters: readonly Chapter[]
    spoken: readonly Pick<Turn, 'startMs' | 'endMs' | 'words'>[]
    durationMs: number
  },
  { cuts, clock }: Cutting,
): { list: Chapter[]; leftOut: string[] } {
  const words = spoken
    .flatMap((turn): readonly Range[] => (turn.words.length > 0 ? turn.words : [turn]))
    .map((word) => ({ startMs: word.startMs, stays: !isCut(cuts, word) }))
    .toSorted((a, b) => a.startMs - b.startMs)
  const list: Chapter[] = []
  const leftOut: string[] = []
  let next = 0
  for (const [index, chapter] of chapters.entries()) {
    const { title, startMs } = chapter
    const toMs = chapters[index + 1]?.startMs ?? durationMs
    let [first, all]: [number | null, number] = [null, 0]
    for (; (words[next]?.startMs ?? Infinity) < toMs; next += 1) {
      const word = words[next]
      if (!word || word.startMs < startMs) continue
      all += 1
      if (word.stays) first ??= word.startMs
    }
    const isCut = startMs > 0 && rangeAt(cuts, startMs) !== null
    const beginsMs = Math.round(clock(isCut ? (first ?? startMs) : startMs))
    if ((all > 0 && first === null) || beginsMs >= clock(toMs)) leftOut.push(title)
    else list.push({ ...chapter, startMs: beginsMs })
  }
  return { list, leftOut }
}

/** Moments of a summary, in seconds. */
export interface Moments {
  keyPointTimes: (number | null)[]
  actionItems: ActionItem[]
}

/** Key points and action items lose their time where it is cut. */
export function summaryAsCut<Told extends Moments>(summary: Told, { cuts, clock }: Cutting): Told {
  const at = (seconds: number | null): number | null => {
    const ms = Math.round((seconds ?? 0) * 1000)
    return seconds === null || rangeAt(cuts, ms) ? null : clock(ms) / 1000
  }
  return {
    ...summary,
    keyPointTimes: summary.keyPointTimes.map(at),
    actionItems: summary.actionItems.map((item) => ({ ...item, at: at(item.at) })),
  }
}
