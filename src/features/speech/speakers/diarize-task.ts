/** What diarize.ts has done in a thread. */
import type { SpeakerTurn } from '../contract.ts'
import type { PcmFile } from '../engines/engine.ts'
import type { Region } from '../listen/regions.ts'
import type { SpeakerBounds } from './clustering.ts'
import { findSpeakers } from './speakers.ts'

interface DiarizeRequest {
  pcm: PcmFile
  regions: readonly Region[]
  speakers: SpeakerBounds
}

export const diarize = ({ pcm, regions, speakers }: DiarizeRequest): SpeakerTurn[] =>
  findSpeakers(pcm, regions, speakers)
