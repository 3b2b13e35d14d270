/** Requests by the hundred, from one process, over connections that stay open. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Target {
  url: string
  headers: Record<string, string>
}

export interface Answers {
  /** In ms, from when a request was due: waiting for a free connection counts. */
  latenciesMs: number[]
  statuses: Map<number, number>
  /** Connections that broke, and answers that took longer than TIMEOUT_MS. */
  failures: number
  /** Requests that were refused with a time to try again. */
  putOff: number
}

const TIMEOUT_MS = 10_000

/** Asks each target every `everyMs`, even without an answer to the last request; evenly spread. */
export async function atAPace(
  targets: readonly Target[],
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const answers: Answers = { latenciesMs: [], statuses: new Map(), failures: 0, putOff: 0 }
  const count = Math.round((targets.length * forMs) / everyMs)
  const pauseMs = everyMs / targets.length
  const startedAt = performance.now()
  const asked: Promise<void>[] = []
  for (let number = 0; number < count; number++) {
    const dueAt = startedAt + number * pauseMs
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const target = targets[number % targets.length]
    if (target) asked.push(ask(target, agent, answers, dueAt))
  }
  await Promise.all(asked)
  agent.destroy()
  return answers
}

async function ask(
  { url, headers }: Target,
  agent: Agent,
  answers: Answers,
  dueAt: number,
): Promise<void> {
  const answer = await new Promise<IncomingMessage | null>((resolve) => {
    const call = request(url, { agent, headers, timeout: TIMEOUT_MS }, (incoming) => {
      incoming.resume()
      incoming.once('end', () => resolve(incoming))
      incoming.once('error', () => resolve(null))
    })
    call.once('error', () => resolve(null))
    call.once('timeout', () => call.destroy())
    call.end()
  })
  if (!answer) {
    answers.failures += 1
    return
  }
  const { statusCode = 0 } = answer
  answers.latenciesMs.push(performance.now() - dueAt)
  answers.statuses.set(statusCode, (answers.statuses.get(statusCode) ?? 0) + 1)
  if (statusCode === 503 && answer.headers['retry-after']) answers.putOff += 1
}
