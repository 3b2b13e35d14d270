/** The messages to and from the voice activity thread. */
import type { HeardPiece } from './chunks.ts'

/** The samples that the detector takes at once, 32 ms, and that the thread reads at once, 8 s. */
export const WINDOW = 512
export const BLOCK_SAMPLES = WINDOW * 256

export interface VadWork {
  path: string
  detector: 'best' | 'energy'
  /** Of one side of a recording: what is softer all the time is a voice of another one. Null: it is heard as one. */
  floorDb: number | null
  /** Set to 1 to make the thread end, which it does between two windows. */
  stopped: Int32Array
}
/** To the thread: how many samples are in the file, and whether that is all. */
export interface VadNews {
  sampleCount: number
  isAll: boolean
}
/** From the thread; `end` is its last message. */
export type VadReport = ({ kind: 'heard' } & HeardPiece) | { kind: 'end'; detector: Detector }
export type Detector = 'silero' | 'energy'
