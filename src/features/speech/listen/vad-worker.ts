/** The thread behind vad.ts: listens to a PCM file once, twice when it is nearly silent. */
import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

import {
  energyRegions,
  LOUDNESS_FRAME_MS,
  loudnessMeter,
  loudnessOf,
} from '#features/sound/loudness.ts'
import { threadGivesWay } from '#server/give-way.ts'

import {
  BLOCK_SAMPLES,
  type VadNews,
  type VadReport,
  type VadWork,
  WINDOW,
} from './vad-messages.ts'
import type { Region } from '../engines/engine.ts'

const SAMPLES_PER_MS = 16
const THRESHOLD = 0.4
/** Finds quiet and distant voices. It is tried when the first threshold found almost no speech. */
const SECOND_THRESHOLD = 0.2
const LITTLE_SPEECH = 0.05
/** As the recogniser, which goes on beside it: pages and uploads go first. */
const NICENESS = 10
/** The detector finds the start of speech a little before the place where it noticed. */
const LOOKS_BACK_MS = 500

const { path, detector, floorDb, stopped } = workerData as VadWork
const require = createRequire(import.meta.url)

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const send = (report: VadReport) => parentPort?.postMessage(report)

const makeSilero = detector === 'best' ? loadSilero() : null
const meter = loudnessMeter()
const hearer = makeSilero ? neuralHearer(makeSilero(THRESHOLD)) : null
const levels: Uint8Array[] = []
// All blocks are read into the same memory: new memory for each would pile up faster than Node
// frees it.
const bytes = Buffer.alloc(BLOCK_SAMPLES * 2)
const block = new Float32Array(BLOCK_SAMPLES)
let file: number | undefined
let done = 0
/**
 * Regions that are not reported yet, because so far there was too little speech; `finish` may then
 * listen again with the second threshold. Null once they were reported.
 */
let held: Region[] | null = floorDb === null ? [] : null
let spokenMs = 0

/** Ends this thread, not the process, when it was asked to stop. */
function endWhenStopped(): void {
  if (Atomics.load(stopped, 0) !== 0) process.exit()
}

threadGivesWay(NICENESS)
parentPort?.on('message', ({ sampleCount, isAll }: VadNews) => {
  endWhenStopped()
  // Blocks begin at the same samples however fast the file grows, so a retry finds the same
  // regions.
  while (done < sampleCount && (isAll || sampleCount - done >= BLOCK_SAMPLES)) {
    endWhenStopped()
    const samples = read(done, Math.min(BLOCK_SAMPLES, sampleCount - done))
    if (samples === null) break
    hear(samples)
    done += Math.min(BLOCK_SAMPLES, sampleCount - done)
  }
  if (isAll) finish(sampleCount)
})

function hear(samples: Float32Array): void {
  const loudness = meter.listen(samples)
  levels.push(loudness)
  const regions = ownOf(hearer?.hear(samples) ?? [])
  spokenMs += lengthOf(regions)
  const heardMs = (done + samples.length) / SAMPLES_PER_MS
  held?.push(...regions)
  let told = regions
  if (held) {
    const isEnough = spokenMs >= LITTLE_SPEECH * heardMs
    told = isEnough ? held : []
    if (isEnough) held = null
  }
  send({
    kind: 'heard',
    regions: told,
    loudness,
    settledMs: held || !hearer ? 0 : hearer.settledMs(),
    isNarrowBand: meter.isNarrowBand(),
  })
}

function finish(sampleCount: number): void {
  const lastMs = Math.floor(sampleCount / SAMPLES_PER_MS)
  let regions = hearer
    ? [...(held ?? []), ...ownOf(hearer.end())]
    : ownOf(energyRegions(joined(levels)))
  if (makeSilero && held && lengthOf(regions) < LITTLE_SPEECH * lastMs)
    regions = listenAgain(makeSilero(SECOND_THRESHOLD), sampleCount)
  if (file !== undefined) closeSync(file)
  send({
    kind: 'heard',
    regions: within(regions, lastMs),
    loudness: new Uint8Array(),
    settledMs: lastMs,
    isNarrowBand: meter.isNarrowBand(),
  })
  send({ kind: 'end', detector: hearer ? 'silero' : 'energy' })
}

