import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SpeakerBounds } from './clustering.ts'
import type { SpeakerTurn } from './contract.ts'
import type { DiarizeRequest } from './diarize-worker.ts'
import type { PcmFile } from './engines/engine.ts'
import type { Region } from './regions.ts'

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
  signal.throwIfAborted()
  const request: DiarizeRequest = { pcm, regions, speakers }
  const worker = new Worker(new URL('./diarize-worker.ts', import.meta.url), {
    name: 'diarize',
    // It makes many small things that nobody keeps: more room would only be filled with them.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    workerData: request,
  })
  try {
    // A thread that ends without a word would otherwise be waited for without end.
    const ended = once(worker, 'exit', { signal }).then(([code]) => {
      throw new Error(`the diarization thread ended with code ${String(code)} and no answer`)
    })
    const [turns] = await Promise.race([once(worker, 'message', { signal }), ended])
    return turns
  } finally {
    await worker.terminate()
  }
}
