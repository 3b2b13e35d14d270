/**
 * Turns as words with their place, time and part of speech. English is tagged by `compromise`,
 * a rule-based tagger that bears lower case and missing punctuation; for other languages the kind
 * of a word is guessed from closed lists and spelling, which is enough to tell content words from function words.
 */
import { createRequire } from 'node:module'

import type compromise from 'compromise/two'

import type { WritingTurn } from './contract.ts'
import type { Language } from './languages.ts'

let tagger: typeof compromise | undefined

/**
 * Loaded for English alone. `import` would load it as 150 modules, which takes each thread a tenth of
 * a second longer.
 */
const loaded = (): typeof compromise =>
  (tagger ??= createRequire(import.meta.url)('compromise/two') as typeof compromise)

const nlp = (text: string) => loaded()(text)

type Kind = 'noun' | 'name' | 'adjective' | 'verb' | 'number' | 'function' | 'other'

export interface Token {
  text: string
  lower: string
  /** Where it stands in the turn's text. */
  start: number
  end: number
  kind: Kind
  /** Any verb, auxiliaries and contractions (`it's`) too, which otherwise count as function words. */
  isVerb: boolean
  /** A verb of English in the past tense. */
  isPast: boolean
  /** An English adjective in the comparative or superlative. */
  isCompared: boolean
  /** A preposition, conjunction or article: something must follow it. */
  isJoint: boolean
  /** A name, a weekday or a month, which English writes with a capital. */
  isProper: boolean
  /** A first name, which is never a topic. */
  isForename: boolean
  /** The stem that all forms of one word share. */
  stem: string
  startMs: number
  endMs: number
  /** How sure the recogniser was, 0 to 1; 1 where it does not say. */
  certainty: number
}

type Untimed = Omit<Token, 'startMs' | 'endMs' | 'certainty' | 'stem'>

export function tokensOf(turn: WritingTurn, language: Language): Token[] {
  const untimed =
    language.code === 'en' ? tagEnglish(turn.text, language) : split(turn.text, language)
  const clock = clockOf(turn)
  return untimed.map((token) => ({
    ...token,
    ...clock(token),
    stem: stemOf(token.lower, language.code),
  }))
}

function tagEnglish(text: string, language: Language): Untimed[] {
  const tokens: Untimed[] = []
  let at = 0
  for (const term of inPieces(text).flatMap((piece) => nlp(piece).docs.flat())) {
    const tags: ReadonlySet<string> = term.tags ?? new Set()
    const isVerb = tags.has('Verb')
    const last = tokens.at(-1)
    // The unwritten half of a contraction: the "is" of "it's".
    if (term.text === '') {
      if (last && isVerb) last.isVerb = true
      continue
    }
    const start = text.indexOf(term.text, at)
    if (start === -1 || !/[\p{L}\p{N}]/u.test(term.text)) continue
    const end = start + term.text.length
    at = end
    // "check-out" comes in two parts but is one word to a reader.
    if (last && /^[-‐–]$/.test(text.slice(last.end, start))) {
      last.text = text.slice(last.start, end)
      last.lower = last.text.toLowerCase()
      last.end = end
      last.kind = kindOf(tags, last.lower, language)
      continue
    }
    const lower = term.text.toLowerCase().replaceAll('’', "'")
    const isJoint = ['Preposition', 'Conjunction', 'Determiner'].some((tag) => tags.has(tag))
    const kind = kindOf(tags, lower, language)
    const isProper = kind === 'name' || tags.has('WeekDay') || tags.has('Month')
    const isForename = tags.has('FirstName')
    const isPast = tags.has('PastTense')
    const isCompared = tags.has('Comparative') || tags.has('Superlative')
    const is = { isVerb, isPast, isCompared, isJoint, isProper, isForename }
    tokens.push({ text: term.text, lower, start, end, kind, ...is })
  }
  return tokens
}

/**
 * Whether the tagger's lists have a word as a name of a person or a place. They are English, and know
 * the common names of other languages too.
 */
export const isListedName = (word: string): boolean =>
  isForename(word) || hasTag(word, ['LastName', 'Person', 'City', 'Country', 'Region'])

export const isForename = (word: string): boolean =>
  hasTag(word, ['FirstName', 'FemaleName', 'MaleName'])

