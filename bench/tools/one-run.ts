/**
 * The whole pipeline once, in a process of its own, so that its memory and processor time are its
 * own. Takes one JSON argument, writes a RunReport to the file it names.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { SpeakerTurn } from '#features/speech/contract.ts'
import type { Chunk, Engine, SpeakerBounds, Word } from '#features/speech/engines/engine.ts'
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
export type EngineName = 'free' | 'accurate' | 'installed'
/** The models that tell voices apart: the embedded ones, or the installed pair. */
export type VoicesName = 'embedded' | 'installed'

export interface RunWish {
  path: string
  workDir: string
  reportPath: string
  engine: EngineName
  cores: number
  /** Absent: those of the engine, which are the pair for `installed` and else the embedded ones. */
  voices?: VoicesName
  /** How long it is, as the product knows it before: else nothing of the rest is told at first. */
  durationMs?: number
  /** How many people speak, where the pipeline is to be told. */
  speakers?: SpeakerBounds
  /** Where models of the neural engine are installed. */
  modelsDir?: string
  /** Whether to tell the cost of each part. */
  isByPart?: boolean
}

export interface RunReport {
  /** Errors of parts that did not end the job. */
  problems: string[]
  wallMs: number
  cpuMs: { own: number; children: number }
  /** The time of each part, in ms; only where it was asked for, because looking costs too. */
  partsMs: CostByPart
  /** The most that this process held, and the most that it and its children held together. */
  peakBytes: number
  peakTreeBytes: number
  /** From the start until the engine was asked first, and until its first words could be read. */
  firstAskedMs: number
  firstReadMs: number
  chunksTold: number
  /** How far it was said to be, and when, in ms from the start. */
  chunksToldAt: { done: number; total: number; atMs: number }[]
  wentBack: number
  chunks: Chunk[]
  words: Word[]
  speakers: number
  /** The models that told the voices apart; null for the embedded ones. */
  diarizer: string | null
  /** The turns of diarization, before words were assigned to them. */
  speakerTurns: SpeakerTurn[]
  pcmPath: string
  durationMs: number
}

const wish = JSON.parse(process.argv[2] ?? '') as RunWish
const inner = await withVoices(await openEngine(wish))
// A server tries its models when it starts, and not for each job.
const startedAt = performance.now()
const elapsed = () => performance.now() - startedAt

let firstAskedMs = 0
let firstReadMs = 0
const engine: Engine = {
  ...inner,
  recognise: async (...args) => {
    firstAskedMs ||= elapsed()
    return inner.recognise(...args)
  },
}

const chunksToldAt: RunReport['chunksToldAt'] = []
let wentBack = 0
let rank = 0
function told(progress: Progress): void {
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
    if (name.startsWith('words:')) firstReadMs ||= elapsed()
  },
}

// Looking at all processes takes time itself, which would count as the pipeline's.
const peak = watchPeak(() => memoryOfTree(process.pid), 1000)
const parts = wish.isByPart ? watchParts() : null
const before = cpuMs()
const problems: string[] = []
const onProblem = (error: unknown, stage: ProblemStage) => {
  // The product would go on with the embedded models, and their figures would stand for the others.
  if (stage === 'speakers') throw error
  problems.push(`${stage}: ${String(error)}`)
}
const job = { ...wish, engine, onProblem }
const result = await transcribe(job, stages, told, new AbortController().signal)
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
const { chunks } = stored('regions') as { chunks: Chunk[] }
const report: RunReport = {
  problems,
  wallMs,
  cpuMs: { own: after.own - before.own, children: after.children - before.children },
  partsMs,
  peakTreeBytes: peak.stop(),
  peakBytes: peakMemoryOf(process.pid),
  firstAskedMs,
  firstReadMs,
  chunksTold: chunksToldAt.length,
  chunksToldAt,
  wentBack,
  chunks,
  words: result.turns.flatMap(({ words }) => words),
  speakers: new Set(result.turns.map(({ speaker }) => speaker)).size,
  diarizer: engine.diarizer?.name ?? null,
  speakerTurns: stored('speakers') as SpeakerTurn[],
  pcmPath: join(wish.workDir, pcm.file),
  durationMs: Math.floor(pcm.sampleCount / 16),
}
await writeFile(wish.reportPath, JSON.stringify(report))

/** `installed` is the engine that TRANSCRIBER=auto finds besides the embedded one. */
async function openEngine({ engine, cores, modelsDir }: RunWish): Promise<Engine> {
  switch (engine) {
    case 'free':
      return freeEngine()
    case 'accurate':
      return openPocketsphinx({ cores })
    case 'installed':
      return chooseEngine({ transcriber: 'auto', modelsDir })
  }
}

/** As the product chooses them: the models of a pair that do not work are not used. */
async function withVoices(opened: Engine): Promise<Engine> {
  if (wish.voices === undefined) return opened
  const { diarizer: _, ...engine } = opened
  if (wish.voices === 'embedded') return engine
  const { diarizer } = await chooseEngine({
    transcriber: 'pocketsphinx',
    modelsDir: wish.modelsDir,
  })
  if (!diarizer) throw new Error('no models that tell voices apart are installed')
  return { ...engine, diarizer }
}

/** A recogniser that costs nothing, to measure the rest of the pipeline. */
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
