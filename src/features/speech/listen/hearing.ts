/**
 * From a recording to chunks of speech, while it is being decoded: ffmpeg writes samples, a thread
 * listens to them as they come, and each chunk is handed on as soon as it is certain. So the first
 * words are recognised long before the last minute is decoded, and a twelve-hour recording is never
 * in memory.
 *
 * A recording whose sides are people (sound/sides.ts) is heard side by side: each has samples, regions
 * and chunks of its own, and the chunks of all come in the order in which they begin.
 *
 * Two stages are stored when they are done: `pcm` (the samples lie in files of workDir) and
 * `regions`. A retry that finds both goes on from there; without them it hears the same chunks again.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'

import {
  BYTES_PER_SAMPLE,
  decodeToFiles,
  SAMPLE_RATE_HZ,
  type Streams,
} from '#features/sound/decode.ts'
import { isNoisySpeech } from '#features/sound/loudness.ts'
import { liftOfSide, type Side } from '#features/sound/sides.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'

import type { Chunk, PcmFile, Region } from '../engines/engine.ts'
import { Refused, type Run, together } from '../job.ts'
import { cutter, type HeardPiece } from './chunks.ts'
import { listen, type Listening } from './vad.ts'

export interface Hearing {
  /** In the order in which they begin, as they become certain. */
  chunks: AsyncIterable<Chunk>
  /** The sound and the speech regions of chunks of one side that were handed out, for an engine. */
  soundOf(chunks: readonly Chunk[]): Promise<{ pcm: PcmFile; regions: Region[] }>
  /**
   * Settles when the whole recording was heard. Rejects with `Refused` when it cannot be decoded.
   */
  whole: Promise<Whole>
}

interface Whole {
  /** Of the side that speaks first, where there are several. */
  pcm: PcmFile
  /** Where anybody speaks. */
  regions: Region[]
  /** Where each side speaks that does, by its number. */
  sides: Region[][]
  /** What the file calls these. */
  titles: (string | null)[]
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
  /** Those of further sides. */
  more?: string[]
  sampleCount: number
  sourceSampleRateHz: number | null
}

export interface RegionsStage {
  regions: Region[]
  chunks: Chunk[]
  /** Those of the sides that speak, by their numbers. Absent in a recording that is heard as one. */
  sides?: { file: number; regions: Region[] }[]
  isNarrowBand: boolean
  isNoisy: boolean
  /** The longest chunk that was allowed. For an engine with another limit they are cut again. */
  longestMs: number
}

/** Begins at once. Aborting the run's signal ends the decoder and the threads. */
export async function hear(run: Run): Promise<Hearing> {
  const { stages, workDir, engine } = run
  const { longestChunkMs: longestMs } = engine.capabilities
  const count = run.sides?.length ?? 1
  const pcm = await storedPcm(run, count)
  const stored = await stages.get<RegionsStage>('regions')
  const isAlike = stored?.longestMs === longestMs && (stored.sides !== undefined) === count > 1
  if (pcm && stored && isAlike) return heardBefore(run, pcm, stored)

  // Each try writes files of its own: another that was thought dead may still be writing.
  const name = randomUUID()
  const paths =
    pcm?.map(({ path }) => path) ??
    Array.from({ length: count }, (_, side) =>
      join(workDir, `audio-${name}${side === 0 ? '' : `-${side}`}.pcm`),
    )
  if (!pcm) await removeOlder(workDir)
  return hearNow(run, { paths, pcm, longestMs })
}

async function storedPcm({ stages, workDir }: Run, count: number): Promise<PcmFile[] | null> {
  const stored = await stages.get<PcmStage>('pcm')
  if (!stored) return null
  const { sampleCount, sourceSampleRateHz } = stored
  const paths = [stored.file, ...(stored.more ?? [])].map((file) => join(workDir, file))
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => null,
      ),
    ),
  )
  const isThere = sizes.every((size) => size === sampleCount * BYTES_PER_SAMPLE)
  if (!isThere || paths.length !== count) return null
  return paths.map((path) => ({ path, sampleCount, sourceSampleRateHz }))
}

/**
 * Removes the samples that a crashed try left: they would take the disk space of another recording.
 */
