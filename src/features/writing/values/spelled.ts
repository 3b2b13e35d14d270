/** Numbers in words, and the words that may follow figures: powers, halves, decimals and "per cent". */
import { figureAt } from './figures.ts'
import {
  type Lexeme,
  type Measure,
  type NumberWords,
  measureAtStart,
  measureOf,
} from './number-words.ts'
import {
  type Atom,
  type Found,
  LARGEST_SMALL,
  LONGEST_NUMBER,
  type Token,
  hangul,
  minutesOf,
  plainAtom,
} from './value.ts'

export function atomAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const found = plainAt(tokens, at, words)
  if (!found) return halfMeasureAt(tokens, at, words)
  return withHalf(tokens, fractionAt(tokens, found, words), words)
}

function plainAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const here = tokens[at]
  if (!here) return null
  if (here.kind === 'digits') {
    const figure = figureAt(tokens, at, words)
    return figure.atom.kind === 'number' ? onward(tokens, figure, words) : figure
  }
  if (here.kind === 'mark') {
    const value = vulgar.get(here.text)
    if (value === undefined) return null
    return { atom: { ...plainAtom, readings: [value], from: here.from }, next: at + 1 }
  }
  if (here.kind === 'gap') return null
  return wordsAt(tokens, at, words) ?? romanAt(tokens, at, words)
}

const textOf = (tokens: readonly Token[], at: number, count: number): string =>
  tokens
    .slice(at, at + count)
    .map(({ text }) => text)
    .join('')

/** 三分之一, 3分の1 and 百分之五: the denominator comes first. */
function fractionAt(tokens: readonly Token[], found: Found, words: NumberWords): Found {
  const [whole] = found.atom.readings
  if (!words.isUnspaced || !whole || !/^分[之の]/u.test(textOf(tokens, found.next, 2))) return found
  const part = plainAt(tokens, found.next + 2, words)
  const [value] = part?.atom.readings ?? []
  if (!part || value === undefined) return found
  const { from } = found.atom
  if (whole === 100)
    return { atom: { ...part.atom, measure: measureOf('%'), from }, next: part.next }
  const atom = { ...plainAtom, readings: [exactly(value / whole)], weight: 'loose', from } as const
  return { atom, next: part.next }
}

const denseHalf = /^ ?(?:小时|小時|時間|시간|か月|ヶ月|개월|[个個年달])(?:又)? ?(?:半|반)/u

/** Where the half ends that follows a measure, as in "2 hours and a half" or 2時間半. */
function halfAfter(
  tokens: readonly Token[],
  at: number,
  words: NumberWords,
): { measure: Measure | null; next: number } | null {
  if (words.isUnspaced) {
    const found = denseHalf.exec(textOf(tokens, at, 6))
    if (!found) return null
    const { measure = null } = measureAtStart(found[0].trim()) ?? {}
    return { measure, next: at + found[0].length }
  }
  const word = tokens[at]
  const measure = word?.kind === 'letters' ? measureOf(word.text) : null
  const half = measure && halfAt(tokens, pastGap(tokens, at + 1), words)
  return half ? { measure, next: half + 1 } : null
}

function withHalf(tokens: readonly Token[], found: Found, words: NumberWords): Found {
  const { atom, next } = found
  const [value] = atom.readings
  if (atom.kind !== 'number' || value === undefined || !Number.isInteger(value)) return found
  const isJoined = tokens[next]?.text === "'"
  const half = halfAfter(
    tokens,
    isJoined ? next + 1 : words.isUnspaced ? next : pastGap(tokens, next),
    words,
  )
  if (!half) return found
  const weight = atom.weight === 'figure' ? 'figure' : 'word'
  const whole = { ...halved(atom, value + 0.5), measure: half.measure, weight } as const
  return { atom: whole, next: half.next }
}

/** Adds a half. After an hour it may be a time of day: "half past". */
const halved = (atom: Atom, value: number): Atom => ({
  ...atom,
  readings: [value],
  minutes: value < 25 ? minutesOf(Math.floor(value), 30) : [],
  doubtful: [],
  literal: null,
})

