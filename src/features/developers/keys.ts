/**
 * API keys: `quoth_live_` and 38 characters, of which the last six are a checksum, so that a key
 * that was cut off or invented is refused without asking the database. Only a hash is kept.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { and, desc, eq, gt, isNull, or } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as activity from '#features/account/activity.ts'
import { refuseBlocked } from '#features/account/blocking.ts'
import { asJson } from '#server/columns.ts'
import type { Db, Tx } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { ApiKey, KEY_START, MakeKey, type NewKey, Scope } from './contract.ts'
import { apiKeys } from './tables.ts'

interface Deps {
  db: Db
  clock: Clock
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECK_LENGTH = 6
const SHOWN_LENGTH = 6
const MOST_KEYS = 20
const DAY_MS = 24 * 60 * 60 * 1000
/** A use is noted once a minute at most: not every call writes. */
const NOTED_EVERY_MS = 60_000

/**
 * Makes a key. Only this answer shows it.
 *
 * @throws Refusal `keys_need_plan`, `too_many_keys`, `not_signed_in`
 */
export async function make(
  { db, clock }: Deps,
  { userId, sessionId, ...asked }: { userId: string; sessionId: string } & MakeKey,
): Promise<NewKey> {
  const { name, scopes, expiresInDays } = MakeKey.parse(asked)
  const now = clock()
  const proofs = [{ by: 'session', sessionId }] as const
  return account.grantAccess(db, { userId, proofs }, async (tx, grant) => {
    const { planType } = await account.get(tx, userId)
    if (planType !== 'enterprise') throw new Refusal('keys_need_plan')
    // The account's row is locked, so two keys made at once cannot both become the twentieth.
    if ((await tx.$count(apiKeys, eq(apiKeys.userId, userId))) >= MOST_KEYS)
      throw new Refusal('too_many_keys')
    const made = await keep(tx, grant, { name, scopes, expiresInDays }, now)
    await activity.note(tx, { userId, kind: 'key_made', now })
    return made
  })
}

async function keep(
  tx: Tx,
  { userId }: account.Grant,
  { name, scopes, expiresInDays }: Required<MakeKey>,
  now: Date,
): Promise<NewKey> {
  const key = newKey()
  const [row] = await tx
    .insert(apiKeys)
    .values({
      userId,
      name,
      prefix: key.slice(0, KEY_START.length + SHOWN_LENGTH),
      keyHash: hashOf(key),
      scopes: Scope.options.filter((scope) => scopes.includes(scope)),
      createdAt: now,
      expiresAt: expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * DAY_MS),
    })
    .returning()
  if (!row) throw new Error('a key that was just made has no row')
  return { ...shown(row), key }
}

/** The newest first. */
export async function list({ db }: Pick<Deps, 'db'>, userId: string): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
  return rows.map(shown)
}

/** From this moment on the key opens nothing. @throws Refusal `not_found` */
export async function revoke(
  { db, clock }: Deps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const revoked = await tx
      .delete(apiKeys)
      .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId)))
      .returning({ id: apiKeys.id })
    if (revoked.length === 0) throw new Refusal('not_found')
    await activity.note(tx, { userId, kind: 'key_revoked', now: clock() })
  })
}

/** Ends every key of an account, when its owner shuts out somebody who may have made one. */
export const revokeAll: account.Revoke = async (tx, { userId, now }) => {
  const revoked = await tx
    .delete(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .returning({ id: apiKeys.id })
  for (const _ of revoked) await activity.note(tx, { userId, kind: 'key_revoked', now })
}

/**
 * The proof that a program has shown a key. The key is looked up again when something is written,
 * because it may have been revoked meanwhile.
 */
export function proofOf(id: string): account.Proof {
  return {
    by: 'key',
    isThere: async (tx, userId) =>
      (await tx.$count(apiKeys, and(eq(apiKeys.id, id), eq(apiKeys.userId, userId)))) > 0,
  }
}

/**
 * The user behind this key; null when there is no such key, or no longer.
 *
 * @throws Refusal `account_blocked`
 */
export async function find(
  { db, clock }: Deps,
  key: string,
): Promise<{ id: string; userId: string; scopes: readonly Scope[] } | null> {
  if (!isWellFormed(key)) return null
  const now = clock()
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.keyHash, hashOf(key)),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    )
  if (!row) return null
  await refuseBlocked(db, row.userId)
  if (!row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() >= NOTED_EVERY_MS)
    await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, row.id))
  return { id: row.id, userId: row.userId, scopes: Scope.array().parse(row.scopes) }
}

function newKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  return withCheck(KEY_START + secret.join(''))
}

function withCheck(key: string): string {
  let rest = crc32(key)
  let check = ''
  for (let n = 0; n < CHECK_LENGTH; n++) {
    check = `${LETTERS[rest % LETTERS.length]}${check}`
    rest = Math.floor(rest / LETTERS.length)
  }
  return key + check
}

export function isWellFormed(key: string): boolean {
  const isKey = key.startsWith(KEY_START)
  const length = KEY_START.length + SECRET_LENGTH + CHECK_LENGTH
  return isKey && key.length === length && withCheck(key.slice(0, -CHECK_LENGTH)) === key
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** A key as it is listed, without its hash. */
const shown = (row: typeof apiKeys.$inferSelect): ApiKey => ApiKey.parse(asJson(row))