async function removeOlder(workDir: string): Promise<void> {
  const names = (await readdir(workDir)).filter((name) => /^audio-.*\.pcm$/.test(name))
  await Promise.all(names.map((name) => rm(join(workDir, name), { force: true })))
}

function heardBefore(run: Run, pcm: readonly PcmFile[], stored: RegionsStage): Hearing {
  return {
    chunks: Readable.from(stored.chunks),
    soundOf: async (members) => {
      const side = stored.sides?.[members[0]?.side ?? 0] ?? { file: 0, ...stored }
      const sound = fileAt(pcm, side.file)
      return {
        pcm: stored.isNarrowBand ? asTelephone(sound) : sound,
        regions: within(side.regions, members),
      }
    },
    whole: Promise.resolve(wholeOf(run, pcm, stored)),
  }
}

function fileAt(pcm: readonly PcmFile[], at: number): PcmFile {
  const file = pcm[at]
  if (!file) throw new Error(`side ${at} of the recording has no samples`)
  return file
}

function wholeOf(run: Run, pcm: readonly PcmFile[], stored: RegionsStage): Whole {
  const { regions, chunks, sides = [], isNarrowBand, isNoisy } = stored
  const first = fileAt(pcm, sides[0]?.file ?? 0)
  const isTelephone = isNarrowBand || (first.sourceSampleRateHz ?? Infinity) <= TELEPHONE_RATE_HZ
  return {
    pcm: first,
    regions,
    sides: sides.map((side) => side.regions),
    titles: sides.map((side) => run.sides?.[side.file]?.title ?? null),
    chunkCount: chunks.length,
    isTelephone,
    isNoisy,
  }
}

/** Of a side, as it is heard. */
const floorOf = (side: Side | undefined): number | null =>
  side ? side.floorDb + liftOfSide(side) : null

interface Sound {
  paths: readonly string[]
  /** Null where it is not decoded yet. */
  pcm: readonly PcmFile[] | null
  longestMs: number
}

