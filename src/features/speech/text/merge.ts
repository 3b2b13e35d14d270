/**
 * Words and speakers become what is read: turns of one speaker each, with sentences. An engine
 * without punctuation gives words only; there the pauses decide where a sentence ends, because
 * people breathe between sentences, and a sentence never ends on "the" or "of". What was said in a
 * language that the engine does not know becomes turns of a mark.
 */
import { OTHER_LANGUAGE } from '#shared/other-language.ts'

import { isTitle, joinWords, sentenceEnd, type SpeakerTurn, type Turn } from '../contract.ts'
import type { Region, Word } from '../engines/engine.ts'
import { capital, mendJoins } from './joins.ts'
import { withSentences } from './sentences.ts'

/** A word further than this from every speaker's turn belongs to whoever spoke before it. */
const NEAR_MS = 500
/** A stretch this short between two of one speaker is a mistake of the diarization, not a reply. */
const SLIP_MS = 400
/** A speaker change is moved to a pause of at least 200 ms when one is at most 500 ms away. */
const CHANGE_PAUSE_MS = 200
const CHANGE_NEAR_MS = 500
/** Up to this many words inside another voice's sentence are a mistake of the diarization too. */
const FEW_WORDS = 3
/** A silence this long beside such words makes them an interruption, which they stay. */
const INTERRUPTED_MS = 700
/**
 * A new turn begins after a longer pause at the end of a sentence, or after a much longer one anywhere.
 * An engine without punctuation has no sentences yet, so there the shorter pause is enough.
 */
const TURN_PAUSE_MS = 1000
const LONG_PAUSE_MS = 3000
/** A turn above one of the next two limits is cut up. */
const LONGEST_TURN_MS = 12_000
const LONGEST_TURN_WORDS = 40
/** A single sentence is only cut when it is this many times longer than a turn may be. */
const LONGEST_SENTENCE_TURNS = 2

export interface MergeOptions {
  words: readonly Word[]
  speakers: readonly SpeakerTurn[]
  /**
   * Where voice activity found speech. Speakers may change at its pauses even for one short word.
   */
  regions: readonly Region[]
  hasPunctuation: boolean
  /** The words are a text that somebody reads already, and may have corrected: none of them changes. */
  isWritten?: boolean
}

/** Turns whose voices are numbered from 0 in order of first speech: who says no word has no number. */
export const inTurns = (options: MergeOptions): Turn[] => numbered(merge(options)).turns

/** The same of the words of several sides, and the side that each of the numbers stands for. */
export const inTurnsOfSides = (options: SidesOptions) => numbered(mergeSides(options))

function numbered(turns: readonly Turn[]): { turns: Turn[]; sides: number[] } {
  const sides = new Set(turns.map(({ speaker }) => speaker).filter((speaker) => speaker !== null))
  const numbers = new Map([...sides].map((side, number) => [side, number]))
  return {
    turns: turns.map((turn) =>
      turn.speaker === null ? turn : { ...turn, speaker: numbers.get(turn.speaker) ?? null },
    ),
    sides: [...sides],
  }
}

interface SidesOptions extends Pick<MergeOptions, 'words' | 'hasPunctuation'> {
  /** Where each of the sides speaks, by its number. */
  sides: readonly (readonly Region[])[]
}

/**
 * Each side is a speaker, whose words are put together as if nobody else spoke. Where two speak at
 * once, their turns overlap; all are in the order in which they begin.
 */
export function mergeSides({ words, sides, hasPunctuation }: SidesOptions): Turn[] {
  const bySide = Map.groupBy(words, ({ side = 0 }) => side)
  return [...bySide]
    .flatMap(([side, said]) => {
      const regions = sides[side] ?? []
      const speakers = [{ speaker: side, startMs: 0, endMs: Infinity }]
      const own = said.map(withoutSide)
      const mended = hasPunctuation ? mendJoins(own, regions) : own
      return merge({ words: mended, speakers, regions, hasPunctuation })
    })
    .toSorted((a, b) => a.startMs - b.startMs)
}

export const withoutSide = ({ side: _side, ...word }: Word): Word => word

