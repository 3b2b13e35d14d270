/**
 * Measures a stored recording by decoding it, and sees to it that a player plays what was decoded, at
 * those times: a file by which players are led astray is put into another container first. That is a
 * file of its own, which takes the place of what was uploaded when a row names it: of two processes
 * that measure one upload, none changes what the other has measured. So there is one file and one
 * clock for words, waveform, film and captions.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { KeptChapters } from '#features/row/kept.ts'
import { measure as decode } from '#features/sound/decode.ts'
import { chaptersIn } from '#features/sound/file-chapters.ts'
import { type FilmStart, filmStartIn } from '#features/sound/film-start.ts'
import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { type Sides, sidesMeter } from '#features/sound/sides.ts'
import { playAlike, playsOtherwise } from '#features/sound/sound.ts'
import { stampIn } from '#features/sound/stamp.ts'
import type { Storage } from '#server/storage.ts'
import { MAX_DURATION_HOURS, MOST_SIDES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { mediaTypeOf, pictureOf } from './media.ts'
import { peakMeter } from './peaks.ts'

export interface Measured {
  /** Of what was measured: another than that of the upload where it was put anew. */
  key: string
  durationMs: number
  mediaType: string | null
  picture: 'shown' | 'cannot' | null
  peaks: number[]
  /** Its channels or tracks, and whether each is a person; without any where it has one of each. */
  sides: Sides
  sizeBytes: number
  /** SHA-256 of the file that came, in hex. */
  contentHash: string
  /** When the file that came says it was recorded: see sound/stamp.ts. */
  stamp: string | null
  /** The chapters that it brings along. */
  chapters: KeptChapters | null
  /** The time code at which it says that its film begins. */
  filmStart: FilmStart | null
}

const NICENESS = 5
/** How many tracks are listened to where the first is silent. */
const MOST_TRACKS = 4

