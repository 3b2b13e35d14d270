/**
 * A recording without what is cut from it, written anew. Its sound goes from one ffmpeg through
 * cut-samples.ts into another one, so that nothing as large as its samples is ever on the disk. A picture
 * follows the edges that were chosen in the sound: see cut-film.ts.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { containerOf, type Container } from './container.ts'
import { filmOf, writeDrawn, writeFilm } from './cut-film.ts'
import { type Cutter, cutter, type Stretch } from './cut-samples.ts'
import { decoderArguments, type PcmForm } from './decode.ts'
import { type Framing, type Meter, meterOf, writeDrawing } from './framing.ts'
import { isLabelled, labelled, type Labels, labelsIn, labelsOf } from './labels.ts'
import { needProgram } from './sandbox/programs.ts'
import { run, start } from './sandbox/sandbox.ts'
import { type Described, describe } from './streams.ts'

export type CutFormat = 'mp3' | 'm4a' | 'mp4' | 'opus' | 'ogg' | 'flac' | 'wav'

const encoders: Readonly<Record<CutFormat, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame'],
  m4a: ['-c:a', 'aac'],
  mp4: ['-c:a', 'aac'],
  opus: ['-f', 'opus', '-c:a', 'libopus'],
  ogg: ['-f', 'ogg', '-c:a', 'libvorbis'],
  flac: ['-f', 'flac', '-c:a', 'flac'],
  wav: ['-f', 'wav', '-rf64', 'auto', '-c:a', 'pcm_s16le'],
}

/** What a codec takes of thousands of bits a second, for one channel and for two. */
interface Rates {
  codec: string
  /** For speech with some music. */
  usual: readonly [number, number]
  /** With less, this encoder is worse than the one that the file came from may have been. */
  least: readonly [number, number]
}
const aac: Rates = { codec: 'aac', usual: [128, 160], least: [48, 64] }
const rates: Partial<Readonly<Record<CutFormat, Rates>>> = {
  mp3: { codec: 'mp3', usual: [128, 160], least: [32, 48] },
  m4a: aac,
  mp4: aac,
  opus: { codec: 'opus', usual: [96, 128], least: [24, 32] },
  ogg: { codec: 'vorbis', usual: [71, 128], least: [40, 64] },
}
const MOST_KBPS = 320

/**
 * Thousands of bits a second for what is written; null where nothing is lost. A file of the codec that came
 * has about as many as that one, but no fewer than its encoder needs and no more than 320. Any other
 * file has what suits speech with some music.
 */
export function kbpsFor(
  format: CutFormat,
  { audio, isVideo, tracks, wholeKbps }: Described,
): number | null {
  const known = rates[format]
  if (!known) return null
  const { codec, usual, least } = known
  const at = audio.channelCount === 1 ? 0 : 1
  // Opus says it of the file alone.
  const ofFile = isVideo || tracks.length > 1 ? null : wholeKbps
  const came = audio.kbps ?? ofFile
  if (!came || codec !== audio.codec || audio.channelCount > 2) return usual[at]
  return Math.min(MOST_KBPS, Math.max(least[at], came))
}

/** Vorbis is asked for a quality: no number of bits suits it at each rate. Of 44.1 kHz it takes about so many. */
const vorbisQuality = (kbps: number, channelCount: number): string => {
  const ofTwo = channelCount === 1 ? kbps * 1.8 : kbps
  const quality = ofTwo < 128 ? (ofTwo - 64) / 16 : 4 + (ofTwo - 128) / 32
  return Math.min(9, Math.max(0, quality)).toFixed(1)
}

const bitsOf = (format: CutFormat, kbps: number | null, channelCount: number): string[] => {
  if (kbps === null) return []
  return format === 'ogg' ? ['-q:a', vorbisQuality(kbps, channelCount)] : ['-b:a', `${kbps}k`]
}

