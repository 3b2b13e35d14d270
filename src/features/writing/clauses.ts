/** The clauses of a text and its words, as they are compared with those of another: see comparing.ts. */
import { type ClaimWords, places } from './claim-words.ts'
import { daysIn } from './day-names.ts'
import { languageOf } from './languages.ts'
import { fold } from './proof.ts'
import { stemOf } from './tokens.ts'
import { measureOf } from './values/number-words.ts'
import { valuesIn } from './values/values.ts'

/** A word without its endings, and where it stands. */
export interface Word {
  stem: string
  at: number
  to: number
}

export interface Span {
  text: string
  from: number
}

/** Two stems of one word: "deliver" and "delivery". */
export function isLike(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < LEAST_ALIKE) return false
  if (long.startsWith(short) || (short.length > LEAST_ALIKE && long.endsWith(short))) return true
  let same = 0
  while (same < short.length && short[same] === long[same]) same += 1
  return same > LEAST_ALIKE && same >= ALIKE * long.length
}
const LEAST_ALIKE = 4
const ALIKE = 0.6

export const sharedIn = (
  content: readonly { stem: string }[],
  other: readonly { stem: string }[],
): number => content.filter(({ stem }) => other.some((one) => isLike(one.stem, stem))).length

/** In Romance languages without accents, which come and go: "reúnen" and "reunión". */
export const stemIn = (word: string, code: string): string =>
  stemOf(/^(?:fr|es|it|pt)$/.test(code) ? word.normalize('NFD').replace(/\p{M}/gu, '') : word, code)

const segmenters = new Map<string, Intl.Segmenter>()

/** The words of a text that say what it is about, as stems. Numbers are compared as values. */
export const contentOf = (text: string, code: string): Word[] =>
  wordsAt(text, code, languageOf(code).stopWords)

export function wordsAt(text: string, code: string, stopWords: ReadonlySet<string>): Word[] {
  const { isUnspaced } = languageOf(code)
  const segmenter = segmenters.get(code) ?? new Intl.Segmenter(code, { granularity: 'word' })
  segmenters.set(code, segmenter)
  const content: Word[] = []
  const numbers = valuesIn(text, code)
  let next = 0
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    while ((numbers[next]?.to ?? Infinity) <= index) next += 1
    if (index >= (numbers[next]?.from ?? Infinity)) continue
    // "d'imprimer"
    const bare = segment
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/^(?:\p{L}|qu)'(?=\p{L}{2})/u, '')
    const word = fold(bare).letters
    if (stopWords.has(word) || stopWords.has(bare) || /^\p{N}+$/u.test(word)) continue
    // "euros", behind a number.
    const { to = -Infinity, measure = null } = numbers[next - 1] ?? {}
    if (measure && index - to < 2 && measureOf(bare)) continue
    if (
      isUnspaced ? /^[\p{Script=Hiragana}ー]*$/u.test(word) : word.length < (code === 'ko' ? 2 : 3)
    )
      continue
    const stem = isUnspaced ? word.replace(/\p{Script=Hiragana}+$/u, '') : stemIn(word, code)
    content.push({ stem, at: index, to: index + segment.length })
  }
  return content
}

/** How many letters behind a comma or an "and" are read. */
const FARTHEST = 40

const clauseMarks = /[.;:!?…。！？；\n]+(?!\p{Nd})|\s[–—-]\s/gu
/** Words that go on with the clause before, though they may begin another. */
const goesOn = new Set(['that', 'dass', 'ob', 'que', 'che', 'dat', 'что'])

/** The parts of a text that each say one thing. */
export function clauses(text: string, code: string, words: ClaimWords | null): Span[] {
  const { clauseStarts, determiners, isUnspaced } = languageOf(code)
  const breaks = new Set<number>([0])
  for (const { index, 0: mark } of text.matchAll(clauseMarks)) breaks.add(index + mark.length)
  if (words)
    for (const { from, to } of places(words.joins, text)) breaks.add(isUnspaced ? to : from)
  if (!isUnspaced) {
    const ahead = (at: number): string => text.slice(at, at + FARTHEST).trimStart()
    const begins = (at: number): boolean => {
      const [, word = ''] = /^([\p{L}'’]+)/u.exec(ahead(at)) ?? []
      const lower = word.toLowerCase().replaceAll('’', "'")
      if (goesOn.has(lower)) return false
      if (clauseStarts.has(lower) || determiners.has(lower)) return true
      if (!words) return false
      const rest = ahead(at)
      return [words.denials, words.links, words.commits].some((list) => rest.search(list) === 0)
    }
    const isRelative = (at: number) => words !== null && ahead(at).search(words.relatives) === 0
    for (const { index } of text.matchAll(/,/gu))
      if (begins(index + 1) || isRelative(index + 1)) breaks.add(index + 1)
    // "140 said yes and 35 have not answered"
    const counted = new Set(valuesIn(text, code).map(({ from }) => from - 1))
    if (words)
      for (const { from, to } of places(words.links, text))
        if (begins(to) || counted.has(to)) breaks.add(from)
  }
  const starts = [...breaks].filter((at) => at < text.length).toSorted((a, b) => a - b)
  const spans = starts
    .map((from, at) => ({ from, text: text.slice(from, starts[at + 1]) }))
    .filter((span) => /[\p{L}\p{N}]/u.test(span.text))
  // A German infinitive belongs to the clause before: "Ich bin dagegen, das Video zu streichen."
  const whole: Span[] = []
  for (const span of spans) {
    const last = whole.at(-1)
    const isInfinitive = code === 'de' && /\p{L}*zu\s?\p{L}+n\P{L}*$/u.test(span.text)
    if (last && isInfinitive && /,\s*$/.test(last.text)) last.text += span.text
    else whole.push({ ...span })
  }
  return whole
}

/** What stands before the first word of a sentence, a quote or an item of a list. */
export const aBeginning = /(?:^\P{L}*|[.!?:;•*“"„«(\n–—-]\s*)$/u

/** Names that a text gives away by a capital where none is needed. */
export function propersIn(text: string, code: string): string[] {
  const { stopWords, isUnspaced } = languageOf(code)
  if (isUnspaced || code === 'de') return []
  return [...text.matchAll(/\p{Lu}[\p{L}\p{M}'’-]+/gu)]
    .filter(({ index }) => !aBeginning.test(text.slice(Math.max(0, index - FARTHEST), index)))
    .map(([word]) => word.replace(/['’].*$/u, ''))
    .filter(
      (word) =>
        word.length > 1 && !stopWords.has(word.toLowerCase()) && daysIn(word, code).length === 0,
    )
}