/** "Half an hour" and "an hour and a half", where nobody says one. */
function halfMeasureAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const here = tokens[at]
  if (here?.kind !== 'letters') return null
  const { from } = here
  if (isHalf(here, words)) {
    let next = pastGap(tokens, at + 1)
    if (words.articles.has(tokens[next]?.text ?? '')) next = pastGap(tokens, next + 1)
    const measure = measureOf(tokens[next]?.text ?? '')
    if (measure?.of !== 'time') return null
    return {
      atom: { ...plainAtom, readings: [0.5], measure, weight: 'word', from },
      next: next + 1,
    }
  }
  const half = halfAfter(tokens, at, words)
  if (!half) return null
  const { measure, next } = half
  return { atom: { ...plainAtom, readings: [1.5], measure, weight: 'word', from }, next }
}

const vulgar = new Map([
  ['½', 0.5],
  ['¼', 0.25],
  ['¾', 0.75],
])

/** Letters right after figures that multiply them: "80k". */
const letters = new Map([
  ['k', 1_000],
  ['к', 1_000],
  ['bn', 1_000_000_000],
])

/** The largest power of ten that a number is a multiple of. */
function roundness(value: number): number {
  let power = 1
  while (power < 1e15 && value % (power * 10) === 0) power *= 10
  return power
}

export const exactly = (value: number): number => Number(value.toPrecision(LONGEST_NUMBER))

/** A number while it is read: "two", "hundred", "and", "five". */
class Sum {
  value: number | null
  isLoose = false
  count = 0
  #isLinked = false
  #words: NumberWords

  constructor(words: NumberWords, value: number | null = null) {
    this.#words = words
    this.value = value
  }

