/**
 * Whether a model works on this machine: it is loaded in a process of its own, as a job would load it,
 * and hears two seconds of speech. A model that ends that process, or takes far more processor time or
 * memory than its size explains, is broken, and never takes a job. On a busy machine a good model may
 * get hardly any processor time for minutes: then nothing is known about it.
 */
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import {
  type Attempt,
  idOf,
  type InstalledModel,
  TooBusy,
  type Tried,
} from '#features/models/models.ts'

import { openDiarizer } from './sherpa-diarize.ts'
import { hasAddon } from './sherpa-process.ts'
import { memoryFor, openSherpa } from './sherpa.ts'

/** How long a trial may take: for a slow processor, and for a disk that reads 20 MB a second. */
const PATIENCE_S = 60
const BYTES_PER_S = 20_000_000
/** How many times longer is waited for it, on a machine that does other work as well. */
const WAIT_TIMES = 10
/** An engine may briefly need several times what its files take. */
const MEMORY_TIMES = 3
const MEMORY_SPARE = 1024 ** 3

/** "Did anybody write it down?", from our own sample recording (see scripts/make-sample.ts). */
const SPEECH = fileURLToPath(new URL('trial.pcm', import.meta.url))
const SAMPLES = 28_000
const PCM = { path: SPEECH, sampleCount: SAMPLES, sourceSampleRateHz: 16_000 }
/** Three seconds of each voice, one after the other, from the same recording. */
const TWO_VOICES = {
  path: fileURLToPath(new URL('two-voices.pcm', import.meta.url)),
  sampleCount: 96_000,
  sourceSampleRateHz: 16_000,
}
const CHUNK = { index: 0, startMs: 0, endMs: SAMPLES / 16 }

interface AttemptOptions {
  signal: AbortSignal
  /** Somebody waits: a machine that is too busy now is told sooner. */
  isWaitedFor?: boolean
  /** The processor time that it may take; by the size of the files where nobody says. */
  processorS?: number
  /** How long is waited for that. */
  waitMs?: number
}

/**
 * Answers why a recogniser, an embedding or a pair of models for speakers cannot be used; null when it can, and
 * where the engine that would load it is not installed. Several may be tried at once, by any number
 * of processes. @throws TooBusy, the signal's reason
 */
export async function attempt(
  tried: Tried,
  { signal, isWaitedFor = false, ...own }: AttemptOptions,
): Promise<string | null> {
  if (!hasAddon()) return null
  const models: InstalledModel[] = 'id' in tried ? [tried] : [tried.segmentation, tried.embedding]
  const files = await Promise.all(
    models.flatMap(({ id, files: each }) =>
      // Of two models both files may be called model.onnx.
      Object.values(each).map((path) => look(path, models.length > 1 ? `${id}/` : '')),
    ),
  )
  const impostor = files.find(({ kind }) => kind !== null)
  if (impostor) return `${describe(impostor)} is ${impostor.kind}`

  const sizeBytes = models.reduce((sum, each) => sum + each.sizeBytes, 0)
  const processorS = own.processorS ?? PATIENCE_S + Math.ceil(sizeBytes / BYTES_PER_S)
  const waitMs = own.waitMs ?? 1000 * processorS * (isWaitedFor ? 1 : WAIT_TIMES)
  const patience = AbortSignal.timeout(waitMs)
  try {
    await hear(tried, { signal: AbortSignal.any([signal, patience]), sizeBytes, processorS })
    return null
  } catch (error) {
    signal.throwIfAborted()
    if (patience.aborted)
      throw new TooBusy(
        `This machine is too busy: ${idOf(tried)} did not answer within ${Math.ceil(waitMs / 1000)} s, and took less than ${processorS} s of processor time.`,
        { cause: error },
      )
    const reason = error instanceof Error ? error.message : String(error)
    const networks = files.filter(({ name }) => !name.endsWith('.txt'))
    return `${reason} (${networks.map(describe).join('; ')})`
  }
}

/**
 * As `attempt`, and a pair must also hear that our own sample has two voices. For models that come by themselves:
 * of those that somebody chose it is enough that they work.
 */
export const attemptVoices: Attempt = async (tried, options) => {
  const reason = await attempt(tried, options)
  if (reason !== null || !hasAddon() || 'id' in tried) return reason
  const diarizer = openDiarizer(tried)
  try {
    const turns = await diarizer.diarize(TWO_VOICES, [], options)
    const found = new Set(turns.map(({ speaker }) => speaker)).size
    return found === 2 ? null : `Of two voices it heard ${found}.`
  } finally {
    await diarizer.close?.()
  }
}

async function hear(
  tried: Tried,
  { signal, sizeBytes, processorS }: { signal: AbortSignal; sizeBytes: number; processorS: number },
): Promise<void> {
  const memoryBytes = MEMORY_TIMES * memoryFor(sizeBytes) + MEMORY_SPARE
  const options = { cores: 1, memoryBytes, processorS }
  const opened =
    'id' in tried && tried.family !== 'embedding'
      ? openSherpa(tried, options)
      : openDiarizer('id' in tried ? { segmentation: null, embedding: tried } : tried, options)
  try {
    if ('recognise' in opened)
      await opened.recognise(PCM, [CHUNK], { language: null, workDir: tmpdir(), signal })
    else await opened.diarize(PCM, [], { signal })
  } finally {
    await opened.close?.()
  }
}

// ---- what a file is ----

interface Look {
  name: string
  sizeBytes: number
  begins: Buffer
  /** The kind of file that it is instead of a model; null where nothing speaks against it. */
  kind: string | null
}

const LOOK_BYTES = 64

async function look(path: string, prefix: string): Promise<Look> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0)
  const begins = buffer.subarray(0, bytesRead)
  return { name: `${prefix}${basename(path)}`, sizeBytes: size, begins, kind: impostorOf(begins) }
}

function impostorOf(begins: Buffer): string | null {
  const text = begins.toString('latin1').trimStart().toLowerCase()
  if (begins.length === 0) return 'empty'
  if (text.startsWith('version https://git-lfs'))
    return 'a pointer of Git LFS, not the file that it stands for: run git lfs pull where it comes from, or download the file itself'
  if (text.startsWith('<!doctype') || text.startsWith('<html'))
    return 'a web page, not a model: the download was answered with an error or a sign-in page'
  return null
}

function describe({ name, sizeBytes, begins }: Look): string {
  const first = begins.subarray(0, 24)
  const isText = first.length > 0 && first.every((byte) => byte >= 32 && byte < 127)
  const shown = isText ? `"${first.toString()}"` : first.subarray(0, 8).toString('hex')
  return `${name} (${sizeBytes} bytes${shown === '' ? '' : `, begins with ${shown}`})`
}
