/**
 * The claims of a text about a recording, and whether anybody said them. Values (values/values.ts),
 * names and quotes of a sentence are looked for in the transcript. A sentence with one that is not
 * there is not shown: it reads like a fact, and nobody can tell that it is none.
 *
 * Names are mostly looked for in the language that was spoken, because another one spells them in its
 * own way. German writes all nouns with capitals: there, only words that are listed as names are.
 */
import { formatTime } from '#shared/format.ts'

import { aBeginning } from './clauses.ts'
import { comparerOf } from './comparing.ts'
import type { WritingTurn } from './contract.ts'
import { areDaysRead, daysIn } from './day-names.ts'
import { languageOf } from './languages.ts'
import { numberWordsOf } from './values/number-words.ts'
import { type Prover, type Source, fold, isEnough, wordsIn } from './proof.ts'
import { segmentsOf } from './segments.ts'
import { SaidValues } from './values/same-values.ts'
import { isForename, isListedName, stemOf } from './tokens.ts'
import type { Value } from './values/value.ts'
import { valuesIn } from './values/values.ts'

export interface Claims {
  /** Whether everything that can be looked for in a sentence was said. */
  hold(sentence: string): boolean
  /** The sentences of a text that hold, and how many of its words they are. */
  held(text: string): { text: string; share: number }
  sentencesIn(text: string): string[]
  /** Whether the words of a quote prove a sentence. `named`: other turns that it rests on. */
  proves(quote: Source, sentence: string, named?: readonly number[]): boolean
  /** Whether a quote has enough words for a point to rest on. */
  isAbout(quote: string, point: string): boolean
  /** Whether a topic was spoken of. */
  isSpokenOf(topic: string): boolean
  /** Whether the words of a quote promise a task, or ask for it. */
  isTask(quote: Source, task: string): boolean
  /** Who is to do it, where the quote says so. */
  ownerOf(quote: Source, who: string): string | null
  /** Whether the text is in the language that was spoken. */
  isSameLanguage: boolean
}

interface Recorded {
  turns: readonly WritingTurn[]
  /** The language of the recording, and that of the text about it, as ISO 639-1. */
  spoken: string
  written: string
  /** Facts beside the transcript: the recording's name and date. */
  besides?: readonly string[]
  /** Words that no sentence may hold, said or not. */
  without?: readonly ('quotes' | 'times')[]
}

