/**
 * Sound in, words and speakers out. What this room promises:
 *
 * - The duration is what could be decoded, never what a header claims.
 * - Each stage's result is stored when it is done and not worked out again by a retry.
 * - A recording without speech is refused, whatever an engine would make up from it.
 * - Words carry times of the recording itself; every turn has one speaker.
 * - Aborting the signal ends every process and thread at once.
 *
 * It knows no HTTP, no database and no user. ffmpeg and recognisers are child processes, voice
 * activity and diarization run in worker threads: the event loop stays free.
 */
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { MAX_DURATION_HOURS } from '#shared/business.ts'

import { cut, group } from './chunks.ts'
import type { SpeakerTurn, Turn } from './contract.ts'
import { BYTES_PER_SAMPLE, type DecodeRefused, decodeToFile, SAMPLE_RATE_HZ } from './decode.ts'
import { diarize } from './diarize.ts'
import type { Chunk, Engine, PcmFile, Word } from './engines/engine.ts'
import { openPocketsphinx } from './engines/pocketsphinx.ts'
import { merge } from './merge.ts'
import { needProgram } from './programs.ts'
import { findSpeech, type Region } from './vad.ts'

export { measure } from './decode.ts'
export type { Engine } from './engines/engine.ts'
export { MissingProgram } from './programs.ts'
export { confinement } from './sandbox.ts'

/** Where finished stages are kept between two tries of one job. Values are plain JSON. */
export interface StageStore {
  get<T>(name: string): Promise<T | null>
  put(name: string, value: unknown): Promise<void>
}

/** What is happening right now; nothing is announced before it starts. */
export type Progress =
  | { kind: 'analyzing_format' }
  | { kind: 'converting_video' }
  | { kind: 'converting_opus' }
  | { kind: 'splitting' }
  | { kind: 'checking_size' }
  | { kind: 'sending' }
  | { kind: 'chunks' }
  /** `done` of `total` chunks are recognised. */
  | { kind: 'chunk'; done: number; total: number }

export interface TranscribeJob {
  path: string
  /** A folder of this job alone, made when missing; the caller removes it when the job is over. */
  workDir: string
  engine: Engine
  /** Settles how many speakers there are, where somebody knows. */
  speakers?: { count?: number }
}

export type TranscribeResult =
  | { kind: 'done'; turns: Turn[]; language: string; engine: string }
  | { kind: 'refused'; reason: DecodeRefused['reason'] | 'no_speech' | 'unreadable_audio' }

