/** How much an account may do: as its plan says, or as an operator has set for this one alone. */
import { eq } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'
import { MAX_BATCH, callsPerHour } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Limits, User } from './contract.ts'
import { users } from './tables.ts'

type Figures = Record<keyof Limits, number>

/** @throws Refusal `not_signed_in` when the account is gone */
export async function limitsOf(
  db: Queryable,
  userId: string,
): Promise<Figures & { planType: User['planType']; own: Limits; ofPlan: Figures }> {
  const { planType: plan, callsPerHour: calls, unconfirmedUploads: uploads } = users
  const [user] = await db
    .select({ planType: plan, own: { callsPerHour: calls, unconfirmedUploads: uploads } })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) throw new Refusal('not_signed_in')
  const { planType, own } = user
  const ofPlan = { callsPerHour: callsPerHour[planType], unconfirmedUploads: MAX_BATCH }
  return {
    planType,
    own,
    ofPlan,
    callsPerHour: own.callsPerHour ?? ofPlan.callsPerHour,
    unconfirmedUploads: own.unconfirmedUploads ?? ofPlan.unconfirmedUploads,
  }
}

/** Null: as the plan says, from the next call on. */
export async function setLimits(
  tx: Tx,
  { userId, limits }: { userId: string; limits: Limits },
): Promise<void> {
  await tx.update(users).set(limits).where(eq(users.id, userId))
}
