/**
 * The ledger. What it promises:
 *
 * - Credits are moved, never made or lost: each entry takes as much from one account as it gives to
 *   another, so `issued + available + held + spent` is always zero.
 * - Nobody spends more than they have: the database refuses a balance below zero.
 * - Every move happens once per cause, however often it is asked for.
 * - History is append-only, and each user's entries are chained by hash: `verify` finds a change.
 * - Constraints and triggers hold this where our code would fail (tables.ts).
 *
 * Credits are moved only inside the caller's transaction, together with the thing that they pay for.
 */
import { createHash } from 'node:crypto'

import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'

import { type Queryable, type Tx, lock } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { creditAccounts, creditEntries } from './tables.ts'

export interface Move {
  userId: string
  /** The reason for the move; the same cause moves credits once. */
  cause: string
  credits: number
}

export interface Balance {
  /** Credits that can be spent. */
  available: number
  /** Credits that are set aside for jobs that are not finished. */
  held: number
}

type Kind = (typeof creditEntries.$inferSelect)['kind']
export type Entry = typeof creditEntries.$inferSelect

/** The effect of each kind of entry on the user's two accounts. */
const effects: Record<Kind, { available: -1 | 0 | 1; held: -1 | 0 | 1 }> = {
  grant: { available: 1, held: 0 },
  hold: { available: -1, held: 1 },
  charge: { available: 0, held: -1 },
  release: { available: 1, held: -1 },
  reversal: { available: -1, held: 0 },
  // Its credits have a sign of their own.
  adjustment: { available: 1, held: 0 },
}

/** Gives credits to a user, once per cause. Answers whether this call was the one that did. */
export async function grant(tx: Tx, move: Move): Promise<boolean> {
  return record(tx, 'grant', move)
}

/**
 * Sets credits aside for one cause, once. Answers whether this call was the one that did.
 *
 * @throws Refusal `insufficient_credits` with the shortfall in its sentence
 */
export async function hold(tx: Tx, move: Move): Promise<boolean> {
  return record(tx, 'hold', move)
}

/**
 * Ends the hold of a cause: takes the price of the work and gives back the rest. 0 gives all back. A
 * second call changes nothing, also with another price; nor does a call for a cause that holds nothing.
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

/**
 * Takes back credits that can be spent, at most all of them, once per cause. Answers how many were
 * taken; a repeat answers the same again.
 */
export async function reverse(tx: Tx, { userId, cause, credits }: Move): Promise<number> {
  const { available } = await lockAccount(tx, userId)
  const [repeat] = await tx
    .select({ credits: creditEntries.credits })
    .from(creditEntries)
    .where(and(eq(creditEntries.cause, cause), eq(creditEntries.kind, 'reversal')))
  if (repeat) return repeat.credits
  const taken = Math.min(available, credits)
  if (taken > 0) await record(tx, 'reversal', { userId, cause, credits: taken })
  return taken
}

/**
 * Gives a user credits, or takes some where the number is below zero: an operator has decided so.
 * Once per cause. Answers whether this call was the one that did.
 *
 * @throws Refusal `not_so_many_credits` for more than can be spent
 */
export async function adjust(tx: Tx, move: Move): Promise<boolean> {
  return record(tx, 'adjustment', move)
}

/**
 * Locks a user's credits for what takes several holds, and looks whether they are enough for all.
 *
 * @throws Refusal `insufficient_credits` with the shortfall of all in its sentence
 */
