/**
 * The topics of a transcript: noun phrases that come back, and are spread over it. Candidates are
 * runs of content words; they are ranked by C-value (Frantzi et al., 2000), which counts a phrase
 * less for every longer phrase it only occurs inside of, and weighted by how sure the recogniser
 * was: what it misheard rarely comes back the same.
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

/** Of words with this certainty, 19 in 20 are right. */
const SURE = 0.9

/** Nouns that name nothing by themselves, though they may end a phrase: "claim number". */
const vague = new Set(
  `people person man men woman women child children time times day days week weeks month months year years hour hours minute
  minutes second moment number numbers amount case example fact idea issue item kind level list
  matter name part piece place point position problem question rest reason result section set side
  situation sort subject term topic type use way word words world thing work job end start beginning
  middle top bottom half third couple pair group line page step change detail details lady
  gentleman sir mister miss everyone percent dollar dollars euro euros cent hand head eye back area form
  morning afternoon evening night today talk look call note thought thoughts help chance sense money
  yesterday mr mrs doctor boy girl guy life home house room answer turn move need hope picture more
  regard account consequence method step thing option opinion advice guess deal fun kid anybody somebody bit lot
  kilo kilos mile miles pound pounds spring summer autumn fall winter season
  degree metre meter centimetre kilometre acre ton tonne litre gram foot inch euro
`.split(/\s+/),
)

/** Of these the ones that an adjective makes a thing of its own: "cold room", "white board". */
const named = new Set('room house page form group list line card board shop garden'.split(' '))

/** Adjectives that any noun can have. */
const plain = new Set(
  `main important certain special general whole real full ready sure clear simple easy hard nice
  fine bad great big small large huge little young late early recent final common single similar
  possible able free true wrong poor funny happy urgent awful perfect raised called more most many
  much less least such enough half white black red green blue`.split(/\s+/),
)

export function findTopics(
  sentences: readonly Sentence[],
  language: Language,
  { scores, belief }: { scores: ReadonlyMap<Sentence, number>; belief: Belief },
): string[] {
  const phrases = collect(sentences, language, belief)
  const words = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const most = Math.min(8, Math.max(3, Math.round(2 + Math.log2(1 + words / 40))))
  const ranked = rank(phrases, sentences, scores)
  const chosen: Phrase[] = []
  for (const found of ranked) {
    if (chosen.length >= most) break
    const phrase = fullerName(found, ranked)
    if (!chosen.some((other) => isSameThing(other, phrase))) chosen.push(phrase)
  }
  return chosen.map((phrase) => title(phrase, language))
}

function collect(sentences: readonly Sentence[], language: Language, belief: Belief): Phrase[] {
  const phrases = new Map<string, Phrase>()
  const isNoun = nounsOf(sentences, language)
  for (const [index, sentence] of sentences.entries())
    for (const run of runsOf(sentence, language, isNoun))
      for (const tokens of partsOf(run, language, isNoun)) {
        const things = tokens.filter(({ lower }) => !language.links.has(lower))
        // A phrase with a guessed word is no topic, however often it comes.
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
  // A word beside a noun may be its adjective or a verb, and any word may be misheard. A phrase that
  // comes back is neither. A phrase said once must be of nouns, sure, and in a sure sentence.
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
function nounsOf(sentences: readonly Sentence[], language: Language): (token: Token) => boolean {
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
    return !verbEndings(language.code).test(token.lower)
  }
}

function verbEndings(code: string): RegExp {
  switch (code) {
    case 'ru':
    case 'uk':
      return /(?:ть|ться|тся|ет|ёт|ит|ют|ут|ят|ат|ем|им|ал|ала|али|ил|ила|или|ел|ела|ели|ся|сь|ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ых|их|ую|юю|ым|ыми|но|вы)$/u
    case 'ko':
      return /(?:다|요|까|죠|고|며|면|면서|는데|지만|도록|한|된|할|될|하는|되는|해서|하게|기로|려고|어서|아서|거나|게|기|로|은|는)$/u
    case 'ja':
      return /[^\p{Script=Han}\p{Script=Katakana}ー]/u
    case 'ar':
      return /^(?:ي|سي|ست|نت)\p{L}{3,}/u
    default:
      return /(?!)/
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

/** Languages that put the adjective after its noun. */
const adjectiveLast = new Set(['es', 'fr', 'it', 'pt', 'ar'])

function mayQualify(token: Token, language: Language): boolean {
  if (adjectiveLast.has(language.code)) return token.kind === 'other'
  if (language.code === 'en')
    return token.kind === 'adjective' && !plain.has(token.lower) && !/'/.test(token.lower)
  return (
    language.code === 'ru' &&
    token.kind !== 'function' &&
    /(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ых|их|ую)$/u.test(token.lower)
  )
}

/** Every phrase within a run: up to four words, beginning and ending well. */
function partsOf(
  run: readonly Token[],
  language: Language,
  isNoun: (token: Token) => boolean,
): Token[][] {
  const isLone = (token: Token) =>
    isNoun(token) &&
    token.lower.length > 1 &&
    !token.isForename &&
    !(language.code === 'en' && vague.has(singular(token.lower)))
  const parts: Token[][] = []
  for (let from = 0; from < run.length; from++)
    for (let to = from + 1; to <= Math.min(run.length, from + 5); to++) {
      const part = run.slice(from, to)
      const first = part[0]
      const last = part.at(-1)
      if (!first || !last) continue
      if (adjectiveLast.has(language.code) ? !isNoun(first) : !isNoun(last)) continue
      const isBare = ({ lower }: Token) => language.links.has(lower)
      if (isBare(first) || isBare(last)) continue
      const isNamed = language.code === 'en' && named.has(singular(last.lower))
      if (part.length === 1 ? isLone(first) : isNamed || part.some(isLone)) parts.push(part)
    }
  return parts
}

function rank(
  phrases: Phrase[],
  sentences: readonly Sentence[],
  sentenceScores: ReadonlyMap<Sentence, number>,
): Phrase[] {
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
  const scored = phrases.map((phrase) => {
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
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.phrase.startsAt - b.phrase.startsAt)
    .map(({ phrase }) => phrase)
}

/** "invoice" where mostly the "invoice archive" is meant. */
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

/** One thing under two names: all words of one are in the other. */
function isSameThing(a: Phrase, b: Phrase): boolean {
  const [short, long] = a.stems.length <= b.stems.length ? [a, b] : [b, a]
  return short.stems.every((stem) => long.stems.includes(stem))
}

/** As a heading: first letter large, names and abbreviations as they are written. */
function title(phrase: Phrase, language: Language): string {
  // German nouns are longest in the cases in which nobody would write a heading.
  const isInflected = language.code === 'de'
  const [surface = ''] =
    [...phrase.surfaces].sort(
      ([a, x], [b, y]) => (isInflected ? 0 : y - x) || a.length - b.length || y - x,
    )[0] ?? []
  return large(surface, language)
}
