/**
 * The side of neural diarization that runs in sherpa-host.ts: who speaks in each ten seconds, and
 * what each stretch of a voice sounds like. Which voices are one person is decided in
 * speakers/joining.ts.
 */
import { type FileHandle, open } from 'node:fs/promises'

import type { Region } from './engine.ts'

export interface DiarizeRequest {
  kind: 'diarize'
  /** Null: one voice speaks all the time. */
  segmentation: string | null
  embedding: string
  pcmPath: string
  sampleCount: number
}

/** Up to two seconds of a voice. */
export interface Stretch extends Region {
  /** The embedding of the voice, of length one. */
  sound: Float32Array
}

/** What the segmentation takes for one person within a window. */
export interface LocalVoice {
  /** When it speaks, also while others do. */
  runs: Region[]
  /** Where it speaks alone; if it hardly ever does, all of it at once, and `isMixed`. */
  stretches: Stretch[]
  isMixed: boolean
}

/** Up to ten seconds that were heard at once. Each moment but the first and last five is in two. */
export interface Window extends Region {
  voices: LocalVoice[]
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
const SAMPLES_PER_MS = RATE_HZ / 1000
/**
 * The sound that pyannote's segmentation hears at once. For so little sound sherpa-onnx answers what the
 * segmentation heard. For more it would join voices by itself, which takes five times as long and
 * cannot be told what is known of the recording.
 */
export const WINDOW_MS = 10_000
/** Each moment is heard twice: a window says least about its edges. */
const EVERY_MS = 5000
/** In a longer stretch the voice may change without the segmentation noticing. */
const LONGEST_STRETCH_MS = 2000
/** Of less an embedding says nothing. */
const SHORTEST_STRETCH_MS = 300
/** A stretch is cut where this much sound is softest. */
const SOFT_MS = 50
/** A window is so short that a second thread mostly waits, at twice the cost. */
const THREADS = 1

let loaded: { key: string; diarization: Diarization | null; extractor: Extractor } | null = null

/** Null once it is cancelled. */
export async function diarizeWith(
  { segmentation, embedding, pcmPath, sampleCount }: DiarizeRequest,
  { require, isCancelled }: { require: (name: string) => unknown; isCancelled: () => boolean },
): Promise<Window[] | null> {
  const key = `${segmentation}\n${embedding}`
  if (loaded?.key !== key) {
    loaded = null
    const sherpa = require('sherpa-onnx-node') as Sherpa
    const listener = { model: embedding, numThreads: THREADS, provider: 'cpu', debug: 0 }
    loaded = {
      key,
      diarization:
        segmentation === null
          ? null
          : new sherpa.OfflineSpeakerDiarization({
              segmentation: {
                pyannote: { model: segmentation },
                numThreads: THREADS,
                provider: 'cpu',
                debug: 0,
              },
              embedding: listener,
              minDurationOn: 0,
              minDurationOff: 0,
            }),
      extractor: new sherpa.SpeakerEmbeddingExtractor(listener),
    }
  }
  const { diarization, extractor } = loaded
  const windows: Window[] = []
  await using recording = await open(pcmPath)
  for (const window of windowsOf(sampleCount)) {
    if (isCancelled()) return null
    const samples = await samplesOf(recording, window)
    const runs = diarization ? runsOf(diarization.process(samples), window) : [[window]]
    const voices = runs.map((own, place) =>
      voiceOf(own, runs.toSpliced(place, 1).flat(), { window, samples, extractor }),
    )
    windows.push({ ...window, voices })
  }
  return windows
}

export function windowsOf(sampleCount: number): Region[] {
  const lengthMs = Math.floor(sampleCount / SAMPLES_PER_MS)
  const starts: number[] = []
  for (let at = 0; at + WINDOW_MS < lengthMs; at += EVERY_MS) starts.push(at)
  // The last one is as long as the others: of a second by itself little can be said.
  starts.push(Math.max(0, lengthMs - WINDOW_MS))
  return starts.map((startMs) => ({ startMs, endMs: Math.min(lengthMs, startMs + WINDOW_MS) }))
}

async function samplesOf(recording: FileHandle, { startMs, endMs }: Region): Promise<Float32Array> {
  const bytes = Buffer.alloc((endMs - startMs) * SAMPLES_PER_MS * 2)
  const { bytesRead } = await recording.read(bytes, 0, bytes.length, startMs * SAMPLES_PER_MS * 2)
  const samples = new Float32Array(Math.floor(bytesRead / 2))
  for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * 2) / 32_768
  return samples
}

