/**
 * The whole pipeline once, in a process of its own, so that its memory and processor time are its
 * own. Takes one JSON argument, writes a RunReport to the file it names.
 */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { SpeakerTurn } from '#features/speech/contract.ts'
import type {
  Chunk,
  Engine,
  PcmFile,
  SpeakerBounds,
  Word,
} from '#features/speech/engines/engine.ts'
import { openPocketsphinx } from '#features/speech/engines/pocketsphinx.ts'
import { progressOrder } from '#features/speech/job.ts'
import {
  chooseEngine,
  type ProblemStage,
  type Progress,
  type StageStore,
  transcribe,
} from '#features/speech/speech.ts'

import { type CostByPart, watchParts } from './parts.ts'
import { cpuMs, memoryOfTree, peakMemoryOf, watchPeak } from './processes.ts'

/** `free` answers a word for every 300 ms at once, so that only the rest of the pipeline costs. */
export type EngineName = 'free' | 'accurate' | 'fast' | 'installed'
/** What tells the voices apart: what is embedded, or the pair of models that is installed. */
export type VoicesName = 'embedded' | 'installed'

export interface RunWish {
  path: string
  workDir: string
  reportPath: string
  engine: EngineName
  cores: number
  /** Absent: what the engine comes with, which is the pair for `installed` and else what is embedded. */
  voices?: VoicesName
  /** Ends the run when the first words are there. */
  isFirstWordsOnly?: boolean
  /** How long it is, as the product knows it before: else nothing of the rest is told at first. */
  durationMs?: number
  /** How many people speak, where the pipeline is to be told. */
  speakers?: SpeakerBounds
  /** Where models of the neural engine are installed. */
  modelsDir?: string
  /** Whether to tell what each part costs. */
  isByPart?: boolean
}

export interface RunReport {
  /** What went wrong while the job went on. */
  problems: string[]
  wallMs: number
  cpuMs: { own: number; children: number }
  /** Of that, in ms; only where it was asked for, because looking costs too. */
  partsMs: CostByPart
  /** The most that this process held, and the most that it and its children held together. */
  peakBytes: number
  peakTreeBytes: number
  /** From the start until the engine was asked first, and until its first words were there. */
  firstAskedMs: number
  firstTextMs: number
  /** The same until they could be read, with times that were looked for. */
  firstReadMs: number
  /** When each kind of progress was told first, in ms from the start. */
  toldMs: Partial<Record<Progress['kind'], number>>
  chunksTold: number
  /** How far it was said to be, and when, in ms from the start. */
  chunksToldAt: { done: number; total: number; atMs: number }[]
  wentBack: number
  chunks: Chunk[]
  isNarrowBand: boolean
  words: Word[]
  speakers: number
  turns: number
  /** The models that told the voices apart; null for what is embedded. */
  diarizer: string | null
  /** The turns of diarization, before words were assigned to them. */
  speakerTurns: SpeakerTurn[]
  pcmPath: string
  durationMs: number
}

/** What is told of a run that was ended with its first words. */
export interface FirstWords {
  firstAskedMs: number
  firstTextMs: number
  firstReadMs: number
  /** The sound of the first group, in a file of its own. */
  pcmPath: string
  durationMs: number
}

const wish = JSON.parse(process.argv[2] ?? '') as RunWish
const startedAt = performance.now()
const elapsed = () => performance.now() - startedAt

const stop = new AbortController()
const enough = new Error('the first words are there')
let firstAskedMs = 0
let firstTextMs = 0
let firstReadMs = 0
let firstSound: { pcm: PcmFile; chunks: readonly Chunk[] } | undefined
const inner = await withVoices(await openEngine(wish))
const engine: Engine = {
  ...inner,
  recognise: async (...args) => {
    firstAskedMs ||= elapsed()
    const answer = await inner.recognise(...args)
    firstTextMs ||= elapsed()
    firstSound ??= { pcm: args[0], chunks: args[1] }
    return answer
  },
}

async function leave(): Promise<void> {
  const { pcm, chunks } = firstSound ?? {}
  if (!pcm || !chunks) throw new Error('there are words, and the engine was not asked')
  const startMs = chunks[0]?.startMs ?? 0
  const durationMs = (chunks.at(-1)?.endMs ?? 0) - startMs
  const bytes = Buffer.alloc(durationMs * 32)
  await using recording = await open(pcm.path)
  await recording.read(bytes, 0, bytes.length, startMs * 32)
  const pcmPath = join(wish.workDir, 'first.pcm')
  await writeFile(pcmPath, bytes)
  const first: FirstWords = { firstAskedMs, firstTextMs, firstReadMs, pcmPath, durationMs }
  await writeFile(wish.reportPath, JSON.stringify(first))
  stop.abort(enough)
}

