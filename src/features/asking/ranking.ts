/**
 * Finds the places of a text that speak of a question in ordinary words. Nothing is understood: words
 * are compared, by their stems, as parts of a compound, and where a word of the question was said
 * nowhere, by their sound, since recognisers write names as they hear them. A rare word counts for
 * more than a frequent one, and the sentences around a sentence count a little. Where somebody asks
 * the same in the recording, the place is where the answer to that begins.
 */
import { distance } from 'fastest-levenshtein'

import { type Language, languageOf } from '#features/writing/languages.ts'
import { segmentsOf } from '#features/writing/segments.ts'
import { stemOf } from '#features/writing/tokens.ts'
import { UNSPACED, fold } from '#shared/fold.ts'

import { type AskedValue, saidValues, valuesAsked } from './asked-values.ts'
import { kinOf } from './kin.ts'
import { type Wish, isEmptyWord, wishesIn } from './wishes.ts'

/** A turn; those of one recording stand together, in order. */
export interface Said {
  /** The same for turns that stand together without a gap. */
  stretch: string
  recording: string
  speaker: string | null
  text: string
  /** Where it may be another than that of the question. */
  language?: string | null
}

/** A part of a turn: whole sentences, and in them the words of the question. */
export interface RankedPart {
  /** Index of the turn. */
  turn: number
  from: number
  to: number
  /** Within the part. */
  marks: [from: number, to: number][]
}

export interface Term {
  folded: string
  stem: string
  /** Stems of words that are said in its place. */
  kin: ReadonlySet<string>
  /** What it is compared by where it is a number, a time of day or a day; its words are then left out. */
  value: AskedValue | null
  /** How much it is worth beside others: words of any question are worth less. */
  worth: number
}

interface Options {
  language: string
  most: number
  /** In how many sentences of how many a term stands; counted in what is given where it is not told. */
  rarity?: ((term: Term) => number | undefined) | undefined
  /** How many places one recording may have. */
  mostOfOne?: number
}

/** A word; "C.E.O." is one too. */
const word =
  /(?<![\p{L}\p{M}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{M}\p{N}]))?|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')
/** Writings of which two signs are as much as a word. */
const dense = new RegExp(String.raw`[${UNSPACED}\p{Script=Hangul}]`, 'u')
/** Languages that write several words as one. */
const compounding = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu', 'ko', 'ja', 'zh', 'th'])
const WEAK = 0.25

interface Span {
  from: number
  to: number
}

const segmenters = new Map<string, Intl.Segmenter>()

function segmenter(code: string): Intl.Segmenter {
  const known =
    segmenters.get(code) ?? new Intl.Segmenter(code || undefined, { granularity: 'word' })
  segmenters.set(code, known)
  return known
}

function wordsIn(text: string, code: string): Span[] {
  if (!unspaced.test(text))
    return Array.from(text.matchAll(word), ({ 0: found, index }) => ({
      from: index,
      to: index + found.length,
    }))
  return Array.from(segmenter(code).segment(text)).flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ from: index, to: index + segment.length }] : [],
  )
}

/** The words of a question that say what it is about; of one that has none, all its words. */
export function termsOf(question: string, code: string, spoken: readonly string[] = []): Term[] {
  const language = languageOf(code)
  const values = valuesAsked(question, code, spoken)
  const isApart = ({ from, to }: Span) =>
    values.every((value) => to <= value.from || from >= value.to)
  const spans = [
    ...wordsIn(question, code)
      .filter(isApart)
      .map((span) => ({ ...span, value: null })),
    ...values.map((value) => ({ from: value.from, to: value.to, value })),
  ].toSorted((a, b) => a.from - b.from)
  const all = spans.map(({ from, to, value }): Term => {
    const lower = question.slice(from, to).toLowerCase()
    if (value) {
      const folded = fold(lower).text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
      return { folded, stem: folded, kin: none, value, worth: 1 }
    }
    const isFunction = language.functionWords.has(lower) || isEmptyWord(lower, code)
    const isWeak = language.stopWords.has(lower) && !/\p{N}/u.test(lower)
    const forms = formsOf(lower, code)
    const worth = isFunction ? 0 : isWeak ? WEAK : 1
    return { ...forms, kin: kinOf(forms.stem, code), value, worth }
  })
  const each = onceEach(all)
  const telling = each.filter(({ worth, folded }) => worth > 0 && folded !== '')
  return (
    telling.length > 0
      ? telling
      : each.flatMap((term) => (term.folded === '' ? [] : [{ ...term, worth: WEAK }]))
  ).slice(0, 16)
}