export interface CutOptions {
  /** In order and apart, up to 5,000. */
  cuts: readonly Stretch[]
  /** The same. They keep their length. */
  muted?: readonly Stretch[]
  muteWith?: 'tone' | 'silence'
  format: CutFormat
  /** Which track of sound, from 0. */
  track: number
  /** Of the whole recording, as it was measured. */
  durationMs: number
  /** Whether its picture comes along, which only an MP4 holds. */
  picture: boolean
  /** An MP4 of this shape, also of a recording without a picture, with what is drawn upon it. */
  framing?: Framing | undefined
  /** In the times of what is written. M4A, MP3 and MP4 hold them. */
  labels?: Labels | undefined
  signal: AbortSignal
  /** Called with a share of 0 to 1, a few times a second. */
  onProgress?: (share: number) => void
}

const MOST_CUTS = 5000
const MEMORY_BYTES = 384 * 1024 * 1024
const CPU_SECONDS = 60
/** Processor time for each second that is decoded or encoded: six times of what the costliest takes. */
const CPU_SHARE = 0.1
/** The most that a container adds. */
const SPARE_BYTES = 64 * 1024 * 1024
const NICENESS = 10
/** Rates that encoders know. */
const LOWEST_HZ = 8000
const HIGHEST_HZ = 48_000
const PROGRESS_MS = 400
/** The sound of a film takes so much of the time. */
const SOUND_SHARE = 0.1
/** So much is read beyond the last sound that stays, in which its edge is looked for. */
const BEYOND_MS = 1000

/**
 * Writes a recording without its cuts to `out`, whose folder is nobody else's. Answers how long it is;
 * null where nothing is left of it, or where ffmpeg cannot write it. `out` is written whole or not at all.
 */
