import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

/** How long a request that has begun may take to end when the server stops. */
const FINISH_MS = 4_000
const IDLE_CHECK_MS = 50

/**
 * Stops serving. New requests are still answered for a while, so that a proxy in front has time to
 * send them elsewhere. Then none are taken, and those that have begun get a limited time to end.
 */
export async function finishRequests(
  app: FastifyInstance,
  { graceMs }: { graceMs: number },
): Promise<void> {
  if (graceMs > 0) await sleep(graceMs)
  const closed = app.close()
  // Clients keep a connection open after an answer, for their next request. None may come now.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  await Promise.race([closed, sleep(FINISH_MS, undefined, { ref: false })])
  clearInterval(idle)
  app.server.closeAllConnections()
  await closed
}