export function claimsOf(
  { turns, spoken, written, besides = [], without = [] }: Recorded,
  prover: Prover,
): Claims {
  const language = languageOf(written)
  const isSameLanguage = spoken === written
  const said = turns.map(({ text }) => text).join('\n')
  const others = [...new Set(turns.map(({ speaker }) => speaker ?? '')), ...besides].join('\n')
  const { letters } = fold(`${said}\n${others}`)
  const mayQuote = !without.includes('quotes')
  const mayTime = !without.includes('times')
  const times = new Set(turns.map(({ startMs }) => formatTime(startMs / 1000)))
  const values = new SaidValues([...valuesIn(said, spoken), ...valuesIn(others, written)])
  // Some recognisers write all numbers as words, and those of some languages are not understood.
  const canCount = numberWordsOf(spoken).isRead || /\p{Nd}/u.test(said)
  const hasCapitals = !language.isUnspaced && !languageOf(spoken).isUnspaced && /\p{Lu}/u.test(said)
  const saidDays = new Set([...daysIn(said, spoken), ...daysIn(others, written)])
  const comparer = comparerOf({ turns, spoken, written })

  const isSaidName = (name: string): boolean => {
    const folded = fold(name).letters
    // The end may be a case or a plural.
    return letters.includes(folded.length > 5 ? folded.slice(0, -2) : folded)
  }
  const hasSaidValues = (sentence: string): boolean => {
    // The number of a point in a list, and where something was said, are no values.
    const bare = sentence
      .replace(/^\s*\p{Nd}{1,2}[.)]\s/u, '')
      .replace(clock, (time) => (mayTime && times.has(time) ? '' : time))
    return valuesIn(bare, written).every(
      (value) => isCounting(value) || values.has(value) !== 'different',
    )
  }
  const hold = (sentence: string): boolean =>
    quotesIn(sentence).every((quote) => mayQuote && prover.find(quote, []) !== null) &&
    (mayTime || !timesIn(sentence).some((time) => times.has(time))) &&
    (!canCount || hasSaidValues(sentence)) &&
    (!areDaysRead(spoken) || daysIn(sentence, written, true).every((day) => saidDays.has(day))) &&
    (!hasCapitals || namesIn(sentence).every(isSaidName))
  /**
   * In the language that was spoken: words with a capital where none is asked for, and those that are
   * listed as names, wherever they stand. In another one only first names are the same.
   */
  const namesIn = (sentence: string): string[] => {
    const { all, inside } = capitalsIn(sentence, language.stopWords)
    if (!isSameLanguage) return all.filter(isForename)
    return [...(written === 'de' ? [] : inside), ...all.filter(isListedName)]
  }
  const contentOf = (text: string): Set<string> =>
    new Set(
      wordsIn(text)
        .filter((word) => word.length > (language.isUnspaced ? 0 : 2) || /\p{N}/u.test(word))
        .filter((word) => !language.stopWords.has(word))
        .map((word) => stemOf(word, written)),
    )
  const isAbout = (quote: string, point: string): boolean => {
    const wanted = contentOf(point)
    const there = contentOf(quote)
    const shared = [...wanted].filter((stem) => there.has(stem)).length
    return shared >= (Math.min(wanted.size, there.size) >= MANY ? 2 : 1)
  }
  const sentencesIn = (text: string): string[] =>
    segmentsOf(text, written).map((segment) => segment.text)

  return {
    isSameLanguage,
    hold,
    sentencesIn,
    proves(source, sentence, named = []) {
      // A true sentence does not prove the one beside it.
      const each = sentencesIn(sentence)
      const all = each.length > 1 ? [sentence, ...each] : [sentence]
      if (all.some((one) => comparer.faultIn(one, { source, named }) !== null)) return false
      return isSameLanguage
        ? comparer.hasWords || isAbout(source.quote, sentence)
        : named.includes(source.turn)
    },
    isTask: (source, task) =>
      (!isSameLanguage || comparer.hasWords || isAbout(source.quote, task)) &&
      comparer.isTask(task, { source }),
    ownerOf: (source, who) => comparer.ownerOf(who, { source }),
    isSpokenOf: comparer.isSpokenOf,
    held(text) {
      const kept = sentencesIn(text).filter(hold).join('')
      const words = wordsIn(text).length
      return { text: kept.trim(), share: words === 0 ? 1 : wordsIn(kept).length / words }
    },
    isAbout,
  }
}

/** From this many content words on in both, one word in common proves nothing. */
const MANY = 6

const quotesIn = (text: string): string[] =>
  Array.from(text.matchAll(/["“„«]([^"“”„«»\n]+)["”“»]/g), ([, quote = '']) => quote).filter(
    isEnough,
  )

const clock = /\b\d{1,2}(?::\d\d){1,2}\b/g
const timesIn = (text: string): string[] => text.match(clock) ?? []

/** A number up to here may count the points of a list, as in "two decisions". */
const COUNTING = 10

const isCounting = ({ kind, weight, measure, isNegative, minutes, readings }: Value): boolean =>
  weight === 'loose' ||
  (kind === 'number' &&
    measure === null &&
    minutes.length === 0 &&
    !isNegative &&
    readings.every((reading) => Number.isInteger(reading) && reading <= COUNTING))

/** With more capitals than this among its words, a line is a title. */
const TITLE = 0.6

/** Words with a capital, and those of them that have one where a sentence asks for none. */
function capitalsIn(
  sentence: string,
  stopWords: ReadonlySet<string>,
): { all: string[]; inside: string[] } {
  const words = [...sentence.matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu)]
  const isCapital = (word: string) => /^\p{Lu}/u.test(word)
  const long = words.filter(([word]) => word.length > 3)
  const isTitle =
    long.length > 2 && long.filter(([word]) => isCapital(word)).length > TITLE * long.length
  const capitals = words
    .map(({ 0: word, index }) => ({ word: word.replace(/['’].*$/u, ''), index }))
    .filter(({ word }) => word.length > 1 && isCapital(word) && !stopWords.has(word.toLowerCase()))
  const isInside = ({ index }: { index: number }) => !aBeginning.test(sentence.slice(0, index))
  return {
    all: capitals.map(({ word }) => word),
    inside: isTitle ? [] : capitals.filter(isInside).map(({ word }) => word),
  }
}
