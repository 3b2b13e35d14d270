/**
 * Debian's pocketsphinx in batch mode, as a sandboxed process: it is given headerless PCM and a list
 * of files, and answers with a CTM file, a line for each word. pocketsphinx.ts recognises with it,
 * align-words.ts finds out when known words were said.
 *
 * `-remove_silence no` is not to be touched: its default drops pauses and with them the time base, so
 * that words drift by most of a second within a minute.
 */
import { access, mkdtempDisposable, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { findProgram, MissingProgram, sharedFolders } from '#features/sound/sandbox/programs.ts'
import { run } from '#features/sound/sandbox/sandbox.ts'
import type { Chunk, PcmFile } from './engine.ts'

const BYTES_PER_MS = 32
const MEMORY_BYTES = 1024 * 1024 * 1024
/** A telephone's sound, of which spectral subtraction removes the voice too. */
const TELEPHONE_HZ = 8000
/**
 * Moves the model's means to where a telephone's narrow band puts them (MLLR, one class): the model
 * was trained on wide band only. Debian's sphinxtrain (`bw`, `mllr_solve`) estimated it from two
 * minutes of known words, heard through 300 to 3400 Hz and up to 4 kHz. Of the 81 words of a real
 * call, 55 are wrong with it and 60 without.
 */
const telephoneMeans = join(import.meta.dirname, 'telephone.mllr')

export interface Pocketsphinx {
  program: string
  /** The folder of the acoustic model. */
  sounds: string
  dictionary: string
  languageModel: string
}

/** @throws MissingProgram when the program or its model is not installed */
export async function findPocketsphinx(): Promise<Pocketsphinx> {
  const program = await findProgram('pocketsphinx_batch')
  const model = await findModel()
  if (program === null || model === null)
    throw new MissingProgram([
      ...(program === null ? ['pocketsphinx_batch'] : []),
      ...(model === null ? ['pocketsphinx model'] : []),
    ])
  return {
    program,
    sounds: join(model, 'en-us'),
    dictionary: join(model, 'cmudict-en-us.dict'),
    languageModel: join(model, 'en-us.lm.bin'),
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

export interface BatchOptions {
  /** Further options: what it listens for, and how hard. */
  args: readonly string[]
  /** Files that these name, by their names in the folder in which it runs. */
  files?: Readonly<Record<string, string>>
  /** After this time it is ended, by a `TimeoutError`. */
  wallMs: number
  workDir: string
  signal: AbortSignal
}

/** One process for these chunks, each named by its index. Answers the CTM file. */
export async function runBatch(
  { program, sounds, dictionary, languageModel }: Pocketsphinx,
  pcm: PcmFile,
  chunks: readonly Chunk[],
  { args, files = {}, wallMs, workDir, signal }: BatchOptions,
): Promise<string> {
  await using folder = await mkdtempDisposable(join(workDir, 'pocketsphinx-'))
  await writeChunks(pcm, chunks, folder.path)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  const list = ['-ctl', 'list', '-cepdir', '.', '-cepext', '.raw', '-adcin', 'yes']
  const { code, signal: ending } = await run(
    program,
    [
      ['-hmm', sounds, ...args, ...settingsFor(pcm)],
      [...list, '-ctm', 'words.ctm', '-logfn', '/dev/null'],
    ].flat(),
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(wallMs)]),
      memoryBytes: MEMORY_BYTES,
      // The clock runs out before, so that it is known which of the two it was.
      cpuSeconds: (2 * wallMs) / 1000,
      reads: [sounds, dictionary, languageModel, telephoneMeans],
      workDir: folder.path,
      niceness: 10,
    },
  )
  if (code !== 0) throw new Error(`pocketsphinx_batch ended with ${ending ?? `code ${code}`}`)
  return await readFile(join(folder.path, 'words.ctm'), 'utf8')
}

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
