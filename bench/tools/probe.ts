/**
 * Asks an address at regular times from a separate thread, so that other work of the bench does not
 * change the figures. Times count from when a probe was due.
 */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

import { atAPace } from './load.ts'

interface ProbePlan {
  url: string
  /** The headers of a user who is signed in. Default: none. */
  headers?: Record<string, string>
  forMs: number
  everyMs: number
}

/** @returns how long each probe took, in milliseconds. @throws when one was not answered */
export function probe(asked: ProbePlan): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probes: asked } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

const given = workerData as { probes?: ProbePlan } | null
if (!isMainThread && given?.probes) {
  const { url, headers = {}, ...pace } = given.probes
  const { latenciesMs, failures } = await atAPace([{ url, headers }], pace)
  if (failures > 0) throw new Error(`${failures} probes of ${url} were not answered`)
  parentPort?.postMessage(latenciesMs, [])
}