const toldMs: RunReport['toldMs'] = {}
const chunksToldAt: RunReport['chunksToldAt'] = []
let wentBack = 0
let rank = 0
function told(progress: Progress): void {
  toldMs[progress.kind] ??= elapsed()
  if (progress.kind === 'chunk') chunksToldAt.push({ ...progress, atMs: elapsed() })
  const share = progress.kind === 'chunk' ? progress.done / progress.total : 0
  const now = progressOrder.indexOf(progress.kind) + share
  if (now < rank) wentBack += 1
  rank = now
}

const kept = new Map<string, string>()
const stages: StageStore = {
  get: async <T>(name: string) => JSON.parse(kept.get(name) ?? 'null') as T | null,
  async put(name, value) {
    kept.set(name, JSON.stringify(value))
    if (!name.startsWith('words:')) return
    firstReadMs ||= elapsed()
    if (wish.isFirstWordsOnly) await leave()
  },
}

// Looking at all processes takes time itself, which would count as the pipeline's.
const peak = watchPeak(() => memoryOfTree(process.pid), 1000)
const parts = wish.isByPart ? watchParts() : null
const before = cpuMs()
const problems: string[] = []
const onProblem = (error: unknown, stage: ProblemStage) => {
  // The product would go on with what is embedded, whose figures would stand as those of the models.
  if (stage === 'speakers') throw error
  problems.push(`${stage}: ${String(error)}`)
}
const job = { ...wish, engine, onProblem }
const result = await transcribe(job, stages, told, stop.signal).catch((error: unknown) => {
  if (error === enough) process.exit(0)
  throw error
})
const wallMs = elapsed()
const partsMs = parts?.stop() ?? {}
await engine.close?.()
await engine.diarizer?.close?.()
// The time of a child counts only once it was collected, a moment after its end.
await sleep(100)
const after = cpuMs()
if (result.kind === 'refused') throw new Error(`the pipeline refused: ${result.reason}`)

const stored = (name: string): unknown => JSON.parse(kept.get(name) ?? 'null')
const pcm = stored('pcm') as { file: string; sampleCount: number }
const { chunks, isNarrowBand } = stored('regions') as { chunks: Chunk[]; isNarrowBand: boolean }
const report: RunReport = {
  problems,
  wallMs,
  cpuMs: { own: after.own - before.own, children: after.children - before.children },
  partsMs,
  peakTreeBytes: peak.stop(),
  peakBytes: peakMemoryOf(process.pid),
  firstAskedMs,
  firstTextMs,
  firstReadMs,
  toldMs,
  chunksTold: chunksToldAt.length,
  chunksToldAt,
  wentBack,
  chunks,
  isNarrowBand,
  words: result.turns.flatMap(({ words }) => words),
  speakers: new Set(result.turns.map(({ speaker }) => speaker)).size,
  turns: result.turns.length,
  diarizer: engine.diarizer?.name ?? null,
  speakerTurns: stored('speakers') as SpeakerTurn[],
  pcmPath: join(wish.workDir, pcm.file),
  durationMs: Math.floor(pcm.sampleCount / 16),
}
await writeFile(wish.reportPath, JSON.stringify(report))

/** `installed` is what this machine has besides the embedded engine, as TRANSCRIBER=auto finds it. */
async function openEngine({ engine, cores, modelsDir }: RunWish): Promise<Engine> {
  switch (engine) {
    case 'free':
      return freeEngine()
    case 'accurate':
    case 'fast':
      return openPocketsphinx({ cores, profile: engine })
    case 'installed':
      return chooseEngine({ transcriber: 'auto', ...(modelsDir ? { modelsDir } : {}) })
  }
}

/** As the product chooses them: the models of a pair that do not work are not used. */
async function withVoices(opened: Engine): Promise<Engine> {
  if (wish.voices === undefined) return opened
  const { diarizer: _, ...engine } = opened
  if (wish.voices === 'embedded') return engine
  const { diarizer } = await chooseEngine({
    transcriber: 'pocketsphinx',
    ...(wish.modelsDir ? { modelsDir: wish.modelsDir } : {}),
  })
  if (!diarizer) throw new Error('no models that tell voices apart are installed')
  return { ...engine, diarizer }
}

/** A recogniser that costs nothing, for what the rest of the pipeline costs. */
function freeEngine(): Engine {
  return {
    name: 'free',
    capabilities: {
      languages: ['en'],
      hasWordTimes: true,
      hasConfidence: true,
      hasPunctuation: false,
      longestChunkMs: 20_000,
    },
    parallelGroups: wish.cores,
    groupMs: 45_000,
    recognise: async (_pcm, chunks) => ({
      kind: 'done',
      language: 'en',
      words: chunks.flatMap(({ startMs, endMs }) =>
        Array.from({ length: Math.floor((endMs - startMs) / 300) }, (_, index) => ({
          text: 'word',
          startMs: startMs + index * 300,
          endMs: startMs + index * 300 + 250,
          confidence: 1,
        })),
      ),
    }),
  }
}
