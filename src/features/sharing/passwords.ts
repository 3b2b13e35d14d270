/**
 * The limits on passwords of links. One network address may try five wrong ones in ten minutes. While a
 * link is guessed at from everywhere, an address that has not guessed yet still gets one try. One
 * account may set only so many in an hour. Each try is counted before any work is done for it.
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

/** Passwords that one account may set, for all its links. */
const SET_AN_HOUR = 100

/**
 * The hash of a new password.
 *
 * @throws Refusal `too_many_link_passwords`, `too_much_at_once`, `server_busy`
 */
export async function hashOf(
  db: Db,
  { userId, password, now }: { userId: string; password: string; now: Date },
): Promise<string> {
  const wish = { key: `link-passwords:${userId}`, limit: SET_AN_HOUR, now }
  return account.withHashing(userId, async ({ hash }) => {
    const hour = await db.transaction((tx) => limits.take(tx, wish))
    limits.refuseFull(hour, 'too_many_link_passwords')
    return hash(password)
  })
}

/**
 * Whether this is the link's password.
 *
 * @throws Refusal `too_many_attempts`, `too_much_at_once`, `server_busy`
 */
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
  const network = networkOf(ip)
  const all = `share:${shareId}`
  const pair = `${all}@${network}`
  const tried = randomUUID()
  return account.withHashing(network, async ({ verify }) => {
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
    const isIt = await verify(password, passwordHash)
    if (isIt) await limits.takeBack(db, tried)
    return isIt
  })
}
