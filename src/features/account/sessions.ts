/**
 * Signed-in browsers and scripts. A session is named by a random token of 256 bits that only its
 * holder knows: the database keeps a hash. Each request looks it up there, so that an ended session is
 * over at once, in every process.
 *
 * Promise: an ended session is over.
 */
import { createHash, randomBytes } from 'node:crypto'

import { and, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm'

import { columnsWithout } from '#server/columns.ts'
import type { Queryable, Tx } from '#server/db.ts'

import type { Grant } from './grant.ts'
import { sessions } from './tables.ts'

export type SessionKind = (typeof sessions.$inferSelect)['kind']
type SessionMethod = (typeof sessions.$inferSelect)['method']

export interface Session {
  id: string
  userId: string
  kind: SessionKind
  /** Whether this use prolonged it, so that the browser's cookie must be prolonged as well. */
  isProlonged: boolean
}

const HOUR_MS = 60 * 60 * 1000
/** From the last use on. */
const SESSION_DAYS = 30
const SESSION_MS = SESSION_DAYS * 24 * HOUR_MS
/** Of one account. */
const MOST_SESSIONS = 100
/** A use is noted once an hour at most: not every request writes. */
const NOTED_EVERY_MS = HOUR_MS

interface Beginning {
  kind: SessionKind
  method?: SessionMethod
  device: string
  now: Date
}

export async function open(
  tx: Tx,
  { userId }: Grant,
  { kind, method = 'password', device, now }: Beginning,
): Promise<{ id: string; token: string }> {
  const token = newToken()
  const [row] = await tx
    .insert(sessions)
    .values({
      tokenHash: hashOf(token),
      userId,
      kind,
      method,
      device,
      tokenEnd: kind === 'token' ? token.slice(-4) : null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    })
    .returning({ id: sessions.id })
  if (!row) throw new Error('a session that was just begun has no row')
  await endOldest(tx, { userId, but: row.id })
  return { id: row.id, token }
}

/**
 * Ends the sessions beyond the number that an account may have: those that were used longest ago.
 */
async function endOldest(tx: Tx, { userId, but }: { userId: string; but: string }): Promise<void> {
  const own = and(eq(sessions.userId, userId), ne(sessions.id, but))
  const tooMany = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(own)
    .orderBy(desc(sessions.lastUsedAt))
    .offset(MOST_SESSIONS - 1)
  await tx.delete(sessions).where(inArray(sessions.id, tooMany))
}

/** A user's sessions, the one that was used last first. */
export async function list(
  db: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<Omit<typeof sessions.$inferSelect, 'tokenHash' | 'userId'>[]> {
  return db
    .select(columnsWithout(sessions, ['tokenHash', 'userId']))
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastUsedAt))
}

/** Ends one of a user's own sessions. Answers whether there was one. */
export async function endOwn(
  db: Queryable,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** Ends all of a user's sessions but one, and answers how many there were. */
export async function endOthers(
  db: Queryable,
  { userId, id }: { userId: string; id: string },
): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, id)))
    .returning({ id: sessions.id })
  return ended.length
}

export async function find(
  db: Queryable,
  { token, kinds, now }: { token: string; kinds: readonly SessionKind[]; now: Date },
): Promise<Session | null> {
  const [session] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
  if (!session || !kinds.includes(session.kind) || session.expiresAt <= now) return null
  const { id, userId, kind, lastUsedAt } = session
  const isProlonged = now.getTime() - lastUsedAt.getTime() >= NOTED_EVERY_MS
  if (isProlonged) {
    const expiresAt = new Date(now.getTime() + SESSION_MS)
    await db.update(sessions).set({ lastUsedAt: now, expiresAt }).where(eq(sessions.id, id))
  }
  return { id, userId, kind, isProlonged }
}

export async function end(db: Queryable, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function endAll(tx: Tx, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId))
}

export async function forgetExpired(db: Queryable, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
}

/** 256 random bits, safe in an address and in a header. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Name and attributes of a cookie. The prefix makes browsers refuse one set over plain http. */
export function cookieFor(publicUrl: URL, { of = 'session', ms = SESSION_MS } = {}) {
  const isSecure = publicUrl.protocol === 'https:'
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const
  return {
    name: `${isSecure ? '__Host-' : ''}quoth_${of}`,
    attributes: { ...attributes, maxAge: ms / 1000 },
  }
}

/** By the first mark that is there: browsers name others whose pages they can show as well. */
const browsers = {
  Edge: /Edg\//,
  Firefox: /Firefox\//,
  Chrome: /Chrom(e|ium)\//,
  Safari: /Safari\//,
}
const systems = {
  Android: /Android/,
  iOS: /iPhone|iPad/,
  Windows: /Windows/,
  macOS: /Mac OS X/,
  Linux: /Linux/,
}

/** Enough to tell one's own devices apart, too little to recognise anybody by. */
export function deviceOf(userAgent: string): string {
  const nameIn = (marks: Record<string, RegExp>) =>
    Object.entries(marks).find(([, mark]) => mark.test(userAgent))?.[0]
  const known = [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined)
  return known.join(' on ') || 'Unknown device'
}
