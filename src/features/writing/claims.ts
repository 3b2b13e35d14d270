/**
 * What a text claims about a recording, and whether anybody said it. Numbers, names and quotes of a
 * sentence are looked for in the transcript. A sentence with one that is not there is not shown: it
 * reads like a fact, and nobody can tell that it is none.
 *
 * Names are only looked for in the language that was spoken, because another one spells them in its
 * own way, and not in languages that write all nouns with capitals.
 */
import { formatTime } from '#shared/format.ts'

import type { WritingTurn } from './contract.ts'
import { languageOf } from './languages.ts'
import { type Prover, fold, isEnough, wordsIn } from './proof.ts'
import { stemOf } from './tokens.ts'

export interface Claims {
  /** Whether everything that can be looked for in a sentence was said. */
  hold(sentence: string): boolean
  /** The sentences of a text that hold, and how many of its words they are. */
  held(text: string): { text: string; share: number }
  /** Whether the words of a quote can be what a point rests on. */
  isAbout(quote: string, point: string): boolean
  /** Whether what is written is in the language that was spoken. */
  isSameLanguage: boolean
}

interface Recorded {
  turns: readonly WritingTurn[]
  /** ISO 639-1 of what was said, and of what is written about it. */
  spoken: string
  written: string
  /** What is known besides: the recording's name and date. */
  besides?: readonly string[]
  /** What no sentence may hold, said or not. */
  without?: readonly ('quotes' | 'times')[]
}

export function claimsOf(
  { turns, spoken, written, besides = [], without = [] }: Recorded,
  prover: Prover,
): Claims {
  const language = languageOf(written)
  const isSameLanguage = spoken === written
  const said = turns.map(({ text }) => text).join('\n')
  const known = [said, ...new Set(turns.map(({ speaker }) => speaker ?? '')), ...besides].join('\n')
  const { letters } = fold(known)
  const mayQuote = !without.includes('quotes')
  const mayTime = !without.includes('times')
  const times = new Set(turns.map(({ startMs }) => formatTime(startMs / 1000)))
  const numbers = new Set([
    ...numbersIn(known),
    ...(mayTime ? Array.from(times, (time) => time.replaceAll(':', '')) : []),
    ...(spoken === 'en' ? numbersInWords(said) : []),
  ])
  // Some recognisers write all numbers as words, and those of other languages are not understood.
  const canCount = spoken === 'en' || /\p{Nd}/u.test(said)
  const hasNames = isSameLanguage && !language.isUnspaced && written !== 'de'

  const isSaidName = (name: string): boolean => {
    const folded = fold(name).letters
    // The end may be a case or a plural.
    return letters.includes(folded.length > 5 ? folded.slice(0, -2) : folded)
  }
  const hold = (sentence: string): boolean =>
    quotesIn(sentence).every((quote) => mayQuote && prover.find(quote, []) !== null) &&
    (mayTime || !timesIn(sentence).some((time) => times.has(time))) &&
    (!canCount || figuresIn(sentence).every((figure) => isSaidFigure(figure, numbers))) &&
    (!hasNames || namesIn(sentence, language.stopWords).every(isSaidName))
  const contentOf = (text: string): Set<string> =>
    new Set(
      wordsIn(text)
        .filter((word) => word.length > (language.isUnspaced ? 0 : 2) || /\p{N}/u.test(word))
        .filter((word) => !language.stopWords.has(word))
        .map((word) => stemOf(word, written)),
    )
  const segmenter = new Intl.Segmenter(written, { granularity: 'sentence' })

  return {
    isSameLanguage,
    hold,
    held(text) {
      const sentences = Array.from(segmenter.segment(text), ({ segment }) => segment)
      const kept = sentences.filter(hold).join('')
      const words = wordsIn(text).length
      return { text: kept.trim(), share: words === 0 ? 1 : wordsIn(kept).length / words }
    },
    isAbout(quote, point) {
      const wanted = contentOf(point)
      const there = contentOf(quote)
      const shared = [...wanted].filter((stem) => there.has(stem)).length
      return shared >= (Math.min(wanted.size, there.size) >= MANY ? 2 : 1)
    },
  }
}

