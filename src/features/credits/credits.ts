/**
 * The ledger. What it promises:
 *
 * - Credits are moved, never made or lost: each entry takes from one account what it gives to
 *   another, so `issued + available + held + spent` is always zero.
 * - Nobody spends what they do not have: the database refuses a balance below zero.
 * - Every move happens once per cause, however often it is asked for.
 * - History is append-only, and each user's entries are chained by hash: `verify` finds a change.
 *
 * Money is moved only inside the caller's transaction, together with what it pays for.
 */
import { createHash } from 'node:crypto'

import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { creditAccounts, creditEntries } from './tables.ts'

export interface Move {
  userId: string
  /** What moves the credits; the same cause moves them once. */
  cause: string
  credits: number
}

export interface Balance {
  /** What can be spent. */
  available: number
  /** What is set aside for jobs that are not finished. */
  held: number
}

type Kind = (typeof creditEntries.$inferSelect)['kind']
export type Entry = typeof creditEntries.$inferSelect

/** What an entry of each kind does to the user's two accounts. */
const effects: Record<Kind, { available: -1 | 0 | 1; held: -1 | 0 | 1 }> = {
  grant: { available: 1, held: 0 },
  hold: { available: -1, held: 1 },
  charge: { available: 0, held: -1 },
  release: { available: 1, held: -1 },
  reversal: { available: -1, held: 0 },
}

/** Gives credits to a user, once per cause. Answers whether this call was the one that did. */
export async function grant(tx: Tx, move: Move): Promise<boolean> {
  return record(tx, 'grant', move)
}

/**
 * Sets credits aside for one cause, once.
 *
 * @throws Refusal `insufficient_credits` with the shortfall in its sentence
 */
export async function hold(tx: Tx, move: Move): Promise<boolean> {
  return record(tx, 'hold', move)
}

/**
 * Ends the hold of a cause: takes what the work cost and gives back the rest. 0 gives all back.
 * A second call changes nothing, whatever it asks for; so does a cause that holds nothing.
 */
export async function settle(tx: Tx, { userId, cause, credits }: Move): Promise<boolean> {
  await lockAccount(tx, userId)
  const about = await tx
    .select({ kind: creditEntries.kind, credits: creditEntries.credits })
    .from(creditEntries)
    .where(and(eq(creditEntries.userId, userId), eq(creditEntries.cause, cause)))
  const held = about.find(({ kind }) => kind === 'hold')
  const isSettled = about.some(({ kind }) => kind === 'charge' || kind === 'release')
  if (!held || isSettled) return false
  if (credits > held.credits)
    throw new Error(`settling ${credits} of ${cause}, which holds only ${held.credits}`)

  if (credits > 0) await record(tx, 'charge', { userId, cause, credits })
  const rest = held.credits - credits
  if (rest > 0) await record(tx, 'release', { userId, cause, credits: rest })
  return true
}

export async function balance(db: Queryable, userId: string): Promise<Balance> {
  const [account] = await db
    .select({ available: creditAccounts.available, held: creditAccounts.held })
    .from(creditAccounts)
    .where(eq(creditAccounts.userId, userId))
  return account ?? { available: 0, held: 0 }
}

/** A user's entries, newest first, `before` an entry's id for the next page. */
export async function entries(
  db: Queryable,
  { userId, before, limit = 50 }: { userId: string; before?: number; limit?: number },
): Promise<Entry[]> {
  return db
    .select()
    .from(creditEntries)
    .where(
      and(
        eq(creditEntries.userId, userId),
        before === undefined ? undefined : lt(creditEntries.id, before),
      ),
    )
    .orderBy(desc(creditEntries.id))
    .limit(limit)
}