/** With the numbers that the diarization gave: a part of a recording knows no others. */
export function merge({ words, speakers, ...how }: MergeOptions): Turn[] {
  const ordered = words.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  const owners = ownersOf(ordered, speakers)
  const { isWritten = false, hasPunctuation } = how
  return stretchesOf(ordered, isWritten).flatMap(({ from, to, isOther }) => {
    const said = ordered.slice(from, to)
    const turns = mergeStretch(said, owners.slice(from, to), how)
    if (isOther) return isWritten ? [asOne(said, turns)] : marks(turns)
    return from > 0 && hasPunctuation && !isWritten ? begun(turns) : turns
  })
}

interface Stretch {
  from: number
  to: number
  isOther: boolean
}

/**
 * Words in the engine's language, and words that stand for something in another one, in turn. In a text
 * that is written each mark is a stretch.
 */
function stretchesOf(words: readonly Word[], isWritten: boolean): Stretch[] {
  const stretches: Stretch[] = []
  for (const [from, { isOther = false, isPieceStart }] of words.entries()) {
    const last = stretches.at(-1)
    const isMark = isWritten && isOther && isPieceStart === true
    if (last && last.isOther === isOther && !isMark) last.to = from + 1
    else stretches.push({ from, to: from + 1, isOther })
  }
  return stretches
}

/** A mark that is written stays whole, and is of the voice that says its first word. */
const asOne = (words: readonly Word[], turns: readonly Turn[]): Turn => ({
  speaker: turns[0]?.speaker ?? null,
  startMs: words[0]?.startMs ?? 0,
  endMs: words.reduce((end, word) => Math.max(end, word.endMs), 0),
  words: [...words],
  text: joinWords(words.map(({ text }) => text)),
})

/** The mark is read for so long, however long the other language is spoken. */
const MARK_MS = 3000

/** One mark for each voice, until another one speaks. */
function marks(turns: readonly Turn[]): Turn[] {
  const marked: Turn[] = []
  for (const { speaker, startMs, endMs } of turns) {
    const last = marked.at(-1)
    if (last && last.speaker === speaker) last.endMs = Math.max(last.endMs, endMs)
    else marked.push({ speaker, startMs, endMs, words: [], text: OTHER_LANGUAGE })
  }
  return marked.map((turn) => {
    const texts = OTHER_LANGUAGE.split(' ')
    const eachMs = Math.min(MARK_MS, turn.endMs - turn.startMs) / texts.length
    const words = texts.map((text, place) => ({
      text,
      startMs: Math.round(turn.startMs + place * eachMs),
      endMs: Math.round(turn.startMs + (place + 1) * eachMs),
      confidence: null,
    }))
    return { ...turn, words }
  })
}

/** The engine took what comes after the other language for the middle of a sentence. */
function begun([first, ...turns]: readonly Turn[]): Turn[] {
  const [word, ...others] = first?.words ?? []
  if (!first || !word) return []
  const words = [{ ...word, text: capital(word.text) }, ...others]
  return [{ ...first, words, text: joinWords(words.map(({ text }) => text)) }, ...turns]
}

function mergeStretch(
  ordered: readonly Word[],
  owners: Owner[],
  { regions, hasPunctuation, isWritten = false }: Omit<MergeOptions, 'words' | 'speakers'>,
): Turn[] {
  smooth(ordered, owners, { regions, hasPunctuation })
  if (hasPunctuation) keepSentences(ordered, owners)
  settleChanges(ordered, owners)
  const read = hasPunctuation && !isWritten ? markChanges(ordered, owners, regions) : ordered

  return runsOf(owners).flatMap(({ from, to, owner }) =>
    cutAtPauses(read.slice(from, to), { hasPunctuation }).flatMap((said) =>
      cutLong(hasPunctuation ? said : withSentences(said)).map((words) => ({
        speaker: owner,
        startMs: words[0]?.startMs ?? 0,
        endMs: words.reduce((end, word) => Math.max(end, word.endMs), 0),
        words,
        text: joinWords(words.map(({ text }) => text)),
      })),
    ),
  )
}

type Owner = number | null

function ownersOf(words: readonly Word[], speakers: readonly SpeakerTurn[]): Owner[] {
  const owners: Owner[] = []
  let first = 0
  for (const word of words) {
    // Both lists are sorted: turns that ended well before this word matter to no later one.
    while ((speakers[first]?.endMs ?? Infinity) < word.startMs - NEAR_MS) first += 1
    owners.push(ownerOf(word, speakers, first) ?? owners.at(-1) ?? speakers[0]?.speaker ?? null)
  }
  return owners
}