/** From this many content words on in both, one word in common proves nothing. */
const MANY = 6

const quotesIn = (text: string): string[] =>
  Array.from(text.matchAll(/["“„«]([^"“”„«»\n]+)["”“»]/g), ([, quote = '']) => quote).filter(
    isEnough,
  )

const timesIn = (text: string): string[] => text.match(/\b\d{1,2}(?::\d\d){1,2}\b/g) ?? []

/** Weights and sums with their marks: "1,200", "10:30", "5%". */
const figure = /[$€£¥]?\s?\p{Nd}[\p{Nd}.,:’' ]*(?<=\p{Nd})\s?%?|\p{Nd}\s?%?/gu
/** Up to here a number may only count what is listed: "two decisions". */
const COUNTING = 10

function figuresIn(sentence: string): string[] {
  const bare = sentence.replace(/^\s*\p{Nd}{1,2}[.)]\s/u, '')
  return Array.from(withClocks(bare).matchAll(figure), ([found]) => found.trim()).filter(
    (found) => !/^\p{Nd}+$/u.test(found) || Number(found) > COUNTING,
  )
}

function isSaidFigure(found: string, numbers: ReadonlySet<string>): boolean {
  const groups = found.match(/\p{Nd}+/gu) ?? []
  if (numbers.has(groups.join(''))) return true
  // A year is said in halves, and of "two and a half" the half is no number.
  const [only = ''] = groups
  const halves = [only.slice(0, 2), only.slice(2)].map((half) => String(Number(half)))
  if (groups.length === 1 && only.length === 4 && halves.every((half) => numbers.has(half)))
    return true
  const whole = /\p{Nd}[.,]\p{Nd}{1,2}\b/u.test(found) ? groups.slice(0, -1) : groups
  return whole.length > 0 && whole.every((group) => numbers.has(String(Number(group))))
}

/** "14 h 30", "14 Uhr 30" and "14時30分" as 14:30. */
const withClocks = (text: string): string =>
  text.replace(/(\p{Nd}{1,2})\s?(?:h|Uhr|ч|[時时点點시])\s?(\p{Nd}{2})(?!\p{Nd})/giu, '$1:$2')

/**
 * Each run of digits, and what they are together where only a mark parts them. Of a clock time the
 * hour alone was said only where it is a full one.
 */
const numbersIn = (text: string): string[] =>
  Array.from(withClocks(text).matchAll(/\p{Nd}+(?:[.,:’']\p{Nd}+)*/gu), ([found]) => {
    const groups = found.match(/\p{Nd}+/gu) ?? []
    const full = /^\p{Nd}+(?=:00$)/u.exec(found) ?? []
    const parts = found.includes(':') ? full : groups
    return [groups.join(''), ...parts.map((group) => String(Number(group)))]
  }).flat()

/** Where the digits of other scripts begin: Arabic, Persian, Devanagari, Thai, wide ones. */
const zeros = [0x660, 0x6f0, 0x966, 0xe50, 0xff10]
const inAscii = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })

/** Digits with what parts them: "1,200", "1 200", "10:30". */
const amount = /\d{1,3}(?:[\u00a0\u202f '’]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*/g
/** What follows digits that are not the whole number. Other languages count by other powers. */
const power =
  /^[\s\u00a0-]?(?:[万億亿萬兆千百만억조천백]|thousand|million|billion|trillion|hundred|mill|mio|mrd|milh|bilh|bilj|milj|mil\b|mille|тыс|млн|млрд|милл|ألف|آلاف|مليون|ملايين|مليار|[km]\b|bn\b)/iu

interface Amount {
  groups: string[]
  isPart: boolean
}

function amountsIn(text: string): Amount[] {
  const plain = inAscii(text)
  return Array.from(plain.matchAll(amount), ({ 0: found, index }) => ({
    groups: (found.match(/\d+/g) ?? []).map((group) => group.replace(/^0+(?=\d)/, '')),
    isPart: power.test(plain.slice(index + found.length)),
  }))
}

/**
 * Whether a translation has the figures of what was said: none is missing, and none is new. Small
 * ones may be words. "20,000" may be "2万": as many may be missing as there are new parts of numbers.
 */
export function keepsFigures(said: { text: string; language: string }, text: string): boolean {
  const [before, after] = [amountsIn(said.text), amountsIn(text)]
  const isLarge = ({ groups: [first = '', ...more] }: Amount) =>
    more.length > 0 || Number(first) > COUNTING
  const groupsOf = (amounts: readonly Amount[]) =>
    new Set(amounts.flatMap(({ groups }) => [...namesOf(groups), ...groups]))
  const isIn = (known: ReadonlySet<string>, { groups }: Amount): boolean =>
    namesOf(groups).some((name) => known.has(name)) || groups.every((group) => known.has(group))
  const lacks = (amounts: readonly Amount[], known: ReadonlySet<string>): number =>
    amounts.filter((one) => !one.isPart && isLarge(one) && !isIn(known, one)).length
  const parts = [before, after].map((amounts) => amounts.filter(({ isPart }) => isPart).length)
  const more = (parts[1] ?? 0) - (parts[0] ?? 0)
  if (lacks(before, groupsOf(after)) > Math.max(0, more)) return false
  // Numbers that were written as words are understood in English only.
  if (said.language !== 'en') return true
  const known = new Set([...groupsOf(before), ...numbersInWords(said.text)])
  return lacks(after, known) <= Math.max(0, -more)
}

/** A number as it may be called: the 1990s are the 90s too. */
function namesOf(groups: readonly string[]): string[] {
  const joined = groups.join('')
  const isYear = groups.length === 1 && /^(?:19|20)\d\d$/.test(joined)
  return isYear ? [joined, joined.slice(2)] : [joined]
}

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const orders =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const values = new Map<string, number>([
  ...units.map((word, value): [string, number] => [word, value]),
  ...orders.map((word, value): [string, number] => [word, value]),
  ...tens.flatMap((word, at): [string, number][] => [
    [word, (at + 2) * 10],
    [word.replace(/y$/, 'ieth'), (at + 2) * 10],
  ]),
  ['dozen', 12],
])
/** English words that are a figure by themselves; "one" mostly stands for somebody. */
export const figureWords: ReadonlySet<string> = new Set([
  ...units.slice(2),
  ...tens,
  ...'dozen hundred thousand million billion percent half'.split(' '),
])

const powers = new Map([
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
])

/** English numbers that are written as words: their value, and that of each word. */
function numbersInWords(text: string): string[] {
  const found = new Set<number>()
  let large = 0
  let small: number | null = null
  const end = () => {
    if (small !== null || large > 0) found.add(large + (small ?? 0))
    large = 0
    small = null
  }
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const value = values.get(word)
    const power = powers.get(word)
    if (value !== undefined) {
      found.add(value)
      // "twenty twenty", "ten thirty": the second is a number of its own.
      const isJoined: boolean =
        small === null || small % 100 === 0 || (small % 10 === 0 && small % 100 >= 20 && value < 10)
      if (!isJoined) end()
      small = (small ?? 0) + value
    } else if (word === 'hundred') small = (small ?? 1) * 100
    else if (power !== undefined) {
      large += (small ?? 1) * power
      small = 0
    } else if (word !== 'and') end()
  }
  end()
  return Array.from(found, String)
}

/** With more capitals than this among its words, a line is a title. */
const TITLE = 0.6

/** Words with a capital where a sentence asks for none. */
function namesIn(sentence: string, stopWords: ReadonlySet<string>): string[] {
  const words = [...sentence.matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu)]
  const isCapital = (word: string) => /^\p{Lu}/u.test(word)
  const long = words.filter(([word]) => word.length > 3)
  if (long.length > 2 && long.filter(([word]) => isCapital(word)).length > TITLE * long.length)
    return []
  return words
    .filter(({ index }) => !/(?:^\P{L}*|[.!?:;•*“"„«(\n–—-]\s*)$/u.test(sentence.slice(0, index)))
    .map(([word]) => word.replace(/['’].*$/u, ''))
    .filter((word) => word.length > 1 && isCapital(word) && !stopWords.has(word.toLowerCase()))
}
