import { runAlone, tasksIn } from '#server/threads.ts'

import type { SpeakerTurn } from '../contract.ts'
import type { PcmFile, Region, SpeakerBounds } from '../engines/engine.ts'
import type * as speakersTasks from './speakers.ts'

const task = tasksIn<typeof speakersTasks>(new URL('./speakers.ts', import.meta.url))

/**
 * Diarization runs in a thread of its own, because it is pure arithmetic and would hold up every request.
 * Like the recogniser, beside which it works, it gives way to pages and uploads. It makes many small
 * objects that nobody keeps: with more memory there would only be more of them.
 */
const THREAD = { niceness: 10, youngMemoryMb: 4 }

/**
 * Finds who speaks when in the regions that voice activity found. Regions are sorted and do not
 * overlap; so are the turns. Aborting the signal ends the thread.
 */
export async function diarize(
  pcm: PcmFile,
  regions: readonly Region[],
  { signal, speakers = {} }: { signal: AbortSignal; speakers?: SpeakerBounds },
): Promise<SpeakerTurn[]> {
  return runAlone(task('findSpeakers'), { pcm, regions, speakers }, { signal, ...THREAD })
}

type Heard = Parameters<typeof speakersTasks.joinWindows>[0]

/** The same by what neural models heard; there turns of two people may overlap. */
export async function joinVoices({
  signal,
  ...heard
}: Heard & { signal: AbortSignal }): Promise<SpeakerTurn[]> {
  return runAlone(task('joinWindows'), heard, { signal, ...THREAD })
}
