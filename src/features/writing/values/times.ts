/** Makes times of day of the numbers in them: "half past five", "17 Uhr 30". */
import type { How, NumberWords } from './number-words.ts'
import { type Atom, isHour, isMinute, minutesOf, plainAtom } from './value.ts'

export interface Line {
  atoms: readonly (Atom | null)[]
  /** The place of each atom in the line. */
  places: readonly number[]
  /** The text, folded, with "#" for each number. */
  line: string
}

/** Puts the numbers of each time of day together. */
export function timed(
  { atoms, places, line }: Line & { atoms: readonly Atom[] },
  words: NumberWords,
): Line {
  const made: (Atom | null)[] = [...atoms]
  const at = new Map(places.map((place, index) => [place, index]))
  for (const { pattern, how } of words.times)
    for (const { 0: found, index } of line.matchAll(pattern)) {
      const those = Array.from(found.matchAll(/#/g), (mark) => at.get(index + mark.index) ?? -1)
      const time = timeOf(
        those.map((one) => made[one] ?? null),
        how,
      )
      if (!time) continue
      const [first = 0, ...others] = those
      made[first] = time
      for (const other of others) made[other] = null
    }
  return { atoms: made, places, line }
}

function timeOf(those: readonly (Atom | null)[], how: How): Atom | null {
  const [first, second] = those
  if (!first) return null
  if (how === 'am' || how === 'pm') return inHalf(first, how)
  if (first.kind !== 'number') return null
  const [value = -1] = first.readings
  const { literal } = first
  const [, hours, minutes] = /^(\d{1,2})\.(\d\d)$/.exec(literal ?? '') ?? []
  if (how === 'hour' && hours && minutes && isHour(Number(hours)) && isMinute(Number(minutes)))
    return timeAtom(first, minutesOf(Number(hours), Number(minutes)))
  const [other = -1] = second?.readings ?? []
  const [hour, minute] = how === 'to' || how === 'past' ? [other, value] : [value, other]
  if (!isHour(hour) || (those.length > 1 && !second)) return null
  switch (how) {
    case 'q-':
    case 'q+':
    case 'h-':
    case 'h+': {
      if (hour > 24 || hour === 0) return null
      const by = { 'q-': -15, 'q+': 15, 'h-': -30, 'h+': 30 }[how]
      // In some languages these words can also be a duration: "cinco y media" may be 5.5 hours.
      return { ...timeAtom(first, shifted(hour, by)), readings: [hour + by / 60] }
    }
    case 'past':
    case 'to': {
      if (!second || !isMinute(minute)) return null
      const both = shifted(hour, how === 'to' ? -minute : minute)
      return { ...timeAtom(first, both), parts: [first, second], to: second.to }
    }
    case 'hour':
    case 'span': {
      if (!second) {
        const whole = timeAtom(first, minutesOf(hour, 0))
        return how === 'hour'
          ? { ...whole, readings: [hour] }
          : { ...first, minutes: whole.minutes }
      }
      if (!isMinute(minute)) return null
      const own = { ...first, minutes: minutesOf(hour, 0) }
      return { ...timeAtom(first, minutesOf(hour, minute)), parts: [own, second], to: second.to }
    }
  }
}

const timeAtom = (first: Atom, minutes: readonly number[]): Atom => ({
  ...plainAtom,
  kind: 'time',
  minutes,
  weight: first.weight === 'figure' ? 'figure' : 'small',
  from: first.from,
  to: first.to,
})

const shifted = (hour: number, by: number): number[] =>
  minutesOf(hour, 0).map((minutes) => (minutes + by + 1440) % 1440)

/** The time in that half of the day. */
function inHalf(first: Atom, half: 'am' | 'pm'): Atom | null {
  const [hour = -1] = first.readings
  const plain = first.minutes.length > 0 ? first.minutes : isHour(hour) ? minutesOf(hour, 0) : []
  if (plain.length === 0) return null
  const isHalf = (minutes: number) => (half === 'am' ? minutes < 720 : minutes >= 720)
  const both = plain.length === 1 && hour <= 12 ? [...plain, (plain[0] ?? 0) + 720] : plain
  const chosen = both.filter(isHalf)
  const whole = timeAtom(first, chosen.length > 0 ? chosen : plain)
  return { ...whole, parts: first.parts, to: first.to }
}