/** Terms without those that are another form of one before. */
export const onceEach = (terms: readonly Term[]): Term[] =>
  [...new Map(terms.toReversed().map((term) => [term.stem, term])).values()].toReversed()

const none: ReadonlySet<string> = new Set()

function formsOf(written: string, code: string): { folded: string; stem: string } {
  const letters = written.includes('.') ? written.replaceAll('.', '') : written
  // The pronoun has no dots.
  const lower = letters === 'us' && letters !== written ? 'usa' : letters
  // Signs that are letters may fold to some that are none.
  const bare = (text: string) => fold(text).text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return { folded: bare(lower), stem: bare(stemOf(lower, code)) }
}

/** The worth of a word that is said in place of another. */
const KIN = 0.55

/** From 0 to 1: whether a word that was said may be the word that is asked for. */
function likeness(
  term: Term,
  said: { folded: string; stem: string },
  isCompounding: boolean,
): number {
  if (term.value !== null) return 0
  if (term.folded === said.folded) return 1
  if (term.stem === said.stem) return 0.95
  if (term.kin.has(said.stem)) return KIN
  const isLonger = term.stem.length > said.stem.length
  const [short, long] = isLonger ? [said.stem, term.stem] : [term.stem, said.stem]
  const least = dense.test(short) ? 2 : 4
  if (short.length < least || !long.includes(short)) return 0
  if (long.startsWith(short) && short.length >= 0.6 * long.length) return 0.85
  if (!isCompounding) return 0
  return long.startsWith(short) ? 0.7 : short.length > least || least === 2 ? 0.6 : 0
}

/** As it sounds, roughly: what differs only in spelling becomes the same. */
export const soundOf = (folded: string): string =>
  folded
    .replace(/\s+/g, '')
    .replace(/ph/g, 'f')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ck|[cq]/g, 'k')
    .replace(/z/g, 's')
    .replace(/y|j/g, 'i')
    .replace(/w/g, 'v')
    .replace(/(?<=[a-z])h/g, '')
    .replace(/(.)\1+/gu, '$1')

/** How many letters of its sound may be others. */
const slipsOf = (sound: string): number => (sound.length >= 7 ? 2 : sound.length >= 5 ? 1 : 0)

/** A sentence, or a part of a very long one. */
interface Unit extends Span {
  turn: number
  isQuestion: boolean
  words: number
  /** How well each term is met in it. */
  met: Float32Array
}

/** How much of a term a neighbour lends, by how far away it stands. */
const LENT = [1, 0.5, 0.35, 0.2, 0.1]
/** How much of a term a question lends to what is said next. */
const ANSWERED = 0.8
const ANSWER_SENTENCES = 3
const QUESTION = 0.6

