/**
 * The events of an account, which its owner reads, to notice a stranger for instance. Each has a kind
 * and a coarse device, and never an address, a name or a word of a recording.
 */
import { and, desc, eq, lt } from 'drizzle-orm'

import { asJson } from '#server/columns.ts'
import type { Queryable } from '#server/db.ts'

import type { ActivityEntry, ActivityKind } from './contract.ts'
import { activity } from './tables.ts'

const PAGE = 50
/** Long enough to look back at what seemed odd, and no longer. */
const KEPT_DAYS = 180

export async function note(
  db: Queryable,
  {
    userId,
    kind,
    device = '',
    count,
    now,
  }: { userId: string; kind: ActivityKind; device?: string; count?: number; now: Date },
): Promise<void> {
  await db.insert(activity).values({ userId, kind, device, count: count ?? null, at: now })
}

/** Newest first, a page at a time. */
export async function list(
  db: Queryable,
  { userId, before }: { userId: string; before?: number | undefined },
): Promise<ActivityEntry[]> {
  const rows = await db
    .select()
    .from(activity)
    .where(
      and(eq(activity.userId, userId), before === undefined ? undefined : lt(activity.id, before)),
    )
    .orderBy(desc(activity.id))
    .limit(PAGE)
  return rows.map((row) => ({ ...asJson(row), kind: row.kind as ActivityKind }))
}

export async function forgetOld(db: Queryable, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000)
  await db.delete(activity).where(lt(activity.at, since))
}
