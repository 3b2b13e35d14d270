/**
 * The process in which models run, by sherpa-onnx or by moonshine.ts: one model, kept loaded, and one
 * question at a time. sherpa-process.ts starts it. It reads the sound from the file that the question
 * names, and answers with what the model said, unchanged: the server makes words of that. It keeps
 * nothing but the model.
 */
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants } from 'node:os'

import type { FamilyName } from '#features/models/models.ts'
import { giveWay } from '#server/give-way.ts'

import type { Chunk, Region } from './engine.ts'
import { hasLoop, isGuess, isUnmarked } from './guards.ts'
import { loadMoonshine } from './moonshine.ts'
import { piecesOf } from './place-words.ts'
import { type DiarizeRequest, diarizeWith, type Window } from './sherpa-diarize-host.ts'
import { families, type Family } from './sherpa-families.ts'
import { isFull, isTooDense, isWorthHalving, mostMs, roomMs } from './token-cap.ts'

export interface RecogniseRequest {
  kind: 'recognise'
  /** For sherpa-onnx. A question with the same configuration as the one before loads nothing. */
  modelConfig: object
  family: FamilyName
  /** The language that the model is told; empty where it shall find out by itself. */
  language: string
  pcmPath: string
  chunks: readonly Chunk[]
}

export type HostRequest = RecogniseRequest | DiarizeRequest

/** The answer of a model for a stretch; times in seconds from its start. */
export interface Heard {
  startMs: number
  endMs: number
  text: string
  language: string
  tokens: string[]
  timestamps: number[]
  durations: number[]
  logProbabilities: number[]
  phrases: { text: string; startS: number; lengthS: number }[]
  /** More was said than the model could write: the end of the text is missing. */
  isCutOff: boolean
}

export type Answer =
  | { kind: 'heard'; heard: Heard[] }
  | { kind: 'diarized'; windows: Window[] }
  | { kind: 'cancelled' }
  /** The question failed, and the process goes on. */
  | { kind: 'failed'; reason: string }

/** The parts of sherpa-onnx-node that are used here; it ships no types of its own. */
interface Recogniser {
  createStream(): { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void }
  decodeAsync(stream: object): Promise<Result>
}
interface Result {
  text: string
  lang?: string
  tokens?: string[]
  timestamps?: number[]
  durations?: number[]
  ys_log_probs?: number[]
  segment_texts?: string[]
  segment_timestamps?: number[]
  segment_durations?: number[]
}
/** A model that is loaded. That it was cut off sherpa-onnx does not tell: see token-cap.ts. */
interface Loaded {
  write(sound: Float32Array): Promise<Omit<Heard, 'startMs' | 'endMs'>>
}
interface Sherpa {
  OfflineRecognizer: { createAsync(config: object): Promise<Recogniser> }
}

const SAMPLE_RATE_HZ = 16_000
const BYTES_PER_MS = 32
/**
 * A chunk without words that is shorter than this is a breath or a click. In a longer one the model
 * may have failed, so its halves are tried.
 */
const WORTH_HALVING_MS = 2000

const require = createRequire(import.meta.url)
let isCancelled = false
let loaded: { key: string; model: Loaded } | null = null

async function recognise(question: RecogniseRequest): Promise<Answer> {
  const { modelConfig, pcmPath, chunks, language } = question
  const key = JSON.stringify(modelConfig)
  if (loaded?.key !== key) {
    loaded = null
    loaded = { key, model: await load(question) }
  }
  const listener = { model: loaded.model, family: families[question.family], language }
  const heard: Heard[] = []
  await using recording = await open(pcmPath)
  for (const { startMs, endMs } of chunks) {
    if (isCancelled) return { kind: 'cancelled' }
    const bytes = Buffer.alloc((endMs - startMs) * BYTES_PER_MS)
    const { bytesRead } = await recording.read(bytes, 0, bytes.length, startMs * BYTES_PER_MS)
    const samples = samplesOf(bytes.subarray(0, bytesRead))
    heard.push(...(await listen(listener, samples, { startMs, endMs })))
  }
  return { kind: 'heard', heard }
}

async function load({ family, modelConfig }: RecogniseRequest): Promise<Loaded> {
  if (family === 'moonshine_v2') return ofMoonshine(modelConfig as MoonshineConfig)
  const sherpa = require('sherpa-onnx-node') as Sherpa
  const featConfig = { sampleRate: SAMPLE_RATE_HZ, featureDim: 80 }
  return ofSherpa(await sherpa.OfflineRecognizer.createAsync({ featConfig, modelConfig }))
}

interface MoonshineConfig {
  moonshine: { encoder: string; mergedDecoder: string }
  tokens: string
  numThreads: number
}

function ofMoonshine({ moonshine, tokens, numThreads }: MoonshineConfig): Loaded {
  const model = loadMoonshine({ ...moonshine, tokens, threads: numThreads })
  const untold = { language: '', timestamps: [], durations: [], phrases: [] }
  return { write: async (sound) => ({ ...untold, ...model.write(sound) }) }
}

function ofSherpa(recogniser: Recogniser): Loaded {
  return {
    async write(samples) {
      const stream = recogniser.createStream()
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE_HZ })
      const said = await recogniser.decodeAsync(stream)
      return {
        text: said.text.trim(),
        language: said.lang ?? '',
        tokens: said.tokens ?? [],
        timestamps: said.timestamps ?? [],
        durations: said.durations ?? [],
        logProbabilities: said.ys_log_probs ?? [],
        phrases: (said.segment_texts ?? []).map((text, index) => ({
          text,
          startS: said.segment_timestamps?.[index] ?? 0,
          lengthS: said.segment_durations?.[index] ?? 0,
        })),
        isCutOff: false,
      }
    },
  }
}

