/**
 * The whole pipeline once, in a process of its own, so that its memory and processor time are its
 * own. Takes one JSON argument, writes a RunReport to the file it names.
 */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import type { SpeakerTurn } from '#features/speech/contract.ts'
import type { Chunk, Engine, Word } from '#features/speech/engines/engine.ts'
import { openPocketsphinx } from '#features/speech/engines/pocketsphinx.ts'
import { type Progress, type StageStore, transcribe } from '#features/speech/speech.ts'

import { cpuMs, memoryOfTree, peakMemoryOf, watchPeak } from './processes.ts'

export interface RunWish {
  path: string
  workDir: string
  reportPath: string
  /** `free` says a word every 300 ms, at once: what is left is the cost of everything else. */
  engine: 'pocketsphinx' | 'free'
  cores: number
}

export interface RunReport {
  wallMs: number
  cpuMs: { own: number; children: number }
  /** The most that this process held, and the most that it and its children held together. */
  peakBytes: number
  peakTreeBytes: number
  /** From the start until the engine was asked first, and until its first words were there. */
  firstAskedMs: number
  firstTextMs: number
  /** When each kind of progress was told first, in ms from the start. */
  toldMs: Partial<Record<Progress['kind'], number>>
  chunksTold: number
  wentBack: number
  chunks: Chunk[]
  isNarrowBand: boolean
  words: Word[]
  speakers: number
  turns: number
  /** As diarization told them, before words were put to them. */
  speakerTurns: SpeakerTurn[]
}

const order: Progress['kind'][] = [
  'analyzing_format',
  'converting_video',
  'converting_opus',
  'splitting',
  'checking_size',
  'sending',
  'chunks',
  'chunk',
]

const wish = JSON.parse(process.argv[2] ?? '') as RunWish
const startedAt = performance.now()
const elapsed = () => performance.now() - startedAt

let firstAskedMs = 0
const inner = wish.engine === 'free' ? freeEngine() : await openPocketsphinx({ cores: wish.cores })
const engine: Engine = {
  ...inner,
  recognise: (...args) => {
    firstAskedMs ||= elapsed()
    return inner.recognise(...args)
  },
}

const toldMs: RunReport['toldMs'] = {}
let firstTextMs = 0
let chunksTold = 0
let wentBack = 0
let rank = 0
function told(progress: Progress): void {
  toldMs[progress.kind] ??= elapsed()
  if (progress.kind === 'chunk') {
    firstTextMs ||= elapsed()
    chunksTold += 1
  }
  const share = progress.kind === 'chunk' ? progress.done / progress.total : 0
  const now = order.indexOf(progress.kind) + share
  if (now < rank) wentBack += 1
  rank = now
}

const kept = new Map<string, string>()
const stages: StageStore = {
  get: async <T>(name: string) => JSON.parse(kept.get(name) ?? 'null') as T | null,
  put: async (name, value) => void kept.set(name, JSON.stringify(value)),
}

const peak = watchPeak(() => memoryOfTree(process.pid))
const before = cpuMs()
const result = await transcribe({ ...wish, engine }, stages, told, new AbortController().signal)
const wallMs = elapsed()
// Children count when they have been collected, which is a moment after they ended.
await sleep(100)
const after = cpuMs()
if (result.kind === 'refused') throw new Error(`the pipeline refused: ${result.reason}`)

const report: RunReport = {
  wallMs,
  cpuMs: { own: after.own - before.own, children: after.children - before.children },
  peakTreeBytes: peak.stop(),
  peakBytes: peakMemoryOf(process.pid),
  firstAskedMs,
  firstTextMs,
  toldMs,
  chunksTold,
  wentBack,
  ...(({ chunks, isNarrowBand }) => ({ chunks, isNarrowBand }))(
    JSON.parse(kept.get('regions') ?? '') as { chunks: Chunk[]; isNarrowBand: boolean },
  ),
  words: result.turns.flatMap(({ words }) => words),
  speakers: new Set(result.turns.map(({ speaker }) => speaker)).size,
  turns: result.turns.length,
  speakerTurns: JSON.parse(kept.get('speakers') ?? '[]') as SpeakerTurn[],
}
await writeFile(wish.reportPath, JSON.stringify(report))

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