/** What `verify` found wrong, in words for an operator. Empty when the books are right. */
export async function verify(db: Queryable): Promise<string[]> {
  const problems: string[] = []
  const accounts = await db.select().from(creditAccounts).orderBy(asc(creditAccounts.userId))
  const known = new Map(accounts.map((account) => [account.userId, account]))
  const running = new Map<string, Balance & { hash: string }>()

  let after = 0
  for (;;) {
    const page = await db
      .select()
      .from(creditEntries)
      .where(sql`${creditEntries.id} > ${after}`)
      .orderBy(asc(creditEntries.id))
      .limit(5_000)
    for (const entry of page) {
      const before = running.get(entry.userId) ?? { available: 0, held: 0, hash: '' }
      const now = apply(before, entry.kind, entry.credits)
      if (now.available !== entry.availableAfter || now.held !== entry.heldAfter)
        problems.push(`entry ${entry.id} does not follow from the one before it`)
      const hash = hashOf(before.hash, entry)
      if (hash !== entry.hash) problems.push(`entry ${entry.id} was changed after it was written`)
      running.set(entry.userId, { ...now, hash: entry.hash })
    }
    const last = page.at(-1)
    if (!last) break
    after = last.id
  }

  for (const [userId, sum] of running) {
    const account = known.get(userId)
    if (account?.available !== sum.available || account.held !== sum.held)
      problems.push(`the balance of ${userId} is not the sum of its entries`)
    else if (account.lastHash !== sum.hash)
      problems.push(`the last entry of ${userId} is not the one its account names`)
  }
  for (const account of accounts)
    if (!running.has(account.userId) && account.available + account.held > 0)
      problems.push(`the balance of ${account.userId} has no entries`)
  return problems
}

/**
 * Writes one entry and moves the account with it. The account's row is locked first, so that
 * moves of one user follow each other; those of different users do not meet.
 */
async function record(tx: Tx, kind: Kind, { userId, cause, credits }: Move): Promise<boolean> {
  if (!Number.isInteger(credits) || credits <= 0)
    throw new Error(`${kind} of ${credits} credits for ${cause}: must be a whole number above 0`)

  const account = await lockAccount(tx, userId)
  const [repeat] = await tx
    .select({ userId: creditEntries.userId, credits: creditEntries.credits })
    .from(creditEntries)
    .where(and(eq(creditEntries.cause, cause), eq(creditEntries.kind, kind)))
  if (repeat) {
    if (repeat.userId !== userId || repeat.credits !== credits)
      throw new Error(`${kind} for ${cause} was recorded before with other values`)
    return false
  }

  const after = apply(account, kind, credits)
  if (after.available < 0) throw insufficient(credits - account.available)
  const createdAt = new Date()
  const hash = hashOf(account.lastHash, { userId, kind, cause, credits, createdAt })
  await tx.insert(creditEntries).values({
    userId,
    kind,
    cause,
    credits,
    availableAfter: after.available,
    heldAfter: after.held,
    hash,
    createdAt,
  })
  await tx
    .update(creditAccounts)
    .set({ available: after.available, held: after.held, lastHash: hash })
    .where(eq(creditAccounts.userId, userId))
  return true
}

async function lockAccount(tx: Tx, userId: string) {
  await tx.insert(creditAccounts).values({ userId }).onConflictDoNothing()
  const [account] = await tx
    .select()
    .from(creditAccounts)
    .where(eq(creditAccounts.userId, userId))
    .for('update')
  if (!account) throw new Error(`the credit account of ${userId} vanished while it was locked`)
  return account
}

function apply(before: Balance, kind: Kind, credits: number): Balance {
  const effect = effects[kind]
  return {
    available: before.available + effect.available * credits,
    held: before.held + effect.held * credits,
  }
}

function hashOf(
  previous: string,
  entry: Pick<Entry, 'userId' | 'kind' | 'cause' | 'credits' | 'createdAt'>,
): string {
  const { userId, kind, cause, credits, createdAt } = entry
  return createHash('sha256')
    .update(JSON.stringify([previous, userId, kind, cause, credits, createdAt.toISOString()]))
    .digest('base64url')
}

/** The spec's sentence for a balance that is short by so many credits. */
export function insufficient(missing: number): Refusal {
  return new Refusal('insufficient_credits', {
    message: `Insufficient credits. You need ${missing} more credits to process this file.`,
  })
}
