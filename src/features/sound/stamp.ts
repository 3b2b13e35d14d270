/**
 * When a file says that it was recorded. Some say 1904 or 1970, because the clock of the recorder was
 * never set. So a year before `FIRST_YEAR` is not believed.
 */
import { isRecordedAt } from '#shared/recorded.ts'

/** ffmpeg's names of the fields of files, in small letters; the surest first. */
const fields = [
  // Apple's, with the distance of the clock from UTC.
  'com.apple.quicktime.creationdate',
  // WAV of the broadcasters (bext): the clock of the recorder.
  'origination_date',
  'date_recorded',
  // MP4, MOV, Matroska, AVI: in UTC.
  'creation_time',
  // ICRD of WAV, and the tags of Ogg, FLAC and MP3: a day, or only a year.
  'date',
] as const

const FIRST_YEAR = 1990

/**
 * A day, or a moment, as `onClockOf` takes it; null where the file says none that can be believed. One
 * that lies in the future is answered too: the caller knows what time it is.
 */
export function stampIn(tags: ReadonlyMap<string, string>): string | null {
  for (const field of fields) {
    const [day = '', time] = (tags.get(field) ?? '').trim().split(/[T ]/)
    // Some write 2026:09:01.
    const dashed = day.replace(/^(\d{4})[:/.](\d\d)[:/.](\d\d)$/, '$1-$2-$3')
    const text = time === undefined || field === 'date' ? dashed : `${dashed}T${time}`
    if (isRecordedAt(text) && Number(text.slice(0, 4)) >= FIRST_YEAR) return text
  }
  return null
}
