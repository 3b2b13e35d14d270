/**
 * Where somebody speaks. Silero v6 through sherpa-onnx decides, in a worker thread, reading the PCM
 * in blocks while it is still being written, so that twelve hours take no more memory than one
 * minute and the first words need not wait for the last. Without the native addon (an optional
 * dependency) the loudness of the whole decides: good on clean recordings, poor in noise.
 */
import { Worker } from 'node:worker_threads'

import type { PcmFile } from '../engines/engine.ts'
import type { HeardPiece } from './chunks.ts'
import type { Loudness } from './loudness.ts'
import type { Region } from './regions.ts'

/** What was heard in the next piece of a recording. Pieces end at the same samples every time. */
export interface Heard extends HeardPiece {
  /** Nothing above 5 kHz so far: a telephone call, whatever rate the file was saved with. */
  isNarrowBand: boolean
}

/** What the detector takes at once, 32 ms, and what the thread reads at once, 8 s. */
export const WINDOW = 512
export const BLOCK_SAMPLES = WINDOW * 256

export interface VadWork {
  path: string
  detector: 'best' | 'energy'
  /** Not 0 once the thread is to end by itself, between two windows. */
  stopped: Int32Array
}
/** To the thread: so many samples are in the file, and whether that is all. */
export interface VadNews {
  sampleCount: number
  isAll: boolean
}
/** From the thread; `end` is its last word. */
export type VadReport = ({ kind: 'heard' } & Heard) | { kind: 'end'; detector: Detector }
type Detector = 'silero' | 'energy'

export interface Listening {
  /** Tells how much of the recording can be read by now. */
  grown(news: VadNews): void
  /** Settles when all was heard. Rejects when listening failed or was aborted. */
  ended: Promise<Detector>
}

/**
 * Listens to a file that may still grow, and hands over what it hears.
 *
 * @param options.detector `energy` leaves the neural detector out, for tests.
 */
export function listen(
  path: string,
  {
    signal,
    detector = 'best',
    onHeard,
  }: { signal: AbortSignal; detector?: VadWork['detector']; onHeard: (heard: Heard) => void },
): Listening {
  signal.throwIfAborted()
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const work: VadWork = { path, detector, stopped }
  const worker = new Worker(new URL('./vad-worker.ts', import.meta.url), {
    name: 'voice-activity',
    // It makes many small things that nobody keeps: more room would only be filled with them.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    workerData: work,
  })
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  let isOver = false
  const ended = new Promise<Detector>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    worker.on('message', (report: VadReport) => {
      if (isOver) return
      if (report.kind === 'heard') onHeard(report)
      else resolve(report.detector)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`voice activity ended with code ${code}`)))
    worker.once('exit', () => signal.removeEventListener('abort', stop))
  }).finally(() => {
    isOver = true
    // Not terminated: a native call that is cut off there takes the whole process with it.
    Atomics.store(stopped, 0, 1)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ sampleCount: 0, isAll: false } satisfies VadNews)
    return exited
  })
  // Whoever awaits it sees the failure; until then it must not count as unhandled.
  ended.catch(() => undefined)
  let told = 0
  return {
    grown: (news) => {
      // The thread listens to whole blocks. Told of every few samples while it is busy, it would have
      // its queue filled with a hundred thousand messages.
      const blocks = Math.floor(news.sampleCount / BLOCK_SAMPLES)
      if (!news.isAll && blocks === told) return
      told = blocks
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(news)
    },
    ended,
  }
}

/** The same for a whole recording at once. */
export async function findSpeech(
  pcm: PcmFile,
  {
    signal,
    detector = 'best',
    onHeard,
  }: {
    signal: AbortSignal
    detector?: VadWork['detector']
    onHeard?: (heard: Heard) => void
  },
): Promise<{
  regions: Region[]
  loudness: Loudness
  isNarrowBand: boolean
  detector: Detector
}> {
  const pieces: Heard[] = []
  const listening = listen(pcm.path, {
    signal,
    detector,
    onHeard: (heard) => {
      pieces.push(heard)
      onHeard?.(heard)
    },
  })
  listening.grown({ sampleCount: pcm.sampleCount, isAll: true })
  const by = await listening.ended
  return {
    regions: pieces.flatMap(({ regions }) => regions),
    loudness: Uint8Array.from(pieces.flatMap(({ loudness }) => [...loudness])),
    isNarrowBand: pieces.at(-1)?.isNarrowBand ?? false,
    detector: by,
  }
}
