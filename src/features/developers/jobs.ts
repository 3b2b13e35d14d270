import * as deletionClock from '#server/deletion-clock.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as idempotency from './idempotency.ts'
import * as webhooks from './webhooks.ts'

export const developerQueues: readonly QueueDeclaration[] = [
  // A failed try is written down and the next one queued; only what broke on our side is repeated.
  { name: webhooks.queueName, retryLimit: 10, retryDelaySeconds: 5, expireSeconds: 120 },
  { name: 'developers-tidy-up', cron: '41 * * * *' },
]

/** Waiting for somebody else's server costs nothing, so several are sent to at once. */
const SENT_AT_ONCE = 4

export async function workDevelopers(deps: webhooks.Deps): Promise<void> {
  const { db, queue, clock } = deps
  await queue.work(webhooks.queueName, { concurrency: SENT_AT_ONCE }, ({ data }) =>
    webhooks.send(deps, webhooks.SendJob.parse(data)),
  )
  await queue.work('developers-tidy-up', { concurrency: 1 }, async () => {
    await idempotency.forgetOld(db)
    const now = await deletionClock.time({ db, clock })
    if (now !== null) await webhooks.forgetOld(db, now)
  })
}
