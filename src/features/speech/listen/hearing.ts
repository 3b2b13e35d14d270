/**
 * From a recording to chunks of speech, while it is being decoded: ffmpeg writes samples, a thread
 * listens to them as they come, and each chunk is handed on as soon as it is certain. So the first
 * words are recognised long before the last minute is decoded, and a twelve-hour recording is never
 * in memory.
 *
 * Two stages are stored when they are done: `pcm` (the samples lie in a file of workDir) and
 * `regions`. A retry that finds both goes on from there; without them it hears the same chunks again.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'

import {
  BYTES_PER_SAMPLE,
  decodeToFile,
  SAMPLE_RATE_HZ,
  type Streams,
} from '#features/sound/decode.ts'
import { isNoisySpeech } from '#features/sound/loudness.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'

import type { Chunk, PcmFile, Region } from '../engines/engine.ts'
import { Refused, type Run, together } from '../job.ts'
import { cutter, type HeardPiece } from './chunks.ts'
import { listen, type Listening } from './vad.ts'

export interface Hearing {
  /** In order, as they become certain. */
  chunks: AsyncIterable<Chunk>
  /** The sound and the speech regions of chunks that were handed out, for an engine. */
  soundOf(chunks: readonly Chunk[]): Promise<{ pcm: PcmFile; regions: Region[] }>
  /**
   * Settles when the whole recording was heard. Rejects with `Refused` when it cannot be decoded.
   */
  whole: Promise<Whole>
}

interface Whole {
  pcm: PcmFile
  regions: Region[]
  chunkCount: number
  /** It sounds like a telephone call, whatever rate it was saved with. */
  isTelephone: boolean
  /** Much of the speech stands little above the noise behind it. */
  isNoisy: boolean
}

const MAX_DURATION_MS = MAX_DURATION_HOURS * 3_600_000
const TELEPHONE_RATE_HZ = 8000
const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1000
const NICENESS = 5

interface PcmStage {
  file: string
  sampleCount: number
  sourceSampleRateHz: number | null
}

export interface RegionsStage {
  regions: Region[]
  chunks: Chunk[]
  isNarrowBand: boolean
  isNoisy: boolean
  /** The longest chunks that were allowed. For an engine with other limits they are cut again. */
  longestMs: number
  longestCallMs: number
}

/** Begins at once. Aborting the run's signal ends the decoder and the thread. */
export async function hear(run: Run): Promise<Hearing> {
  const { stages, workDir, engine } = run
  const { longestChunkMs: longestMs, longestCallChunkMs: longestCallMs = longestMs } =
    engine.capabilities
  const pcm = await storedPcm(run)
  const stored = await stages.get<RegionsStage>('regions')
  const isCutAlike = stored?.longestMs === longestMs && stored.longestCallMs === longestCallMs
  if (pcm && stored && isCutAlike) return heardBefore(pcm, stored)

  // Each try writes a file of its own: another that was thought dead may still be writing.
  const path = pcm?.path ?? join(workDir, `audio-${randomUUID()}.pcm`)
  if (!pcm) await removeOlder(workDir)
  return hearNow(run, { path, pcm, limits: { longestMs, longestCallMs } })
}

async function storedPcm({ stages, workDir }: Run): Promise<PcmFile | null> {
  const stored = await stages.get<PcmStage>('pcm')
  if (!stored) return null
  const path = join(workDir, stored.file)
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  const { sampleCount, sourceSampleRateHz } = stored
  return size === sampleCount * BYTES_PER_SAMPLE ? { path, sampleCount, sourceSampleRateHz } : null
}

/**
 * Removes the samples that a crashed try left: they would take the disk space of another recording.
 */
async function removeOlder(workDir: string): Promise<void> {
  const names = (await readdir(workDir)).filter((name) => /^audio-.*\.pcm$/.test(name))
  await Promise.all(names.map((name) => rm(join(workDir, name), { force: true })))
}

function heardBefore(pcm: PcmFile, stored: RegionsStage): Hearing {
  return {
    chunks: Readable.from(stored.chunks),
    soundOf: async (members) => ({
      pcm: stored.isNarrowBand ? asTelephone(pcm) : pcm,
      regions: within(stored.regions, members),
    }),
    whole: Promise.resolve(wholeOf(pcm, stored)),
  }
}

