/**
 * Requests that are charged once however often they are sent. What this part promises:
 *
 * - The first request under a key does the work; those beside it and after it get its answer, letter
 *   for letter, from any process and after a restart, for a day.
 * - Another request under the same key is refused.
 * - A request that was refused cost nothing, and may be sent again under its key.
 * - A request that stopped in the middle loses the key after half a minute. Where the answer is written
 *   in the transaction of the work, nothing was done then; elsewhere the caller decides.
 * - A call without a key can be recognised by its form: then its answer is good until ten minutes after
 *   somebody has received it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { and, eq, like, lt, sql } from 'drizzle-orm'

import type { Db, Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { idempotencyKeys } from './tables.ts'

export interface CallKey {
  userId: string
  key: string
}

export interface Answer {
  status: number
  body: string
}

/** A request that may do the work. */
export interface Claim extends CallKey {
  lease: string
  /** Whether a request before it began and never ended. */
  isTakenOver: boolean
}

const LEASE_SECONDS = 30
/** How long a call without a key is known once it is over: as long as programs try again. */
const KNOWN_SECONDS = 10 * 60
const RENEW_MS = 10_000
const LOOK_MS = 50
const LOOK_SLOWLY_MS = 1_000

const leaseUntil = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`
const isLapsed = sql`${idempotencyKeys.leaseUntil} < clock_timestamp()`

/** The claim of the key, or null when another request has it or has answered. */
export async function claim(
  db: Queryable,
  { userId, key, fingerprint = null }: CallKey & { fingerprint?: string | null },
): Promise<Claim | null> {
  const lease = randomUUID()
  const [row] = await db
    .insert(idempotencyKeys)
    .values({ userId, key, fingerprint, lease, leaseUntil })
    .onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      // An answer under a key has no lease that could lapse; one without a key ends by it.
      set: { lease, leaseUntil, status: null, body: null, createdAt: sql`now()` },
      setWhere: isLapsed,
    })
    .returning({ isTakenOver: sql<boolean>`xmax <> 0` })
  return row ? { userId, key, lease, isTakenOver: row.isTakenOver } : null
}

/** Keeps the claim while the work takes its time. Call the answer when it has ended. */
export function keep(db: Db, claimed: Claim, onProblem: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    // Losing it is found out when the answer is written; nothing is lost by a late renewal.
    db.update(idempotencyKeys).set({ leaseUntil }).where(isOf(claimed)).catch(onProblem)
  }, RENEW_MS)
  return () => clearInterval(timer)
}

/** Writes the answer, best in the transaction of what was done. Throws when the claim was lost. */
export async function answer(
  db: Db | Tx,
  claimed: Claim,
  { fingerprint, status, body }: Answer & { fingerprint: string },
): Promise<void> {
  const written = await db
    .update(idempotencyKeys)
    .set({ fingerprint, status, body, lease: null, leaseUntil: null })
    .where(isOf(claimed))
    .returning({ key: idempotencyKeys.key })
  if (written.length === 0) throw new Error('another request took over the Idempotency-Key')
}

/** Nothing was done: the key is free again. */
export async function release(db: Db, claimed: Claim): Promise<void> {
  await db.delete(idempotencyKeys).where(isOf(claimed))
}

/**
 * The answer to the request under this key; waits for it while that request is being worked on.
 *
 * @throws Refusal `idempotency_key_reused`, `idempotency_key_in_use`
 */
export async function answered(
  db: Db,
  { userId, key, fingerprint }: CallKey & { fingerprint: string },
  signal?: AbortSignal,
): Promise<Answer> {
  for (let waited = 0; ; waited++) {
    const [row] = await db
      .select({
        known: idempotencyKeys.fingerprint,
        status: idempotencyKeys.status,
        body: idempotencyKeys.body,
        isLapsed: sql<boolean>`coalesce(${isLapsed}, false)`,
      })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
    if (row && row.known !== null && row.known !== fingerprint)
      throw new Refusal('idempotency_key_reused')
    if (row && row.status !== null && row.body !== null)
      return { status: row.status, body: row.body }
    // It was refused, or its server stopped: the next request does the work.
    if (!row || row.isLapsed) throw new Refusal('idempotency_key_in_use', { retryAfterSeconds: 1 })
    await sleep(waited < 40 ? LOOK_MS : LOOK_SLOWLY_MS, undefined, signal ? { signal } : {})
  }
}

/** The key that stands for a call without one. It has a space, so no header can name it. */
export function unkeyed(userId: string, fingerprint: string): CallKey {
  return { userId, key: `${UNKEYED}${fingerprint}` }
}

const UNKEYED = 'unkeyed '

/** Whether a call of theirs without a key is known. */
export async function knowsUnkeyed(db: Db, userId: string): Promise<boolean> {
  const { userId: user, key } = idempotencyKeys
  return (await db.$count(idempotencyKeys, and(eq(user, userId), like(key, `${UNKEYED}%`)))) > 0
}

/** The call without a key is over: from now on it is known for ten minutes more. */
export async function endSoon(db: Db, asked: CallKey, body: string): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${KNOWN_SECONDS})` })
    .where(isAnswered(asked, body))
}

/** This answer is no longer any good. */
export async function forget(db: Db, asked: CallKey, body: string): Promise<void> {
  await db.delete(idempotencyKeys).where(isAnswered(asked, body))
}

/** Keys are good for a day. */
export async function forgetOld(db: Db): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`))
}

/** @throws Refusal `bad_idempotency_key` */
export function keyIn(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw new Refusal('bad_idempotency_key')
  return header
}

export function fingerprintOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function isAnswered({ userId, key }: CallKey, body: string) {
  const { userId: user, key: name, body: known } = idempotencyKeys
  return and(eq(user, userId), eq(name, key), eq(known, body))
}

function isOf({ userId, key, lease }: Claim) {
  const { userId: user, key: name, lease: holder } = idempotencyKeys
  return and(eq(user, userId), eq(name, key), eq(holder, lease))
}