  copy(): Sum {
    const other = new Sum(this.#words, this.value)
    other.isLoose = this.isLoose
    other.count = this.count
    return other
  }

  /** Whether this can be a part of the same number. */
  take(lexeme: Lexeme): boolean {
    if (lexeme.does === 'link') {
      this.#isLinked = this.value !== null
      return this.value !== null
    }
    const next = this.#with(lexeme)
    if (next === null) return false
    this.isLoose = this.value === null ? lexeme.isLoose : this.isLoose && lexeme.isLoose
    this.value = exactly(next)
    this.count += 1
    this.#isLinked = false
    return true
  }

  #with({ value, does }: Lexeme): number | null {
    const sum = this.value
    if (does === 'half') {
      if (sum === null || !Number.isInteger(sum)) return null
      const power = roundness(sum)
      return sum + (power >= 1_000 ? power / 2 : 0.5)
    }
    if (sum === null) return value
    if (does === 'times') return times(sum, value)
    if (!Number.isInteger(sum)) return null
    const units = sum % 100
    if (does === 'teen') return units < 10 ? sum + 10 : null
    if (value === 0) return this.#words.isUnspaced && sum >= 10 ? sum : null
    if (this.#words.isVigesimal) {
      if (value === 20 && units === 4) return sum + 76
      if ((units === 60 || units === 80) && value < 20) return sum + value
    }
    const isTen = value % 10 === 0 && value >= 20 && value < 100
    if (this.#words.isInverted && this.#isLinked && isTen && units >= 1 && units < 10)
      return sum + value
    return value < roundness(sum) ? sum + value : null
  }
}

/** In "one million two hundred thousand" the thousand multiplies the two hundred alone. */
function times(sum: number, power: number): number | null {
  const part = power > sum ? sum : sum % power
  if (part === 0) return power < roundness(sum) && sum > 0 ? sum + power : null
  const rest = sum - part
  return rest === 0 || part * power < roundness(rest) ? rest + part * power : null
}

interface SpelledWord {
  lexemes: readonly Lexeme[]
  next: number
  text: string
}

/** The meaning of the word at a place. Without spaces, it is the longest word that begins there. */
function pieceAt(tokens: readonly Token[], at: number, words: NumberWords): SpelledWord | null {
  const here = tokens[at]
  if (here?.kind === 'letters') {
    const lexemes = words.lexemesOf(here.text)
    return lexemes && { lexemes, next: at + 1, text: here.text }
  }
  if (here?.kind !== 'letter') return null
  let text = ''
  let found: SpelledWord | null = null
  for (let next = at; next < at + words.longest && tokens[next]?.kind === 'letter';) {
    text += tokens[next]?.text ?? ''
    next += 1
    const lexemes = words.lexemesOf(text)
    if (lexemes) found = { lexemes, next, text }
  }
  return found
}

const isGap = (one: Token | undefined): boolean => one?.kind === 'gap' && one.text === ' '
const isHyphen = (one: Token | undefined): boolean => one?.text === '-' || one?.text === '‑'

/** The place of the next token that may belong to the same number. */
function pastGap(tokens: readonly Token[], at: number): number {
  if (isGap(tokens[at])) return at + 1
  return isHyphen(tokens[at]) && tokens[at + 1]?.kind === 'letters' ? at + 1 : at
}

/** Reads the words that may follow a number: more words, "and a half", "point five", "percent". */
function onward(tokens: readonly Token[], { atom, next }: Found, words: NumberWords): Found {
  const [figure] = atom.readings
  if (figure === undefined) return { atom, next }
  const suffix = tokens[next]
  const power = suffix?.kind === 'letters' ? letterPower(suffix, tokens[next - 2]) : undefined
  if (power) return { atom: scaled(atom, power), next: next + 1 }
  const fraction = vulgar.get(tokens[next]?.text ?? '')
  if (fraction !== undefined && Number.isInteger(figure))
    return { atom: { ...atom, readings: [figure + fraction], doubtful: [] }, next: next + 1 }
  const sum = new Sum(words, figure)
  const end = goOn(tokens, next, { sum, words, isFigure: true })
  if (sum.value === null || end === next) return percentAt(tokens, { atom, next }, words)
  const factor = figure === 0 ? 1 : sum.value / figure
  const doubtful = sum.count === 1 ? atom.doubtful.map((value) => exactly(value * factor)) : []
  const whole = { ...atom, readings: [sum.value], doubtful, literal: null, parts: [] }
  return percentAt(tokens, { atom: whole, next: end }, words)
}

const scaled = (atom: Atom, power: number): Atom => ({
  ...atom,
  readings: atom.readings.map((value) => exactly(value * power)),
  doubtful: atom.doubtful.map((value) => exactly(value * power)),
  literal: null,
  parts: [],
})

/** "5m" is five million only after a sign for money. */
function letterPower({ text }: Token, before: Token | undefined): number | undefined {
  const isMoney = before !== undefined && /^[$€£¥]$/.test(before.text)
  if (isMoney && /^[mb]$/.test(text)) return text === 'm' ? 1_000_000 : 1_000_000_000
  return letters.get(text)
}

interface Going {
  sum: Sum
  words: NumberWords
  /** After figures only powers can follow, and in some scripts figures again. */
  isFigure: boolean
  /** Whether the last word that was read is a power. */
  isPower?: boolean
  /** Whether it is after a decimal point, so that no other point can follow. */
  isDecimal?: boolean
}

/** Adds each word that belongs to a number, and answers where it ends. */
function goOn(
  tokens: readonly Token[],
  start: number,
  { sum, words, isFigure, isPower: isAfterPower = false, isDecimal = false }: Going,
): number {
  let end = start
  let before: { sum: Sum; end: number } | null = null
  let isPower = isAfterPower
  for (;;) {
    if (percentEnd(tokens, end, words) !== null) break
    let at = pastGap(tokens, end)
    const isApart = at !== end
    const half = halfAt(tokens, at, words)
    if (half !== null && sum.value !== null) {
      const lexeme = words.lexemesOf(tokens[half]?.text ?? '')?.at(-1)
      if (lexeme && sum.take(lexeme)) {
        end = half + 1
        continue
      }
    }
    const point = isDecimal ? null : decimalAt(tokens, at, { sum, words })
    if (point !== null) {
      end = point
      continue
    }
    let isLinked = false
    // Where units come first, only one word is sure to be one number: "zwischen fünf und zwanzig".
    const mayLink = isApart && !words.isInverted && tokens[at]?.kind === 'letters'
    if (mayLink && words.links.has(tokens[at]?.text ?? '')) {
      const further = pastGap(tokens, at + 1)
      if (further === at + 1) break
      at = further
      isLinked = true
    }
    const digits = tokens[at]
    if (digits?.kind === 'digits' && !isLinked) {
      const found =
        isPower && sum.value !== null
          ? moreDigits(tokens, at, { isApart, words, value: sum.value })
          : null
      const lexeme = {
        value: Number(digits.text),
        does: 'add',
        isOrder: false,
        isLoose: false,
      } as const
      if (!found) break
      before = { sum: sum.copy(), end }
      if (!sum.take(lexeme)) break
      end = at + 1
      isPower = false
      continue
    }
    const piece = pieceAt(tokens, at, words)
    if (!piece || (words.isUnspaced && isApart && !mayBeApart(piece, isPower))) break
    // "One half" is a half.
    if (piece.lexemes[0]?.does === 'half' && !words.isUnspaced) break
    if (isFigure && !isPower && piece.lexemes[0]?.does !== 'times') break
    // Korean has other words below a hundred: 오만한 is "proud", and not 50,001.
    if (piece.text === '한' && (sum.value ?? 0) >= 100) break
    if (isApart && hangul.test(piece.text[0] ?? '') && !isKoreanAt(tokens, at, words)) break
    const saved = { sum: sum.copy(), end }
    const isTaken =
      (!isLinked || sum.take({ value: 0, does: 'link', isOrder: false, isLoose: false })) &&
      piece.lexemes.every((lexeme) => sum.take(lexeme))
    if (!isTaken) {
      // "Three hundred and five hundred": the five belongs to the second.
      const isOfNext = piece.lexemes[0]?.does === 'times' && before !== null
      const { sum: earlier, end: earlierEnd } = isOfNext && before ? before : saved
      sum.value = earlier.value
      sum.count = earlier.count
      return earlierEnd
    }
    before = piece.lexemes.every(({ does }) => does === 'add') ? saved : null
    isPower = piece.lexemes.at(-1)?.does === 'times'
    end = piece.next
  }
  return end
}

/** In languages that join words, a number has spaces only after a large power: "3억 2천만". */
const mayBeApart = ({ lexemes: [first] }: SpelledWord, isPower: boolean): boolean =>
  isPower || (first?.does === 'times' && first.value >= 10_000)

/** Whether these figures belong to the number before them: 2万5千, "3 million 200 thousand". */
function moreDigits(
  tokens: readonly Token[],
  at: number,
  { isApart, words, value }: { isApart: boolean; words: NumberWords; value: number },
): boolean {
  if (words.isUnspaced && !isApart) return true
  // "2 thousand 500"
  if (value % 1_000 === 0 && value < 1_000_000 && tokens[at]?.text.length === 3) return true
  const next = pastGap(tokens, at + 1)
  return pieceAt(tokens, next, words)?.lexemes[0]?.does === 'times'
}

/** Where the half of "and a half" stands. */
function halfAt(tokens: readonly Token[], at: number, words: NumberWords): number | null {
  let next = at
  for (let count = 0; count < 2 && words.halfLinks.has(tokens[next]?.text ?? ''); count += 1)
    next = pastGap(tokens, next + 1)
  if (next === at && words.halfLinks.size > 0) {
    const [link, half] = words.lexemesOf(tokens[at]?.text ?? '') ?? []
    return link?.does === 'link' && half?.does === 'half' ? at : null
  }
  return isHalf(tokens[next], words) ? next : null
}

const isHalf = (one: Token | undefined, words: NumberWords): boolean => {
  if (one?.kind !== 'letters' && one?.kind !== 'letter') return false
  const lexemes = words.lexemesOf(one.text)
  return lexemes?.length === 1 && lexemes[0]?.does === 'half'
}

/** The decimals after "point": digits that are said one by one, or a number. */
function decimalAt(
  tokens: readonly Token[],
  at: number,
  { sum, words }: Omit<Going, 'isFigure'>,
): number | null {
  const whole = sum.value
  if (whole === null || !Number.isInteger(whole) || whole > 1e9) return null
  if (!words.decimal.has(tokens[at]?.text ?? '')) return null
  let digits = ''
  let end = at + 1
  const isDense = words.isUnspaced
  for (;;) {
    const next = isDense ? end : pastGap(tokens, end)
    if (!isDense && next === end) break
    if (tokens[next]?.kind === 'digits' && digits === '') {
      digits = tokens[next]?.text ?? ''
      end = next + 1
      break
    }
    const piece = pieceAt(tokens, next, words)
    const part = new Sum(words)
    if (!piece?.lexemes.every((one) => one.does !== 'times' && part.take(one))) break
    const isWhole = digits === '' && (part.value ?? 0) >= 10
    if (part.value === null || !Number.isInteger(part.value)) break
    if (!isWhole && part.value >= 10) break
    end = piece.next
    if (isWhole) end = goOn(tokens, end, { sum: part, words, isFigure: false, isDecimal: true })
    digits += String(part.value)
    if (isWhole || digits.length > 12) break
  }
  if (digits === '') return null
  // 三点五十分 is a time of day.
  if (isDense && /^[十分半刻时時]$/u.test(tokens[end]?.text ?? '')) return null
  // Russian names tenths and hundredths after the digits.
  const tail = pastGap(tokens, end)
  const isTenths = /^(?:десят|сот|тысячн)/.test(tokens[tail]?.text ?? '')
  const isHundredths = isTenths && (tokens[tail]?.text ?? '').startsWith('сот')
  if (isHundredths) digits = digits.padStart(2, '0')
  sum.value = Number(`${whole}.${digits}`)
  sum.count += 1
  return isTenths ? tail + 1 : end
}

/** Where "per cent" ends. One of its words may look like a number: "cent". */
function percentEnd(tokens: readonly Token[], from: number, words: NumberWords): number | null {
  for (const form of words.percent) {
    let at = from
    const isThere = form.every((word) => {
      const next = pastGap(tokens, at)
      at = next + 1
      return tokens[next]?.text === word
    })
    if (isThere) return at
  }
  return null
}

function percentAt(tokens: readonly Token[], found: Found, words: NumberWords): Found {
  const next = percentEnd(tokens, found.next, words)
  return next === null ? found : { atom: { ...found.atom, measure: measureOf('%') }, next }
}

const LONGEST_SAYING = 4
const particles =
  /^(?:은|는|이|가|을|를|의|에|와|과|도|만|까지|부터|로|으로|쯤|정도|여|이상|이하|씩|번째|째)/u

function wordsAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const here = tokens[at]
  if (!here) return null
  const isKorean = hangul.test(here.text)
  // A Korean number begins a word, or follows 제, which makes it an ordinal.
  const start = tokens[at - 1]?.text === '제' ? at - 2 : at - 1
  if (isKorean && hangul.test(tokens[start]?.text ?? '')) return null
  if (words.isUnspaced && words.minusWords.some((word) => textOf(tokens, at, word.length) === word))
    return null
  if (words.isUnspaced && words.sayings.test(textOf(tokens, at, LONGEST_SAYING))) return null
  // "Cuarto" and "quarto" can mean "fourth", but not in "ocho y cuarto" or "meno un quarto".
  const ahead = tokens[at - 2]?.text ?? ''
  const isQuarter =
    words.links.has(ahead) || words.ones.has(ahead) || words.minusWords.includes(ahead)
  if (isQuarter && words.quarter.has(here.text)) return null
  const row = digitRowAt(tokens, at, words)
  if (row) return row
  const sum = new Sum(words)
  let isOrder = false
  let end: number
  if (isHalf(here, words)) {
    // "Half a million"
    let next = pastGap(tokens, at + 1)
    if (words.articles.has(tokens[next]?.text ?? '')) next = pastGap(tokens, next + 1)
    if (tokens[next]?.text === "'") next += 1
    const piece = pieceAt(tokens, next, words)
    const [power] = piece?.lexemes ?? []
    if (!piece || power?.does !== 'times' || power.value < 1_000) return null
    sum.value = power.value / 2
    sum.count = 2
    end = piece.next
  } else {
    const piece = pieceAt(tokens, at, words)
    if (!piece) return null
    // A link that begins a number belongs to what is before it: "وعشرون".
    const lexemes = piece.lexemes.filter(({ does }, index) => index > 0 || does !== 'link')
    for (const lexeme of lexemes)
      if (!sum.take({ ...lexeme, does: doesFirst(lexeme, sum) })) return null
    isOrder = lexemes.at(-1)?.isOrder === true
    const isPower = lexemes.at(-1)?.does === 'times'
    end = goOn(tokens, piece.next, { sum, words, isFigure: false, isPower })
  }
  if (sum.value === null) return null
  if (words.isUnspaced && !isWholeAt(tokens, { at, end, count: sum.count, isKorean }, words))
    return null
  const value = sum.value
  const isOne = sum.count === 1 && words.ones.has(here.text)
  const isBare = sum.count === 1 && value >= 100
  const isSingle = words.isUnspaced && sum.count === 1 && end - at === 1
  const isLoose =
    sum.isLoose ||
    isOne ||
    (isOrder && sum.count === 1 && value <= LARGEST_SMALL) ||
    (isSingle && !isCounted(tokens, end, words))
  const isSmall = value <= LARGEST_SMALL || isBare || (words.isUnspaced && sum.count <= 2)
  const weight = isLoose ? 'loose' : isSmall ? 'small' : 'word'
  const plain = { ...plainAtom, readings: [value], weight, from: here.from } as const
  const atom = value % 1 === 0.5 ? halved(plain, value) : plain
  return percentAt(tokens, { atom, next: end }, words)
}

