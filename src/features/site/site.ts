/** The messages of the contact form, as operators read them. */
import { and, desc, eq, isNull, lt } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { isFrom } from './contact.ts'
import { contactMessages } from './tables.ts'

export type Letter = typeof contactMessages.$inferSelect

const LETTERS = 50

/**
 * A page of letters, newest first; those `of` a user were written while signed in or from their
 * address.
 */
export async function letters(
  db: Queryable,
  { before, of }: { before?: Date | undefined; of?: { userId: string; email: string } } = {},
): Promise<{ letters: Letter[]; hasMore: boolean }> {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(and(before && lt(contactMessages.createdAt, before), of && isFrom(of.userId, of.email)))
    .orderBy(desc(contactMessages.createdAt))
    .limit(LETTERS + 1)
  return { letters: rows.slice(0, LETTERS), hasMore: rows.length > LETTERS }
}

export async function countUnanswered(db: Queryable): Promise<number> {
  return db.$count(contactMessages, isNull(contactMessages.answeredAt))
}

/** @throws Refusal `not_found` */
export async function letter(db: Queryable, id: string): Promise<Letter> {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id))
  if (!row) throw new Refusal('not_found')
  return row
}

/** A letter that was answered before keeps its time. */
export async function markAnswered(tx: Tx, { id, now }: { id: string; now: Date }): Promise<void> {
  await tx
    .update(contactMessages)
    .set({ answeredAt: now })
    .where(and(eq(contactMessages.id, id), isNull(contactMessages.answeredAt)))
}
