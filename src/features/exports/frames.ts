/**
 * Times as editing programs count them: in frames, and as timecode of hours, minutes, seconds and
 * frames. At 29.97 and 59.94 frames a second the clock of plain timecode runs slow, by 3.6 seconds
 * an hour. Drop-frame timecode leaves out the first numbers of each minute but every tenth (SMPTE
 * ST 12-1): no frame is dropped, and an hour of it is one of the day, to two frames.
 */
import type { FrameRate } from '#shared/frame-rates.ts'
import { Refusal } from '#shared/refusals.ts'

import type { ExportOptions } from './contract.ts'

export interface Rate {
  /** Frames in `seconds` of time: 30,000 in 1,001 s. */
  frames: number
  seconds: number
  /** Frames that timecode counts as one second. */
  base: number
  /** Numbers that are left out at the beginning of most minutes. */
  dropped: number
}

const ntsc = (base: number, dropped = 0): Rate => ({
  frames: base * 1000,
  seconds: 1001,
  base,
  dropped,
})
const whole = (base: number): Rate => ({ frames: base, seconds: 1, base, dropped: 0 })

export const rates: Record<FrameRate, Rate> = {
  '23.976': ntsc(24),
  '24': whole(24),
  '25': whole(25),
  '29.97': ntsc(30),
  '29.97df': ntsc(30, 2),
  '30': whole(30),
  '50': whole(50),
  '59.94': ntsc(60),
  '59.94df': ntsc(60, 4),
  '60': whole(60),
}

/** The frame that is nearest to a time, from 0. */
export const frameAt = (ms: number, { frames, seconds }: Rate): number =>
  Math.round((ms * frames) / (seconds * 1000))

/** The timecode of a frame; after a day it begins again. */
export function timecodeOf(frame: number, rate: Rate): string {
  const { base, dropped } = rate
  const number = numberOf(frame % framesOf(24 * 60, rate), rate)
  const parts = [
    number / (base * 3600),
    (number / (base * 60)) % 60,
    (number / base) % 60,
    number % base,
  ].map((part) => String(Math.floor(part)).padStart(2, '0'))
  return `${parts.slice(0, 3).join(':')}${dropped > 0 ? ';' : ':'}${parts[3]}`
}

/** How many frames a number of whole minutes of timecode has. */
export const framesOf = (minutes: number, { base, dropped }: Rate): number =>
  minutes * base * 60 - dropped * (minutes - Math.floor(minutes / 10))

/** The number that stands for a frame once those that are left out are counted too. */
function numberOf(frame: number, rate: Rate): number {
  const { dropped } = rate
  const tens = Math.floor(frame / framesOf(10, rate))
  const rest = frame % framesOf(10, rate)
  // The first of ten minutes is whole.
  const firstMinute = framesOf(1, rate) + dropped
  const minutes = rest < firstMinute ? 0 : 1 + Math.floor((rest - firstMinute) / framesOf(1, rate))
  return frame + dropped * (9 * tens + minutes)
}

/** The frame that a timecode names from 00:00:00:00 on; null where there is none of that name. */
export function frameOf(timecode: string, rate: Rate): number | null {
  const parts = /^(\d\d):([0-5]\d):([0-5]\d)[:;.](\d\d)$/.exec(timecode.trim())
  if (!parts) return null
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = parts.slice(1).map(Number)
  const isLeftOut = seconds === 0 && minutes % 10 !== 0 && frames < rate.dropped
  if (hours > 23 || frames >= rate.base || isLeftOut) return null
  return framesOf(hours * 60 + minutes, rate) + seconds * rate.base + frames
}

export const USUAL_RATE: FrameRate = '25'

/** The timecode at which the film begins; null where it was not said. @throws Refusal `no_such_timecode` */
export function filmStartOf({
  filmStart = '',
  frameRate = USUAL_RATE,
}: Pick<ExportOptions, 'filmStart' | 'frameRate'>): string | null {
  const timecode = filmStart.trim()
  if (timecode === '') return null
  if (frameOf(timecode, rates[frameRate]) === null) throw new Refusal('no_such_timecode')
  return timecode
}

/**
 * The time that a timecode reads, as captions write it: an hour is an hour, also where the clock of
 * timecode runs slow.
 */
export function readMs(timecode: string, { base }: Rate): number {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = timecode.split(/[:;.]/).map(Number)
  return (hours * 3600 + minutes * 60 + seconds) * 1000 + Math.round((frames * 1000) / base)
}
