/**
 * The side of neural diarization that runs in sherpa-host.ts: which stretches one voice speaks, block
 * by block, and what each voice sounds like. Which voices of different blocks are one person is
 * decided in sherpa-diarize.ts.
 */
import { open } from 'node:fs/promises'

export interface DiarizeQuestion {
  kind: 'diarize'
  /** Null: one voice speaks all the time. */
  segmentation: string | null
  embedding: string
  threads: number
  pcmPath: string
  sampleCount: number
}

/** A voice within a block. */
export interface Voice {
  /** In ms of the recording; may overlap those of other voices. */
  stretches: { startMs: number; endMs: number }[]
  /** What it sounds like, of length one; null where it spoke too little to say. */
  embedding: Float32Array | null
}
export interface Diarized {
  voices: Voice[]
}

interface Diarization {
  process(samples: Float32Array): { start: number; end: number; speaker: number }[]
}
interface Stream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  inputFinished(): void
}
interface Extractor {
  createStream(): Stream
  isReady(stream: Stream): boolean
  compute(stream: Stream, enableExternalBuffer: boolean): Float32Array
}
interface Sherpa {
  OfflineSpeakerDiarization: new (config: object) => Diarization
  SpeakerEmbeddingExtractor: new (config: object) => Extractor
}

const RATE_HZ = 16_000
/** Memory grows with the square of a block. */
const BLOCK_S = 600
/**
 * Distance up to which voices of a block count as one: low, so that no voice is two people. Joining
 * what was split is the easier mistake to mend.
 */
const SPLITTING = 0.5
/** What a voice sounds like is taken from its longest stretches; short ones say little. */
const SAMPLE_STRETCHES = 8
const SHORTEST_SAMPLE_MS = 500
const LONGEST_SAMPLE_MS = 10_000

let loaded: { key: string; diarization: Diarization | null; extractor: Extractor } | null = null

export async function diarizeWith(
  { segmentation, embedding, threads, pcmPath, sampleCount }: DiarizeQuestion,
  require: (name: string) => unknown,
): Promise<Diarized> {
  const key = `${segmentation}\n${embedding}\n${threads}`
  if (loaded?.key !== key) {
    loaded = null
    const sherpa = require('sherpa-onnx-node') as Sherpa
    const listener = { model: embedding, numThreads: threads, provider: 'cpu', debug: 0 }
    loaded = {
      key,
      diarization:
        segmentation === null
          ? null
          : new sherpa.OfflineSpeakerDiarization({
              segmentation: {
                pyannote: { model: segmentation },
                numThreads: threads,
                provider: 'cpu',
                debug: 0,
              },
              embedding: listener,
              clustering: { numClusters: -1, threshold: SPLITTING },
              minDurationOn: 0.2,
              minDurationOff: 0.5,
            }),
      extractor: new sherpa.SpeakerEmbeddingExtractor(listener),
    }
  }
  const voices: Voice[] = []
  await using recording = await open(pcmPath)
  // Blocks of equal length: a last one of a few seconds could not be told apart by itself.
  const blocks = Math.max(1, Math.ceil(sampleCount / (BLOCK_S * RATE_HZ)))
  for (let block = 0; block < blocks; block++) {
    const from = Math.floor((block * sampleCount) / blocks)
    const to = Math.floor(((block + 1) * sampleCount) / blocks)
    const bytes = Buffer.alloc((to - from) * 2)
    const { bytesRead } = await recording.read(bytes, 0, bytes.length, from * 2)
    const samples = new Float32Array(Math.floor(bytesRead / 2))
    for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * 2) / 32_768
    voices.push(...voicesOf(samples, (from * 1000) / RATE_HZ, loaded))
  }
  return { voices }
}

function voicesOf(
  samples: Float32Array,
  offsetMs: number,
  { diarization, extractor }: { diarization: Diarization | null; extractor: Extractor },
): Voice[] {
  const lengthMs = Math.floor((samples.length * 1000) / RATE_HZ)
  const bySpeaker = new Map<number, { startMs: number; endMs: number }[]>()
  const throughout = [{ start: 0, end: lengthMs / 1000, speaker: 0 }]
  for (const { start, end, speaker } of diarization?.process(samples) ?? throughout) {
    const startMs = Math.max(0, Math.round(start * 1000))
    const endMs = Math.min(lengthMs, Math.round(end * 1000))
    if (endMs <= startMs) continue
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), { startMs, endMs }])
  }
  return [...bySpeaker.values()].map((stretches) => ({
    embedding: soundOf(samples, stretches, extractor),
    stretches: stretches.map(({ startMs, endMs }) => ({
      startMs: Math.round(offsetMs + startMs),
      endMs: Math.round(offsetMs + endMs),
    })),
  }))
}

/** The mean of what its longest stretches sound like, each as important as it is long. */
function soundOf(
  samples: Float32Array,
  stretches: readonly { startMs: number; endMs: number }[],
  extractor: Extractor,
): Float32Array | null {
  const longest = stretches
    .filter(({ startMs, endMs }) => endMs - startMs >= SHORTEST_SAMPLE_MS)
    .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .slice(0, SAMPLE_STRETCHES)
  let mean: Float32Array | null = null
  for (const { startMs, endMs } of longest) {
    const lengthMs = Math.min(LONGEST_SAMPLE_MS, endMs - startMs)
    const from = Math.floor((startMs * RATE_HZ) / 1000)
    const stream = extractor.createStream()
    stream.acceptWaveform({
      samples: samples.slice(from, from + Math.floor((lengthMs * RATE_HZ) / 1000)),
      sampleRate: RATE_HZ,
    })
    stream.inputFinished()
    if (!extractor.isReady(stream)) continue
    const sound = normalised(extractor.compute(stream, false))
    mean ??= new Float32Array(sound.length)
    for (const [index, value] of sound.entries())
      mean[index] = (mean[index] ?? 0) + value * lengthMs
  }
  return mean && normalised(mean)
}

export function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
