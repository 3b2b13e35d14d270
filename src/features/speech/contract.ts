/** Types that the speech room hands out; neutral, so that the browser may read them too. */
import { speakerLetters } from '#shared/speaker-letters.ts'

import type { EngineCapabilities, SpeakerBounds, Word } from './engines/engine.ts'

export type { EngineCapabilities, SpeakerBounds, Word }

/** Whether channels are people: as they sound, always, or never. */
export const askedChannels = ['auto', 'people', 'mixed'] as const
export type AskedChannels = (typeof askedChannels)[number]

/** A stretch of speech by one speaker, cut where a reader expects a new paragraph. */
export interface Turn {
  /** Number of the speaker in order of first speech, from 0; null when nobody could be told apart. */
  speaker: number | null
  startMs: number
  endMs: number
  words: Word[]
  /** The words as readable text: sentences with capitals and full stops. */
  text: string
}

/** Who speaks when, from diarization; integer ms, sorted, never overlapping. */
export interface SpeakerTurn {
  speaker: number
  startMs: number
  endMs: number
}

/**
 * Where the times of words come from: the engine that recognised them, listening for its words
 * afterwards, or an estimate by their length and the pauses.
 */
export const timings = ['recognized', 'aligned', 'estimated'] as const
export type Timing = (typeof timings)[number]

/** Of a text as a whole: how most of its words came to their times. */
export function timingOf(
  turns: readonly { words: readonly Pick<Word, 'isEstimated' | 'isAligned'>[] }[],
): Timing {
  let [all, estimated, aligned] = [0, 0, 0]
  for (const { words } of turns)
    for (const { isEstimated, isAligned } of words) {
      all += 1
      if (isEstimated) estimated += 1
      if (isAligned) aligned += 1
    }
  if (2 * estimated > all) return 'estimated'
  return 2 * (estimated + aligned) > all ? 'aligned' : 'recognized'
}

/** Diarization does not work with more speakers. */
export const MOST_SPEAKERS = 50

/** `auto`, `2` (exactly) or `max:4` (at most) as bounds; null for anything else. */
export function speakerBounds(text: string): SpeakerBounds | null {
  if (text === 'auto') return {}
  const [, most, digits] = /^(max:)?(\d{1,3})$/.exec(text) ?? []
  const number = Number(digits)
  if (!(number >= 1 && number <= MOST_SPEAKERS)) return null
  return most === undefined ? { count: number } : { max: number }
}

/** Somebody whose voice could not be told apart from others. */
export const UNKNOWN_SPEAKER = 'Unknown speaker'

/** Speaker A, B, … Z, AA in order of first speech. */
export const speakerLabel = (speaker: number): string => `Speaker ${speakerLetters(speaker)}`

/** The name of a speaker wherever something is read: the given one, else by letter. */
export function speakerName(speaker: number | null, given?: string | null): string {
  if (speaker === null) return UNKNOWN_SPEAKER
  return given?.trim() || speakerLabel(speaker)
}

/** The marks that end a sentence, with what closes after them. */
export const sentenceEnd = /[.!?…。？！؟۔।॥]["'”’)\]]*$/

const titles = new Set('mr. mrs. ms. dr. st. prof. no. vs. e.g. i.e.'.split(' '))
/** Whether the full stop of a word ends no sentence. */
export const isTitle = (word: string): boolean => titles.has(word.toLowerCase())

/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff65]/u

/** Whether no space is between two words that follow each other. */
export const isWithoutSpace = (word: string, next: string): boolean =>
  unspaced.test(word.slice(-1)) && unspaced.test(next.slice(0, 1))

/** Words as they are read one after the other; only some scripts put spaces between them. */
export function joinWords(words: readonly string[]): string {
  let text = ''
  // Asked of the word, not of the text: a text that grows would be copied for each of its words.
  let last = ''
  for (const word of words) {
    if (word === '') continue
    text += text === '' || isWithoutSpace(last, word) ? word : ` ${word}`
    last = word
  }
  return text
}
