/** The thread behind vad.ts: listens to a whole PCM file once (twice when it is nearly silent). */
import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

import { energyRegions, loudnessMeter } from './loudness.ts'
import type { Region, VadReport, VadWork } from './vad.ts'

const WINDOW = 512
const BLOCK_SAMPLES = WINDOW * 256
const SAMPLES_PER_MS = 16
const THRESHOLD = 0.4
/** Quiet and distant voices: tried when next to nothing was found. */
const SECOND_THRESHOLD = 0.2
const LITTLE_SPEECH = 0.05

const { pcm, detector } = workerData as VadWork
const require = createRequire(import.meta.url)

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const send = (report: VadReport) => parentPort?.postMessage(report)

const meter = loudnessMeter(pcm.sampleCount)
const silero = detector === 'best' ? loadSilero() : null
let regions = silero ? neuralRegions(silero, THRESHOLD, (samples) => meter.listen(samples)) : []
if (!silero) read((samples) => meter.listen(samples))
const { loudness, isNarrowBand } = meter.finish()

if (!silero) regions = energyRegions(loudness)
else if (spoken(regions) < (LITTLE_SPEECH * pcm.sampleCount) / SAMPLES_PER_MS)
  regions = neuralRegions(silero, SECOND_THRESHOLD)

send({
  kind: 'heard',
  regions,
  loudness,
  isNarrowBand,
  detector: silero ? 'silero' : 'energy',
})

function spoken(regions: readonly Region[]): number {
  return regions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
}

function neuralRegions(
  silero: Silero,
  threshold: number,
  alsoTo?: (samples: Float32Array) => void,
): Region[] {
  const vad = silero(threshold)
  const regions: Region[] = []
  const lastMs = Math.floor(pcm.sampleCount / SAMPLES_PER_MS)
  const drain = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false)
      const startMs = Math.max(0, Math.floor(start / SAMPLES_PER_MS), regions.at(-1)?.endMs ?? 0)
      const endMs = Math.min(lastMs, Math.ceil((start + samples.length) / SAMPLES_PER_MS))
      if (endMs > startMs) regions.push({ startMs, endMs })
    }
  }
  read((samples) => {
    for (let at = 0; at + WINDOW <= samples.length; at += WINDOW) {
      vad.acceptWaveform(samples.subarray(at, at + WINDOW))
      drain()
    }
    alsoTo?.(samples)
  })
  vad.flush()
  drain()
  return regions
}

/** Hands the recording over in blocks of whole windows; the end is filled up with silence. */
function read(take: (samples: Float32Array) => void): void {
  const file = openSync(pcm.path, 'r')
  const bytes = Buffer.alloc(BLOCK_SAMPLES * 2)
  try {
    for (let done = 0; done < pcm.sampleCount;) {
      const wanted = Math.min(BLOCK_SAMPLES, pcm.sampleCount - done)
      const got = Math.floor(readSync(file, bytes, 0, wanted * 2, done * 2) / 2)
      if (got === 0) break
      const samples = new Float32Array(Math.ceil(got / WINDOW) * WINDOW)
      for (let i = 0; i < got; i++) samples[i] = bytes.readInt16LE(i * 2) / 32_768
      take(samples)
      done += got
      send({ kind: 'progress', share: done / pcm.sampleCount })
    }
  } finally {
    closeSync(file)
  }
}

/** The part of sherpa-onnx-node's Vad that is used here; it ships no types. */
interface SherpaVad {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  front(enableExternalBuffer: boolean): { start: number; samples: Float32Array }
  pop(): void
  flush(): void
}
interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad
}
type Silero = (threshold: number) => SherpaVad

function loadSilero(): Silero | null {
  const sherpa = loadAddon()
  if (!sherpa) return null
  const model = join(dirname(require.resolve('@ricky0123/vad-web')), 'silero_vad_v6.onnx')
  return (threshold) =>
    new sherpa.Vad(
      {
        sileroVad: {
          model,
          threshold,
          minSpeechDuration: 0.1,
          minSilenceDuration: 0.2,
          windowSize: WINDOW,
          // Not a hard limit in sherpa-onnx either: long stretches are cut in chunks.ts.
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
