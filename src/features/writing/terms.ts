/**
 * Finds the topics of a transcript: noun phrases that are said again and again, throughout it. The
 * candidates are runs of content words. They are ranked by C-value (Frantzi et al., 2000), which
 * lowers the count of a phrase for every longer phrase that it is a part of. Phrases count more
 * when the recogniser was sure, because a mistake is rarely made twice in the same way.
 */
import { type Belief, isGuess, isTooUncertain } from './certainty.ts'
import type { Language } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { singular, type Token } from './tokens.ts'

interface Phrase {
  key: string
  stems: string[]
  /** Occurrences, each weighted by the certainty of its words. */
  count: number
  sentences: Set<number>
  surfaces: Map<string, number>
  startsAt: number
  /** Whether all its words are nouns, or were tagged as belonging to one. */
  isCertain: boolean
  /** Whether the recogniser was sure of it, and of the sentence, at least once. */
  isBelieved: boolean
}

/** 19 in 20 words with this certainty are right. */
const SURE = 0.9

export function findTopics(
  sentences: readonly Sentence[],
  language: Language,
  { scores, belief }: { scores: ReadonlyMap<Sentence, number>; belief: Belief },
): string[] {
  const phrases = collect(sentences, language, { belief })
  const words = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const most = Math.min(8, Math.max(3, Math.round(2 + Math.log2(1 + words / 40))))
  const ranked = scored(phrases, sentences, scores)
    .sort((a, b) => b.score - a.score || a.phrase.startsAt - b.phrase.startsAt)
    .map(({ phrase }) => phrase)
  const chosen: Phrase[] = []
  for (const found of ranked) {
    if (chosen.length >= most) break
    const phrase = fullerName(found, ranked)
    if (!chosen.some((other) => isSameThing(other, phrase))) chosen.push(phrase)
  }
  return chosen.map((phrase) => title(phrase, language))
}

/**
 * For each part of a recording, the phrase that is said there again and again and hardly elsewhere; a
 * phrase names one part only. Null where no phrase can be believed.
 */
export function findTitles(
  parts: readonly (readonly Sentence[])[],
  language: Language,
  belief: Belief,
): (string | null)[] {
  const all = parts.flat()
  const isNoun = nounsOf(all, language)
  const whole = new Map(
    collect(all, language, { belief, isNoun }).map(({ key, count }) => [key, count]),
  )
  const chosen: Phrase[] = []
  return parts.map((part) => {
    const ranked = scored(collect(part, language, { belief, isNoun }), part, new Map())
      .map(({ phrase, score }) => {
        const share = phrase.count / (whole.get(phrase.key) ?? phrase.count)
        return { phrase, score: score * share * (phrase.stems.length > 1 ? LONGER : 1) }
      })
      .sort((a, b) => b.score - a.score || a.phrase.startsAt - b.phrase.startsAt)
      .map(({ phrase }) => phrase)
    for (const found of ranked) {
      const phrase = fullerName(found, ranked)
      if (chosen.some((other) => isSameThing(other, phrase))) continue
      const text = title(phrase, language)
      if (text.length > LONGEST_TITLE) continue
      chosen.push(phrase)
      return text
    }
    return null
  })
}

/** "Night shift" tells a stretch from others better than "Shift" does. */
const LONGER = 1.5
const LONGEST_TITLE = 100

function collect(
  sentences: readonly Sentence[],
  language: Language,
  { belief, isNoun = nounsOf(sentences, language) }: { belief: Belief; isNoun?: IsNoun },
): Phrase[] {
  const phrases = new Map<string, Phrase>()
  for (const [index, sentence] of sentences.entries())
    for (const run of runsOf(sentence, language, isNoun))
      for (const tokens of partsOf(run, language, isNoun)) {
        const things = tokens.filter(({ lower }) => !language.links.has(lower))
        // A phrase with a guessed word is no topic, however often it is said.
        if (things.some(isGuess)) continue
        const stems = things.map((token) => keyOf(token, language))
        if (new Set(stems).size < stems.length) continue
        const key = stems.join(' ')
        const phrase = phrases.get(key) ?? {
          key,
          stems,
          count: 0,
          sentences: new Set<number>(),
          surfaces: new Map<string, number>(),
          startsAt: index,
          isCertain: language.code === 'en' || things.every(isNoun),
          isBelieved: false,
        }
        phrases.set(key, phrase)
        const certainty = things.reduce((sum, token) => sum + token.certainty, 0) / things.length
        phrase.count += certainty
        phrase.isBelieved ||=
          certainty >= SURE && belief.isSure(sentence) && !isTooUncertain(belief)
        phrase.sentences.add(index)
        const surface = surfaceOf(tokens, sentence, language)
        phrase.surfaces.set(surface, (phrase.surfaces.get(surface) ?? 0) + 1)
      }
  // A word beside a noun may be a verb, and any word may be misheard. A phrase that is said twice
  // is trusted even so. One that is said once must consist of nouns, be sure, and be in a sure
  // sentence.
  return [...phrases.values()].filter(
    ({ isCertain, isBelieved, sentences: where }) => (isCertain && isBelieved) || where.size > 1,
  )
}