export async function writeCut(
  path: string,
  out: string,
  options: CutOptions,
): Promise<{ durationMs: number } | null> {
  const { cuts, muted = [] } = options
  assert(cuts.length <= MOST_CUTS && muted.length <= MOST_CUTS, 'there are too many cuts')
  const folder = await mkdtemp(join(dirname(resolve(out)), 'cut-'))
  try {
    const written = await write(resolve(path), folder, options)
    if (!written) return null
    await rename(written.file, out)
    return { durationMs: written.durationMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function write(
  path: string,
  folder: string,
  { onProgress = () => undefined, picture, framing, labels, ...options }: CutOptions,
): Promise<{ file: string; durationMs: number } | null> {
  const { format, track, signal } = options
  const recognised = await containerOf(path)
  if (recognised.kind === 'refused') return null
  const { container } = recognised
  const streams = await describe(path, container, { track, signal })
  if (!streams) return null
  const isFilm = picture && format === 'mp4' && streams.picture !== undefined
  const film = isFilm ? filmOf(streams.picture ?? '', framing) : null
  const isSeen = film !== null || framing !== undefined
  const form = formOf(streams.audio)
  const facts = join(folder, 'labels.ffmetadata')
  const labelling = labels && isLabelled(format) ? await labelsIn(facts, labels) : []

  const progress = atTimes(onProgress)
  const cutting = cutter({ ...options, ...form, frameRate: film?.frameRate ?? null })
  const sound = { file: join(folder, isSeen ? 'sound.m4a' : 'result'), rateHz: form.rateHz }
  const heights = framing && meterOf(form)
  const last = options.cuts.at(-1)
  const isRestCut = last !== undefined && last.endMs >= options.durationMs
  const durationMs = await writeSound(path, sound.file, {
    container,
    form,
    cutting,
    track,
    signal,
    heights,
    sourceMs: isRestCut
      ? Math.min(options.durationMs, last.startMs + BEYOND_MS)
      : options.durationMs,
    format: isSeen ? 'm4a' : format,
    kbps: kbpsFor(isSeen ? 'm4a' : format, streams),
    labelling: isSeen ? [] : labelling,
    onProgress: (share) => progress(isSeen ? share * SOUND_SHARE : share),
  })
  if (durationMs === null || !isSeen) return durationMs === null ? null : { ...sound, durationMs }
  const file = join(folder, 'result')
  const frame = framing && {
    ...framing,
    filter: await writeDrawing(
      folder,
      await framing.drawing({ durationMs, heights: heights?.heights ?? [] }),
    ),
  }
  const common = {
    sound,
    labelling,
    durationMs,
    signal,
    onProgress: (share: number) => progress(SOUND_SHARE + share * (1 - SOUND_SHARE)),
  }
  if (!film) {
    const isWritten = frame && (await writeDrawn(file, { ...common, frame }))
    return isWritten ? { file, durationMs } : null
  }
  const isWritten = await writeFilm(path, file, {
    ...common,
    frame,
    container,
    film,
    track,
    sourceMs: options.durationMs,
    toldMs: streams.toldMs,
    edges: cutting.edges,
  })
  return isWritten ? { file, durationMs } : null
}

/** Its own rate and channels, as far as each format holds them. */
export function formOf({
  sourceSampleRateHz,
  channelCount,
}: {
  sourceSampleRateHz: number | null
  channelCount: number
}): PcmForm {
  const told = sourceSampleRateHz ?? HIGHEST_HZ
  return {
    rateHz: Math.min(HIGHEST_HZ, Math.max(LOWEST_HZ, told)),
    channelCount: channelCount === 1 ? 1 : 2,
  }
}

/** Answers how long the written sound is; null where it is empty or cannot be written. */
export async function writeSound(
  path: string,
  out: string,
  {
    container,
    form,
    cutting,
    heights,
    track,
    sourceMs,
    format,
    kbps,
    labelling,
    signal,
    onProgress,
  }: {
    container: Container
    form: PcmForm
    cutting: Cutter
    /** Is shown what is written. */
    heights?: Meter | undefined
    track: number
    /** How much of it is read. */
    sourceMs: number
    format: CutFormat
    /** See `kbpsFor`. */
    kbps: number | null
    labelling: readonly string[]
    signal: AbortSignal
    onProgress: (share: number) => void
  },
): Promise<number | null> {
  const ffmpeg = await needProgram('ffmpeg')
  const { rateHz, channelCount } = form
  const bytesPerMs = (rateHz * channelCount * 2) / 1000
  const limits = {
    signal,
    memoryBytes: MEMORY_BYTES,
    cpuSeconds: CPU_SECONDS + (CPU_SHARE * sourceMs) / 1000,
    niceness: NICENESS,
  }
  const decoding = { maxDurationMs: sourceMs, endMs: sourceMs, track, form }
  const decoder = await start(ffmpeg, decoderArguments(path, container, decoding), {
    ...limits,
    reads: [path],
  })
  decoder.stderr.resume()
  let bytes = 0
  async function* kept(): AsyncIterable<Buffer> {
    let taken = 0
    for await (const block of decoder.stdout as AsyncIterable<Buffer>) {
      taken += block.length
      onProgress(Math.min(1, taken / bytesPerMs / sourceMs))
      for (const piece of cutting.take(block)) yield* counted(piece)
    }
    const ending = await decoder.ended
    signal.throwIfAborted()
    if (ending.signal !== null) throw new Error(`ffmpeg was ended by ${ending.signal}`)
    for (const piece of cutting.finish()) yield* counted(piece)
  }
  function* counted(piece: Buffer) {
    bytes += piece.length
    heights?.take(piece)
    yield piece
  }
  try {
    const { code } = await run(
      ffmpeg,
      [
        ['-hide_banner', '-nostats', '-v', 'error', '-protocol_whitelist', 'pipe', '-f', 's16le'],
        ['-ar', String(rateHz), '-ac', String(channelCount), '-i', 'pipe:0', ...labelling],
        ['-map', '0:a', ...(labelling.length > 0 ? labelsOf(1) : ['-map_metadata', '-1'])],
        [...encoders[format], ...bitsOf(format, kbps, channelCount)],
        [...(isLabelled(format) ? labelled[format] : []), '-y', `file:${out}`],
      ].flat(),
      {
        ...limits,
        workDir: dirname(out),
        fileBytes: SPARE_BYTES + bytesPerMs * sourceMs,
        stdin: kept(),
      },
    )
    return code === 0 && bytes > 0 ? Math.round(bytes / bytesPerMs) : null
  } finally {
    decoder.kill()
  }
}

function atTimes(onProgress: (share: number) => void): (share: number) => void {
  let lastAt = -Infinity
  return (share) => {
    const now = performance.now()
    if (now - lastAt < PROGRESS_MS) return
    lastAt = now
    onProgress(share)
  }
}
