/**
 * What a file is made of, as it is once the cuts of a recording are out. The writers of formats do not know
 * of cuts. Pure. What this promises:
 *
 * - A word whose middle lies in a cut is in no text. The others stay, in their order; a turn without any
 *   goes.
 * - Every time is one of the cut recording.
 * - Where nothing is cut, nothing is changed.
 */
import { type Range, clockWithout, lengthOf, rangeAt } from '#features/cuts/ranges.ts'
import { type Turn, type Word, isTitle, sentenceEnd } from '#features/speech/contract.ts'
import { respread } from '#features/text/in-turn.ts'
import { placesIn } from '#features/text/places.ts'
import { counted } from '#shared/format.ts'

import type { Source } from './source.ts'

interface Cutting {
  cuts: readonly Range[]
  /** Where a moment lies without the cuts. */
  clock: (ms: number) => number
}

type Chapters = Source['chapters']

/** What has words and times. */
type Cuttable = Pick<
  Source,
  'cuts' | 'spoken' | 'said' | 'chapters' | 'durationMs' | 'translation'
> & { summary: Moments }
type Moments = Pick<Source['summary'], 'keyPointTimes' | 'actionItems'>

/** Also the titles of the chapters that are left out, because nothing of them is left. */
export function asCut<Whole extends Cuttable>(
  source: Whole,
): { source: Whole; chaptersLeftOut: string[] } {
  const { cuts = [], spoken, said, chapters, durationMs } = source
  if (cuts.length === 0) return { source, chaptersLeftOut: [] }
  const cutting = { cuts, clock: clockWithout(cuts) }
  const left = new Map(spoken.map((turn) => [turn, turnAsCut(turn, cutting)]))
  const isLeft = (turn: Turn | null | undefined): turn is Turn => Boolean(turn)
  const { texts, whole } = saidAsCut({ spoken, said, left }, cutting)
  const { translation } = source
  const { list, leftOut } = chaptersAsCut({ chapters, spoken, durationMs }, cutting)
  return {
    source: {
      ...source,
      durationMs: durationMs - lengthOf(cuts),
      spoken: [...left.values()].filter(isLeft),
      said: texts.filter(isLeft),
      translation: translation && {
        ...translation,
        note: [
          translation.note,
          ...(whole > 0 ? [`Whole, although cut in part: ${counted(whole, 'turn')}.`] : []),
        ].join(' '),
      },
      chapters: list,
      summary: summaryAsCut(source.summary, cutting),
    },
    chaptersLeftOut: leftOut,
  }
}

/** Turns as they are read. Those of a translation have no times of words, and are taken out whole or not at all. */
function saidAsCut(
  {
    spoken,
    said,
    left,
  }: Pick<Source, 'spoken' | 'said'> & { left: ReadonlyMap<Turn, Turn | null> },
  { clock }: Cutting,
): { texts: (Turn | null)[]; whole: number } {
  let whole = 0
  const texts = said.map((turn, index) => {
    const own = left.get(turn)
    if (own !== undefined) return own
    const heard = spoken[index]
    const rest = heard && left.get(heard)
    if (!heard || !rest) return null
    if (rest.words.length === heard.words.length) return moved(turn, clock)
    whole += 1
    const { startMs, endMs } = rest
    return { ...turn, startMs, endMs, words: respread(turn.words, turn, { startMs, endMs }) }
  })
  return { texts, whole }
}

const middleOf = ({ startMs, endMs }: Range): number => (startMs + endMs) / 2

const moved = <Said extends Turn>(turn: Said, clock: Cutting['clock']): Said => ({
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
  const stays = words.map((word) => rangeAt(cuts, middleOf(word)) === null)
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
function chaptersAsCut(
  { chapters, spoken, durationMs }: Pick<Source, 'chapters' | 'spoken' | 'durationMs'>,
  { cuts, clock }: Cutting,
): { list: Chapters; leftOut: string[] } {
  const words = spoken
    .flatMap((turn): readonly Range[] => (turn.words.length > 0 ? turn.words : [turn]))
    .map((word) => ({ startMs: word.startMs, stays: rangeAt(cuts, middleOf(word)) === null }))
    .toSorted((a, b) => a.startMs - b.startMs)
  const list: { title: string; startMs: number }[] = []
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

/** Key points and action items lose their time where it is cut. */
function summaryAsCut<Told extends Moments>(summary: Told, { cuts, clock }: Cutting): Told {
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
