import * as deletionClock from '#server/deletion-clock.ts'
import type { Queue, QueueDeclaration } from '#server/queue.ts'

import * as account from './account.ts'

export const accountQueues: readonly QueueDeclaration[] = [
  { name: 'account-tidy-up', cron: '17 * * * *' },
]

export async function workAccount(deps: Pick<account.Deps, 'db' | 'clock'> & { queue: Queue }) {
  await deps.queue.work('account-tidy-up', { concurrency: 1 }, async () => {
    const now = await deletionClock.time(deps)
    if (now !== null) await account.tidyUp({ ...deps, clock: () => now })
  })
}