function wholeOf(pcm: PcmFile, { regions, chunks, isNarrowBand, isNoisy }: RegionsStage): Whole {
  const isTelephone = isNarrowBand || (pcm.sourceSampleRateHz ?? Infinity) <= TELEPHONE_RATE_HZ
  return { pcm, regions, chunkCount: chunks.length, isTelephone, isNoisy }
}

interface Sound {
  path: string
  /** Null where it is not decoded yet. */
  pcm: PcmFile | null
  limits: Pick<RegionsStage, 'longestMs' | 'longestCallMs'>
}

function hearNow(run: Run, { path, pcm, limits }: Sound): Hearing {
  const { stages, onProgress } = run
  const passed = new Readable({ objectMode: true, read: () => undefined })
  // The caller that reads it sees the failure; until then it must not count as unhandled.
  passed.on('error', () => undefined)
  const chunks: Chunk[] = []
  const regions: Region[] = []
  const narrow: boolean[] = []
  const cutting = cutter(limits)
  let isNarrowBand = false
  let sampleCount = pcm?.sampleCount ?? 0
  const source = Promise.withResolvers<Pick<Streams, 'sourceSampleRateHz'>>()
  if (pcm) source.resolve(pcm)
  source.promise.catch(() => undefined)

  const pass = (more: readonly Chunk[]) => {
    for (const chunk of more) {
      if (chunks.length === 0) onProgress({ kind: 'checking_size' })
      chunks.push(chunk)
      narrow.push(isNarrowBand)
      passed.push(chunk)
    }
  }
  const onHeard = (heard: HeardPiece) => {
    onProgress({ kind: 'splitting' })
    regions.push(...heard.regions)
    isNarrowBand = heard.isNarrowBand
    pass(cutting.hear(heard))
  }

  const decodeAll = async (listening: Listening, signal: AbortSignal): Promise<PcmFile> => {
    onProgress({ kind: 'analyzing_format' })
    const measured = await decodeToFile(run.path, path, {
      signal,
      maxDurationMs: MAX_DURATION_MS,
      niceness: NICENESS,
      onStreams: (streams) => {
        source.resolve(streams)
        if (streams.isVideo) onProgress({ kind: 'converting_video' })
        else if (streams.codec === 'opus') onProgress({ kind: 'converting_opus' })
      },
      onSamples: (count) => {
        sampleCount = count
        listening.grown({ sampleCount: count, isAll: false })
      },
    })
    if (measured.kind === 'refused') throw new Refused(measured.reason)
    source.resolve(measured)
    const { sourceSampleRateHz } = measured
    const stage: PcmStage = { file: basename(path), sampleCount, sourceSampleRateHz }
    await stages.put('pcm', stage)
    return { path, sampleCount, sourceSampleRateHz }
  }

  const hearAll = async (listening: Listening, signal: AbortSignal): Promise<Whole> => {
    const decoded = pcm ?? (await decodeAll(listening, signal))
    listening.grown({ sampleCount: decoded.sampleCount, isAll: true })
    await listening.ended
    pass(cutting.end(Math.floor(decoded.sampleCount / SAMPLES_PER_MS)))
    const isNoisy = isNoisySpeech(cutting.loudness(), regions)
    const stage: RegionsStage = { regions, chunks, isNarrowBand, isNoisy, ...limits }
    await stages.put('regions', stage)
    passed.push(null)
    return wholeOf(decoded, stage)
  }

  const whole = together(run.signal, (signal) => {
    const listening = listen(path, { signal, onHeard })
    return [hearAll(listening, signal), listening.ended]
  }).then(([all]) => all)
  whole.catch((reason: Error) => {
    passed.destroy(reason)
    source.reject(reason)
  })
  return {
    chunks: passed,
    whole,
    async soundOf(members) {
      const { sourceSampleRateHz } = await source.promise
      const known: PcmFile = { path, sampleCount, sourceSampleRateHz }
      const isCall = narrow[members.at(-1)?.index ?? 0] === true
      return { pcm: isCall ? asTelephone(known) : known, regions: within(regions, members) }
    },
  }
}

/** A telephone call stays one when it is saved with a higher rate, so engines are told 8 kHz. */
export const asTelephone = (pcm: PcmFile): PcmFile => ({
  ...pcm,
  sourceSampleRateHz: TELEPHONE_RATE_HZ,
})

function within(regions: readonly Region[], chunks: readonly Chunk[]): Region[] {
  const fromMs = chunks[0]?.startMs ?? 0
  const toMs = chunks.at(-1)?.endMs ?? 0
  return regions.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs)
}
