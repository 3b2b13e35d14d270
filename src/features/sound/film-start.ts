/**
 * The time code at which a file says that its film begins. Cameras and editing programs write one beside
 * the picture; recorders of sound write into a WAV (bext) how long after midnight it began.
 */

import type { FrameRate } from '#shared/frame-rates.ts'

/** As frames are counted: `10:00:00:00`, with `;` before frames of drop-frame time code. */
export interface FilmStart {
  timecode: string
  /** Frames a second; null where the file has no picture, and so no frames. */
  frameRate: FrameRate | null
}

/** What editing programs call ffmpeg's frames a second. */
const rates: Partial<Record<string, FrameRate>> = {
  '23.98': '23.976',
  '24': '24',
  '25': '25',
  '29.97': '29.97',
  '30': '30',
  '50': '50',
  '59.94': '59.94',
  '60': '60',
}
const withDropped: Partial<Record<FrameRate, FrameRate>> = {
  '29.97': '29.97df',
  '59.94': '59.94df',
}

const DAY_S = 24 * 60 * 60
/** A sound has no frames. So many a second suit most films, and the first 24 are there in each. */
const SOUND_RATE = 25
const LAST_FRAME = 23

/** Null where the file says none, or midnight, which is what is written where nobody set one. */
export function filmStartIn({
  tags,
  framesPerSecond,
  sampleRateHz,
}: {
  tags: ReadonlyMap<string, string>
  framesPerSecond: string | null
  sampleRateHz: number | null
}): FilmStart | null {
  const found =
    framesPerSecond === null ? ofSound(tags, sampleRateHz) : ofFilm(tags, framesPerSecond)
  return found && /[1-9]/.test(found.timecode) ? found : null
}

function ofFilm(tags: ReadonlyMap<string, string>, framesPerSecond: string): FilmStart | null {
  const [timecode, hours, mark, frames] =
    /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d([:;.])(\d\d)$/.exec(tags.get('timecode')?.trim() ?? '') ?? []
  const plain = rates[framesPerSecond]
  if (timecode === undefined || hours === undefined || plain === undefined) return null
  const frameRate = mark === ':' ? plain : (withDropped[plain] ?? plain)
  return Number(frames) < Math.round(Number(framesPerSecond)) ? { timecode, frameRate } : null
}

function ofSound(tags: ReadonlyMap<string, string>, sampleRateHz: number | null): FilmStart | null {
  const samples = Number(tags.get('time_reference') ?? 0)
  const seconds = samples / (sampleRateHz ?? 0)
  if (!(seconds > 0 && seconds < DAY_S)) return null
  const frames = Math.min(LAST_FRAME, Math.floor((seconds % 1) * SOUND_RATE))
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60, frames]
  const written = parts.map((part) => String(Math.floor(part)).padStart(2, '0'))
  return { timecode: written.join(':'), frameRate: null }
}