function hasTag(word: string, wanted: readonly string[]): boolean {
  const { one } = loaded().model() as { one: { lexicon: Record<string, string | string[]> } }
  const tags = one.lexicon[word.toLowerCase()] ?? []
  return [tags].flat().some((tag) => wanted.includes(tag))
}

/** The tagger's time grows with the square of a sentence, and a whole lecture may be one. */
const PIECE = 1500

function inPieces(text: string): string[] {
  const pieces: string[] = []
  // Very long words slow the tagger down too. They are no real words, so they become spaces.
  let rest = text.replace(/\S{61,}/g, (run) => ' '.repeat(run.length))
  while (rest.length > PIECE) {
    const head = rest.slice(0, PIECE)
    const stop = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? ')) + 1
    const cutAt = stop > PIECE / 3 ? stop : Math.max(head.lastIndexOf(' '), 0) || PIECE
    pieces.push(rest.slice(0, cutAt))
    rest = rest.slice(cutAt)
  }
  return [...pieces, rest]
}

const functionTags = [
  'Pronoun',
  'Determiner',
  'Preposition',
  'Conjunction',
  'Adverb',
  'Expression',
  'QuestionWord',
  'Auxiliary',
  'Copula',
  'Modal',
  'Negative',
]

function kindOf(tags: ReadonlySet<string>, lower: string, language: Language): Kind {
  const has = (...names: string[]) => names.some((name) => tags.has(name))
  if (/^\p{N}/u.test(lower) || has('Value', 'Date', 'Duration', 'Time')) return 'number'
  if (has('Person', 'Place', 'Organization') && has('ProperNoun') && lower.length > 2) return 'name'
  if (language.stopWords.has(lower) || has(...functionTags)) return 'function'
  if (has('Verb')) return 'verb'
  if (has('Adjective')) return 'adjective'
  if (has('Noun')) return lower.length > 1 ? 'noun' : 'function'
  return 'other'
}

function split(text: string, language: Language): Untimed[] {
  const spans = language.isUnspaced ? segmented(text, language) : spaced(text)
  // Where a text has capitals, German writes its nouns with them and others their names.
  const hasCase = /\p{Ll}\s+\p{Lu}\p{Ll}/u.test(text)
  return spans.map(({ text: word, start, end }) => {
    const lower = word.toLowerCase().replaceAll('’', "'")
    const isFirst = /(?:^|[.!?…:]["'”»]?\s+|[¿¡„«"“])$/u.test(
      text.slice(Math.max(0, start - 4), start),
    )
    const isCapital = /^\p{Lu}/u.test(word)
    let kind: Kind = 'other'
    if (/^[\p{N}一二三四五六七八九十百千万億일이삼사오육칠팔구십백천만억]+$/u.test(word))
      kind = 'number'
    else if (isFunction(lower, language)) kind = 'function'
    else if (hasCase && isCapital && !isFirst) kind = language.code === 'de' ? 'noun' : 'name'
    else if (hasCase && language.code === 'de' && !isCapital) kind = 'adjective'
    const isJoint = language.leadsOn.has(lower)
    const isNone = { isVerb: false, isPast: false, isCompared: false }
    const is = { ...isNone, isJoint, isProper: false, isForename: false }
    return { text: word, lower, start, end, kind, ...is }
  })
}