/** The runs of each voice, in order. */
function runsOf(
  heard: readonly { start: number; end: number; speaker: number }[],
  window: Region,
): Region[][] {
  const voices = new Map<number, Region[]>()
  for (const { start, end, speaker } of heard) {
    const startMs = window.startMs + Math.round(start * 1000)
    const endMs = Math.min(window.endMs, window.startMs + Math.round(end * 1000))
    if (endMs > startMs) voices.set(speaker, [...(voices.get(speaker) ?? []), { startMs, endMs }])
  }
  return [...voices.values()].map((runs) => runs.toSorted((a, b) => a.startMs - b.startMs))
}

interface Heard {
  window: Region
  samples: Float32Array
  extractor: Extractor
}

function voiceOf(runs: Region[], others: readonly Region[], heard: Heard): LocalVoice {
  const stretches = runs
    .flatMap((run) => without(run, others))
    .flatMap((alone) => cutWhereSoft(alone, heard))
    .filter(({ startMs, endMs }) => endMs - startMs >= SHORTEST_STRETCH_MS)
    .flatMap((stretch) => {
      const sound = soundOf([stretch], heard)
      return sound ? [{ ...stretch, sound }] : []
    })
  if (stretches.length > 0) return { runs, stretches, isMixed: false }
  const sound = soundOf(runs, heard)
  const [first, last] = [runs[0], runs.at(-1)]
  const whole = first && last && sound && { startMs: first.startMs, endMs: last.endMs, sound }
  return { runs, stretches: whole ? [whole] : [], isMixed: true }
}

/** What of a run nobody else speaks in. */
function without(run: Region, others: readonly Region[]): Region[] {
  let alone = [run]
  for (const other of others)
    alone = alone.flatMap((part) =>
      [
        { ...part, endMs: Math.min(part.endMs, other.startMs) },
        { ...part, startMs: Math.max(part.startMs, other.endMs) },
      ].filter(({ startMs, endMs }) => endMs > startMs),
    )
  return alone
}

function cutWhereSoft(alone: Region, heard: Heard): Region[] {
  const pieces: Region[] = []
  let { startMs } = alone
  while (alone.endMs - startMs > LONGEST_STRETCH_MS) {
    const lastMs = Math.min(startMs + LONGEST_STRETCH_MS, alone.endMs - SHORTEST_STRETCH_MS)
    let softest = { atMs: lastMs, power: Infinity }
    for (let atMs = startMs + LONGEST_STRETCH_MS / 2; atMs <= lastMs; atMs += SOFT_MS / 5) {
      const power = powerAround(atMs, heard)
      if (power < softest.power) softest = { atMs, power }
    }
    pieces.push({ startMs, endMs: softest.atMs })
    startMs = softest.atMs
  }
  return [...pieces, { startMs, endMs: alone.endMs }]
}

function powerAround(atMs: number, { window, samples }: Heard): number {
  const from = (atMs - window.startMs - SOFT_MS / 2) * SAMPLES_PER_MS
  let power = 0
  for (let at = from; at < from + SOFT_MS * SAMPLES_PER_MS; at++) power += (samples[at] ?? 0) ** 2
  return power
}

function soundOf(
  runs: readonly Region[],
  { window, samples, extractor }: Heard,
): Float32Array | null {
  const stream = extractor.createStream()
  for (const { startMs, endMs } of runs) {
    const [from, to] = [startMs, endMs].map((ms) => (ms - window.startMs) * SAMPLES_PER_MS)
    stream.acceptWaveform({ samples: samples.slice(from, to), sampleRate: RATE_HZ })
  }
  stream.inputFinished()
  if (!extractor.isReady(stream)) return null
  const sound = extractor.compute(stream, false)
  const length = Math.hypot(...sound)
  // Of silence a model may answer what is no number.
  return length > 0 ? sound.map((value) => value / length) : null
}
