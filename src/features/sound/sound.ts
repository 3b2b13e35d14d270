/**
 * Files in, samples out: the kind of a recording, its length, and its sound written to a new file. What
 * this room promises:
 *
 * - ffmpeg and every other program that reads a stranger's file runs in a sandbox: without network,
 *   without files, without environment.
 * - The duration is what could be decoded, never what a header claims.
 * - A sample stands where a player plays it, whatever the file's times and index are like.
 *
 * It knows no HTTP, no database and no user.
 *
 * Public: cut.ts, decode.ts, file-chapters.ts, film-start.ts, framing.ts, loudness.ts, sides.ts, stamp.ts, sandbox/programs.ts, sandbox/sandbox.ts, toned.ts
 */
import { rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { needProgram } from './sandbox/programs.ts'
import { run } from './sandbox/sandbox.ts'
import { clockIn, filling } from './clock.ts'
import { type Container, containerOf, isSteadyMp3 } from './container.ts'
import type { Measured } from './decode.ts'
import { type Labels, labelled, labelsIn, labelsOf } from './labels.ts'

const MEMORY_BYTES = 384 * 1024 * 1024
/** Processor time for copying: 100 MB take a second. */
const CPU_SECONDS = 60
/** Processor time for each second that is encoded: an hour takes 40 s. */
const CPU_SHARE = 0.05
const BITS_PER_MS = 96
/** The most that another container adds: eight bytes for each frame. */
const SPARE_BYTES = 64 * 1024 * 1024
/** Frames of which a part is thrown away make a file longer or shorter than it says. */
const UNSURE_MS = 250

/**
 * Into what it is put. MP3 and raw AAC have no index, or one of a hundred places, by which players
 * are seconds off in a long recording. In an MP4 each frame has its place.
 */
const formats: Partial<Record<Container, string>> = {
  mov: 'mp4',
  mp3: 'mp4',
  aac: 'mp4',
  matroska: 'webm',
  wav: 'wav',
  flac: 'flac',
  ogg: 'ogg',
}
const inWebm = /^(opus|vorbis)$/

/**
 * Writes the first sound of a recording to `out`, whose folder is nobody else's, without decoding any
 * of it. Answers its type; null where it cannot be taken out.
 */
export async function takeSound(
  path: string,
  out: string,
  { signal }: { signal: AbortSignal },
): Promise<string | null> {
  const recognised = await containerOf(path)
  if (recognised.kind === 'refused') return null
  const { container } = recognised
  if (container !== 'mov' && container !== 'matroska') return null
  if (!(await put(path, out, { container, signal }))) return null
  return container === 'mov' ? 'audio/mp4' : 'audio/webm'
}

/** Whether a player would play something else than was decoded, or at other times. */
export async function playsOtherwise(
  path: string,
  { container, durationMs, hasGaps, isVideo, toldMs }: Measured,
  track: number,
): Promise<boolean> {
  if (track !== 0 || hasGaps || container === 'aac') return true
  if (!isVideo && toldMs !== null && Math.abs(toldMs - durationMs) > UNSURE_MS) return true
  return container === 'mp3' && !(await isSteadyMp3(path))
}

/**
 * Writes a recording to `out`, whose folder is nobody else's, so that a player plays what was decoded
 * of this track, at those times. It is copied as it is; only sound with gaps is encoded anew, because
 * a browser plays what follows a gap at once. Answers whether it could be done.
 */
export async function playAlike(
  path: string,
  out: string,
  {
    measured,
    track,
    mixed,
    signal,
  }: {
    measured: Measured
    track: number
    /** Tracks that are all to be heard: they are mixed into a first one, and follow it as they are. */
    mixed?: readonly number[] | undefined
    signal: AbortSignal
  },
): Promise<boolean> {
  const { container, codec, durationMs, hasGaps, isVideo } = measured
  const fillsMs = hasGaps || mixed ? durationMs : 0
  // The codecs of screen recorders in Matroska files fit into an MP4 and not into WebM.
  const format = container === 'matroska' && !inWebm.test(codec) ? 'mp4' : formats[container]
  return put(path, out, { container, format, track, mixed, isVideo, fillsMs, signal })
}

async function put(
  path: string,
  out: string,
  {
    container,
    signal,
    format = formats[container],
    track = 0,
    mixed,
    isVideo = false,
    fillsMs = 0,
  }: {
    container: Container
    signal: AbortSignal
    format?: string | undefined
    track?: number
    mixed?: readonly number[] | undefined
    isVideo?: boolean
    /** How long the sound is that is encoded anew, with its gaps filled; 0 where it is copied. */
    fillsMs?: number
  },
): Promise<boolean> {
  const file = resolve(path)
  if (!format) return false
  const encoded = ['-c:a:0', 'libopus', '-b:a:0', `${BITS_PER_MS}k`]
  const sound = mixed
    ? mixOf(mixed)
    : ['-map', `0:a:${track}`, ...(fillsMs > 0 ? ['-af', filling(48_000)] : [])]
  const { code } = await run(
    await needProgram('ffmpeg'),
    [
      ['-nostdin', '-hide_banner', '-nostats', '-v', 'error'],
      ['-protocol_whitelist', 'file', '-format_whitelist', container, '-f', container],
      ['-max_streams', '32', ...(isVideo ? [] : ['-vn']), '-sn', '-dn', ...clockIn(container)],
      ['-i', `file:${file}`, ...sound, ...(isVideo ? ['-map', '0:V:0'] : ['-vn'])],
      ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-c', 'copy'],
      fillsMs > 0 ? encoded : [],
      format === 'mp4' ? ['-movflags', '+faststart', '-strict', '-2'] : [],
      ['-f', format, '-y', `file:${resolve(out)}`],
    ].flat(),
    {
      signal,
      memoryBytes: MEMORY_BYTES,
      cpuSeconds: CPU_SECONDS + (CPU_SHARE * fillsMs) / 1000,
      reads: [file],
      workDir: dirname(resolve(out)),
      fileBytes: (await stat(file)).size + SPARE_BYTES + (fillsMs * BITS_PER_MS) / 8,
      niceness: 5,
    },
  )
  if (code === 0) return true
  await rm(out, { force: true })
  return false
}

/** Several tracks as one, and then each of them. */
function mixOf(tracks: readonly number[]): string[] {
  const each = tracks.map((track) => `[0:a:${track}]${filling(48_000)}[t${track}]`)
  const all = tracks.map((track) => `[t${track}]`).join('')
  const filter = [...each, `${all}amix=inputs=${tracks.length}:normalize=0[all]`].join(';')
  const copies = tracks.flatMap((track) => ['-map', `0:a:${track}`])
  return ['-filter_complex', filter, '-map', '[all]', ...copies]
}

/** Sound with chapters: its frames. */
const encoders = { m4a: 'aac', mp3: 'libmp3lame' } as const
export type LabelledFormat = keyof typeof encoders

const LABELLED_BITS_PER_MS = 128

/**
 * Writes the first sound of a recording to `out`, whose folder is nobody else's, with chapters that
 * players show. It is copied where it can be, and encoded otherwise. Answers whether it could be done.
 */
export async function withChapters(
  path: string,
  out: string,
  { format, labels, signal }: { format: LabelledFormat; labels: Labels; signal: AbortSignal },
): Promise<boolean> {
  const recognised = await containerOf(path)
  if (recognised.kind === 'refused') return false
  const { container } = recognised
  const file = resolve(path)
  const facts = join(dirname(resolve(out)), 'chapters.ffmetadata')
  const labelling = await labelsIn(facts, labels)
  const bits = ['-b:a', `${LABELLED_BITS_PER_MS}k`]
  const encoded = ['-c:a', encoders[format], ...bits, '-af', filling(48_000)]
  // Frames of another kind are refused before the first is written.
  for (const sound of [['-c:a', 'copy'], encoded]) {
    const isCopy = sound !== encoded
    const { code } = await run(
      await needProgram('ffmpeg'),
      [
        ['-nostdin', '-hide_banner', '-nostats', '-v', 'error'],
        ['-protocol_whitelist', 'file', '-format_whitelist', container, '-f', container],
        ['-max_streams', '32', '-vn', '-sn', '-dn', ...clockIn(container), '-i', `file:${file}`],
        [...labelling, '-map', '0:a:0', ...labelsOf(1), '-vn', '-sn', '-dn'],
        [...sound, ...labelled[format], '-y', `file:${resolve(out)}`],
      ].flat(),
      {
        signal,
        memoryBytes: MEMORY_BYTES,
        cpuSeconds: CPU_SECONDS + (isCopy ? 0 : (CPU_SHARE * labels.durationMs) / 1000),
        reads: [file, facts],
        workDir: dirname(resolve(out)),
        fileBytes: isCopy
          ? (await stat(file)).size + SPARE_BYTES
          : SPARE_BYTES + (labels.durationMs * LABELLED_BITS_PER_MS) / 8,
        niceness: 5,
      },
    )
    if (code === 0) return true
  }
  await rm(out, { force: true })
  return false
}