function isFunction(lower: string, language: Language): boolean {
  if (language.stopWords.has(lower) || /^\p{L}{1,2}'$/u.test(lower)) return true
  // A single letter is a word only in scripts in which one sign is a syllable.
  if (lower.length === 1)
    return !/\p{Script=Han}|\p{Script=Hangul}/u.test(lower) || language.isUnspaced
  return language.code === 'ko' && language.stopWords.has(stemOf(lower, 'ko'))
}

function spaced(text: string): { text: string; start: number; end: number }[] {
  // The elided article of French and Italian is a word of its own: l'eau, d'une, c'est.
  const pattern = /\p{L}{1,2}['’](?=\p{L})|[\p{L}\p{M}\p{N}]+(?:[-‐'’][\p{L}\p{M}\p{N}]+)*/gu
  return Array.from(text.matchAll(pattern), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const segmenters = new Map<string, Intl.Segmenter>()

function segmented(
  text: string,
  language: Language,
): { text: string; start: number; end: number }[] {
  const segmenter =
    segmenters.get(language.code) ?? new Intl.Segmenter(language.code, { granularity: 'word' })
  segmenters.set(language.code, segmenter)
  const parts: { text: string; start: number; end: number }[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    const last = parts.at(-1)
    const isCompound =
      language.code === 'ja' &&
      last?.end === index &&
      [last.text, segment].every((part) => isJapaneseNoun(part) && !language.stopWords.has(part))
    if (last && isCompound) {
      last.text += segment
      last.end += segment.length
    } else parts.push({ text: segment, start: index, end: index + segment.length })
  }
  return parts
}

/** Japanese nouns are written in Chinese characters or katakana; one run of these is one noun. */
const isJapaneseNoun = (part: string): boolean =>
  /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(part) &&
  !/^[一二三四五六七八九十百千万億]+$/u.test(part)

/**
 * Gives words in the text the time of the recognised word they came from. Punctuation and
 * capitals differ between the two, so they are matched in order, ignoring case.
 */
function clockOf(
  turn: WritingTurn,
): (at: { start: number; end: number }) => Pick<Token, 'startMs' | 'endMs' | 'certainty'> {
  const perCharacter = (turn.endMs - turn.startMs) / Math.max(1, turn.text.length)
  const estimate = (at: number) => Math.round(turn.startMs + at * perCharacter)

  const lower = turn.text.toLowerCase()
  const placed: {
    start: number
    end: number
    startMs: number
    endMs: number
    certainty: number
  }[] = []
  let at = 0
  // Some letters get longer in lower case. Then the places would be wrong, so no times are given.
  for (const word of lower.length === turn.text.length ? (turn.words ?? []) : []) {
    const bare = word.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    const start = bare === '' ? -1 : lower.indexOf(bare, at)
    // A match far ahead is another occurrence of the word, not this one.
    if (start === -1 || start - at > 40) continue
    at = start + bare.length
    placed.push({
      start,
      end: at,
      startMs: Math.min(Math.max(word.startMs, turn.startMs), turn.endMs),
      endMs: Math.min(Math.max(word.endMs, turn.startMs), turn.endMs),
      certainty: word.confidence ?? 1,
    })
  }
  let next = 0
  return ({ start, end }) => {
    while (next < placed.length && (placed[next]?.end ?? 0) <= start) next++
    const first = placed[next]
    if (!first || first.start >= end)
      return { startMs: estimate(start), endMs: estimate(end), certainty: 1 }
    return { startMs: first.startMs, endMs: first.endMs, certainty: first.certainty }
  }
}

const josa =
  /(?:에서는|에게는|으로는|에서|에게|한테|까지|부터|으로|이나|라고|이라고|들이|들을|들은|들의|은|는|이|가|을|를|의|에|도|와|과|로|들|만|께)$/u

/** Gives all forms of a word the same stem. It is rough, because nobody reads it. */
export function stemOf(lower: string, code: string): string {
  switch (code) {
    case 'en':
      return stemEnglish(lower)
    case 'zh':
    case 'ja':
      return lower
    case 'ko':
      return lower.length > 2 ? lower.replace(josa, '') : lower
    case 'ar': {
      const bare = lower.replace(/^(?:وال|بال|فال|كال|لل|ال)/u, '')
      return (bare.length > 2 ? bare : lower).replace(/(?:ات|ين|ون|ة|ه)$/u, '')
    }
    case 'ru':
    case 'uk':
    case 'pl':
      return lower.length > 5
        ? lower.slice(0, Math.max(5, lower.length - 2))
        : lower.replace(/[аяоеыиуюьй]$/u, '')
    case 'de':
    case 'nl':
    case 'sv':
      return lower.length > 4 ? lower.replace(/(?:ern|en|er|es|em|e|n|s)$/u, '') : lower
    default:
      return lower.length > 3 ? lower.replace(/(?:es|s|as|os|a|o|e|i|x)$/u, '') : lower
  }
}

function stemEnglish(lower: string): string {
  const word = singular(lower.replace(/'s$|'$/, ''))
  if (word.length < 6) return word
  return word
    .replace(/(?:ings?|ed|er|ment|ly)$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
    .replace(/e$/, '')
}

/** The singular of an English noun, so that one thing is counted once. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|ics)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2)
  return word.replace(/s$/, '')
}
