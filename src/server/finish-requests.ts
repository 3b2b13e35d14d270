import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

/** How long a request that has begun may take to end when the server stops. */
const FINISH_MS = 4_000
const IDLE_CHECK_MS = 50

/**
 * Takes no new requests, and waits for those that have begun, but not for ever. Before that it goes
 * on for a while as if nothing were, so that a proxy in front has the time to send them elsewhere.
 */
export async function finishRequests(
  app: FastifyInstance,
  { graceMs }: { graceMs: number },
): Promise<void> {
  if (graceMs > 0) await sleep(graceMs)
  const closed = app.close()
  // A connection is kept open after its answer, for a next request that must not come any more.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  await Promise.race([closed, sleep(FINISH_MS, undefined, { ref: false })])
  clearInterval(idle)
  app.server.closeAllConnections()
  await closed
}
