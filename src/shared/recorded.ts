/**
 * When a recording was made, as its owner's clock had it: a day, `2026-09-01`, or a moment with its
 * distance from UTC, `2026-09-01T10:02:00-07:00`. Its first ten letters are its day. What the day is
 * elsewhere does not matter: "by Friday" counts from the day that the speakers had.
 */
const DAY = String.raw`\d{4}-\d\d-\d\d`
const told = new RegExp(
  `^(${DAY})(?:T(\\d\\d:\\d\\d)(:\\d\\d)?(?:\\.\\d+)?(Z|[+-](?:0\\d|1[0-4]):?[0-5]\\d)?)?$`,
)
/** Nobody recorded a sound before. A year of three digits would have no place in the ten letters. */
const FIRST_YEAR = 1850

/** The day of one, as YYYY-MM-DD; undefined where it is not known. */
export const recordedDay = (recordedAt: string | null): string | undefined =>
  recordedAt?.slice(0, 10)

/** Whether a text says a day, or a moment: with `Z`, with another distance from UTC, or without. */
export function isRecordedAt(text: string): boolean {
  const [, day, minute = '00:00', second = ':00'] = told.exec(text) ?? []
  if (day === undefined) return false
  const at = new Date(`${day}T${minute}${second}Z`)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < FIRST_YEAR) return false
  return at.toISOString().startsWith(day)
}

/** Whether a name is one of the IANA's: `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // "+02:00" is refused: it does not tell when the clocks change.
  if (!/^[A-Z]/i.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/**
 * The time that was told, on its owner's clock. A moment in UTC is moved to the time zone. One with
 * another distance from UTC stays as it is, because it is the time of a place. Of one without any, only
 * the day is kept.
 */
export function onClockOf(timeZone: string, text: string): string | null {
  if (!isRecordedAt(text)) return null
  const [, day = '', minute, second = ':00', offset] = told.exec(text) ?? []
  if (minute === undefined || offset === undefined) return day
  if (offset !== 'Z' && !/^[+-]00:?00$/.test(offset))
    return `${day}T${minute}${second}${offset.slice(0, 3)}:${offset.slice(-2)}`
  return momentIn(timeZone, new Date(`${day}T${minute}${second}Z`))
}

function momentIn(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute, second, timeZoneName = '' } = parts
  const offset = /[+-]\d\d:\d\d/.exec(timeZoneName)?.[0] ?? '+00:00'
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`
}

const HOUR_MS = 3_600_000
/** In the first time zone to have a new day: that of Kiritimati. */
const MOST_AHEAD_OF_UTC = 14 * HOUR_MS

/** Whether it lies in the future, wherever its clock was. A clock may be an hour fast. */
export function isAfter(recordedAt: string, now: Date): boolean {
  const isDay = recordedAt.length === 10
  return Date.parse(recordedAt) > now.getTime() + HOUR_MS + (isDay ? MOST_AHEAD_OF_UTC : 0)
}