/** Nobody has the file of another key yet. @throws Refusal as a whole upload is refused */
export async function measure(
  storage: Storage,
  key: string,
  signal: AbortSignal,
): Promise<Measured> {
  const file = await storage.open(key)
  try {
    // While the decoder, which is another process, works.
    const contentHash = hashOf(file.path, signal)
    contentHash.catch(() => undefined)
    const { first, heard } = await heardTrack(file.path, signal)
    const further = await furtherSides(file.path, { heard, signal })
    const anew = await putAnew(heard, further)
    // The job hears the first track that it can decode, whichever was heard here.
    const { measured, peaks, sides } = anew ?? {
      ...first,
      sides: peopleAmong(further, first.sides),
    }
    const list = chaptersIn(first.measured.chapters, measured)
    return {
      key: anew?.key ?? key,
      sizeBytes: anew?.sizeBytes ?? (await sizeOf(file.path)),
      durationMs: measured.durationMs,
      mediaType: mediaTypeOf(measured),
      picture: pictureOf(measured),
      peaks,
      sides,
      contentHash: await contentHash,
      stamp: stampIn(first.measured.tags),
      chapters: list && { by: 'own', list },
      filmStart: filmStartIn({
        ...first.measured,
        sampleRateHz: first.measured.sourceSampleRateHz,
      }),
    }
  } finally {
    await file.release()
  }

  /** Null where a player plays the file as it is, or nothing better could be made of it. */
  async function putAnew({ measured }: Heard, further: Further | null) {
    const { track } = measured
    const people = further?.isApart && further.isOfTracks ? further : null
    if (!people && track === 0 && mediaTypeOf(measured) === null) return null
    if (!people && !(await playsOtherwise(file.path, measured, track))) return null
    const folder = await storage.workFolder()
    try {
      const out = join(folder, 'playable')
      // A player plays one track, so that of people is all of them together.
      const mixed = people?.each.flatMap((side) => side.track ?? [])
      const { durationMs } = people ?? measured
      const how = { measured: { ...measured, durationMs }, track, mixed, signal }
      if (!(await playAlike(file.path, out, how))) return null
      const heard = await hear(out, { signal })
      if (heard.kind === 'refused' || !isAlike(heard.measured, how.measured)) return null
      const sides = people
        ? { isApart: true, each: people.each.map((side, at) => ({ ...side, track: at + 1 })) }
        : further?.isOfTracks === false
          ? peopleAmong(further, heard.sides)
          : heard.sides
      const anew = { ...heard, sides, key: randomUUID(), sizeBytes: await sizeOf(out) }
      await storage.keep(anew.key, out, { signal })
      return anew
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/**
 * What a player is told of a recording that was written anew, with the same tracks and of the same
 * length; null where it cannot be decoded.
 */
export async function measureAnew(
  path: string,
  signal: AbortSignal,
): Promise<Pick<Measured, 'mediaType' | 'picture' | 'peaks' | 'sizeBytes' | 'durationMs'> | null> {
  const heard = await hear(path, { signal })
  if (heard.kind === 'refused') return null
  const { measured, peaks } = heard
  return {
    mediaType: mediaTypeOf(measured),
    picture: pictureOf(measured),
    peaks,
    sizeBytes: await sizeOf(path),
    durationMs: measured.durationMs,
  }
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of createReadStream(path, { signal })) hash.update(block as Buffer)
  return hash.digest('hex')
}

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/** Another container may keep the run-up of an encoder that this one cuts off. */
const isAlike = (one: Heard['measured'], other: Heard['measured']): boolean =>
  mediaTypeOf(one) !== null && !one.hasGaps && Math.abs(one.durationMs - other.durationMs) < 250

/**
 * The track that a player plays: the first, or in an MP4 the one that it names. Where that is silent
 * throughout or cannot be decoded, the first one that can and is not: screen recorders put programs on
 * one and the microphone on another, and cameras write tracks that only their own programs read.
 */
async function heardTrack(
  path: string,
  signal: AbortSignal,
): Promise<{ first: Heard; heard: Heard }> {
  const first = await hear(path, { signal })
  if (first.kind === 'refused') throw new Refusal(first.reason)
  const { container, tracks } = first.measured
  if (tracks.length === 1 || container === 'mpeg' || container === 'mpegts')
    return { first, heard: first }
  const byDefault = tracks.findIndex(({ isDefault }) => isDefault)
  const named = container === 'mov' ? Math.max(0, byDefault) : 0
  for (const track of new Set([named, ...tracks.slice(0, MOST_TRACKS).keys()])) {
    const heard = track === first.measured.track ? first : await hear(path, { signal, track })
    if (heard.kind === 'heard' && heard.peaks.some((height) => height > 0)) return { first, heard }
  }
  return { first, heard: first }
}

interface Further extends Sides {
  isOfTracks: boolean
  /** Of the longest. */
  durationMs: number
}

/**
 * The sides that two channels do not show: several tracks of a film, and the channels of a recorder with
 * more than two. Films in surround sound have those too, and recorders write samples without loss.
 */
async function furtherSides(
  path: string,
  { heard: { measured }, signal }: { heard: Heard; signal: AbortSignal },
): Promise<Further | null> {
  const { container, tracks, channelCount, codec, isVideo, track } = measured
  const isOfTracks = tracks.length > 1
  const hasTracks = isOfTracks && (container === 'mov' || container === 'matroska')
  const hasChannels = !isOfTracks && !isVideo && channelCount > 2 && /^(pcm|flac)/.test(codec)
  const count = isOfTracks ? tracks.length : channelCount
  if (count > MOST_SIDES || !(hasTracks || hasChannels)) return null
  const named = hasTracks
    ? tracks.map(({ title }, at) => ({ track: at, ...(title === null ? {} : { title }) }))
    : Array.from({ length: count }, (_, channel) => ({ channel }))
  const { listen, finish } = sidesMeter(named)
  const maxDurationMs = MAX_DURATION_HOURS * 3_600_000
  const options = { signal, maxDurationMs, track, sides: named, niceness: NICENESS }
  const all = await decode(path, { ...options, onPcm: listen })
  return all.kind === 'audio' ? { ...finish(), isOfTracks, durationMs: all.durationMs } : null
}

/** Those that plainly differ, or else those that somebody may know to. */
function peopleAmong(further: Further | null, pairs: Sides): Sides {
  const isFurther = further !== null && further.each.length > 1
  if (!isFurther || (pairs.isApart && !further.isApart)) return pairs
  return { each: further.each, isApart: further.isApart }
}

type Decoded = Awaited<ReturnType<typeof decode>>
interface Heard {
  kind: 'heard'
  measured: Extract<Decoded, { kind: 'audio' }>
  peaks: number[]
  sides: Sides
}

async function hear(
  path: string,
  options: { signal: AbortSignal; track?: number },
): Promise<Heard | Extract<Decoded, { kind: 'refused' }>> {
  const meter = peakMeter()
  const pairs = sidesMeter()
  const measured = await decode(path, {
    ...options,
    maxDurationMs: MAX_DURATION_HOURS * 3_600_000,
    onPcm: meter.listen,
    onPairs: pairs.listen,
    niceness: NICENESS,
  }).catch((error: unknown) => {
    if (error instanceof MissingProgram) throw new Refusal('not_set_up', { cause: error })
    throw error
  })
  if (measured.kind === 'refused') return measured
  return { kind: 'heard', measured, peaks: meter.finish(), sides: pairs.finish() }
}