function ownerOf(word: Word, speakers: readonly SpeakerTurn[], first: number): Owner {
  let best: { owner: Owner; closeness: number } = { owner: null, closeness: -NEAR_MS }
  for (let index = first; index < speakers.length; index++) {
    const turn = speakers[index]
    if (!turn || turn.startMs > word.endMs + NEAR_MS) break
    // The overlap, or the distance as a negative number.
    const closeness = Math.min(word.endMs, turn.endMs) - Math.max(word.startMs, turn.startMs)
    if (closeness > best.closeness) best = { owner: turn.speaker, closeness }
  }
  return best.owner
}

interface Run {
  from: number
  to: number
  owner: Owner
}

/** Of the words from `first` up to `end`, or of all. */
function runsOf(owners: readonly Owner[], first = 0, end = owners.length): Run[] {
  const runs: Run[] = []
  for (let index = first; index < end; index++) {
    const owner = owners[index] ?? null
    const last = runs.at(-1)
    if (last && last.owner === owner) last.to = index + 1
    else runs.push({ from: index, to: index + 1, owner })
  }
  return runs
}

/**
 * Gives a word, or a very short stretch, between two stretches of one speaker to that speaker,
 * unless voice activity heard a pause beside it, or the engine wrote it as a sentence of its own.
 */
function smooth(
  words: readonly Word[],
  owners: Owner[],
  { regions, hasPunctuation }: Pick<MergeOptions, 'regions' | 'hasPunctuation'>,
): void {
  const runs = runsOf(owners)
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    const after = runs[index + 1]
    if (!before || !after || before.owner !== after.owner) continue
    const said = words.slice(run.from, run.to)
    const startMs = said[0]?.startMs ?? 0
    const endMs = said.at(-1)?.endMs ?? 0
    if (said.length > 1 && endMs - startMs >= SLIP_MS) continue
    const isSentence = hasPunctuation && isEnd(words[run.from - 1]) && isEnd(words[run.to - 1])
    if (isSentence || hasBreak(regions, words, run.from) || hasBreak(regions, words, run.to))
      continue
    owners.fill(before.owner, run.from, run.to)
    run.owner = before.owner
  }
}

/** Whether voice activity heard a pause between a word and the one before it. */
function hasBreak(regions: readonly Region[], words: readonly Word[], index: number): boolean {
  const fromMs = middleOf(words[index - 1])
  const toMs = middleOf(words[index])
  return regions.some(({ startMs }) => startMs > fromMs && startMs <= toMs)
}

const middleOf = (word: Word | undefined): number =>
  word === undefined ? Infinity : (word.startMs + word.endMs) / 2

/**
 * Gives a few words of one voice inside a sentence to the voice that says the rest of it. So a change of
 * speaker that falls close to the end of a sentence moves there, and nobody gets a single word in the
 * middle of what somebody else says.
 */
function keepSentences(words: readonly Word[], owners: Owner[]): void {
  for (let from = 0, at = 0; at < words.length; at++) {
    // Where an engine hardly writes full stops, a "sentence" would be minutes of replies.
    const isLong = at + 1 - from >= LONGEST_TURN_WORDS || pauseBefore(words, at + 1) > TURN_PAUSE_MS
    if (at < words.length - 1 && !isEnd(words[at]) && !isLong) continue
    keepSentence(words, owners, from, at + 1)
    from = at + 1
  }
}

function keepSentence(words: readonly Word[], owners: Owner[], from: number, to: number): void {
  const length = (run: Run) => run.to - run.from
  for (;;) {
    const runs = runsOf(owners, from, to)
    const slips = runs.flatMap((run, index) => {
      // Of two neighbours the longer one takes the words, if nobody was silent between them.
      const [into] = [runs[index - 1], runs[index + 1]]
        .filter((other) => other !== undefined)
        .filter((other) => pauseBefore(words, Math.max(run.from, other.from)) < INTERRUPTED_MS)
        .toSorted((a, b) => length(b) - length(a))
      const isSlip = into && length(run) <= FEW_WORDS && length(run) <= length(into)
      return isSlip ? [{ run, into }] : []
    })
    const [shortest] = slips.toSorted((a, b) => length(a.run) - length(b.run))
    if (!shortest) return
    owners.fill(shortest.into.owner, shortest.run.from, shortest.run.to)
  }
}

