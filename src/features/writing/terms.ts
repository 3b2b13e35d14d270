/**
 * Finds the topics of a transcript: noun phrases that are said again and again, throughout it. The
 * candidates are runs of content words. They are ranked by C-value (Frantzi et al., 2000), which
 * lowers the count of a phrase for every longer phrase that it is a part of. Phrases count more
 * when the recogniser was sure, because a mistake is rarely made twice in the same way, and when they
 * have a word that is rare in the language. No topic is better than one that says nothing: a phrase
 * that is said once is none, and a single noun must be said in three sentences.
 */
import { type Belief, isGuess, isTooUncertain } from './certainty.ts'
import { type Commonness, commonnessOf } from './common.ts'
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
  /** Its words in small letters. */
  words: string[]
  /** That of its rarest word. */
  commonness: Commonness
  isName: boolean
  /** It begins with an adjective that anything can have: "normal student". */
  isPlain: boolean
  /** It has a comparative or superlative, which compares with something that is not named. */
  isCompared: boolean
}

/** 19 in 20 words with this certainty are right. */
const SURE = 0.9

interface Known {
  scores: ReadonlyMap<Sentence, number>
  belief: Belief
  /** Names of the speakers, which are no topics. */
  speakers: readonly (string | null)[]
}

export function findTopics(
  sentences: readonly Sentence[],
  language: Language,
  { scores, belief, speakers }: Known,
): string[] {
  const said = withoutSaidAgain(sentences)
  const words = said.reduce((sum, { tokens }) => sum + tokens.length, 0)
  if (words < FEWEST_WORDS || isTooUncertain(belief)) return []
  const names = new Set(speakers.flatMap((name) => name?.toLowerCase().split(/\s+/) ?? []))
  const phrases = collect(said, language, { belief }).filter(
    (phrase) =>
      !phrase.words.some((word) => names.has(word)) &&
      phrase.sentences.size >= fewestSentences(phrase, { words, sentences: said.length }),
  )
  const most = Math.min(6, Math.max(3, Math.round(2 + Math.log2(1 + words / 40))))
  const ranked = scored(phrases, said, scores)
    .map(({ phrase, score }) => ({ phrase, score: score * rarity(phrase, PHRASE) }))
    .sort((a, b) => b.score - a.score || a.phrase.startsAt - b.phrase.startsAt)
  const best = ranked[0]?.score ?? 0
  const all = ranked.map(({ phrase }) => phrase)
  const chosen: Phrase[] = []
  for (const { phrase: found, score } of ranked) {
    if (chosen.length >= most || score < best * LEAST_SCORE) break
    const phrase = fullerName(found, all)
    if (!chosen.some((other) => isSameThing(other, phrase))) chosen.push(phrase)
  }
  return chosen.map((phrase) => title(phrase, language))
}

/** With fewer words nothing is talked about long enough to be a topic. */
const FEWEST_WORDS = 80
/** Up to so many words three sentences are enough for any noun. */
const SHORT = 350
/** Of a long recording, a noun must be said in one of as many sentences. */
const OFTEN = 60

/** Share of the best one's score that a topic must have. */
const LEAST_SCORE = 1 / 16

/** In how many sentences a phrase must be said to be a topic. */
function fewestSentences(
  { words, commonness, isName, isPlain, isCompared }: Phrase,
  all: { words: number; sentences: number },
): number {
  if (isCompared || commonness === 'everyday') return Infinity
  if (words.length > 1) return isPlain ? 3 : 2
  if (isName) return 2
  const least = { common: 8, known: all.words < SHORT ? 3 : 4, rare: 3 }[commonness]
  return Math.max(least, all.sentences / OFTEN)
}

const RARITY = { everyday: 0.3, common: 0.45, known: 0.7, rare: 1 }
/** How much more a phrase says than a single noun: as a topic, and as the title of a part. */
const PHRASE = 1.6
const LONGER = 1.5

