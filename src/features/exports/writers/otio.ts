/**
 * What is left of a recording as a timeline of OpenTimelineIO, in the schemas that its own programs write
 * (https://opentimelineio.readthedocs.io): a clip for each stretch that stays, of the recording by its name.
 * A film has a track for its picture and one for its sound.
 */
import { clipsOf } from '../clips.ts'
import { type Rate, frameAt, frameOf, rates } from '../frames.ts'
import { printable } from '../paper.ts'
import type { Write } from './writer.ts'

export const write = ((exported) => {
  const { title, filmStart, markers, recording, durationMs } = exported
  const rate = rates[markers.frameRate]
  const startsAt = frameOf(filmStart ?? '00:00:00:00', rate) ?? 0
  const name = printable(recording.name).trim()
  const media = {
    OTIO_SCHEMA: 'ExternalReference.1',
    name,
    target_url: encodeURIComponent(name),
    available_range: range(startsAt, frameAt(durationMs, rate), rate),
  }
  const clips = clipsOf(exported, rate).map(({ from, frames }) => ({
    OTIO_SCHEMA: 'Clip.2',
    name,
    source_range: range(startsAt + from, frames, rate),
    media_references: { DEFAULT_MEDIA: media },
    active_media_reference_key: 'DEFAULT_MEDIA',
  }))
  const tracks = (recording.isFilm ? ['Video', 'Audio'] : ['Audio']).map((kind) => ({
    OTIO_SCHEMA: 'Track.1',
    name: kind,
    kind,
    children: clips,
  }))
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    name: printable(title).trim(),
    global_start_time: filmStart === null ? null : time(startsAt, rate),
    tracks: { OTIO_SCHEMA: 'Stack.1', name: 'tracks', children: tracks },
  }
  return `${JSON.stringify(timeline, null, 2)}\n`
}) satisfies Write

const time = (frame: number, { frames, seconds }: Rate) => ({
  OTIO_SCHEMA: 'RationalTime.1',
  rate: frames / seconds,
  value: frame,
})

const range = (from: number, length: number, rate: Rate) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: time(from, rate),
  duration: time(length, rate),
})