/** Singular in English, so that a thing and its plural are one; the stem elsewhere. */
const keyOf = (token: Token, language: Language): string =>
  language.code === 'en' ? singular(token.lower.replace(/'s?$/, '')) : token.stem

function surfaceOf(tokens: readonly Token[], sentence: Sentence, language: Language): string {
  let text = ''
  let end = tokens[0]?.start ?? 0
  for (const token of tokens) {
    const gap = sentence.text.slice(end - sentence.start, token.start - sentence.start)
    const word = language.code === 'ko' ? token.stem : token.text
    text += gap.replace(/\s+/g, ' ') + (token.isProper ? large(word, language) : word)
    end = token.end
  }
  // Recognisers spell abbreviations out: "w e r" is WER.
  const spelled = text.replace(/(?<!\S)(?:\p{L}\.? )+\p{L}(?!\S)\.?/gu, (letters) =>
    letters.replace(/[\s.]/g, '').toUpperCase(),
  )
  return language.code === 'en' ? spelled.replace(/['’]s?$/, '') : spelled
}

const large = (text: string, language: Language): string =>
  text.charAt(0).toLocaleUpperCase(language.code || undefined) + text.slice(1)

/**
 * Which words are nouns. English words are tagged one by one; elsewhere a word counts as a noun
 * when it follows an article or is written as nouns are, or, in languages without either, when
 * it is no verb by its ending.
 */
type IsNoun = (token: Token) => boolean

function nounsOf(sentences: readonly Sentence[], language: Language): IsNoun {
  if (language.code === 'en') return ({ kind }) => kind === 'noun' || kind === 'name'

  const seen = new Map<string, { asNoun: number; other: number }>()
  for (const { tokens } of sentences)
    for (const [index, token] of tokens.entries()) {
      if (token.kind === 'function' || token.kind === 'number') continue
      const before = tokens[index - 1]?.lower ?? ''
      const evidence = seen.get(token.stem) ?? { asNoun: 0, other: 0 }
      const follows = language.determiners.has(before) || language.links.has(before)
      if (token.kind === 'noun' || token.kind === 'name' || follows) evidence.asNoun++
      else evidence.other++
      seen.set(token.stem, evidence)
    }
  const hasArticles = language.determiners.size > 0
  const hasCapitals = sentences.some(({ tokens }) => tokens.some(({ kind }) => kind === 'noun'))
  return (token) => {
    if (token.kind === 'function' || token.kind === 'number' || token.kind === 'verb') return false
    if (token.kind === 'name') return true
    if (language.code === 'de' && hasCapitals && /^\p{Ll}/u.test(token.text)) return false
    const evidence = seen.get(token.stem)
    if (hasArticles) return evidence !== undefined && evidence.asNoun > 0
    return !language.verbs.test(token.lower)
  }
}

/** Longest stretches of words that may form one phrase. */
function runsOf(
  sentence: Sentence,
  language: Language,
  isNoun: (token: Token) => boolean,
): Token[][] {
  const runs: Token[][] = []
  let run: Token[] = []
  const close = () => {
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const token of sentence.tokens) {
    const last = run.at(-1)
    const gap = last
      ? sentence.text.slice(last.end - sentence.start, token.start - sentence.start)
      : ''
    if (/[^\s'’-]/u.test(gap)) close()
    const isLetter = language.code === 'en' && /^[b-hj-z]$/i.test(token.text)
    const isLink = language.links.has(token.lower) && run.length > 0
    if (isNoun(token) || isLink || isLetter || mayQualify(token, language)) run.push(token)
    else close()
  }
  close()
  return runs
}

function mayQualify(token: Token, language: Language): boolean {
  if (language.isAdjectiveLast) return token.kind === 'other'
  if (language.code === 'en')
    return token.kind === 'adjective' && !language.plain.has(token.lower) && !/'/.test(token.lower)
  return token.kind !== 'function' && language.adjectives.test(token.lower)
}

/** Every phrase of a run: up to four words that begin and end well. */
function partsOf(
  run: readonly Token[],
  language: Language,
  isNoun: (token: Token) => boolean,
): Token[][] {
  const isLone = (token: Token) =>
    isNoun(token) &&
    token.lower.length > 1 &&
    !token.isForename &&
    !language.vague.has(singular(token.lower))
  const parts: Token[][] = []
  for (let from = 0; from < run.length; from++)
    for (let to = from + 1; to <= Math.min(run.length, from + 5); to++) {
      const part = run.slice(from, to)
      const first = part[0]
      const last = part.at(-1)
      if (!first || !last) continue
      if (language.isAdjectiveLast ? !isNoun(first) : !isNoun(last)) continue
      const isBare = ({ lower }: Token) => language.links.has(lower)
      if (isBare(first) || isBare(last)) continue
      const isNamed = language.named.has(singular(last.lower))
      if (part.length === 1 ? isLone(first) : isNamed || part.some(isLone)) parts.push(part)
    }
  return parts
}

function scored(
  phrases: Phrase[],
  sentences: readonly Sentence[],
  sentenceScores: ReadonlyMap<Sentence, number>,
): { phrase: Phrase; score: number }[] {
  const nesting = new Map<string, { count: number; phrases: number }>()
  for (const { stems, count } of phrases)
    for (let from = 0; from < stems.length; from++)
      for (let to = from + 1; to <= stems.length; to++) {
        if (to - from === stems.length) continue
        const key = stems.slice(from, to).join(' ')
        const nested = nesting.get(key) ?? { count: 0, phrases: 0 }
        nested.count += count
        nested.phrases++
        nesting.set(key, nested)
      }
  const all = phrases.map((phrase) => {
    const nested = nesting.get(phrase.key)
    const own = phrase.count - (nested ? nested.count / nested.phrases : 0)
    const length = Math.log2(1 + Math.min(3, phrase.stems.length))
    const spread = 1 + Math.log2(phrase.sentences.size)
    const support = Math.max(
      ...Array.from(phrase.sentences, (index) => {
        const sentence = sentences[index]
        return sentence ? (sentenceScores.get(sentence) ?? 0) : 0
      }),
    )
    // A phrase said once is a topic only where little was said, and then by its sentence.
    const repeated = phrase.sentences.size > 1 ? 1 : 0.35
    return { phrase, score: own * length * spread * repeated * (0.6 + support) }
  })
  return all.filter(({ score }) => score > 0)
}

/** The longer name where most uses are part of it: "invoice archive" in place of "invoice". */
function fullerName(phrase: Phrase, ranked: readonly Phrase[]): Phrase {
  if (phrase.stems.length > 1) return phrase
  const fuller = ranked.find(
    (other) =>
      other.stems.length > phrase.stems.length &&
      other.sentences.size > 1 &&
      other.count >= 0.34 * phrase.count &&
      phrase.stems.every((stem) => other.stems.includes(stem)),
  )
  return fuller ?? phrase
}

/** Whether two phrases name one thing: all words of one are in the other. */
function isSameThing(a: Phrase, b: Phrase): boolean {
  const [short, long] = a.stems.length <= b.stems.length ? [a, b] : [b, a]
  return short.stems.every((stem) => long.stems.includes(stem))
}

/** As a heading: first letter large, names and abbreviations as they are written. */
function title(phrase: Phrase, language: Language): string {
  // German nouns have endings in some cases, which a heading does not have: the shortest form fits.
  const isInflected = language.code === 'de'
  const [surface = ''] =
    [...phrase.surfaces].sort(
      ([a, x], [b, y]) => (isInflected ? 0 : y - x) || a.length - b.length || y - x,
    )[0] ?? []
  return large(surface, language)
}
