/**
 * Where an engine that knows one language has heard another. It does not say so: it writes fluent
 * sentences of its own language that nobody said. But it is unsure of nearly all of their words, and
 * it often falls into the same phrases again and again.
 *
 * Each word is evidence: of another language where the engine is unsure of it, of its own where it is
 * sure. The language changes where that explains the words best; a change costs evidence, less of it
 * where one may change: at a pause, at the end of a sentence, where a piece was cut. So a mumbled or
 * misheard phrase in between is not taken for another language (a hidden Markov model of two states,
 * by the algorithm of Viterbi).
 *
 * Measured with Moonshine v2 tiny (`npm run bench -- languages`), by the mean sureness (geometric) of
 * words in a row: in four languages spoken by people and four by a synthesiser, half of all stretches of
 * 24 words are below 0.25, and 95 of 100 below 0.63, because it believes in phrases that it repeats. In
 * English the least of 24 words is 0.57, in a meeting with a distant microphone; with much noise over
 * that, where hardly a word is right, it is 0.38.
 */
import { sentenceEnd } from '../contract.ts'
import type { Run } from '../job.ts'
import type { Region, Word } from './engine.ts'

/** Of fewer words nothing can be said. */
const FEWEST_WORDS = 6
/** A word that the engine is just so sure of speaks for neither language. */
const NEITHER = 0.46
/** The same where somebody has said that the language is the engine's own: then more doubt is needed. */
const NEITHER_IF_TOLD = 0.38
/** A single word says no more than this one. */
const LEAST_SURE = 0.03
/** The weight of a phrase of three words that came before, and how many words before it is looked for. */
const REPEATED = 0.5
const REPEATED_WITHIN = 60
/** The evidence that a change costs: where it is likely, and inside a sentence. */
const CHANGE = 2
const CHANGE_INSIDE = 3.5
const PAUSE_MS = 300

/** The words, those that stand for something in another language marked, as far as the engine lets it know. */
export function withOtherLanguage(
  words: readonly Word[],
  { engine, language }: Pick<Run, 'engine' | 'language'>,
): Word[] {
  if (!engine.capabilities.doubtsOtherLanguages) return [...words]
  const isOther = inOtherLanguage(words, { isTold: (language ?? null) !== null })
  return words.map(({ isOther: _before, ...word }, place) =>
    isOther[place] ? { ...word, isOther: true } : word,
  )
}

/**
 * Whether most of the speech is in another language. What is counted is the time from the first word of
 * a stretch to its last: of another language the engine writes fewer words than there are.
 *
 * @param voices the words of each side, in order, or of all
 * @param regions where somebody speaks
 */
export function isMostlyOther(
  voices: readonly (readonly Word[])[],
  regions: readonly Region[],
): boolean {
  let [otherMs, allMs] = [0, 0]
  for (const { isOther, startMs, endMs } of voices.flatMap(stretchesOf))
    for (const region of regions) {
      const ms = Math.max(0, Math.min(endMs, region.endMs) - Math.max(startMs, region.startMs))
      allMs += ms
      if (isOther) otherMs += ms
    }
  return otherMs > allMs / 2
}

function stretchesOf(words: readonly Word[]): (Region & { isOther: boolean })[] {
  const stretches: (Region & { isOther: boolean })[] = []
  for (const { startMs, endMs, isOther = false } of words) {
    const last = stretches.at(-1)
    if (last && last.isOther === isOther) last.endMs = Math.max(last.endMs, endMs)
    else stretches.push({ startMs, endMs, isOther })
  }
  return stretches
}

/**
 * Answers for each word whether it stands for something in another language.
 *
 * @param words of one voice or one channel at a time, in order
 * @param options.isTold somebody has said that the language is the engine's own
 */
export function inOtherLanguage(
  words: readonly Word[],
  { isTold = false }: { isTold?: boolean } = {},
): boolean[] {
  const evidence = evidenceOf(words, isTold)
  if (!evidence || words.length < FEWEST_WORDS) return words.map(() => false)
  // The best explanation that ends in the engine's own language, and in another one.
  let [own, other] = [0, -CHANGE]
  const ways: { ownFromOther: boolean; otherFromOwn: boolean }[] = []
  for (const [place, each] of evidence.entries()) {
    const cost = place === 0 ? Infinity : changeCost(words, place)
    const way = { ownFromOther: other - cost > own, otherFromOwn: own - cost > other }
    ways.push(way)
    const [before, otherBefore] = [own, other]
    own = way.ownFromOther ? otherBefore - cost : before
    other = each + (way.otherFromOwn ? before - cost : otherBefore)
  }
  const isOther: boolean[] = []
  let at = other - CHANGE > own
  for (const way of ways.toReversed()) {
    isOther.push(at)
    if (at ? way.otherFromOwn : way.ownFromOther) at = !at
  }
  return withoutFew(isOther.toReversed())
}

/** For each word what it says for another language; null where the engine does not tell how sure it is. */
function evidenceOf(words: readonly Word[], isTold: boolean): number[] | null {
  if (words.every(({ confidence }) => confidence === null)) return null
  const neither = Math.log(isTold ? NEITHER_IF_TOLD : NEITHER)
  const repeated = isTold ? new Set<number>() : repeatedIn(words)
  const evidence: number[] = []
  for (const [place, { confidence }] of words.entries()) {
    const unsure = confidence === null ? 0 : neither - Math.log(Math.max(LEAST_SURE, confidence))
    evidence.push(unsure + (repeated.has(place) ? REPEATED : 0))
  }
  return evidence
}

/** The places of words in a phrase of three words that was said before. */
function repeatedIn(words: readonly Word[]): Set<number> {
  const said = words.map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}']+/gu, ''))
  const lastAt = new Map<string, number>()
  const repeated = new Set<number>()
  for (let place = 2; place < said.length; place++) {
    const phrase = said.slice(place - 2, place + 1).join(' ')
    if (place - (lastAt.get(phrase) ?? -Infinity) <= REPEATED_WITHIN)
      for (const each of [place - 2, place - 1, place]) repeated.add(each)
    lastAt.set(phrase, place)
  }
  return repeated
}

function changeCost(words: readonly Word[], place: number): number {
  const [before, word] = [words[place - 1], words[place]]
  if (!before || !word) return CHANGE
  const isLikely =
    word.isPieceStart || sentenceEnd.test(before.text) || word.startMs - before.endMs >= PAUSE_MS
  return isLikely ? CHANGE : CHANGE_INSIDE
}

/** Stretches of a few words stay as they were heard. */
function withoutFew(isOther: readonly boolean[]): boolean[] {
  const kept: boolean[] = []
  for (let from = 0; from < isOther.length;) {
    const end = isOther.findIndex((each, place) => place > from && each !== isOther[from])
    const to = end < 0 ? isOther.length : end
    const isKept = isOther[from] === true && to - from >= FEWEST_WORDS
    for (let place = from; place < to; place++) kept.push(isKept)
    from = to
  }
  return kept
}
