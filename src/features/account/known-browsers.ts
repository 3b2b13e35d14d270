/**
 * Browsers in which somebody has signed in to an account before, known again by a cookie. Their guesses
 * are counted by themselves: somebody who guesses from the same network, or at the same account, does
 * not keep its owner out. A new password ends them all.
 */
import { and, eq, gt, lt, notInArray, sql } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'

import type { Grant } from './grant.ts'
import { keyOf } from './email-address.ts'
import * as sessions from './sessions.ts'
import { knownBrowsers, users } from './tables.ts'

/** Browsers keep no cookie longer than 400 days. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000
const MOST_PER_ACCOUNT = 20

/** The hash under which this browser is known to the account; null if it is not known. */
export async function find(
  db: Queryable,
  { email, token, now }: { email: string; token: string | undefined; now: Date },
): Promise<string | null> {
  const { tokenHash, userId, expiresAt } = knownBrowsers
  const [known] = await db
    .select({ tokenHash })
    .from(knownBrowsers)
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(tokenHash, sessions.hashOf(token ?? '')),
        eq(users.emailKey, keyOf(email)),
        gt(expiresAt, now),
      ),
    )
  return known?.tokenHash ?? null
}

/**
 * Answers the value that the browser keeps. `known` is the hash of the one before, which this replaces.
 */
export async function remember(
  tx: Tx,
  { userId }: Grant,
  { known, now }: { known: string | null; now: Date },
): Promise<string> {
  const { tokenHash, expiresAt } = knownBrowsers
  const token = sessions.newToken()
  const kept = { tokenHash: sessions.hashOf(token), expiresAt: new Date(now.getTime() + KEPT_MS) }
  await tx.insert(knownBrowsers).values({ ...kept, userId, createdAt: now })
  if (known) await tx.delete(knownBrowsers).where(eq(tokenHash, known))
  const newest = tx
    .select({ tokenHash })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.userId, userId))
    .orderBy(sql`${expiresAt} desc`)
    .limit(MOST_PER_ACCOUNT)
  await tx
    .delete(knownBrowsers)
    .where(and(eq(knownBrowsers.userId, userId), notInArray(tokenHash, newest)))
  return token
}

export async function forgetAll(tx: Tx, userId: string): Promise<void> {
  await tx.delete(knownBrowsers).where(eq(knownBrowsers.userId, userId))
}

export async function forgetExpired(db: Queryable, now: Date): Promise<void> {
  await db.delete(knownBrowsers).where(lt(knownBrowsers.expiresAt, now))
}

export const cookieFor = (publicUrl: URL) =>
  sessions.cookieFor(publicUrl, { of: 'browser', ms: KEPT_MS })
