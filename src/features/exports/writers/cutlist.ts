/**
 * What is left of a recording as an edit list of CMX 3600, which programs for film and sound read: an event
 * for each stretch that stays. Both clocks begin where the film is said to begin. Where that is not said,
 * the recording begins at 0 and what is made of it at one hour, as timelines do.
 */
import { clipsOf } from '../clips.ts'
import { frameOf, rates, timecodeOf } from '../frames.ts'
import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

/** Numbers of events have three digits. */
const MOST = 999
const tooMany = `* More than ${MOST} events: some programs read no more. OpenTimelineIO has no such end.`

export const write = ((exported) => {
  const { title, filmStart, markers, recording } = exported
  const rate = rates[markers.frameRate]
  const sourceAt = frameOf(filmStart ?? '00:00:00:00', rate) ?? 0
  const recordAt = frameOf(filmStart ?? '01:00:00:00', rate) ?? 0
  const channels = recording.isFilm ? 'AA/V' : 'AA  '
  const clips = clipsOf(exported, rate)
  const events = clips.flatMap(({ from, at, frames }, index) => {
    const times = [sourceAt + from, sourceAt + from + frames, recordAt + at, recordAt + at + frames]
    const number = String(index + 1).padStart(3, '0')
    return [
      `${number}  AX       ${channels}  C        ${times.map((frame) => timecodeOf(frame, rate)).join(' ')}`,
      `* FROM CLIP NAME: ${plain(recording.name)}`,
      '',
    ]
  })
  const mode = rate.dropped > 0 ? 'DROP FRAME' : 'NON-DROP FRAME'
  const head = [`TITLE: ${plain(title)}`, `FCM: ${mode}`, ...(clips.length > MOST ? [tooMany] : [])]
  return [...head, '', ...events, ''].join('\r\n')
}) satisfies Write

const plain = (text: string): string => printable(text).trim()
