/**
 * Keeps somebody out of their account. What this part promises:
 *
 * - A blocked account has no session, and gets none: every way in is written under the lock of the
 *   account's row, which looks for the block (access.ts). Keys refuse.
 * - Nothing of it is deleted. Unblocked, it is as before, and its owner signs in again.
 */
import { and, eq, isNotNull } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import * as activity from './activity.ts'
import * as links from './email-links.ts'
import * as sessions from './sessions.ts'
import { emailChanges, users } from './tables.ts'

interface Of {
  userId: string
  now: Date
}

/** Answers whether it was open before. @throws Refusal `not_found` */
export async function block(tx: Tx, { userId, now }: Of): Promise<boolean> {
  const isBlocked = await lock(tx, userId)
  if (isBlocked) return false
  await tx.update(users).set({ blockedAt: now }).where(eq(users.id, userId))
  await sessions.endAll(tx, userId)
  await links.endAll(tx, { userId, now })
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
  await activity.note(tx, { userId, kind: 'blocked', now })
  return true
}

/** Answers whether it was blocked before. @throws Refusal `not_found` */
export async function unblock(tx: Tx, { userId, now }: Of): Promise<boolean> {
  const isBlocked = await lock(tx, userId)
  if (!isBlocked) return false
  await tx.update(users).set({ blockedAt: null }).where(eq(users.id, userId))
  await activity.note(tx, { userId, kind: 'unblocked', now })
  return true
}

async function lock(tx: Tx, userId: string): Promise<boolean> {
  const [user] = await tx
    .select({ blockedAt: users.blockedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (!user) throw new Refusal('not_found')
  return user.blockedAt !== null
}

/** @throws Refusal `account_blocked` */
export async function refuseBlocked(db: Queryable, userId: string): Promise<void> {
  const isTheirs = and(eq(users.id, userId), isNotNull(users.blockedAt))
  const [blocked] = await db.select({ id: users.id }).from(users).where(isTheirs)
  if (blocked) throw new Refusal('account_blocked')
}

/**
 * The same for work that begins in this transaction: a block that comes meanwhile waits for its end,
 * and then finds the work. Call it before other rows are locked, as blocking locks in this order.
 *
 * @throws Refusal `account_blocked`
 */
export async function keepOpen(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx
    .select({ blockedAt: users.blockedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  if (user && user.blockedAt !== null) throw new Refusal('account_blocked')
}

/** Keeps an account from being deleted in this transaction, without waiting: false while it is. */
export async function tryToKeep(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for('key share', { skipLocked: true })
  return rows.length > 0
}
