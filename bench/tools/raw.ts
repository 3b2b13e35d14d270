/**
 * What the pipeline is compared with: the same programs and models, called directly with the same
 * options. Where pocketsphinx recognises, the bench checks that both hear the same words, which shows
 * that the options are still the same.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Chunk, Word } from '#features/speech/engines/engine.ts'
import { readCtm } from '#features/speech/engines/pocketsphinx.ts'
import { chooseEngine } from '#features/speech/speech.ts'

import { cpuMs } from './processes.ts'

const model = '/usr/share/pocketsphinx/model/en-us'
const models = [
  ['-hmm', join(model, 'en-us'), '-lm', join(model, 'en-us.lm.bin')],
  ['-dict', join(model, 'cmudict-en-us.dict')],
].flat()
const options = [
  models,
  ['-remove_silence', 'no'],
  ['-lw', '5.5', '-topn', '8', '-maxwpf', '20', '-maxhmmpf', '10000'],
].flat()
const telephoneMeans = join(import.meta.dirname, '../../src/features/speech/engines/telephone.mllr')
const BYTES_PER_MS = 32

/** pocketsphinx_batch on chunks of a PCM file, in several processes, each with its share. */
export async function recogniseRaw(
  pcmPath: string,
  chunks: readonly Chunk[],
  { processes, isNarrowBand = false }: { processes: number; isNarrowBand?: boolean },
): Promise<{ wallMs: number; cpuMs: number; words: Word[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-raw-'))
  try {
    await using pcm = await open(pcmPath)
    for (const { index, startMs, endMs } of chunks) {
      const bytes = Buffer.alloc((endMs - startMs) * BYTES_PER_MS)
      const { bytesRead } = await pcm.read(bytes, 0, bytes.length, startMs * BYTES_PER_MS)
      await writeFile(join(folder, `${index}.raw`), bytes.subarray(0, bytesRead))
    }
    const shares = inShares(chunks, processes)
    for (const [share, members] of shares.entries())
      await writeFile(
        join(folder, `list-${share}`),
        members.map(({ index }) => `${index}\n`).join(''),
      )

    const before = cpuMs().children
    const startedAt = performance.now()
    await Promise.all(
      shares.map((_, share) =>
        // At the same priority as the pipeline's processes, so that the comparison is fair.
        run('nice', [
          ['-n', '10', 'pocketsphinx_batch', ...options],
          isNarrowBand ? ['-remove_noise', 'no', '-mllr', telephoneMeans] : [],
          ['-ctl', join(folder, `list-${share}`), '-cepdir', folder, '-cepext', '.raw'],
          ['-adcin', 'yes', '-ctm', join(folder, `ctm-${share}`), '-logfn', '/dev/null'],
        ]),
      ),
    )
    const wallMs = performance.now() - startedAt
    const texts = await Promise.all(
      shares.map((_, share) => readFile(join(folder, `ctm-${share}`), 'utf8')),
    )
    const words = readCtm(texts.join('\n'), chunks).sort((a, b) => a.startMs - b.startMs)
    return { wallMs, cpuMs: cpuMs().children - before, words }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The engine that this machine has on these chunks, without a pipeline around it. */
export async function recogniseAlone(
  pcmPath: string,
  chunks: readonly Chunk[],
  { modelsDir, workDir }: { modelsDir: string; workDir: string },
): Promise<{ wallMs: number; cpuMs: number; words: Word[] }> {
  const engine = await chooseEngine({ transcriber: 'auto', modelsDir })
  const before = cpuMs().children
  const startedAt = performance.now()
  const pcm = { path: pcmPath, sampleCount: 0, sourceSampleRateHz: null }
  const { signal } = new AbortController()
  const result = await engine.recognise(pcm, chunks, { language: null, workDir, signal })
  const wallMs = performance.now() - startedAt
  await engine.close?.()
  if (result.kind !== 'done') throw new Error(`the engine answered ${result.kind}`)
  // The time of a child counts only once it was collected, a moment after its end.
  await sleep(100)
  return { wallMs, cpuMs: cpuMs().children - before, words: result.words }
}

/** The recogniser as it comes, with not one option of ours, on the whole file. */
export async function recogniseStock(pcmPath: string): Promise<{ cpuMs: number; text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quoth-stock-'))
  try {
    await symlink(pcmPath, join(folder, 'whole.raw'))
    await writeFile(join(folder, 'list'), 'whole\n')
    const before = cpuMs().children
    await run('nice', [
      ['-n', '10', 'pocketsphinx_batch', ...models],
      ['-ctl', join(folder, 'list'), '-cepdir', folder, '-cepext', '.raw', '-adcin', 'yes'],
      ['-hyp', join(folder, 'text'), '-logfn', '/dev/null'],
    ])
    const said = await readFile(join(folder, 'text'), 'utf8')
    // The last thing on a line is the utterance and its score, in brackets.
    return { cpuMs: cpuMs().children - before, text: said.replaceAll(/\([^()]*\)$/gm, '') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** ffmpeg to mono 16 kHz PCM, thrown away. */
export async function decodeRaw(path: string): Promise<{ wallMs: number; cpuMs: number }> {
  const before = cpuMs().children
  const startedAt = performance.now()
  await run('ffmpeg', [
    ['-nostdin', '-v', 'error', '-threads', '1', '-i', path, '-vn', '-ac', '1', '-ar', '16000'],
    ['-f', 's16le', 'pipe:1'],
  ])
  return { wallMs: performance.now() - startedAt, cpuMs: cpuMs().children - before }
}

/** Each share about as long as the others: the longest chunk goes to the shortest share. */
function inShares(chunks: readonly Chunk[], count: number): Chunk[][] {
  const shares = Array.from({ length: count }, () => ({ ms: 0, members: [] as Chunk[] }))
  const byLength = [...chunks].sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
  for (const chunk of byLength) {
    const shortest = shares.reduce((least, share) => (share.ms < least.ms ? share : least))
    shortest.members.push(chunk)
    shortest.ms += chunk.endMs - chunk.startMs
  }
  return shares.map(({ members }) => members).filter((members) => members.length > 0)
}

async function run(program: string, args: string[][]): Promise<void> {
  const nowhere = openSync('/dev/null', 'w')
  const child = spawn(program, args.flat(), { stdio: ['ignore', nowhere, nowhere] })
  closeSync(nowhere)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ended with code ${code}`)
}
