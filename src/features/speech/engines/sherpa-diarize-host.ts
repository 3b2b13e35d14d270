/**
 * The side of neural diarization that runs in sherpa-host.ts: who speaks in each ten seconds, and
 * the sound of each piece of one voice. Which pieces are one person is decided in
 * speakers/joining.ts.
 */
import { open } from 'node:fs/promises'

import type { Region } from './engine.ts'

export interface DiarizeRequest {
  kind: 'diarize'
  /** Null: one voice speaks all the time. */
  segmentation: string | null
  embedding: string
  pcmPath: string
  sampleCount: number
  /** Where voice activity found speech. */
  regions: readonly Region[]
}

/** Up to three seconds in which the same people speak. */
export interface VoiceSegment extends Region {
  /** The embedding of the voice, of length one; null where several speak, or one says too little. */
  embedding: Float32Array | null
}

/** Up to ten seconds that were heard at once: the stretches of each voice, which may overlap. */
export interface Window extends Region {
  voices: Region[][]
}

export interface HeardVoices {
  /** Sorted, never overlapping; none reaches across an edge of the regions. */
  pieces: VoiceSegment[]
  windows: Window[]
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
/** Each moment is heard twice, so that windows can be compared, and judged by its better place. */
const EVERY_MS = 5000
export const LONGEST_PIECE_MS = 3000
/** Where voice activity heard nothing there may be quiet speech, and there are more mistakes. */
const SHORTEST_MS = { inRegions: 50, outside: 400 }
const SHORTEST_SAMPLE_MS = 200
/** A window is so short that a second thread mostly waits, at twice the cost. */
const THREADS = 1

let loaded: { key: string; diarization: Diarization | null; extractor: Extractor } | null = null

/** Null once it is cancelled. */
export async function diarizeWith(
  { segmentation, embedding, pcmPath, sampleCount, regions }: DiarizeRequest,
  { require, isCancelled }: { require: (name: string) => unknown; isCancelled: () => boolean },
): Promise<HeardVoices | null> {
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
  const heard: HeardVoices = { pieces: [], windows: [] }
  await using recording = await open(pcmPath)
  for (const { startMs, endMs, spans } of listeningPlan(sampleCount, regions)) {
    if (isCancelled()) return null
    const bytes = Buffer.alloc((endMs - startMs) * SAMPLES_PER_MS * 2)
    const { bytesRead } = await recording.read(bytes, 0, bytes.length, startMs * SAMPLES_PER_MS * 2)
    const samples = new Float32Array(Math.floor(bytesRead / 2))
    for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * 2) / 32_768
    const voices = diarization
      ? voicesOf(diarization.process(samples), { startMs, endMs })
      : [[{ startMs, endMs }]]
    heard.windows.push({ startMs, endMs, voices })
    for (const { who, ...piece } of spans.flatMap((span) => piecesOf(span, voices))) {
      const from = (piece.startMs - startMs) * SAMPLES_PER_MS
      const to = (piece.endMs - startMs) * SAMPLES_PER_MS
      const isAlone = who.length === 1 && piece.endMs - piece.startMs >= SHORTEST_SAMPLE_MS
      const embedding = isAlone ? soundOf(samples.slice(from, to), extractor) : null
      heard.pieces.push({ ...piece, embedding })
    }
  }
  return heard
}

interface Span extends Region {
  isSpeech: boolean
}

/**
 * The windows in which a recording is heard, each with the spans of time that are judged by it:
 * those nearest to its middle, because a window says least about its edges. A span is a region, or
 * what lies between two: a voice seldom changes without a pause.
 */
export function listeningPlan(
  sampleCount: number,
  regions: readonly Region[],
): (Region & { spans: Span[] })[] {
  const lengthMs = Math.floor(sampleCount / SAMPLES_PER_MS)
  const starts: number[] = []
  for (let at = 0; at + WINDOW_MS < lengthMs; at += EVERY_MS) starts.push(at)
  // The last one is as long as the others: of a second by itself little can be said.
  starts.push(Math.max(0, lengthMs - WINDOW_MS))

  const spans = spansOf(regions, lengthMs)
  let taken = 0
  return starts.map((startMs, index) => {
    const next = starts[index + 1]
    const untilMs = next === undefined ? Infinity : (startMs + next + WINDOW_MS) / 2
    const first = taken
    while (taken < spans.length && middleOf(spans[taken]) < untilMs) taken++
    const endMs = Math.min(lengthMs, startMs + WINDOW_MS)
    return { startMs, endMs, spans: spans.slice(first, taken) }
  })
}

const middleOf = (span: Span | undefined): number =>
  span ? (span.startMs + span.endMs) / 2 : Infinity

function spansOf(regions: readonly Region[], lengthMs: number): Span[] {
  const spans: Span[] = []
  const add = (startMs: number, endMs: number, isSpeech: boolean) => {
    const count = Math.ceil((endMs - startMs) / LONGEST_PIECE_MS)
    const edge = (index: number) => Math.round(startMs + ((endMs - startMs) * index) / count)
    for (let index = 0; index < count; index++)
      spans.push({ startMs: edge(index), endMs: edge(index + 1), isSpeech })
  }
  let atMs = 0
  for (const { startMs, endMs } of regions) {
    add(atMs, Math.min(startMs, lengthMs), false)
    add(startMs, Math.min(endMs, lengthMs), true)
    atMs = endMs
  }
  add(atMs, lengthMs, false)
  return spans
}

function voicesOf(
  heard: readonly { start: number; end: number; speaker: number }[],
  window: Region,
): Region[][] {
  const voices = new Map<number, Region[]>()
  for (const { start, end, speaker } of heard) {
    const startMs = window.startMs + Math.round(start * 1000)
    const endMs = Math.min(window.endMs, window.startMs + Math.round(end * 1000))
    if (endMs > startMs) voices.set(speaker, [...(voices.get(speaker) ?? []), { startMs, endMs }])
  }
  return [...voices.values()]
}

/** The speech within a span, cut wherever somebody begins or ends; `who` are places in `voices`. */
function piecesOf(
  { startMs, endMs, isSpeech }: Span,
  voices: readonly (readonly Region[])[],
): (Region & { who: number[] })[] {
  const edges = voices.flatMap((voice) => voice.flatMap((each) => [each.startMs, each.endMs]))
  const cuts = [startMs, ...edges.filter((at) => at > startMs && at < endMs), endMs]
  cuts.sort((a, b) => a - b)
  const pieces: (Region & { who: number[] })[] = []
  for (const [index, from] of cuts.entries()) {
    const to = cuts[index + 1] ?? from
    const who = voices.flatMap((voice, place) =>
      voice.some((each) => each.startMs <= from && from < each.endMs) ? [place] : [],
    )
    if (to > from && who.length > 0) pieces.push({ startMs: from, endMs: to, who })
  }
  const shortestMs = isSpeech ? SHORTEST_MS.inRegions : SHORTEST_MS.outside
  return pieces.filter((piece) => piece.endMs - piece.startMs >= shortestMs)
}

function soundOf(samples: Float32Array, extractor: Extractor): Float32Array | null {
  const stream = extractor.createStream()
  stream.acceptWaveform({ samples, sampleRate: RATE_HZ })
  stream.inputFinished()
  if (!extractor.isReady(stream)) return null
  const sound = extractor.compute(stream, false)
  const length = Math.hypot(...sound)
  // Of silence a model may answer what is no number.
  return length > 0 ? sound.map((value) => value / length) : null
}
