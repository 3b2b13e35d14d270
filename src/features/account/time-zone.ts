/** The time zone of a user: the one that their browser named last. */
import { eq } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'

import { users } from './tables.ts'

/**
 * The zone that the browser names, kept for calls that name none; null where none ever did.
 */
export async function timeZoneOf(
  tx: Tx,
  { userId, told }: { userId: string; told: string | null },
): Promise<string | null> {
  const [user] = await tx
    .select({ timeZone: users.timeZone })
    .from(users)
    .where(eq(users.id, userId))
  if (told === null || told === user?.timeZone) return user?.timeZone ?? null
  await tx.update(users).set({ timeZone: told }).where(eq(users.id, userId))
  return told
}
