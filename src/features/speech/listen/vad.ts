/**
 * Finds where somebody speaks (voice activity detection). Silero v6 does it through sherpa-onnx, in
 * a worker thread. The thread reads the PCM in blocks while it is still being written: twelve hours
 * take no more memory than one minute, and the first words need not wait for the last. Without the
 * native addon (an optional dependency) the loudness decides, which is good on clean recordings and
 * poor in noise.
 */
import { Worker } from 'node:worker_threads'

import type { HeardPiece } from './chunks.ts'
import {
  BLOCK_SAMPLES,
  type Detector,
  type VadNews,
  type VadReport,
  type VadWork,
} from './vad-messages.ts'

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
 * @param options.floorDb of a side: somebody else speaks meanwhile, so what is softer is no speech of it, and
 * silence is no reason to listen harder
 */
export function listen(
  path: string,
  {
    signal,
    detector = 'best',
    floorDb = null,
    onHeard,
  }: {
    signal: AbortSignal
    detector?: VadWork['detector']
    floorDb?: number | null
    onHeard: (heard: HeardPiece) => void
  },
): Listening {
  signal.throwIfAborted()
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const work: VadWork = { path, detector, floorDb, stopped }
  const worker = new Worker(new URL('./vad-worker.ts', import.meta.url), {
    name: 'voice-activity',
    // The thread makes many small objects that are soon garbage. With more memory it would only let
    // more of them pile up.
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
    // The thread is asked to end, not terminated: ending it within a native call crashes the
    // process.
    Atomics.store(stopped, 0, 1)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ sampleCount: 0, isAll: false } satisfies VadNews)
    return exited
  })
  // The caller that awaits it sees the failure; until then it must not count as unhandled.
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