function samplesOf(bytes: Buffer): Float32Array {
  const samples = new Float32Array(Math.floor(bytes.length / 2))
  for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * 2) / 32_768
  return samples
}

interface Listener {
  model: Loaded
  family: Family
  /** The language that was told, or that the model found; empty where neither is known. */
  language: string
}

/**
 * Recognises a chunk. A model can lose words without an error in two ways: several families
 * answer with an empty text when they fail, and a text ends where the model may write no more
 * (token-cap.ts). An empty text is tried again in halves, and so is one without marks. A cut-off text is
 * tried again with silence added to the sound, which allows more text, then in halves. Words that are
 * lost even so are marked.
 */
async function listen(
  listener: Listener,
  samples: Float32Array,
  span: Region,
  { isRetry = false }: { isRetry?: boolean } = {},
): Promise<Heard[]> {
  const { model, family } = listener
  const lengthMs = span.endMs - span.startMs
  const inHalves = (how?: { isRetry: boolean }, language = listener.language) =>
    listenInHalves({ ...listener, language }, samples, span, how)
  if (isTooDense(family, listener.language, lengthMs)) return inHalves()

  const soundMs = roomMs(family, listener.language, lengthMs)
  let whole = await decode(model, samples, { ...span, soundMs })
  // Somebody speaks in every chunk, so an empty text is a failure; a guess may be one.
  if (whole.text === '' || isGuess(whole)) {
    if (isRetry || lengthMs < WORTH_HALVING_MS) return [whole]
    const halves = await inHalves({ isRetry: true })
    const isBetter = halves.some((half) => half.text !== '' && !isGuess(half))
    return isBetter || whole.text === '' ? halves : [whole]
  }
  if (!isUnfinished(whole, family, soundMs)) {
    const heard = [{ ...whole, isCutOff: false }]
    if (isRetry || !family.hasPunctuation || !isUnmarked(whole.text)) return heard
    const halves = await inHalves({ isRetry: true })
    const isWorse = halves.some(
      (half) => half.text === '' || isUnmarked(half.text) || isGuess(half),
    )
    return isWorse ? heard : halves
  }
  const longestMs = mostMs(family.windowMs, lengthMs)
  if (soundMs < longestMs) {
    whole = await decode(model, samples, { ...span, soundMs: longestMs })
    if (!isUnfinished(whole, family, longestMs)) return [{ ...whole, isCutOff: false }]
  }
  const isLong = whole.isCutOff && lengthMs >= WORTH_HALVING_MS
  if (isLong || isWorthHalving(family, lengthMs))
    return inHalves({ isRetry }, listener.language || whole.language)
  return [{ ...whole, isCutOff: true }]
}

/** A model that repeats itself writes until it is stopped: its text is full, and not unfinished. */
function isUnfinished(heard: Heard, family: Family, soundMs: number): boolean {
  const { text, tokens, phrases, isCutOff } = heard
  // Each phrase has two marks of time. They count for the limit, and `tokens` does not have them.
  const isStopped = isCutOff || isFull(family, tokens.length + 2 * phrases.length, soundMs)
  return isStopped && !hasLoop(piecesOf(text))
}

async function listenInHalves(
  listener: Listener,
  samples: Float32Array,
  { startMs, endMs }: Region,
  how?: { isRetry: boolean },
): Promise<Heard[]> {
  const half = quietestMiddle(samples)
  const middleMs = startMs + Math.round((half * 1000) / SAMPLE_RATE_HZ)
  return [
    ...(await listen(listener, samples.subarray(0, half), { startMs, endMs: middleMs }, how)),
    ...(await listen(listener, samples.subarray(half), { startMs: middleMs, endMs }, how)),
  ]
}

/** The quietest tenth of a second in the middle third. */
function quietestMiddle(samples: Float32Array): number {
  const width = SAMPLE_RATE_HZ / 10
  let best = { at: Math.floor(samples.length / 2), power: Infinity }
  for (
    let at = Math.floor(samples.length / 3);
    at + width < (samples.length * 2) / 3;
    at += width
  ) {
    let power = 0
    for (let n = at; n < at + width; n++) power += (samples[n] ?? 0) ** 2
    if (power < best.power) best = { at: at + width / 2, power }
  }
  return best.at
}

async function decode(
  model: Loaded,
  samples: Float32Array,
  { startMs, endMs, soundMs }: Region & { soundMs: number },
): Promise<Heard> {
  const sound = new Float32Array(Math.max(samples.length, (soundMs * SAMPLE_RATE_HZ) / 1000))
  sound.set(samples)
  return { startMs, endMs, ...(await model.write(sound)) }
}

async function answer(question: HostRequest): Promise<Answer> {
  try {
    if (question.kind === 'recognise') return await recognise(question)
    const windows = await diarizeWith(question, { require, isCancelled: () => isCancelled })
    return windows ? { kind: 'diarized', windows } : { kind: 'cancelled' }
  } catch (error) {
    // A parser quotes what it cannot read, which is what was heard.
    if (error instanceof SyntaxError) return { kind: 'failed', reason: 'Its answer is not JSON.' }
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

// This process runs at a low priority, so that the server goes first.
giveWay(constants.priority.PRIORITY_BELOW_NORMAL)
// The server is gone. A recognition in native code cannot be stopped, so the process is killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (message: HostRequest | { kind: 'cancel' }) => {
  if (message.kind === 'cancel') {
    isCancelled = true
    return
  }
  isCancelled = false
  void answer(message).then((said) => process.send?.(said))
})