/** One try at a job. What it throws is worth another try; what it refuses is not. */
export async function transcribe(
  job: TranscribeJob,
  stages: StageStore,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<TranscribeResult> {
  await mkdir(job.workDir, { recursive: true })
  const run: Run = { ...job, stages, onProgress, signal }
  const decoded = await decodeOnce(run)
  if (decoded.kind === 'refused') return decoded

  const { regions, chunks, isNarrowBand } = await hearOnce(run, decoded.pcm)
  if (chunks.length === 0) return { kind: 'refused', reason: 'no_speech' }
  // Saved with a higher rate than it was sampled with, it is still a telephone call.
  const pcm = isNarrowBand ? { ...decoded.pcm, sourceSampleRateHz: TELEPHONE_RATE_HZ } : decoded.pcm

  const [recognised, speakers] = await together(signal, (signal) => [
    recogniseOnce({ ...run, signal }, pcm, chunks),
    diarizeOnce({ ...run, signal }, pcm, regions),
  ])
  if (recognised.kind === 'refused') return recognised
  if (recognised.words.length === 0) return { kind: 'refused', reason: 'no_speech' }
  const { hasPunctuation } = job.engine.capabilities
  return {
    kind: 'done',
    turns: merge({ words: recognised.words, speakers, regions, hasPunctuation }),
    language: recognised.language,
    engine: job.engine.name,
  }
}

/** The settings of config.speech that decide about the engine. */
export interface EngineSettings {
  transcriber: 'auto' | 'openai' | 'sherpa' | 'pocketsphinx'
}

/**
 * The engine this server transcribes with. Throws when the one that was asked for cannot be had,
 * or a program it needs is not installed; the message says what to do.
 */
export async function chooseEngine({ transcriber }: EngineSettings): Promise<Engine> {
  if (transcriber === 'openai' || transcriber === 'sherpa')
    throw new Error(
      `TRANSCRIBER=${transcriber} is not part of this version. Leave TRANSCRIBER out, or set it to pocketsphinx.`,
    )
  await needDecoder()
  return openPocketsphinx()
}

/**
 * What measuring a recording takes, also where nothing is transcribed.
 *
 * @throws MissingProgram
 */
export async function needDecoder(): Promise<void> {
  await needProgram('ffmpeg')
}

const MAX_DURATION_MS = MAX_DURATION_HOURS * 3_600_000
const TELEPHONE_RATE_HZ = 8000
const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1000

interface Run extends TranscribeJob {
  stages: StageStore
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Stage `pcm`: the samples lie in a file of workDir, and are decoded again when that is gone. */
async function decodeOnce({
  path,
  workDir,
  stages,
  onProgress,
  signal,
}: Run): Promise<{ kind: 'decoded'; pcm: PcmFile } | DecodeRefused> {
  const out = join(workDir, 'audio.pcm')
  const stored = await stages.get<Omit<PcmFile, 'path'>>('pcm')
  if (stored && (await sizeOf(out)) === stored.sampleCount * BYTES_PER_SAMPLE)
    return { kind: 'decoded', pcm: { ...stored, path: out } }

  onProgress({ kind: 'analyzing_format' })
  const measured = await decodeToFile(path, out, {
    signal,
    maxDurationMs: MAX_DURATION_MS,
    niceness: NICENESS,
    onStreams: ({ codec, isVideo }) => {
      if (isVideo) onProgress({ kind: 'converting_video' })
      else if (codec === 'opus') onProgress({ kind: 'converting_opus' })
    },
  })
  if (measured.kind === 'refused') return measured
  const { sampleCount, sourceSampleRateHz } = measured
  await stages.put('pcm', { sampleCount, sourceSampleRateHz })
  return { kind: 'decoded', pcm: { path: out, sampleCount, sourceSampleRateHz } }
}
const NICENESS = 5

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

interface HeardStage {
  regions: Region[]
  chunks: Chunk[]
  isNarrowBand: boolean
  /** What the chunks were cut for: an engine that takes other lengths cuts anew. */
  longestMs: number
}

/** Stage `regions`: where somebody speaks, and the chunks that are cut from it. */
async function hearOnce(
  { engine, stages, onProgress, signal }: Run,
  pcm: PcmFile,
): Promise<HeardStage> {
  const longestMs = engine.capabilities.longestChunkMs
  const stored = await stages.get<HeardStage>('regions')
  if (stored?.longestMs === longestMs) return stored

  onProgress({ kind: 'splitting' })
  const { regions, loudness, isNarrowBand } = await findSpeech(pcm, { signal })
  const durationMs = Math.floor(pcm.sampleCount / SAMPLES_PER_MS)
  onProgress({ kind: 'checking_size' })
  const chunks = cut(regions, { loudness, durationMs, longestMs })
  const heard: HeardStage = { regions, chunks, isNarrowBand, longestMs }
  await stages.put('regions', heard)
  return heard
}

type Recognised =
  | { kind: 'done'; words: Word[]; language: string }
  | { kind: 'refused'; reason: 'unreadable_audio' }

interface WordsStage {
  engine: string
  /** First and last chunk of the group, to tell a group from one that was cut differently. */
  fromMs: number
  toMs: number
  language: string
  words: Word[]
}

/** Stages `words:0`, `words:1`, …: one for each group of chunks, as many at once as the engine takes. */
async function recogniseOnce(
  run: Run,
  pcm: PcmFile,
  chunks: readonly Chunk[],
): Promise<Recognised> {
  const { engine, onProgress } = run
  onProgress({ kind: 'sending' })
  const groups = [...group(chunks, engine).entries()]
  const results: WordsStage[] = []
  let isRefused = false
  let done = 0
  onProgress({ kind: 'chunks' })

  await together(run.signal, (signal) =>
    Array.from({ length: Math.min(engine.parallelGroups, groups.length) }, async () => {
      for (let next = groups.shift(); next && !isRefused; next = groups.shift()) {
        const [number, members] = next
        const result = await recogniseGroup({ ...run, signal }, pcm, { number, members })
        if (result === null) isRefused = true
        else results[number] = result
        done += members.length
        onProgress({ kind: 'chunk', done, total: chunks.length })
      }
    }),
  )
  if (isRefused) return { kind: 'refused', reason: 'unreadable_audio' }
  return {
    kind: 'done',
    words: results.flatMap(({ words }) => words),
    language: mostSpoken(results),
  }
}

/** Null when the engine cannot read the sound. */
async function recogniseGroup(
  { engine, workDir, stages, signal }: Run,
  pcm: PcmFile,
  { number, members }: { number: number; members: readonly Chunk[] },
): Promise<WordsStage | null> {
  const name = `words:${number}`
  const fromMs = members[0]?.startMs ?? 0
  const toMs = members.at(-1)?.endMs ?? 0
  const stored = await stages.get<WordsStage>(name)
  if (stored?.engine === engine.name && stored.fromMs === fromMs && stored.toMs === toMs)
    return stored

  const result = await engine.recognise(pcm, members, { language: null, workDir, signal })
  // The queue backs off and tries again; the groups that are done stay done.
  if (result.kind === 'busy')
    throw new Error(`${engine.name} is busy for ${result.retryAfterMs} ms`)
  if (result.kind === 'refused') return null
  const { words, language } = result
  const stage: WordsStage = { engine: engine.name, fromMs, toMs, language, words }
  await stages.put(name, stage)
  return stage
}

function mostSpoken(results: readonly WordsStage[]): string {
  const counts = new Map<string, number>()
  for (const { language, words } of results)
    counts.set(language, (counts.get(language) ?? 0) + words.length)
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ['en', -1])[0]
}

/** Stage `speakers`. */
async function diarizeOnce(
  { speakers, stages, signal }: Run,
  pcm: PcmFile,
  regions: Region[],
): Promise<SpeakerTurn[]> {
  const stored = await stages.get<SpeakerTurn[]>('speakers')
  if (stored) return stored
  const turns = await diarize(pcm, regions, { signal, ...(speakers ? { speakers } : {}) })
  await stages.put('speakers', turns)
  return turns
}

/**
 * Promise.all that leaves nothing running behind: the first failure ends the others, and they are
 * waited for before it is thrown.
 */
async function together<Results extends unknown[]>(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => { [Index in keyof Results]: Promise<Results[Index]> },
): Promise<Results> {
  const failure = new AbortController()
  const running = begin(AbortSignal.any([signal, failure.signal]))
  for (const promise of running) promise.catch((error: unknown) => failure.abort(error))
  await Promise.allSettled(running)
  signal.throwIfAborted()
  // What failed first is the reason; the others failed because they were ended.
  failure.signal.throwIfAborted()
  return Promise.all(running)
}
