/**
 * The days of the week and the months that a text names, in any language: their names are those of
 * Unicode CLDR, which every engine has.
 */
import { languageOf } from './languages.ts'

interface Names {
  /** The folded names, the longest first, with what each one is. */
  forms: [name: string, day: string][]
  /** Whether they are written with a capital. */
  isCapital: boolean
  pattern: RegExp
}

const known = new Map<string, Names>()

/** Some Monday, and some January. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

function namesOf(code: string): Names {
  const there = known.get(code)
  if (there) return there
  const made = readNames(code)
  known.set(code, made)
  return made
}

function readNames(code: string): Names {
  const { isUnspaced } = languageOf(code)
  const inZone = { timeZone: 'UTC' } as const
  const forms: [string, string][] = []
  const add = (name: string, day: string) => {
    const bare = isUnspaced ? name.replace(/日$/u, '') : name
    if (!/\p{Nd}/u.test(bare) && bare.length > 1) forms.push([bare, day])
  }
  for (let at = 0; at < 7; at += 1) {
    const day = new Date(MONDAY + at * DAY_MS)
    add(new Intl.DateTimeFormat(code, { ...inZone, weekday: 'long' }).format(day), `d${at}`)
    if (code === 'zh')
      add(new Intl.DateTimeFormat(code, { ...inZone, weekday: 'short' }).format(day), `d${at}`)
  }
  for (let month = 0; month < 12; month += 1) {
    const day = new Date(Date.UTC(2024, month, 5))
    add(new Intl.DateTimeFormat(code, { ...inZone, month: 'long' }).format(day), `m${month + 1}`)
  }
  const isCapital = forms.some(([name]) => /^\p{Lu}/u.test(name))
  const small = forms.map(([name, day]): [string, string] => [name.toLowerCase(), day])
  small.sort(([one], [other]) => other.length - one.length)
  const any = small.map(([name]) => name).join('|')
  // German adds to them: "montags", "Montagabend". Portuguese leaves "-feira" out.
  const isOpen = isUnspaced || /^(?:de|nl|sv|ko)$/.test(code)
  const end = isOpen ? '' : "(?:['’]?s)?(?!\\p{L})"
  const begin = isUnspaced || code === 'ko' ? '' : '(?<!\\p{L})'
  const pattern = new RegExp(`${begin}(${any})${end}`, 'giu')
  return { forms: small, isCapital, pattern }
}

const ofMonth = /(?<!\p{Nd})([0-9０-９]{1,2}|[一二三四五六七八九十]{1,2})\s*(?:月(?!曜)|월)/gu
const digits = '〇一二三四五六七八九十'

function monthOf(sign: string): number {
  if (/\p{Nd}/u.test(sign)) return Number(sign.normalize('NFKC'))
  const [first = '', second] = sign
  if (second === undefined) return digits.indexOf(first)
  return first === '十' ? 10 + digits.indexOf(second) : 0
}

/**
 * The languages whose days are read. Others change the ends of these words, or have several words for
 * one month.
 */
const read = new Set(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'ja', 'zh', 'ko'])

export const areDaysRead = (code: string): boolean => read.has(code)

/** As `d0` for Monday and `m1` for January. `isSure`: only what can be nothing else. */
export function daysIn(text: string, code: string, isSure = false): string[] {
  if (!areDaysRead(code)) return []
  const { forms, isCapital, pattern } = namesOf(code)
  const found: string[] = []
  for (const { 0: whole, 1: name = '', index } of text.matchAll(pattern)) {
    const day = forms.find(([form]) => form === name.toLowerCase())?.[1]
    if (day === undefined) continue
    if (isSure && isCapital && !/^\p{Lu}/u.test(name)) continue
    // "May we begin?" names no month.
    const isFirst = /(?:^|(?<!\p{Nd})[.!?]\s+)$/u.test(text.slice(0, index))
    const isWord = languageOf(code).stopWords.has(name.toLowerCase())
    if (isSure && isFirst && isWord && !/^\s*\p{Nd}/u.test(text.slice(index + whole.length)))
      continue
    found.push(day)
  }
  if (/^(?:ja|zh|ko)$/.test(code))
    for (const [, sign = ''] of text.matchAll(ofMonth)) found.push(`m${monthOf(sign)}`)
  if (code === 'pt' && !isSure)
    for (const [, name = ''] of text.matchAll(
      /(?<!\p{L})(segunda|terça|quarta|quinta|sexta)(?!\p{L})/giu,
    ))
      found.push(
        `d${['segunda', 'terça', 'quarta', 'quinta', 'sexta'].indexOf(name.toLowerCase())}`,
      )
  // "15.5." may be said to be in May.
  if (!isSure)
    for (const [, one = '', other = ''] of text.matchAll(
      /(?<!\p{Nd})(\d{1,2})[./-](\d{1,2})(?!\p{Nd})/gu,
    ))
      found.push(`m${Number(one)}`, `m${Number(other)}`)
  return found
}
