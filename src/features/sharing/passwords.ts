/**
 * Trying the password of a link: five wrong ones in ten minutes from one network address. While a link
 * is guessed at from everywhere, an address that has not guessed yet still gets one try.
 */
import { randomUUID } from 'node:crypto'

import * as account from '#features/account/account.ts'
import { type Db, lock } from '#server/db.ts'
import * as limits from '#server/limits.ts'
import { networkOf } from '#server/network.ts'
import { Refusal } from '#shared/refusals.ts'

const TRIES = 5
const WITHIN_MS = 10 * 60_000
/** Wrong ones for one link from everywhere, in an hour. */
const TRIES_FROM_ALL = 100

/** Whether it is the right one. @throws Refusal `too_many_attempts`, before any work is done */
export async function isRight(
  db: Db,
  {
    share: { id: shareId, passwordHash },
    password,
    ip,
    now,
  }: {
    share: { id: string; passwordHash: string | null }
    password: string
    ip: string
    now: Date
  },
): Promise<boolean> {
  const all = `share:${shareId}`
  const pair = `${all}@${networkOf(ip)}`
  const tried = randomUUID()
  await db.transaction(async (tx) => {
    await lock(tx, all)
    const here = await limits.lastHour(tx, {
      key: pair,
      limit: TRIES,
      now,
      withinMs: WITHIN_MS,
    })
    limits.refuseFull(here, 'too_many_attempts')
    const everywhere = await limits.lastHour(tx, { key: all, limit: TRIES_FROM_ALL, now })
    if (everywhere.retryAfterSeconds > 0 && here.counted > 0)
      throw new Refusal('too_many_attempts', { retryAfterSeconds: here.resetSeconds })
    await limits.add(tx, { id: tried, keys: [all, pair], now })
  })
  const isIt = await account.isRight(password, passwordHash)
  if (isIt) await limits.takeBack(db, tried)
  return isIt
}