const rarity = ({ commonness, stems }: Phrase, longer: number): number =>
  RARITY[commonness] * (stems.length > 1 ? longer : 1)

/** Two sentences with this share of their words in common are the same, heard a little otherwise. */
const ALIKE = 0.7

/** Without sentences that are said again, as in a refrain or a test: they make nothing a topic. */
function withoutSaidAgain(sentences: readonly Sentence[]): Sentence[] {
  const seen = new Set<string>()
  /** How many different words each sentence has, and in which sentences each word is. */
  const sizes: number[] = []
  const places = new Map<string, number[]>()
  return sentences.filter(({ tokens }) => {
    const key = tokens.map(({ lower }) => lower).join(' ')
    if (tokens.length >= 4 && seen.has(key)) return false
    seen.add(key)
    const stems = new Set(tokens.filter(({ kind }) => kind !== 'function').map(({ stem }) => stem))
    if (stems.size < 3) return true
    const shared = new Map<number, number>()
    for (const stem of stems)
      for (const place of places.get(stem) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
    for (const [place, count] of shared)
      if (count >= ALIKE * Math.max(stems.size, sizes[place] ?? 0)) return false
    for (const stem of stems) places.set(stem, [...(places.get(stem) ?? []), sizes.length])
    sizes.push(stems.size)
    return true
  })
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
    const found = collect(withoutSaidAgain(part), language, { belief, isNoun })
    const telling = found.filter(isTelling)
    const ranked = scored(telling.length > 0 ? telling : found, part, new Map())
      .map(({ phrase, score }) => {
        const share = phrase.count / Math.max(phrase.count, whole.get(phrase.key) ?? 0)
        return { phrase, score: score * share * rarity(phrase, LONGER) }
      })
      .sort((a, b) => b.score - a.score || a.phrase.startsAt - b.phrase.startsAt)
      .map(({ phrase }) => phrase)
    for (const first of ranked) {
      const phrase = fullerName(first, ranked)
      if (chosen.some((other) => isSameThing(other, phrase))) continue
      const text = title(phrase, language)
      if (text.length > LONGEST_TITLE) continue
      chosen.push(phrase)
      return text
    }
    return null
  })
}

/** Whether a phrase may be the title of a part. Where none is, the part is called as it can be. */
const isTelling = ({ commonness, isCompared, isName, sentences }: Phrase): boolean =>
  !isCompared && sentences.size > (commonness === 'everyday' && !isName ? 5 : 1)

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
        if (isAmount(tokens, sentence, language)) continue
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
          words: things.map(({ lower }) => lower),
          commonness: rarest(things, language),
          isName: things.every(({ kind, text }) => kind === 'name' && /^\p{Lu}/u.test(text)),
          isPlain: isPlain(things, isNoun, language),
          isCompared: things.some(({ isCompared }) => isCompared),
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

/** "Three hundred *square metres*" measures a thing and names none. */
function isAmount(
  tokens: readonly Token[],
  { tokens: all }: Sentence,
  { vague }: Language,
): boolean {
  const [first] = tokens
  const before = first && all[all.indexOf(first) - 1]
  return before?.kind === 'number' && vague.has(singular(tokens.at(-1)?.lower ?? ''))
}

const grades: readonly Commonness[] = ['everyday', 'common', 'known', 'rare']

function rarest(things: readonly Token[], { code }: Language): Commonness {
  const all = things.map(({ lower }) => grades.indexOf(commonnessOf(lower, code)))
  return grades[Math.max(...all)] ?? 'rare'
}

function isPlain(things: readonly Token[], isNoun: IsNoun, { code, named }: Language): boolean {
  const [first, second] = things
  if (!first || !second || isNoun(first)) return false
  // "Cold room" is a thing of its own.
  if (named.has(singular(things.at(-1)?.lower ?? ''))) return false
  return commonnessOf(first.lower, code) !== 'rare'
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
