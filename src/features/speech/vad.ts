/**
 * Where somebody speaks. Silero v6 through sherpa-onnx decides, in a worker thread, reading the PCM
 * in blocks, so that twelve hours take no more memory than one minute. Without the native addon
 * (an optional dependency) the loudness decides: good on clean recordings, poor in noise.
 */
import { Worker } from 'node:worker_threads'

import type { PcmFile } from './engines/engine.ts'
import type { Loudness } from './loudness.ts'

/** A stretch of the recording, in integer ms; lists of them are sorted and never overlap. */
export interface Region {
  startMs: number
  endMs: number
}

export interface Heard {
  regions: Region[]
  loudness: Loudness
  /** Nothing above 5 kHz: a telephone call, whatever rate the file was saved with. */
  isNarrowBand: boolean
  detector: 'silero' | 'energy'
}

export interface VadWork {
  pcm: PcmFile
  detector: 'best' | 'energy'
}
export type VadReport = { kind: 'progress'; share: number } | ({ kind: 'heard' } & Heard)

/** @param options.detector `energy` leaves the neural detector out, for tests. */
export function findSpeech(
  pcm: PcmFile,
  {
    signal,
    detector = 'best',
    onProgress,
  }: {
    signal: AbortSignal
    detector?: VadWork['detector']
    /** Share of the recording that was listened to, 0 to 1; it may start again once. */
    onProgress?: (share: number) => void
  },
): Promise<Heard> {
  signal.throwIfAborted()
  const work: VadWork = { pcm, detector }
  const worker = new Worker(new URL('./vad-worker.ts', import.meta.url), { workerData: work })
  return new Promise<Heard>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    worker.on('message', (report: VadReport) => {
      if (report.kind === 'progress') onProgress?.(report.share)
      else resolve(report)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`voice activity ended with code ${code}`)))
    worker.once('exit', () => signal.removeEventListener('abort', stop))
  }).finally(() => worker.terminate())
}
