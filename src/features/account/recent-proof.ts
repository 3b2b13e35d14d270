/** The password again, before an act that a browser which was left open must not allow. */
import { and, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { prove } from './profile.ts'
import { sessions, users } from './tables.ts'

const RECENT_MS = 15 * 60 * 1000

/**
 * Passes when the session's holder has proven who they are within 15 minutes: by signing in, or by
 * the password now, which counts for the next 15. Without a password there is only signing in.
 *
 * @throws Refusal `password_again`, `sign_in_again`, `wrong_current_password`, `too_many_attempts`,
 * `too_many_sign_ins`, `not_signed_in`
 */
export async function requireRecent(
  deps: { db: Db; clock: Clock },
  {
    userId,
    sessionId,
    password,
  }: { userId: string; sessionId: string; password: string | undefined },
): Promise<void> {
  const { db, clock } = deps
  const { createdAt, provenAt } = sessions
  const [found] = await db
    .select({ createdAt, provenAt, hash: users.passwordHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
  if (!found) throw new Refusal('not_signed_in')
  const last = found.provenAt ?? found.createdAt
  if (clock().getTime() - last.getTime() < RECENT_MS) return
  if (found.hash === null) throw new Refusal('sign_in_again')
  if (password === undefined) throw new Refusal('password_again')
  await prove(deps, { userId, sessionId }, password)
  await db.update(sessions).set({ provenAt: clock() }).where(eq(sessions.id, sessionId))
}