function hearNow(run: Run, { paths, pcm, longestMs }: Sound): Hearing {
  const { stages, onProgress } = run
  const isOne = paths.length === 1
  const passed = new Readable({ objectMode: true, read: () => undefined })
  // The caller that reads it sees the failure; until then it must not count as unhandled.
  passed.on('error', () => undefined)
  const chunks: Chunk[] = []
  const narrow: boolean[] = []
  const ears = paths.map((path, side) => ({
    path,
    floorDb: isOne ? null : floorOf(run.sides?.[side]),
    cutting: cutter(longestMs),
    regions: [] as Region[],
    waiting: [] as Chunk[],
    isNarrowBand: false,
    sampleCount: pcm?.[0]?.sampleCount ?? 0,
  }))
  /** By their numbers. */
  const speaking: (typeof ears)[number][] = []
  const source = Promise.withResolvers<Pick<Streams, 'sourceSampleRateHz'>>()
  if (pcm?.[0]) source.resolve(pcm[0])
  source.promise.catch(() => undefined)

  /** The first of the chunks that wait, if no other side can still have one that begins before it. */
  const nextChunk = (isEnd: boolean): Chunk | undefined => {
    const [ear] = ears
      .filter(({ waiting }) => waiting.length > 0)
      .toSorted((a, b) => (a.waiting[0]?.startMs ?? 0) - (b.waiting[0]?.startMs ?? 0))
    const startMs = ear?.waiting[0]?.startMs ?? 0
    const isFirst = ears.every(
      (other) => other === ear || other.waiting.length > 0 || other.cutting.settledMs() > startMs,
    )
    const chunk = ear && (isEnd || isFirst) ? ear.waiting.shift() : undefined
    if (!ear || !chunk) return undefined
    if (!speaking.includes(ear)) speaking.push(ear)
    narrow.push(ear.isNarrowBand)
    const side = isOne ? {} : { side: speaking.indexOf(ear) }
    return { ...chunk, index: chunks.length, ...side }
  }
  const pass = (isEnd = false) => {
    for (let chunk = nextChunk(isEnd); chunk; chunk = nextChunk(isEnd)) {
      if (chunks.length === 0) onProgress({ kind: 'checking_size' })
      chunks.push(chunk)
      passed.push(chunk)
    }
  }
  const hearing = (ear: (typeof ears)[number]) => (heard: HeardPiece) => {
    onProgress({ kind: 'splitting' })
    ear.regions.push(...heard.regions)
    ear.isNarrowBand = heard.isNarrowBand
    ear.waiting.push(...ear.cutting.hear(heard))
    pass()
  }

  const decodeAll = async (
    listening: readonly Listening[],
    signal: AbortSignal,
  ): Promise<PcmFile[]> => {
    onProgress({ kind: 'analyzing_format' })
    const measured = await decodeToFiles(run.path, paths, {
      signal,
      sides: isOne ? null : (run.sides ?? null),
      maxDurationMs: MAX_DURATION_MS,
      // Tracks may be longer than what is played, and paid for.
      endMs: isOne ? undefined : run.durationMs,
      niceness: NICENESS,
      onStreams: (streams) => {
        source.resolve(streams)
        if (streams.isVideo) onProgress({ kind: 'converting_video' })
        else if (streams.codec === 'opus') onProgress({ kind: 'converting_opus' })
      },
      onSamples: (sampleCount, at) => {
        const ear = ears[at]
        if (ear) ear.sampleCount = sampleCount
        listening[at]?.grown({ sampleCount, isAll: false })
      },
    })
    if (measured.kind === 'refused') throw new Refused(measured.reason)
    source.resolve(measured)
    const { sourceSampleRateHz } = measured
    const sampleCount = ears[0]?.sampleCount ?? 0
    const [file = '', ...more] = paths.map((path) => basename(path))
    const stage: PcmStage = { file, ...(isOne ? {} : { more }), sampleCount, sourceSampleRateHz }
    await stages.put('pcm', stage)
    return paths.map((path) => ({ path, sampleCount, sourceSampleRateHz }))
  }

  const hearAll = async (listening: readonly Listening[], signal: AbortSignal): Promise<Whole> => {
    const decoded = pcm ?? (await decodeAll(listening, signal))
    const sampleCount = decoded[0]?.sampleCount ?? 0
    for (const each of listening) each.grown({ sampleCount, isAll: true })
    await Promise.all(listening.map(({ ended }) => ended))
    for (const { waiting, cutting } of ears)
      waiting.push(...cutting.end(Math.floor(sampleCount / SAMPLES_PER_MS)))
    pass(true)
    const sides = speaking.map((ear) => ({ file: ears.indexOf(ear), regions: ear.regions }))
    const stage: RegionsStage = {
      regions: anywhere(ears.flatMap(({ regions }) => regions)),
      chunks,
      ...(isOne ? {} : { sides }),
      isNarrowBand: ears.some(({ isNarrowBand }) => isNarrowBand),
      isNoisy: ears.some(({ cutting, regions }) => isNoisySpeech(cutting.loudness(), regions)),
      longestMs,
    }
    await stages.put('regions', stage)
    passed.push(null)
    return wholeOf(run, decoded, stage)
  }

  const whole = together<[Whole, ...unknown[]]>(run.signal, (signal) => {
    const listening = ears.map((ear) =>
      listen(ear.path, { signal, floorDb: ear.floorDb, onHeard: hearing(ear) }),
    )
    return [hearAll(listening, signal), ...listening.map(({ ended }) => ended)]
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
      const { path, sampleCount, regions } = earOf(members[0])
      const known: PcmFile = { path, sampleCount, sourceSampleRateHz }
      const isCall = narrow[members.at(-1)?.index ?? 0] === true
      return { pcm: isCall ? asTelephone(known) : known, regions: within(regions, members) }
    },
  }

  function earOf(chunk: Chunk | undefined): (typeof ears)[number] {
    const ear = isOne ? ears[0] : speaking[chunk?.side ?? 0]
    if (!ear) throw new Error(`nobody has heard side ${chunk?.side} of the recording`)
    return ear
  }
}

/** Regions of all sides as one list: those that overlap are one. */
function anywhere(regions: readonly Region[]): Region[] {
  const joined: Region[] = []
  for (const region of regions.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1)
    if (last && region.startMs < last.endMs) last.endMs = Math.max(last.endMs, region.endMs)
    else joined.push({ ...region })
  }
  return joined
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