export function placesFor(question: string, said: readonly Said[], options: Options): RankedPart[] {
  const { language: code, most, mostOfOne = most } = options
  const language = languageOf(code)
  const spoken = [...new Set(said.flatMap((turn) => turn.language ?? []))]
  const terms = termsOf(question, code, spoken)
  const wishes = wishesIn(question, code)
  const units = unitsOf(said, { code, language, terms, wishes })
  hearNames(units, said, { code, terms })
  const weights = weigh(units, terms, wishes, options)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  if (whole === 0) return []

  /** "What was decided?" has no other word to look for. */
  const isOfKind = terms.every(({ worth }) => worth <= WEAK)
  /** Whether a word that tells what is asked is there or near: "kinds" of the animals alone says nothing. */
  const tells = (met: readonly number[]) =>
    terms.some(({ worth }, term) => worth > WEAK && (met[term] ?? 0) > 0)
  const scored = units.flatMap((unit, index) => {
    const met = withNeighbours(units, index, said)
    const has = (shares: readonly number[], from: number, to?: number) =>
      shares.slice(from, to).some((part) => part > 0)
    const own = Array.from(unit.met)
    const isWished = has(own, terms.length)
    // It says a word of the question, or is of the kind that is wanted and stands beside one, or
    // answers somebody who asked the same.
    const isMeant =
      (has(own, 0, terms.length) && (isOfKind || tells(met))) ||
      (isWished && (has(met, 0, terms.length) || isOfKind)) ||
      (isAfterQuestion(units, index, said) && (unit.words >= FEWEST_WORDS || isWished))
    if (!isMeant) return []
    const share = met.reduce((sum, part, term) => sum + part * (weights[term] ?? 0), 0) / whole
    const score = share * (0.4 + 0.6 * share) * (unit.isQuestion ? QUESTION : 1)
    return score > 0 ? [{ index, score }] : []
  })
  scored.sort((a, b) => b.score - a.score || a.index - b.index)

  const best = scored[0]?.score ?? 0
  const places: RankedPart[] = []
  /** Sentences that stand in a place, and those that stand too near to one. */
  const used = new Set<number>()
  const taken = new Set<number>()
  const ofEach = new Map<string, number>()
  for (const { index, score } of scored) {
    if (places.length === most || score < best * LEAST_OF_BEST) break
    const recording = said[units[index]?.turn ?? 0]?.recording ?? ''
    if (taken.has(index) || (ofEach.get(recording) ?? 0) >= mostOfOne) continue
    const { first, last } = around(units, index, used)
    for (let at = first; at <= last; at += 1) used.add(at)
    // A place is one however often the sentences around it match.
    for (let near = first - APART; near <= last + APART; near += 1) taken.add(near)
    ofEach.set(recording, (ofEach.get(recording) ?? 0) + 1)
    const [begin, end] = [units[first], units[last]]
    const turn = begin?.turn ?? 0
    const [from, to] = [begin?.from ?? 0, end?.to ?? 0]
    const text = said[turn]?.text.slice(from, to) ?? ''
    const marks = marksIn(text, { code, terms, spoken: said[turn]?.language ?? code })
    places.push({ turn, from, to, marks })
  }
  return places
}

/** Of an answer that says no word of the question. */
const FEWEST_WORDS = 3
/** A place worth less than this part of the best is about something else. */
const LEAST_OF_BEST = 0.2
/** Sentences that lie between two places at least. */
const APART = 1

interface QuestionTerms {
  code: string
  terms: readonly Term[]
}

function unitsOf(
  said: readonly Said[],
  {
    code,
    language,
    terms,
    wishes,
  }: QuestionTerms & { language: Language; wishes: readonly Wish[] },
): Unit[] {
  // Nearly all words are like no term. Each is looked at once, however often it was said.
  const known = new Map<string, readonly number[] | null>()
  const isCompounding = compounding.has(code)
  const likenesses = (written: string): readonly number[] | null => {
    const before = known.get(written)
    if (before !== undefined) return before
    const forms = formsOf(written.toLowerCase(), code)
    const all = terms.map((term) => likeness(term, forms, isCompounding))
    const found = all.some((share) => share > 0) ? all : null
    known.set(written, found)
    return found
  }
  const named = new Map<string | null, number[]>()
  const nameOf = (speaker: string | null): number[] => {
    const before = named.get(speaker)
    if (before) return before
    const words = wordsIn(speaker ?? '', code).map(({ from, to }) => speaker?.slice(from, to) ?? '')
    const each = words.map((name) => likenesses(name))
    const found = terms.map((_, term) => Math.max(0, ...each.map((all) => all?.[term] ?? 0)))
    named.set(speaker, found)
    return found
  }
  const valued = terms.flatMap(({ value }, term) => (value ? [{ value, term }] : []))
  const values = valued.map(({ value }) => value)
  return said.flatMap(({ text, speaker, language: spoken }, turn) => {
    const ofName = nameOf(speaker)
    return sentencesIn(text, code).map(({ from, to }): Unit => {
      const sentence = text.slice(from, to)
      const met = new Float32Array(terms.length + wishes.length)
      const words = wordsIn(sentence, code)
      for (const place of words)
        likenesses(sentence.slice(place.from, place.to))?.forEach((share, term) => {
          if (share > (met[term] ?? 0)) met[term] = share
        })
      for (const [at, places] of saidValues(sentence, values, spoken ?? code).entries())
        met[valued[at]?.term ?? 0] = Math.max(0, ...places.map(({ share }) => share))
      // "What did Ben say of it?" is about what Ben says, and not about his name alone.
      for (const [term, share] of ofName.entries())
        if (share > 0.9 && share > (met[term] ?? 0)) met[term] = 0.9
      for (const [wish, { says }] of wishes.entries())
        if (says.test(sentence)) met[terms.length + wish] = 1
      const isQuestion = /[?？؟]\s*$/u.test(sentence) || language.questions.test(sentence)
      return { turn, from, to, isQuestion, words: words.length, met }
    })
  })
}

