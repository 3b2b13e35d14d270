/** Operators run the server: they are the accounts whose confirmed address is in ADMIN_EMAILS. */
import { eq } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'

import { keyOf } from './email-address.ts'
import { users } from './tables.ts'

/** The addresses of ADMIN_EMAILS, however they are spelled. */
export const operatorsOf = (addresses: readonly string[]): ReadonlySet<string> =>
  new Set(addresses.map(keyOf))

/** Never by the key of a program: that is made for others to use. */
export async function isOperator(
  { db, operators }: { db: Queryable; operators: ReadonlySet<string> },
  user: { id: string; key?: object } | null,
): Promise<boolean> {
  if (!user || user.key || operators.size === 0) return false
  const [found] = await db
    .select({ emailKey: users.emailKey, verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, user.id))
  return Boolean(found?.verifiedAt) && operators.has(found?.emailKey ?? '')
}
