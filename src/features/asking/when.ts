/** The part of a recording that a question names: "at the end", "in the first ten minutes", "at 12:30". */
import { valuesIn } from '#features/writing/values/values.ts'

interface Words {
  first: string
  last: string
}

/** Parts of words, parted by `|`, as they are looked for in lower case. */
const english: Words = {
  first: 'first|beginning|begin|start|opening',
  last: 'last|end|ending|close|closing',
}
const words: Record<string, Words> = {
  de: {
    first: 'erste[nrs]?|anfang|beginn|eingangs',
    last: 'letzte[nrs]?|ende|schluss|schließlich',
  },
  fr: { first: 'premi[eè]re?s?|d[ée]but', last: 'derni[eè]re?s?|fin' },
  es: { first: 'primer[oa]?s?|principio|comienzo|inicio', last: '[uú]ltim[oa]s?|final|fin' },
  it: { first: 'prim[oaie]|inizio', last: 'ultim[oaie]|fine' },
  pt: { first: 'primeir[oa]s?|in[ií]cio|come[cç]o', last: '[uú]ltim[oa]s?|fim|final' },
  nl: { first: 'eerste|begin', last: 'laatste|einde|slot' },
}

/** A part that is named without its length. */
const SHARE = 0.15
/** Before and after a moment. */
const AROUND_MS = 2 * 60_000

export interface Stretch {
  fromMs: number
  toMs: number
}

/** Null where the question names none. `language`: of the question, ISO 639-1. */
export function stretchIn(question: string, language: string, endMs: number): Stretch | null {
  const lower = question.toLowerCase()
  const clock = /\b(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\b/.exec(lower)
  const around = (atMs: number) =>
    atMs < endMs
      ? { fromMs: Math.max(0, atMs - AROUND_MS), toMs: Math.min(endMs, atMs + AROUND_MS) }
      : null
  if (clock) {
    const [, hours = 0, minutes, seconds] = clock
    return around(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)
  }
  const { first, last } = words[language] ?? english
  const has = (parts: string) => new RegExp(`(?<!\\p{L})(?:${parts})(?!\\p{L})`, 'u').test(lower)
  const [isFirst, isLast] = [has(first), has(last)]
  const length = valuesIn(lower, language).find(({ measure }) => measure?.of === 'time')
  const lengthMs = (length?.readings[0] ?? 0) * (length?.measure?.by ?? 0) * 1000
  if (lengthMs > 0 && !isFirst && !isLast) return around(lengthMs)
  const partMs = Math.min(endMs, lengthMs || SHARE * endMs)
  if (isLast) return { fromMs: endMs - partMs, toMs: endMs }
  return isFirst ? { fromMs: 0, toMs: partMs } : null
}