/** A word that turns five into fifteen is ten when it stands alone. */
const doesFirst = ({ does }: Lexeme, { value }: Sum): Lexeme['does'] =>
  does === 'teen' && value === null ? 'add' : does

const isCounted = (tokens: readonly Token[], at: number, words: NumberWords): boolean => {
  const rest = textOf(tokens, isGap(tokens[at]) ? at + 1 : at, 2)
  return words.counters.has(rest.slice(0, 1)) || words.counters.has(rest)
}

/** Many Korean words begin with letters that alone are a number, and are none. */
function isWholeAt(
  tokens: readonly Token[],
  { at, end, count, isKorean }: { at: number; end: number; count: number; isKorean: boolean },
  words: NumberWords,
): boolean {
  if (!isKorean) return true
  const isShort = count === 1 && end - at === 1
  if (isShort) return isCounted(tokens, end, words)
  if (!hangul.test(tokens[end]?.text ?? '')) return true
  const rest = tokens
    .slice(end, end + 4)
    .map(({ text }) => text)
    .join('')
  return isCounted(tokens, end, words) || particles.test(rest) || measureAtStart(rest) !== null
}

/** Whether a Korean word is a number, and does not only begin like one. */
function isKoreanAt(tokens: readonly Token[], at: number, words: NumberWords): boolean {
  let end = at
  let count = 0
  for (let piece = pieceAt(tokens, end, words); piece; piece = pieceAt(tokens, end, words)) {
    end = piece.next
    count += 1
  }
  return isWholeAt(tokens, { at, end, count, isKorean: true }, words)
}

