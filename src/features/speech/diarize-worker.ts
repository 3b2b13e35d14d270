/** The thread behind diarize.ts: one request in, one list of turns out. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SpeakerBounds } from './clustering.ts'
import type { PcmFile } from './engines/engine.ts'
import { threadGivesWay } from './give-way.ts'
import { findSpeakers } from './speakers.ts'
import type { Region } from './regions.ts'

export interface DiarizeRequest {
  pcm: PcmFile
  regions: readonly Region[]
  speakers: SpeakerBounds
}

/** As the recogniser, beside which it works: pages and uploads go first. */
const NICENESS = 10

threadGivesWay(NICENESS)
const { pcm, regions, speakers }: DiarizeRequest = workerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(findSpeakers(pcm, regions, speakers))
