import * as deletionClock from '#server/deletion-clock.ts'
import { scheduled } from '#server/jobs.ts'

import * as idempotency from './idempotency.ts'
import * as webhooks from './webhooks.ts'

export const developersTidyUpJob = scheduled({
  name: 'developers-tidy-up',
  cron: '41 * * * *',
  async run({ db, clock }: Pick<webhooks.Deps, 'db' | 'clock'>) {
    await idempotency.forgetOld(db)
    const now = await deletionClock.time({ db, clock })
    if (now !== null) await webhooks.forgetOld(db, now)
  },
})
