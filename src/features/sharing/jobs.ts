/** Ends links whose time is over, and deletes rows that need not be kept. */
import { lt, sql } from 'drizzle-orm'

import * as deletionClock from '#server/deletion-clock.ts'
import { scheduled } from '#server/jobs.ts'

import * as sharing from './sharing.ts'
import { shareOpenings, shares } from './tables.ts'

/** How long an ended link is known by its address. Then its row is deleted. */
const KEPT_DAYS = 90
const DAY_MS = 86_400_000

type WorkDeps = Pick<sharing.Deps, 'db' | 'clock' | 'onEvent'>

export const sharesTidyUpJob = scheduled({
  name: 'shares-tidy-up',
  cron: '* * * * *',
  async run(deps: WorkDeps) {
    const now = await deletionClock.time(deps)
    if (now !== null) await tidyUp({ ...deps, clock: () => now })
  },
})

export async function tidyUp(deps: WorkDeps): Promise<void> {
  await sharing.endOverdue(deps)
  const now = deps.clock().getTime()
  await deps.db.delete(shares).where(lt(shares.endedAt, new Date(now - KEPT_DAYS * DAY_MS)))
  // Yesterday's are kept, because days end at another time elsewhere.
  const before = new Date(now - 2 * DAY_MS).toISOString().slice(0, 10)
  await deps.db.delete(shareOpenings).where(lt(shareOpenings.day, sql`${before}::date`))
}
