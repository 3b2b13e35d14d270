/** Operators run the server: they are the accounts whose confirmed address is in ADMIN_EMAILS. */
import { eq } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'

import { keyOf } from './email-address.ts'
import { users } from './tables.ts'

/** The addresses of ADMIN_EMAILS, however they are spelled. */
export const operatorsOf = (addresses: readonly string[]): ReadonlySet<string> =>
  new Set(addresses.map(keyOf))

/** Whether an account is one of an operator. */
export const isOperators = (
  operators: ReadonlySet<string>,
  { email, isVerified }: { email: string; isVerified: boolean },
): boolean => isVerified && operators.has(keyOf(email))

/** Whether an operator asks: never by the key of a program, which is made for others to use. */
export async function isOperator(
  { db, operators }: { db: Queryable; operators: ReadonlySet<string> },
  user: { id: string; key?: object } | null,
): Promise<boolean> {
  if (!user || user.key || operators.size === 0) return false
  const [found] = await db
    .select({ email: users.email, verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, user.id))
  if (!found) return false
  return isOperators(operators, { email: found.email, isVerified: found.verifiedAt !== null })
}