const LONGEST = 180
const SHORTEST = 16

/** The sentences of a text. Where none end, the text is cut at commas, or between words. */
function sentencesIn(text: string, code: string): Span[] {
  const spans: Span[] = []
  let open: Span | null = null
  for (const { text: segment, from: index } of segmentsOf(text, code)) {
    const lead = segment.length - segment.trimStart().length
    const span = { from: index + lead, to: index + segment.trimEnd().length }
    if (span.to <= span.from) continue
    const from: number = open?.from ?? span.from
    // "Yes." belongs to what it is said of, and a question to nothing.
    if (span.to - from < SHORTEST && !/[?？؟]$/u.test(segment.trimEnd())) open = { ...span, from }
    else {
      spans.push(...inPieces(text, { from, to: span.to }))
      open = null
    }
  }
  return open ? [...spans, open] : spans
}

function inPieces(text: string, { from, to }: Span): Span[] {
  const pieces: Span[] = []
  let at = from
  while (to - at > LONGEST) {
    const head = text.slice(at, at + LONGEST)
    const comma = Math.max(...[...',;:،、，；'].map((sign) => head.lastIndexOf(sign)))
    const space = head.lastIndexOf(' ')
    const cut = comma > LONGEST / 3 ? comma + 1 : space > 0 ? space : LONGEST
    pieces.push(trimmed(text, { from: at, to: at + cut }))
    at += cut
  }
  return [...pieces, trimmed(text, { from: at, to })].filter((piece) => piece.to > piece.from)
}

function trimmed(text: string, { from, to }: Span): Span {
  const part = text.slice(from, to)
  return { from: from + part.length - part.trimStart().length, to: from + part.trimEnd().length }
}

/** Terms that were said nowhere are looked for by their sound, in up to three words together. */
function hearNames(
  units: readonly Unit[],
  said: readonly Said[],
  { code, terms }: QuestionTerms,
): void {
  const missing = terms.flatMap((term, index) => {
    const sound = soundOf(term.folded)
    const isMissing =
      term.worth === 1 && !term.value && !units.some(({ met }) => (met[index] ?? 0) >= 0.7)
    return isMissing && term.folded.length >= 4 && !dense.test(term.folded)
      ? [{ index, sound, slips: slipsOf(sound) }]
      : []
  })
  if (missing.length === 0) return
  const sounds = new Map<string, string>()
  const soundsIn = (text: string) =>
    wordsIn(text, code).map(({ from, to }) => {
      const heard = text.slice(from, to)
      const sound = sounds.get(heard) ?? soundOf(fold(heard).text)
      sounds.set(heard, sound)
      return sound
    })
  for (const { turn, from, to, met } of units) {
    const words = soundsIn(said[turn]?.text.slice(from, to) ?? '')
    for (const { index, sound, slips } of missing)
      for (let at = 0; at < words.length; at += 1) {
        let heard = ''
        for (
          let count = 1;
          count <= MOST_HEARD && heard.length <= sound.length + slips;
          count += 1
        ) {
          heard += words[at + count - 1] ?? ''
          if (Math.abs(heard.length - sound.length) > slips) continue
          // Two words that only sound alike are seldom meant.
          const missed = distance(heard, sound) + (count > 1 ? 0.5 : 0)
          if (missed <= slips + 0.5) met[index] = Math.max(met[index] ?? 0, 0.75 - 0.1 * missed)
        }
      }
  }
}

/** As how many words a name may have been heard. */
const MOST_HEARD = 3

