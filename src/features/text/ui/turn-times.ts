/** Times of a turn as they are written into fields: `1:02.5`. Pure. */
import { formatTime } from '#shared/format.ts'

import type { Times } from './free-time.ts'

/** To a tenth of a second: nobody hears a finer one. */
export function timeInWords(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  return `${formatTime(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** The seconds of `1:02.5`, `62.5` or `1:00:02`; null for anything else. */
export function secondsIn(text: string): number | null {
  const parts = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(text.trim())
  if (!parts) return null
  const [, hours = '0', minutes, rest = '0'] = parts
  const seconds = Number(rest.replace(',', '.'))
  if (minutes !== undefined && seconds >= 60) return null
  return Number(hours) * 3600 + Number(minutes ?? 0) * 60 + seconds
}

/** Why a turn cannot have these times; null where it can. */
export function reasonAgainst({ start, end }: Times, free: Times): string | null {
  if (start < free.start) return `It cannot begin before ${timeInWords(free.start)}.`
  if (end > free.end) return `It cannot end after ${timeInWords(free.end)}.`
  return end - start < 0.1 ? 'It must end after it begins.' : null
}

/** A time that is moved, kept to what is free. */
export const within = (seconds: number, free: Times): number =>
  Math.min(free.end, Math.max(free.start, seconds))

/** Takes a time that was rounded to a tenth for the end of the free time, if that is near. */
export function meant(seconds: number, free: Times): number {
  const kept = within(seconds, free)
  return Math.abs(kept - seconds) <= 0.0501 ? kept : seconds
}
