/**
 * Drops words that no engine is believed: those where nobody speaks, and the same words over and over.
 * Neural engines make both up, from silence, noise and music; the embedded one hears words in music.
 */
import type { Chunk, Region, Word } from './engine.ts'

/** How far the times of voice activity, and of engines, may be off. */
const NEAR_MS = 400

/**
 * Leaves out words in which nobody speaks from their start to their end, nor near it: a word that is
 * long, or heard a little early, is spoken all the same. Words whose times are an estimate are kept:
 * where they are said to be proves nothing.
 */
export function withinSpeech(words: readonly Word[], regions: readonly Region[]): Word[] {
  return words.filter(({ startMs, endMs, isEstimated }) => {
    if (isEstimated) return true
    return regions.some(
      (region) => endMs >= region.startMs - NEAR_MS && startMs <= region.endMs + NEAR_MS,
    )
  })
}

/**
 * In a note or a noise that was taken for a voice a model hears a word or two, and does not believe in
 * them. It believes as little in a short reply that was spoken softly or in noise.
 */
const MOST_GUESSED = 6
const GUESSED = Math.log(0.3)

/** Whether a model believes in nothing of what it wrote of a chunk. */
export function isGuess({ tokens, logProbabilities }: Guessed): boolean {
  const spoken = logProbabilities.filter((_, place) => /[\p{L}\p{N}]/u.test(tokens[place] ?? ''))
  const isShort = spoken.length > 0 && tokens.length <= MOST_GUESSED
  return isShort && spoken.every((logProbability) => logProbability < GUESSED)
}
interface Guessed {
  tokens: readonly string[]
  /** Natural logarithms; empty where the model does not say. */
  logProbabilities: readonly number[]
}

/** So many words in a row without a comma or a stop are more than people say. */
const MOST_UNMARKED = 30

/** Whether a model that writes marks stopped to, as in long pieces of telephone calls. */
export const isUnmarked = (text: string): boolean =>
  /\p{Ll}/u.test(text) &&
  text.split(/[.,;:?!…]/u).some((said) => said.trim().split(/\s+/u).length > MOST_UNMARKED)

/** Whether all speech of a chunk is such as was heard only when voice activity listened harder. */
export function isFaint(chunk: Region, regions: readonly Region[] = []): boolean {
  const within = regions.filter(
    ({ startMs, endMs }) => endMs > chunk.startMs && startMs < chunk.endMs,
  )
  return within.length > 0 && within.every((region) => region.isFaint)
}

/** Loops of more words than this were never seen; longer ones would take long to look for. */
const LONGEST_PHRASE = 12
/** People say "no, no, no, no" and "thank you, thank you, thank you", and little more of that. */
const mostTimes = (phraseWords: number): number => (phraseWords === 1 ? 6 : 3)

/** Whether a phrase is repeated more often than people repeat themselves. */
export function hasLoop(words: readonly Pick<Word, 'text'>[]): boolean {
  return cutLoops(words).length < words.length
}

/** The words with what is repeated too often said as often as it may be. */
export function cutLoops<Spoken extends Pick<Word, 'text'>>(words: readonly Spoken[]): Spoken[] {
  const said = words.map(({ text }) => plain(text))
  const kept: Spoken[] = []
  for (let at = 0; at < words.length;) {
    const loop = loopAt(said, at)
    const until = loop ? at + loop.phraseWords * mostTimes(loop.phraseWords) : at + 1
    kept.push(...words.slice(at, until))
    at = loop ? at + loop.phraseWords * loop.times : at + 1
  }
  return kept
}

/** The loop that begins here; of several readings the one with the shortest phrase. */
function loopAt(
  said: readonly string[],
  from: number,
): { phraseWords: number; times: number } | null {
  for (let phraseWords = 1; phraseWords <= LONGEST_PHRASE; phraseWords++) {
    let same = 0
    while (
      from + phraseWords + same < said.length &&
      said[from + same] === said[from + phraseWords + same]
    )
      same += 1
    const times = 1 + Math.floor(same / phraseWords)
    if (times > mostTimes(phraseWords)) return { phraseWords, times }
  }
  return null
}

/** Loops come with changing capitals and commas. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** Nobody speaks faster: a hurried reader says some 20 letters a second. */
const MOST_LETTERS_PER_S = 30

/** Whether there is speech enough in a piece for all of these words. */
export function isSpeakable(
  words: readonly Pick<Word, 'text'>[],
  { startMs, endMs }: Region,
  regions: readonly Region[],
): boolean {
  const letters = words.reduce((sum, { text }) => sum + plain(text).length, 0)
  const spokenMs = regions.reduce((sum, region) => {
    const from = Math.max(startMs, region.startMs - NEAR_MS)
    return sum + Math.max(0, Math.min(endMs, region.endMs + NEAR_MS) - from)
  }, 0)
  return 1000 * letters <= MOST_LETTERS_PER_S * spokenMs
}

/** A chunk in two, at the longest pause of its middle half; in the middle where there is none. */
export function halvesOf({ startMs, endMs }: Chunk, regions: readonly Region[]): Chunk[] {
  const quarterMs = (endMs - startMs) / 4
  const isInMiddle = (ms: number) => ms > startMs + quarterMs && ms < endMs - quarterMs
  let best = { atMs: Math.round((startMs + endMs) / 2), lengthMs: 0 }
  for (const [index, region] of regions.entries()) {
    const next = regions[index + 1]
    if (!next) continue
    const atMs = Math.round((region.endMs + next.startMs) / 2)
    const lengthMs = next.startMs - region.endMs
    if (isInMiddle(atMs) && lengthMs > best.lengthMs) best = { atMs, lengthMs }
  }
  return [
    { index: 0, startMs, endMs: best.atMs },
    { index: 1, startMs: best.atMs, endMs },
  ]
}
