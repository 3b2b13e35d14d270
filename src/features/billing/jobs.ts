import type { OnEvent } from '#server/events.ts'
import { scheduled } from '#server/jobs.ts'

import { remindOfLowBalances } from './alerts.ts'
import { catchUp } from './provider-events.ts'
import type { Deps } from './state.ts'
import type { TestProvider } from './test-provider.ts'

export interface WorkDeps extends Deps {
  /** The same as `provider` while payments are a test: its months pass only when this job says so. */
  testProvider: TestProvider | null
  /** Hears of low balances. */
  onEvent?: OnEvent
}

/** Low balances are mailed even when the payments cannot be looked at. */
export async function lookAround(deps: WorkDeps): Promise<void> {
  try {
    await deps.testProvider?.passTime()
    await catchUp(deps)
  } finally {
    await remindOfLowBalances(deps)
  }
}

export const billingCatchUpJob = scheduled({
  name: 'billing-catch-up',
  cron: '*/10 * * * *',
  run: lookAround,
})
