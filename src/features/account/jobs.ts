import * as deletionClock from '#server/deletion-clock.ts'
import { scheduled } from '#server/jobs.ts'

import * as account from './account.ts'

export const accountTidyUpJob = scheduled({
  name: 'account-tidy-up',
  cron: '17 * * * *',
  async run(deps: Pick<account.Deps, 'db' | 'clock'>) {
    const now = await deletionClock.time(deps)
    if (now !== null) await account.tidyUp({ ...deps, clock: () => now })
  },
})