/** Moves a change of speaker that falls between two joined words to a pause close by. */
function settleChanges(words: readonly Word[], owners: Owner[]): void {
  const runs = runsOf(owners)
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    if (!before || pauseBefore(words, run.from) >= CHANGE_PAUSE_MS) continue
    const changeMs = words[run.from]?.startMs ?? 0
    let best = { at: run.from, pauseMs: CHANGE_PAUSE_MS - 1 }
    // Both stretches keep at least one word.
    for (let at = before.from + 1; at < run.to; at++) {
      const distanceMs = Math.abs((words[at]?.startMs ?? 0) - changeMs)
      const pauseMs = pauseBefore(words, at)
      if (distanceMs <= CHANGE_NEAR_MS && pauseMs > best.pauseMs) best = { at, pauseMs }
    }
    if (best.at === run.from) continue
    // The change moves back or forward, so one of these two ranges is empty and is left as it is.
    owners.fill(before.owner, run.from, best.at)
    owners.fill(run.owner, best.at, run.from)
    run.from = best.at
  }
}

/**
 * Where the voice changes at a pause, a sentence ends and another begins: an engine that heard both in
 * one piece may have written one. In scripts without capitals it is left as it is.
 */
function markChanges(
  words: readonly Word[],
  owners: readonly Owner[],
  regions: readonly Region[],
): Word[] {
  const isChange = (index: number) =>
    index > 0 &&
    index < words.length &&
    owners[index] !== owners[index - 1] &&
    (pauseBefore(words, index) >= CHANGE_PAUSE_MS || hasBreak(regions, words, index))
  return words.map((word, index) => {
    let { text } = word
    if (isChange(index)) text = capital(text)
    if (isChange(index + 1)) text = text.replace(isGreek.test(text) ? open.greek : open.all, '$1.')
    return text === word.text ? word : { ...word, text }
  })
}

/** A word, with the marks behind it that end no sentence. In Greek a semicolon asks. */
const open = { all: /([\p{Ll}\p{Lu}\d])[,;:–—-]*$/u, greek: /([\p{Ll}\p{Lu}\d])[,:–—-]*$/u }
const isGreek = /\p{Script=Greek}/u

/** Whether a word ends a sentence, as an engine wrote it. */
const isEnd = (word: Word | undefined): boolean =>
  word !== undefined && sentenceEnd.test(word.text) && !isTitle(word.text)

/** Silence between a word and the one before it, in ms. */
const pauseBefore = (words: readonly Word[], index: number): number =>
  (words[index]?.startMs ?? 0) - (words[index - 1]?.endMs ?? 0)

function cutAtPauses(
  words: readonly Word[],
  { hasPunctuation }: { hasPunctuation: boolean },
): Word[][] {
  const pieces: Word[][] = []
  for (const [index, word] of words.entries()) {
    const isWithin = hasPunctuation && !isEnd(words[index - 1])
    const longestMs = isWithin ? LONG_PAUSE_MS : TURN_PAUSE_MS
    if (index > 0 && pauseBefore(words, index) <= longestMs) pieces.at(-1)?.push(word)
    else pieces.push([word])
  }
  return pieces
}

/** Cuts a turn that is too long near its middle, at the end of a sentence with a long pause. */
function cutLong(words: Word[]): Word[][] {
  const lengthMs = (words.at(-1)?.endMs ?? 0) - (words[0]?.startMs ?? 0)
  const excess = Math.max(words.length / LONGEST_TURN_WORDS, lengthMs / LONGEST_TURN_MS)
  if (excess <= 1) return [words]
  let best = { at: 0, worth: -Infinity }
  for (let at = 1; at < words.length; at++) {
    const isSentenceEnd = isEnd(words[at - 1])
    // A cut inside a sentence is hard to read, so only a sentence that is far too long gets one.
    if (!isSentenceEnd && excess <= LONGEST_SENTENCE_TURNS) continue
    const offCentre = Math.abs(at / words.length - 0.5)
    const worth = pauseBefore(words, at) + (isSentenceEnd ? 10_000 : 0) - offCentre * 400
    if (worth > best.worth) best = { at, worth }
  }
  if (best.at === 0) return [words]
  return [...cutLong(words.slice(0, best.at)), ...cutLong(words.slice(best.at))]
}
