/**
 * Asks an address every so often, whether the last answer has come or not, from a thread of its own:
 * what else the bench does must not be what is measured. Times count from when a probe was due.
 */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

interface Asked {
  url: string
  forMs: number
  everyMs: number
}

/** @returns how long each probe took, in milliseconds, in their order */
export function probe(asked: Asked): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probes: asked } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function probeHere({ url, forMs, everyMs }: Asked): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const answers: Promise<number>[] = []
  for (let number = 0; number < forMs / everyMs; number += 1) {
    const dueAt = startedAt + number * everyMs
    await sleep(Math.max(0, dueAt - performance.now()))
    answers.push(
      new Promise((resolve) => {
        const ended = () => resolve(performance.now() - dueAt)
        get(url, { agent }, (answer) => answer.resume().once('end', ended)).once('error', ended)
      }),
    )
  }
  const times = await Promise.all(answers)
  agent.destroy()
  return times
}

const given = workerData as { probes?: Asked } | null
if (!isMainThread && given?.probes) {
  const times = await probeHere(given.probes)
  parentPort?.postMessage(times, [])
}
