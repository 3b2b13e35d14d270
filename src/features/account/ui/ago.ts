import { formatDate } from '#shared/format.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long ago, as one says it; the server notes a use once an hour, so no finer than that. */
export function ago(value: string, now: Date = new Date()): string {
  const ms = now.getTime() - new Date(value).getTime()
  if (ms < HOUR_MS) return 'within the hour'
  const hours = Math.floor(ms / HOUR_MS)
  if (ms < DAY_MS) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  return ms < 2 * DAY_MS ? 'yesterday' : formatDate(value)
}