function listenAgain(vad: SherpaVad, sampleCount: number): Region[] {
  const second = neuralHearer(vad)
  const regions: Region[] = []
  for (let at = 0; at < sampleCount; at += BLOCK_SAMPLES) {
    const samples = read(at, Math.min(BLOCK_SAMPLES, sampleCount - at))
    if (samples === null) break
    regions.push(...second.hear(samples))
  }
  return [...regions, ...second.end()].map((region) => ({ ...region, isFaint: true }))
}

/** Those that are somewhere louder than the voices of other sides. */
function ownOf(regions: Region[]): Region[] {
  if (floorDb === null || regions.length === 0) return regions
  const floor = loudnessOf(floorDb)
  const all = joined(levels)
  return regions.filter(({ startMs, endMs }) =>
    all
      .subarray(Math.floor(startMs / LOUDNESS_FRAME_MS), Math.ceil(endMs / LOUDNESS_FRAME_MS))
      .some((level) => level > floor),
  )
}

function lengthOf(regions: readonly Region[]): number {
  return regions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
}

/** Cuts regions at the end of the recording: the last block was filled up with silence. */
function within(regions: readonly Region[], lastMs: number): Region[] {
  return regions.flatMap((region) =>
    region.startMs < lastMs ? [{ ...region, endMs: Math.min(region.endMs, lastMs) }] : [],
  )
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces))
}

interface Hearer {
  /** The regions that ended in these samples. */
  hear(samples: Float32Array): Region[]
  end(): Region[]
  /** No region that is still to come begins before this. */
  settledMs(): number
}

function neuralHearer(vad: SherpaVad): Hearer {
  let heardSamples = 0
  let quietMs = 0
  let lastMs = 0
  const drain = (): Region[] => {
    const regions: Region[] = []
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false)
      const startMs = Math.max(lastMs, Math.floor(start / SAMPLES_PER_MS))
      const endMs = Math.ceil((start + samples.length) / SAMPLES_PER_MS)
      if (endMs <= startMs) continue
      regions.push({ startMs, endMs })
      lastMs = endMs
    }
    return regions
  }
  return {
    hear(samples) {
      const regions: Region[] = []
      for (let at = 0; at + WINDOW <= samples.length; at += WINDOW) {
        endWhenStopped()
        vad.acceptWaveform(samples.subarray(at, at + WINDOW))
        heardSamples += WINDOW
        regions.push(...drain())
        if (!vad.isDetected()) quietMs = heardSamples / SAMPLES_PER_MS
      }
      return regions
    },
    end() {
      vad.flush()
      return drain()
    },
    settledMs: () => Math.max(lastMs, quietMs - LOOKS_BACK_MS),
  }
}

/**
 * Reads samples from a place on, and fills the last window up with silence. Null where the file has
 * ended. The next call overwrites them.
 */
function read(from: number, count: number): Float32Array | null {
  file ??= openSync(path, 'r')
  const got = Math.floor(readSync(file, bytes, 0, count * 2, from * 2) / 2)
  if (got === 0) return null
  const samples = block.subarray(0, Math.ceil(got / WINDOW) * WINDOW).fill(0, got)
  for (let i = 0; i < got; i++) samples[i] = bytes.readInt16LE(i * 2) / 32_768
  return samples
}

/** The part of sherpa-onnx-node's Vad that is used here; it ships no types. */
interface SherpaVad {
  acceptWaveform(samples: Float32Array): void
  isDetected(): boolean
  isEmpty(): boolean
  front(enableExternalBuffer: boolean): { start: number; samples: Float32Array }
  pop(): void
  flush(): void
}
interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad
}

function loadSilero(): ((threshold: number) => SherpaVad) | null {
  const sherpa = loadAddon()
  if (!sherpa) return null
  const model = join(import.meta.dirname, 'silero-vad.onnx')
  return (threshold) =>
    new sherpa.Vad(
      {
        sileroVad: {
          model,
          threshold,
          minSpeechDuration: 0.1,
          minSilenceDuration: 0.2,
          windowSize: WINDOW,
          // sherpa-onnx does not keep this limit strictly; chunks.ts cuts what is too long.
          maxSpeechDuration: 30,
        },
        sampleRate: 16_000,
        numThreads: 1,
        debug: false,
      },
      60,
    )
}

function loadAddon(): Sherpa | null {
  try {
    return require('sherpa-onnx-node') as Sherpa
  } catch (error) {
    // Left out at installation (`--omit=optional`), or no build for this platform.
    if (error instanceof Error && /Cannot find module|Could not find/.test(error.message))
      return null
    throw error
  }
}