export const FEWEST_IN_ROW = 3

/** 二〇二四: each is a digit. */
function digitRowAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  if (!words.isUnspaced || tokens[at]?.kind !== 'letter') return null
  let digits = ''
  let next = at
  for (; tokens[next]?.kind === 'letter' && digits.length < LONGEST_NUMBER; next += 1) {
    const [lexeme, ...others] = words.lexemesOf(tokens[next]?.text ?? '') ?? []
    if (!lexeme || others.length > 0 || lexeme.does !== 'add' || lexeme.value > 9) break
    digits += String(lexeme.value)
  }
  if (digits.length < FEWEST_IN_ROW) return null
  const atom = { ...plainAtom, readings: [Number(digits)], literal: digits }
  return { atom: { ...atom, from: tokens[at]?.from ?? 0 }, next }
}

const roman = /^(?=[ivxl])(x{0,3}|xl|lx{0,3})(ix|iv|v?i{0,3})(e|eme|er|º|°)?$/
const ofRoman = new Map([
  ['i', 1],
  ['v', 5],
  ['x', 10],
  ['l', 50],
])

/** The number of a century, before or after its name: "XXIe siècle", "siglo XXI". */
function romanAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const here = tokens[at]
  if (here?.kind !== 'letters') return null
  const [, tens = '', units = ''] = roman.exec(here.text) ?? []
  const numeral = tens + units
  const isNear = [at - 2, at + 2].some((next) => words.century.has(tokens[next]?.text ?? ''))
  if (numeral === '' || !isNear) return null
  const each = Array.from(numeral, (letter) => ofRoman.get(letter) ?? 0)
  const value = each.reduce(
    (sum, one, index) => sum + (one < (each[index + 1] ?? 0) ? -one : one),
    0,
  )
  return {
    atom: { ...plainAtom, readings: [value], weight: 'small', from: here.from },
    next: at + 1,
  }
}
