/** How sizes, times, names and languages are written, the same on every page and in every file. */
import { seeded } from './random.ts'

const units = ['KB', 'MB', 'GB'] as const

/** 40055603 is "38.2 MB"; below one KB whole bytes: "512 Bytes". */
export function formatBytes(bytes: number): string {
  const whole = Math.max(0, Math.floor(bytes))
  if (whole < 1024) return whole === 1 ? '1 Byte' : `${whole} Bytes`
  let value = whole / 1024
  let unit = 0
  // Compared as it will be shown, or a byte less than a megabyte would read "1024.0 KB".
  while (Number(value.toFixed(1)) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/**
 * 999 of usd is "$9.99", 1500 of jpy "¥1,500": the argument counts the smallest unit of a currency.
 */
export function formatMoney(smallest: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(smallest / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const two = (value: number) => String(value).padStart(2, '0')

function parts(seconds: number): { hours: number; minutes: number; rest: number } {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  return {
    hours: Math.floor(whole / 3600),
    minutes: Math.floor((whole % 3600) / 60),
    rest: whole % 60,
  }
}

/** The length of a recording as everybody is told it: a started second is not counted. */
export const wholeSeconds = (durationMs: number): number => Math.floor(durationMs / 1000)

/** m:ss below an hour, h:mm:ss from it; a started second is not counted. */
export function formatTime(seconds: number): string {
  const { hours, minutes, rest } = parts(seconds)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** "4:52 The second reel": a chapter in a list, as descriptions of videos and podcasts have them. */
export const chapterLine = (seconds: number, title: string): string =>
  `${formatTime(seconds)} ${title}`

/** hh:mm:ss, always of the same width, for text files. */
export function formatTimecode(seconds: number): string {
  const { hours, minutes, rest } = parts(seconds)
  return `${two(hours)}:${two(minutes)}:${two(rest)}`
}

/** First letters of first and last name; empty when there are no names. */
export function initials(firstName?: string | null, lastName?: string | null): string {
  return [firstName, lastName]
    .map((name) => firstCharacter(name ?? ''))
    .join('')
    .toUpperCase()
}

/** Characters as a reader sees them, each of which may be several code points. */
function firstCharacter(text: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())
  return first?.segment ?? ''
}

/** "en" is "English"; a code nobody knows stays as it is. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
  } catch (error) {
    // Intl throws RangeError for text that is not a language code at all.
    if (error instanceof RangeError) return code
    throw error
  }
}

/** "Nov 20, 2026", in the reader's time zone unless one is given. */
export function formatDate(value: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone,
  }).format(new Date(value))
}

/** "9:04", "9:04:20": the one form of a time of day on a screen, in the reader's time zone. */
export function formatClock(value: string | Date, { seconds = false } = {}): string {
  const date = new Date(value)
  const clock = `${date.getHours()}:${two(date.getMinutes())}`
  return seconds ? `${clock}:${two(date.getSeconds())}` : clock
}

/** "Today 9:04", "Nov 19, 11:20"; the year only when it is another. */
export function formatMoment(value: string | Date, now = new Date()): string {
  const date = new Date(value)
  const time = formatClock(date)
  if (date.toDateString() === now.toDateString()) return `Today ${time}`
  const isThisYear = date.getFullYear() === now.getFullYear()
  const day = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date)
  return `${day}, ${time}`
}

/** A length in words: "48 s", "49 min", "2 h 5 min". */
export function formatLength(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** A height that reads as silence. */
const PAUSE = 0.06

/**
 * The waveform fingerprint of an id or slug: n heights from 0.06 to 1, always the same for one
 * seed, with three short pauses. For things without a recording.
 */
export function bars(seed: string, n: number): number[] {
  const random = seeded(hash(seed))
  const heights = Array.from({ length: n }, (_, index) => {
    const t = n > 1 ? index / (n - 1) : 0
    const wave = Math.abs(Math.sin(7 * Math.PI * t + 0.6) * Math.sin(23 * t + 1.1))
    return Math.min(1, Math.max(0.1, (0.25 + 0.75 * wave) * (0.45 + 0.55 * random())))
  })
  const pauseLength = Math.max(1, Math.round(n / 32))
  for (let pause = 0; pause < 3; pause += 1) {
    // One pause in each of three separate stretches, so that they never fall together.
    const start = Math.floor(n * (0.14 + 0.27 * pause + 0.16 * random()))
    for (let index = start; index < Math.min(n, start + pauseLength); index += 1)
      heights[index] = PAUSE
  }
  return heights
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

/** "1 turn", "1,500 turns". */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`

export const formatCredits = (count: number): string => counted(count, 'credit')
