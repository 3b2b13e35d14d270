/**
 * The embedded engine: Debian's pocketsphinx in batch mode, US English, on any machine and without
 * a network. Each group of chunks is one process, which answers with word, time and posterior
 * probability per line.
 *
 * Batch mode itself is not to be touched: it normalises over the whole chunk, which is worth seven
 * points of word error rate.
 */
import { availableParallelism } from 'node:os'

import { semaphore } from '#server/semaphore.ts'

import type { Chunk, Engine, Word } from './engine.ts'
import { findPocketsphinx, runBatch } from './pocketsphinx-program.ts'

/** It needs about a fifth of the sound's length on one core. After 20 times the length it hangs. */
const WALL_MS = 60_000
const WALL_SHARE = 20

/** How hard it searches: a fifth of the recording's length of processor time. */
const search = ['-lw', '5.5', '-topn', '8', '-maxwpf', '20', '-maxhmmpf', '10000']

/**
 * @param options.cores processes at once, over all jobs of this engine
 * @throws MissingProgram when the program or its model is not installed
 */
export async function openPocketsphinx({
  cores = availableParallelism(),
}: { cores?: number } = {}): Promise<Engine> {
  const pocketsphinx = await findPocketsphinx()
  const { dictionary, languageModel } = pocketsphinx
  const processes = semaphore(cores)

  return {
    name: 'pocketsphinx',
    capabilities: {
      languages: ['en'],
      hasWordTimes: true,
      hasConfidence: true,
      hasPunctuation: false,
      longestChunkMs: 20_000,
    },
    parallelGroups: cores,
    groupMs: 45_000,
    async recognise(pcm, chunks, { workDir, signal }) {
      await using _ = await processes.take(signal)
      const audioMs = chunks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
      const ctm = await runBatch(pocketsphinx, pcm, chunks, {
        args: ['-lm', languageModel, '-dict', dictionary, ...search],
        wallMs: WALL_MS + WALL_SHARE * audioMs,
        workDir,
        signal,
      })
      return { kind: 'done', words: readCtm(ctm, chunks), language: 'en' }
    },
  }
}

/**
 * How many of the words with each posterior probability were right, of 474 in 19 recordings with known
 * text. The engine gives no probability to words that are right one time in four.
 */
const calibration = [
  { posterior: 0, probability: 0.28 },
  { posterior: 0.1, probability: 0.38 },
  { posterior: 0.3, probability: 0.5 },
  { posterior: 0.6, probability: 0.64 },
  { posterior: 0.8, probability: 0.82 },
  { posterior: 0.95, probability: 0.93 },
  { posterior: 1, probability: 0.97 },
]

function probabilityOf(posterior: number): number {
  const within = Math.max(0, Math.min(1, posterior))
  const above = calibration.findIndex((point) => point.posterior >= within)
  const to = calibration[above]
  const from = calibration[above - 1]
  // Only the very first point has none before it.
  if (!to || !from) return to?.probability ?? 0
  const share = (within - from.posterior) / (to.posterior - from.posterior)
  return Number((from.probability + share * (to.probability - from.probability)).toFixed(3))
}

/** Lines of `utterance channel start duration word confidence`, in seconds from the chunk's start. */
export function readCtm(ctm: string, chunks: readonly Chunk[]): Word[] {
  const byName = new Map(chunks.map((chunk) => [String(chunk.index), chunk]))
  return ctm.split('\n').flatMap((line) => {
    const [utterance = '', , from, length, text, confidence, ...rest] = line.trim().split(/\s+/)
    const chunk = byName.get(utterance)
    // A line without a word has fewer fields; `<sil>` and `[NOISE]` are not words.
    if (!chunk || !text || confidence === undefined || rest.length > 0) return []
    if (/^[<[+]/.test(text)) return []
    const within = (seconds: number) =>
      Math.min(chunk.endMs, chunk.startMs + Math.round(seconds * 1000))
    const startMs = within(Number(from))
    return [
      {
        text: text.replace(/\(\d+\)$/, ''),
        startMs,
        endMs: Math.max(startMs, within(Number(from) + Number(length))),
        confidence: probabilityOf(Number(confidence)),
      },
    ]
  })
}
