/** The accounts of this server, as its operators find them. */
import { type SQL, count, desc, eq, inArray, like, max, or, sql } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'

import type { User } from './contract.ts'
import { keyOf } from './email-address.ts'
import { sessions, users } from './tables.ts'

export interface Person {
  id: string
  email: string
  name: string
  planType: User['planType']
  subscriptionStatus: string
  isVerified: boolean
  createdAt: Date
  blockedAt: Date | null
  /** When a session of theirs was last used, to the hour; null where all have ended. */
  seenAt: Date | null
}

const PAGE = 50

/** A page of those whose name or address holds these letters; who was seen last comes first. */
export async function search(
  db: Queryable,
  { q = '', page = 0 }: { q?: string; page?: number },
): Promise<{ people: Person[]; hasMore: boolean }> {
  const letters = `%${q.toLowerCase().replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`
  const name = sql`lower(${users.firstName} || ' ' || ${users.lastName})`
  const isMeant = q ? or(like(users.emailKey, letters), like(name, letters)) : undefined
  const rows = await found(db, isMeant)
    .orderBy(sql`max(${sessions.lastUsedAt}) desc nulls last`, desc(users.createdAt))
    .limit(PAGE + 1)
    .offset(page * PAGE)
  return { people: rows.slice(0, PAGE).map(toPerson), hasMore: rows.length > PAGE }
}

export async function byIds(db: Queryable, ids: readonly string[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await found(db, inArray(users.id, [...ids]))
  return new Map(rows.map((row) => [row.id, toPerson(row)]))
}

/** By the address, however it is spelled. */
export async function byAddress(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await found(db, eq(users.emailKey, keyOf(email)))
  return row ? toPerson(row) : null
}

export async function countAll(db: Queryable): Promise<number> {
  const [row] = await db.select({ count: count() }).from(users)
  return row?.count ?? 0
}

const columns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  planType: users.planType,
  subscriptionStatus: users.subscriptionStatus,
  verifiedAt: users.emailVerifiedAt,
  createdAt: users.createdAt,
  blockedAt: users.blockedAt,
  seenAt: max(sessions.lastUsedAt),
}

function found(db: Queryable, where: SQL | undefined) {
  return db
    .select(columns)
    .from(users)
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(where)
    .groupBy(users.id)
    .$dynamic()
}

function toPerson({
  firstName,
  lastName,
  verifiedAt,
  ...row
}: Awaited<ReturnType<typeof found>>[number]): Person {
  return { ...row, name: `${firstName} ${lastName}`.trim(), isVerified: verifiedAt !== null }
}
