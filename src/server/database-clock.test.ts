import { expect } from 'vitest'

import { test } from '#test/database.ts'

import { databaseClock } from './database-clock.ts'
import * as deletionClock from './deletion-clock.ts'
import { silentLog } from './log.ts'

const HOUR_MS = 3_600_000

test('a process whose clock is wrong dates by the one of the database, and deletes nothing by time', async ({
  db,
}) => {
  let aheadMs = 5 * HOUR_MS
  const own = () => new Date(Date.now() + aheadMs)
  const dating = await databaseClock({ db, own, log: silentLog })
  const differs = () => dating.clock().getTime() - Date.now()
  expect(Math.abs(differs())).toBeLessThan(HOUR_MS)
  expect(await deletionClock.time({ db, clock: dating.clock })).toBe(null)

  // Half a minute is more than clocks differ that are set over the network.
  aheadMs = 30_000
  await dating.look()
  expect(Math.abs(differs())).toBeLessThan(10_000)

  // Somebody sets it right.
  aheadMs = 0
  await dating.look()
  expect(dating.clock().getTime() - own().getTime()).toBeLessThanOrEqual(0)
  expect(await deletionClock.time({ db, clock: dating.clock })).not.toBe(null)
  dating.stop()
})
