import { runAlone, tasksIn } from '#server/threads.ts'

import type { SpeakerTurn } from '../contract.ts'
import type { PcmFile, Region, SpeakerBounds } from '../engines/engine.ts'
import type * as speakersTasks from './speakers.ts'

const task = tasksIn<typeof speakersTasks>(new URL('./speakers.ts', import.meta.url))

/** As the recogniser, beside which it works: pages and uploads go first. */
const NICENESS = 10
/** It makes many small things that nobody keeps: more room would only be filled with them. */
const YOUNG_MEMORY_MB = 4

/**
 * Finds who speaks when in the regions that voice activity found, in a thread of its own: it is
 * pure arithmetic and would hold up every request. Regions are sorted and do not overlap; so are
 * the turns. Aborting the signal ends the thread before this rejects.
 */
export async function diarize(
  pcm: PcmFile,
  regions: readonly Region[],
  { signal, speakers = {} }: { signal: AbortSignal; speakers?: SpeakerBounds },
): Promise<SpeakerTurn[]> {
  const options = { signal, niceness: NICENESS, youngMemoryMb: YOUNG_MEMORY_MB }
  return runAlone(task('findSpeakers'), { pcm, regions, speakers }, options)
}
