/**
 * A recording in whose sound some stretches are a tone or silence, in the kind of file that it came in. A
 * picture is copied frame by frame, so everything stands where it stood.
 *
 * Promise: of these stretches nothing is left, in no track; and no words come along beside the sound: no
 * tags, titles, chapters, captions, data and covers, and no captions inside a picture.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { MOST_SIDES } from '#shared/business.ts'

import { clockIn } from './clock.ts'
import { containerOf, type Container } from './container.ts'
import { type Stretch, cutter } from './cut-samples.ts'
import { type CutFormat, formOf, kbpsFor, writeSound } from './cut.ts'
import { needProgram } from './sandbox/programs.ts'
import { run } from './sandbox/sandbox.ts'
import { type Described, describe, filmDecoders } from './streams.ts'

interface TonedOptions {
  /** In order and apart, up to 5,000. */
  stretches: readonly Stretch[]
  muteWith: 'tone' | 'silence'
  /** Of the whole recording, as it was measured. */
  durationMs: number
  signal: AbortSignal
  /** Called with a share of 0 to 1, a few times a second. */
  onProgress?: (share: number) => void
}

export const MOST_STRETCHES = 5_000
/** Its people, and all of them together. */
const MOST_TRACKS = MOST_SIDES + 1
const MEMORY_BYTES = 384 * 1024 * 1024
const CPU_SECONDS = 120
/** Processor time to copy a gigabyte, with much to spare. */
const CPU_SECONDS_PER_GB = 60
const SPARE_BYTES = 256 * 1024 * 1024
const NICENESS = 10

/**
 * Writes it to `out`, whose folder is nobody else's: whole or not at all. Answers whether it could be
 * written.
 */
export async function writeToned(
  path: string,
  out: string,
  { stretches, muteWith, durationMs, signal, onProgress = () => undefined }: TonedOptions,
): Promise<boolean> {
  assert(stretches.length <= MOST_STRETCHES, 'there are too many stretches')
  const file = resolve(path)
  const recognised = await containerOf(file)
  if (recognised.kind === 'refused') return false
  const { container } = recognised
  const tracks: Described[] = []
  for (let track = 0; track < MOST_TRACKS; track += 1) {
    const streams = await describe(file, container, { track, signal })
    if (!streams) break
    tracks.push(streams)
  }
  const [first] = tracks
  if (!first) return false
  const film = first.isVideo === true ? { codec: first.videoCodec ?? '' } : null
  const kind = kindOf(container, { codec: first.audio.codec, film })
  const folder = await mkdtemp(join(dirname(resolve(out)), 'toned-'))
  try {
    const sounds: string[] = []
    for (const [track, streams] of tracks.entries()) {
      const form = formOf(streams.audio)
      const plan = { ...form, durationMs, cuts: [], muted: stretches, muteWith }
      const sound = join(folder, `sound-${track}`)
      const length = await writeSound(file, sound, {
        container,
        form,
        cutting: cutter(plan),
        track,
        sourceMs: durationMs,
        format: kind.sound,
        kbps: kbpsFor(kind.sound, streams),
        labelling: [],
        signal,
        onProgress: (share) => onProgress((track + share) / tracks.length),
      })
      if (length === null) return false
      sounds.push(sound)
    }
    const [alone = ''] = sounds
    if (!film && sounds.length === 1 && kind.muxer === null) {
      await rename(alone, out)
      return true
    }
    const whole = join(folder, 'result')
    const muxer = kind.muxer ?? 'mp4'
    const parts = { container, film, sounds, sound: kind.sound, muxer, signal }
    if (!(await together(file, whole, parts))) return false
    await rename(whole, out)
    return true
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Kind {
  sound: CutFormat
  /** Null where a file of sound alone is the file. */
  muxer: 'mp4' | 'webm' | 'matroska' | null
}

const inWebm = /^(vp8|vp9|av1)$/

/** The kind of file that came, as far as it can be written; Matroska holds every other picture. */
function kindOf(
  container: Container,
  { codec, film }: { codec: string; film: { codec: string } | null },
): Kind {
  if (film) {
    if (container === 'mov') return { sound: 'm4a', muxer: 'mp4' }
    if (container === 'matroska' && inWebm.test(film.codec)) return { sound: 'opus', muxer: 'webm' }
    return { sound: 'm4a', muxer: 'matroska' }
  }
  switch (container) {
    case 'mp3':
    case 'wav':
    case 'flac':
      return { sound: container, muxer: null }
    case 'ogg':
      return { sound: codec === 'vorbis' ? 'ogg' : 'opus', muxer: null }
    case 'matroska':
      return { sound: 'opus', muxer: 'webm' }
    case 'aac':
    case 'mov':
    case 'avi':
    case 'mpeg':
    case 'mpegts':
      return { sound: 'm4a', muxer: null }
  }
}

/** Television writes captions between the pictures: into these units of each codec, by their numbers. */
const captionUnits: Partial<Record<string, string>> = {
  h264: '6',
  hevc: '39|40',
  mpeg2video: '178',
  mpeg1video: '178',
}

/** The picture as it is, with these sounds in the place of its own. Answers whether it could be done. */
async function together(
  path: string,
  out: string,
  {
    container,
    film,
    sounds,
    sound,
    muxer,
    signal,
  }: {
    container: Container
    film: { codec: string } | null
    sounds: readonly string[]
    sound: CutFormat
    muxer: NonNullable<Kind['muxer']>
    signal: AbortSignal
  },
): Promise<boolean> {
  const before = film ? 1 : 0
  const sizes = await Promise.all([path, ...sounds].map(async (each) => (await stat(each)).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const demuxer = sound === 'opus' ? 'ogg' : 'mov'
  const units = film && captionUnits[film.codec]
  const { code } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-nostats', '-v', 'error'],
      film
        ? [
            ['-protocol_whitelist', 'file', '-format_whitelist', container, '-f', container],
            [...filmDecoders, '-max_streams', '32', '-an', '-sn', '-dn', ...clockIn(container)],
            ['-i', `file:${path}`],
          ].flat()
        : [],
      sounds.flatMap((each) => [
        '-protocol_whitelist',
        'file',
        '-f',
        demuxer,
        '-i',
        `file:${each}`,
      ]),
      film ? ['-map', '0:V:0'] : [],
      sounds.flatMap((_, at) => ['-map', `${at + before}:a:0`]),
      ['-c', 'copy', ...(units ? ['-bsf:v', `filter_units=remove_types=${units}`] : [])],
      ['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1'],
      ['-f', muxer, ...(muxer === 'mp4' ? ['-movflags', '+faststart'] : [])],
      ['-y', `file:${out}`],
    ].flat(),
    {
      signal,
      memoryBytes: MEMORY_BYTES,
      cpuSeconds: CPU_SECONDS + (CPU_SECONDS_PER_GB * bytes) / 1024 ** 3,
      niceness: NICENESS,
      reads: [...(film ? [path] : []), ...sounds],
      workDir: dirname(out),
      fileBytes: SPARE_BYTES + bytes,
    },
  )
  return code === 0
}
