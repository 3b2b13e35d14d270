/**
 * The embedded engine: Debian's pocketsphinx in batch mode, US English, on any machine and without
 * a network. Each group of chunks is one process, which is given headerless PCM and a list, and
 * answers with a CTM file: word, time and posterior probability per line.
 *
 * Two things are not to be touched. `-remove_silence no`: its default drops pauses and with them
 * the time base, so that words drift by most of a second within a minute. And batch mode itself:
 * it normalises over the whole chunk, which is worth seven points of word error rate.
 */
import { access, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { turns } from '#server/turns.ts'

import { findProgram, MissingProgram, sharedFolders } from '../sandbox/programs.ts'
import { start } from '../sandbox/sandbox.ts'
import type { Chunk, Engine, PcmFile, Word } from './engine.ts'

const BYTES_PER_MS = 32
const MEMORY_BYTES = 1024 * 1024 * 1024
/** It works at about a fifth of real time on one core; at twenty times real time it hangs. */
const WALL_MS = 60_000
const WALL_SHARE = 20
/** A telephone's sound, of which spectral subtraction removes the voice too. */
const TELEPHONE_HZ = 8000
/**
 * Moves the model's means to where a telephone's narrow band puts them (MLLR, one class): the model
 * was trained on wide band only. Debian's sphinxtrain (`bw`, `mllr_solve`) estimated it from two
 * minutes of known words, heard through 300 to 3400 Hz and up to 4 kHz. docs/quality.md has what it
 * brings.
 */
const telephoneMeans = join(import.meta.dirname, 'telephone.mllr')

/**
 * How hard it searches. `accurate` takes a fifth of the recording's length of processor time, `fast`
 * a tenth, for two words in a hundred more that are wrong.
 */
const profiles = {
  accurate: ['-lw', '5.5', '-topn', '8', '-maxwpf', '20', '-maxhmmpf', '10000'],
  fast: ['-fwdflat', 'no', '-maxwpf', '10', '-maxhmmpf', '5000'],
}
export type Profile = keyof typeof profiles

/**
 * @param options.cores processes at once, over all jobs of this engine
 * @throws MissingProgram when the program or its model is not installed
 */
export async function openPocketsphinx({
  cores = availableParallelism(),
  profile = 'accurate',
}: { cores?: number; profile?: Profile } = {}): Promise<Engine> {
  const program = await findProgram('pocketsphinx_batch')
  const model = await findModel()
  if (program === null || model === null)
    throw new MissingProgram([
      ...(program === null ? ['pocketsphinx_batch'] : []),
      ...(model === null ? ['pocketsphinx model'] : []),
    ])
  const processes = turns(cores)

  return {
    name: 'pocketsphinx',
    capabilities: {
      languages: ['en'],
      hasWordTimes: true,
      hasConfidence: true,
      hasPunctuation: false,
      longestChunkMs: 20_000,
    },
    isOnFewCores: cores <= 2,
    parallelGroups: cores,
    groupMs: 45_000,
    async recognise(pcm, chunks, { workDir, signal }) {
      await using _ = await processes.take(signal)
      const folder = await mkdtemp(join(workDir, 'pocketsphinx-'))
      try {
        await writeChunks(pcm, chunks, folder)
        await run(program, [...modelArguments(model), ...profiles[profile], ...settingsFor(pcm)], {
          model,
          folder,
          signal,
          audioMs: chunks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
        })
        const words = readCtm(await readFile(join(folder, 'words.ctm'), 'utf8'), chunks)
        return { kind: 'done', words, language: 'en' }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function findModel(): Promise<string | null> {
  for (const folder of sharedFolders('pocketsphinx')) {
    const model = join(folder, 'model/en-us')
    const isThere = await access(join(model, 'en-us.lm.bin')).then(
      () => true,
      () => false,
    )
    if (isThere) return model
  }
  return null
}

const modelArguments = (model: string): string[] => [
  '-hmm',
  join(model, 'en-us'),
  '-lm',
  join(model, 'en-us.lm.bin'),
  '-dict',
  join(model, 'cmudict-en-us.dict'),
]

function settingsFor({ sourceSampleRateHz }: PcmFile): string[] {
  const isTelephone = sourceSampleRateHz !== null && sourceSampleRateHz <= TELEPHONE_HZ
  const forTelephone = ['-remove_noise', 'no', '-mllr', telephoneMeans]
  return ['-remove_silence', 'no', ...(isTelephone ? forTelephone : [])]
}

/** Files named by the chunk's place in the recording, and the list that says to read them. */
async function writeChunks(pcm: PcmFile, chunks: readonly Chunk[], folder: string): Promise<void> {
  await using recording = await open(pcm.path)
  for (const { index, startMs, endMs } of chunks) {
    const bytes = Buffer.alloc((endMs - startMs) * BYTES_PER_MS)
    const { bytesRead } = await recording.read(bytes, 0, bytes.length, startMs * BYTES_PER_MS)
    await writeFile(join(folder, `${index}.raw`), bytes.subarray(0, bytesRead))
  }
  await writeFile(join(folder, 'list'), chunks.map(({ index }) => `${index}\n`).join(''))
}

async function run(
  program: string,
  args: readonly string[],
  {
    model,
    folder,
    signal,
    audioMs,
  }: { model: string; folder: string; signal: AbortSignal; audioMs: number },
): Promise<void> {
  const files = ['-ctl', 'list', '-cepdir', '.', '-cepext', '.raw', '-ctm', 'words.ctm']
  const wallMs = WALL_MS + WALL_SHARE * audioMs
  const { stdout, stderr, ended, stop } = await start(
    program,
    [...args, ...files, '-adcin', 'yes', '-logfn', '/dev/null'],
    {
      signal,
      memoryBytes: MEMORY_BYTES,
      cpuSeconds: wallMs / 1000,
      reads: [model, telephoneMeans],
      workDir: folder,
      niceness: 10,
    },
  )
  stdout.resume()
  stderr.resume()
  const timer = setTimeout(stop, wallMs)
  const { code, signal: ending } = await ended.finally(() => clearTimeout(timer))
  signal.throwIfAborted()
  if (code !== 0) throw new Error(`pocketsphinx_batch ended with ${ending ?? `code ${code}`}`)
}

/**
 * What its posterior probabilities are worth: how many of the words with each were right, of 474 in
 * 19 recordings with known text. It gives nothing for what is right one time in four.
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
