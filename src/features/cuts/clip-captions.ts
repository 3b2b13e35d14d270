/**
 * The captions of a clip, for both sides. Pure. What this promises:
 *
 * - Each word stands in one caption, in the order it was said.
 * - A caption has one speaker and two lines at most, none of them longer than its shape has letters.
 * - No two captions are seen at once.
 */
import { isWithoutSpace, sentenceEnd, speakerName } from '#features/speech/contract.ts'
import { lanesOfBars } from '#shared/wave.ts'

import type { Range } from './ranges.ts'

export interface Said extends Range {
  text: string
  speaker: number | null
}

export interface Caption extends Range {
  speaker: number | null
  lines: Said[][]
}

/** By number. An only voice that nobody has named has none: "Speaker A" would tell nothing. */
export const namesIn = (
  speakers: readonly { speaker: number; name: string | null }[],
): ReadonlyMap<number, string> =>
  new Map(
    speakers
      .filter(({ name }) => speakers.length > 1 || name !== null)
      .map(({ speaker, name }) => [speaker, speakerName(speaker, name)]),
  )

/** A pause that ends a caption. */
const PAUSE_MS = 1_000
/** So long a caption stays when nothing more is said. */
const STAYS_MS = 800

export function captionsOf(
  words: readonly Said[],
  { letters, endMs }: { letters: number; endMs: number },
): Caption[] {
  const groups: Said[][] = []
  for (const word of words.flatMap((each) => inParts(each, letters))) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const goesOn =
      group &&
      last &&
      last.speaker === word.speaker &&
      word.startMs - last.endMs < PAUSE_MS &&
      // A sentence that has filled a line ends its caption.
      !(sentenceEnd.test(last.text) && widthOf(group) > letters) &&
      inLines([...group, word], letters) !== null
    if (goesOn) group.push(word)
    else groups.push([word])
  }
  return groups
    .map((group) => ({
      startMs: Math.min(...group.map(({ startMs }) => startMs)),
      endMs: Math.max(...group.map((word) => word.endMs)) + STAYS_MS,
      speaker: group[0]?.speaker ?? null,
      lines: inLines(group, letters) ?? [group],
    }))
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((caption, at, all) => ({
      ...caption,
      endMs: Math.min(caption.endMs, all[at + 1]?.startMs ?? endMs, endMs),
    }))
    .filter((caption) => caption.endMs > caption.startMs)
}

/** In one line, else in two that are about as long; null where they do not fit. */
function inLines(words: readonly Said[], letters: number): Said[][] | null {
  if (widthOf(words) <= letters) return [[...words]]
  let best: { lines: Said[][]; longest: number } | null = null
  for (let at = 1; at < words.length; at += 1) {
    const lines = [words.slice(0, at), words.slice(at)]
    const longest = Math.max(...lines.map(widthOf))
    if (longest <= letters && (!best || longest < best.longest)) best = { lines, longest }
  }
  return best?.lines ?? null
}

/** A word that is longer than a line becomes several, each with its share of the time. */
function inParts(word: Said, letters: number): Said[] {
  const all = lettersIn(word.text)
  if (all <= letters) return [word]
  const parts: string[] = ['']
  for (const { segment } of graphemes.segment(word.text)) {
    const part = parts.at(-1) ?? ''
    if (lettersIn(part) + lettersIn(segment) <= letters) parts[parts.length - 1] = part + segment
    else parts.push(segment)
  }
  let passed = 0
  const timeOf = () => Math.round(word.startMs + ((word.endMs - word.startMs) * passed) / all)
  return parts.map((text) => {
    const startMs = timeOf()
    passed += lettersIn(text)
    return { ...word, text, startMs, endMs: timeOf() }
  })
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u

function lettersIn(text: string): number {
  let count = 0
  for (const { segment } of graphemes.segment(text)) count += wide.test(segment) ? 2 : 1
  return count
}

const widthOf = (words: readonly Said[]): number =>
  words.reduce(
    (sum, { text }, at) => sum + lettersIn(text) + (hasSpaceBefore(words, at) ? 1 : 0),
    0,
  )

/** Whether a space stands before this word of a line. */
export function hasSpaceBefore(words: readonly Pick<Said, 'text'>[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]]
  return before !== undefined && word !== undefined && !isWithoutSpace(before.text, word.text)
}

/** The speaker of each of so many bars; in a pause the one before it. */
export function voicesOfBars(
  said: readonly Said[],
  { bars, lengthMs }: { bars: number; lengthMs: number },
): (number | null)[] {
  const stretches = said.map(({ startMs, endMs, speaker }) => ({
    start: startMs,
    end: endMs,
    lane: speaker,
  }))
  let last: number | null = null
  return lanesOfBars(stretches, bars, lengthMs).map((lane) => (last = lane ?? last))
}

/** Until when each word of a caption is marked: the next one takes the mark over. */
export function markedIn({
  lines,
  endMs,
}: Caption): { word: Said; startMs: number; endMs: number }[] {
  const words = lines.flat()
  return words
    .map((word, at) => ({
      word,
      startMs: word.startMs,
      endMs: Math.min(words[at + 1]?.startMs ?? endMs, endMs),
    }))
    .filter((each) => each.endMs > each.startMs)
}
