/** The thread behind diarize.ts: one request in, one list of turns out. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { SpeakerBounds } from './clustering.ts'
import type { PcmFile } from './engines/engine.ts'
import { findSpeakers } from './speakers.ts'
import type { Region } from './regions.ts'

export interface DiarizeRequest {
  pcm: PcmFile
  regions: readonly Region[]
  speakers: SpeakerBounds
}

/** As the recogniser, beside which it works: pages and uploads go first. */
const NICENESS = 10

// On Linux it holds for this thread alone; elsewhere it would slow the whole server down.
// Nor may it ask for more than the server was given: that is refused.
if (process.platform === 'linux') setPriority(0, Math.max(NICENESS, getPriority(0)))
const { pcm, regions, speakers }: DiarizeRequest = workerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(findSpeakers(pcm, regions, speakers))