/** How much each term, and each wish, is worth: the rarer the more. */
function weigh(
  units: readonly Unit[],
  terms: readonly Term[],
  wishes: readonly Wish[],
  { rarity }: Options,
): number[] {
  const count = units.length
  const weights = terms.map((term, index) => {
    const has = units.filter(({ met }) => (met[index] ?? 0) >= 0.5).length
    // A word that was said nowhere does not tell where to look.
    if (has === 0) return 0
    const told = rarity?.(term)
    return term.worth * (told ?? Math.log(1 + (count - has + 0.5) / (has + 0.5)))
  })
  const highest = Math.max(0, ...weights)
  return [...weights, ...wishes.map(() => (highest === 0 ? 1 : 0.35 * highest))]
}

const isSame = (a: Unit | undefined, b: Unit | undefined, said: readonly Said[]): boolean =>
  a !== undefined && b !== undefined && said[a.turn]?.stretch === said[b.turn]?.stretch

function withNeighbours(units: readonly Unit[], index: number, said: readonly Said[]): number[] {
  const unit = units[index]
  const found = Array.from(unit?.met ?? [])
  const lend = (from: Unit | undefined, share: number) => {
    if (!isSame(unit, from, said)) return
    for (const [term, part] of (from?.met ?? []).entries())
      if (part * share > (found[term] ?? 0)) found[term] = part * share
  }
  for (const [far, share] of LENT.entries())
    if (far > 0) {
      lend(units[index - far], share)
      lend(units[index + far], share)
    }
  for (const asked of questionsBefore(units, index, said)) lend(asked, ANSWERED)
  return found
}

/** The questions that what stands here may answer. */
function questionsBefore(units: readonly Unit[], index: number, said: readonly Said[]): Unit[] {
  const unit = units[index]
  if (!unit || unit.isQuestion) return []
  for (let at = index - 1; at >= Math.max(0, index - ANSWER_SENTENCES); at -= 1) {
    const before = units[at]
    if (!before || !isSame(unit, before, said)) return []
    if (before.isQuestion) {
      const earlier = units[at - 1]
      const isTwofold = earlier?.isQuestion && earlier.turn === before.turn
      return isTwofold ? [before, earlier] : [before]
    }
  }
  return []
}

const isAfterQuestion = (units: readonly Unit[], index: number, said: readonly Said[]): boolean =>
  questionsBefore(units, index, said).some(({ met }) => met.some((share) => share > 0))

const SHORT_PLACE = 110
const LONG_PLACE = 320

/** A sentence with those next to it that match too, or that a short one needs to make sense. */
function around(
  units: readonly Unit[],
  index: number,
  used: ReadonlySet<number>,
): { first: number; last: number } {
  const here = units[index]
  let [first, last] = [index, index]
  const length = () => (units[last]?.to ?? 0) - (units[first]?.from ?? 0)
  const goesOn = (at: number) => units[at]?.turn === here?.turn && !used.has(at)
  const matches = (at: number) => units[at]?.met.some((share) => share >= 0.5) ?? false
  const fits = (at: number) =>
    length() + (units[at]?.to ?? 0) - (units[at]?.from ?? 0) <= LONG_PLACE
  const before = index - 1
  if (goesOn(before) && matches(before) && !units[before]?.isQuestion && fits(before))
    first = before
  while (goesOn(last + 1) && fits(last + 1) && (length() < SHORT_PLACE || matches(last + 1)))
    last += 1
  return { first, last }
}

/** The words of a text that are asked for. */
function marksIn(
  text: string,
  { code, terms, spoken }: QuestionTerms & { spoken: string },
): [number, number][] {
  const isCompounding = compounding.has(code)
  const strong = terms.filter(({ worth }) => worth === 1)
  const marks = wordsIn(text, code).flatMap(({ from, to }): [number, number][] => {
    const lower = text.slice(from, to).toLowerCase()
    const forms = formsOf(lower, code)
    const isMeant = (strong.length > 0 ? strong : terms).some((term) => {
      const sound = term.value ? '' : soundOf(term.folded)
      return (
        likeness(term, forms, isCompounding) >= 0.6 ||
        (sound.length >= 5 && distance(sound, soundOf(forms.folded)) <= slipsOf(sound))
      )
    })
    return isMeant ? [[from, to]] : []
  })
  const values = terms.flatMap(({ value }) => value ?? [])
  const said = saidValues(text, values, spoken).flatMap((places) =>
    places.map(({ from, to }): [number, number] => [from, to]),
  )
  return [...marks, ...said].toSorted((a, b) => a[0] - b[0]).slice(0, 12)
}