export async function requireForAll(
  tx: Tx,
  { userId, credits, of }: { userId: string; credits: number; of: number },
): Promise<void> {
  const { available } = await lockAccount(tx, userId)
  if (available < credits) throw insufficient(credits - available, credits, of)
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

/** All entries of one cause as one line of a bill, opening to its entries. */
export interface Line {
  /** The first entry's, by which lines are ordered. */
  id: number
  cause: string
  createdAt: Date
  /** The change of the credits that can be spent, all entries together. */
  change: number
  /** The sum of this line and all before it. */
  balance: number
  entries: { kind: Kind; credits: number; availableAfter: number; createdAt: Date }[]
}

/**
 * A user's lines, newest first, `before` a line's id for the next page. A line stays where its first
 * entry stands, so each balance is the one below plus the change; the newest is what can be spent. Of the
 * history it reads these lines, and for a later page those above it: their sum, or what `balance` says,
 * which is that of the line `before` without its change.
 */
export async function lines(
  db: Queryable,
  {
    userId,
    before,
    balance,
    limit = 50,
  }: { userId: string; before?: number | undefined; balance?: number | undefined; limit?: number },
): Promise<Line[]> {
  const isEarlier = before === undefined ? sql`true` : sql`first.id < ${before}`
  const above = sql`
    select sum(${effectOnAvailable}) from ${creditEntries} entry
    where user_id = ${userId} and id >= ${before ?? 0} and not exists (
      select from ${creditEntries} older
      where older.user_id = ${userId} and older.cause = entry.cause and older.id < ${before ?? 0})`
  const available = sql`(select available from ${creditAccounts} where user_id = ${userId})`
  const begin =
    balance !== undefined
      ? sql`${balance}::integer`
      : before === undefined
        ? available
        : sql`${available} - coalesce((${above}), 0)`
  const { rows } = await db.execute<{
    id: string
    cause: string
    change: string
    balance: string
    entries: { kind: Kind; credits: number; availableAfter: number; createdAt: string }[]
  }>(sql`
    with firsts as (
      select first.id, first.cause from ${creditEntries} first
      where first.user_id = ${userId} and ${isEarlier} and first.id = (
        select min(older.id) from ${creditEntries} older
        where older.user_id = ${userId} and older.cause = first.cause)
      order by first.id desc limit ${limit}
    ), line as (
      select firsts.id, firsts.cause, of_it.* from firsts cross join lateral (
        select sum(${effectOnAvailable}) as change,
          json_agg(json_build_object('kind', kind, 'credits', credits,
            'availableAfter', available_after, 'createdAt', created_at) order by entry.id) as entries
        from ${creditEntries} entry where entry.user_id = ${userId} and entry.cause = firsts.cause
      ) of_it
    )
    select line.*, ${begin} - coalesce(sum(change) over (
      order by id desc rows between unbounded preceding and 1 preceding), 0) as balance
    from line order by id desc`)
  return rows.map(({ id, cause, change, balance, entries }) => {
    const dated = entries.map((entry) => ({ ...entry, createdAt: new Date(entry.createdAt) }))
    const [first] = dated
    if (!first) throw new Error(`the line ${cause} has no entries`)
    const { createdAt } = first
    return {
      id: Number(id),
      cause,
      createdAt,
      change: Number(change),
      balance: Number(balance),
      entries: dated,
    }
  })
}

const effectOnAvailable = sql.raw(
  `case kind ${Object.entries(effects)
    .map(([kind, { available }]) => `when '${kind}' then credits * ${available}`)
    .join(' ')} end`,
)

/** How many lines a user has, and how many credits all jobs together have cost. */
export async function totals(
  db: Queryable,
  userId: string,
): Promise<{ lines: number; spent: number }> {
  const { cause, credits, kind } = creditEntries
  const [row] = await db
    .select({
      lines: sql<number>`count(distinct ${cause})::int`,
      spent: sql<number>`coalesce(sum(${credits}) filter (where ${kind} = 'charge'), 0)::int`,
    })
    .from(creditEntries)
    .where(eq(creditEntries.userId, userId))
  return row ?? { lines: 0, spent: 0 }
}

/** The price paid for the work of a cause; 0 where its hold has not ended in a charge. */
export async function charged(
  db: Queryable,
  { userId, cause }: Pick<Move, 'userId' | 'cause'>,
): Promise<number> {
  const { credits, kind } = creditEntries
  const isIt = and(eq(creditEntries.userId, userId), eq(creditEntries.cause, cause))
  const [row] = await db
    .select({ credits })
    .from(creditEntries)
    .where(and(isIt, eq(kind, 'charge')))
  return row?.credits ?? 0
}

/** The credits that a user has paid for jobs since a moment. */
export async function spentSince(
  db: Queryable,
  { userId, since }: { userId: string; since: Date },
): Promise<number> {
  const { credits, kind, createdAt } = creditEntries
  const [row] = await db
    .select({ spent: sql<number>`coalesce(sum(${credits}), 0)::int` })
    .from(creditEntries)
    .where(and(eq(creditEntries.userId, userId), eq(kind, 'charge'), gte(createdAt, since)))
  return row?.spent ?? 0
}

/** The credits that each of these users can spend. */
export async function balances(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .select({ userId: creditAccounts.userId, available: creditAccounts.available })
    .from(creditAccounts)
    .where(inArray(creditAccounts.userId, [...userIds]))
  return new Map(rows.map(({ userId, available }) => [userId, available]))
}

/** The faults that `verify` found, in words for an operator. Empty when the books are right. */
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
 * Writes one entry and moves the account with it, unless it was written before. Answers whether it did.
 * The account is locked first, so that moves of one user follow each other; those of different
 * users do not meet.
 */
async function record(tx: Tx, kind: Kind, { userId, cause, credits }: Move): Promise<boolean> {
  if (!Number.isInteger(credits) || credits === 0 || (credits < 0 && kind !== 'adjustment'))
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
  if (after.available < 0) {
    if (kind === 'adjustment') throw new Refusal('not_so_many_credits')
    throw insufficient(credits - account.available, credits)
  }
  const createdAt = await timeOf(tx)
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

/** By the database's clock: one for all processes. In milliseconds, as the chain of hashes has it. */
async function timeOf(tx: Tx): Promise<Date> {
  const { rows } = await tx.execute<{ now: string }>(
    sql`select date_trunc('milliseconds', clock_timestamp()) as now`,
  )
  const [row] = rows
  if (!row) throw new Error('the database did not say what time it is')
  return new Date(row.now)
}

/** By the user's id and not by the row, which is not there before somebody's first credits. */
async function lockAccount(tx: Tx, userId: string) {
  await lock(tx, `credits:${userId}`)
  const [known] = await tx.select().from(creditAccounts).where(eq(creditAccounts.userId, userId))
  if (known) return known
  const [account] = await tx.insert(creditAccounts).values({ userId }).returning()
  if (!account) throw new Error(`the database stored the credit account of ${userId} unseen`)
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
function insufficient(missing: number, required: number, files = 1): Refusal {
  const what = files === 1 ? 'this file' : `all ${files} files`
  return new Refusal('insufficient_credits', {
    message: `Insufficient credits. You need ${missing} more credits to process ${what}.`,
    figures: {
      creditsRequired: required,
      creditsAvailable: required - missing,
      creditsMissing: missing,
    },
  })
}
