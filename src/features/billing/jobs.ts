import type { OnEvent } from '#server/events.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import { remindOfLowBalances } from './alerts.ts'
import { catchUp } from './provider-events.ts'
import type { Deps } from './state.ts'
import type { TestProvider } from './test-provider.ts'

export const billingQueues: readonly QueueDeclaration[] = [
  { name: 'billing-catch-up', cron: '*/10 * * * *' },
]

export interface WorkDeps extends Deps {
  /** The same as `provider` while payments are a test; there, time has to be made to pass. */
  testProvider: TestProvider | null
  /** Hears of low balances. */
  onEvent?: OnEvent
}

export async function workBilling(deps: WorkDeps): Promise<void> {
  await deps.queue.work('billing-catch-up', { concurrency: 1 }, async () => lookAround(deps))
}

/** What is done every ten minutes. Whatever is wrong with the payments, low balances are told. */
export async function lookAround(deps: WorkDeps): Promise<void> {
  try {
    await deps.testProvider?.passTime()
    await catchUp(deps)
  } finally {
    await remindOfLowBalances(deps)
  }
}
