/**
 * The one way to write a new way into an account: a session, a key, a linked Google, a mailed link,
 * another address or password; and a webhook, by which somebody hears of it. What it promises:
 *
 * - Ways in of one account are written one after the other, because each locks the account's row.
 *   Its lock comes before every other lock of the same transaction.
 * - Under that lock, every proof of the caller is looked at again. A caller who was shut out meanwhile,
 *   by a new password for instance, gets nothing.
 * - Nobody gets a way into a blocked account. Only somebody who has proven to be its owner is told that
 *   it is blocked.
 */
import { and, eq } from 'drizzle-orm'

import { type Queryable, type Tx, isTx } from '#server/db.ts'
import { oneByOne } from '#server/one-by-one.ts'
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import { keyOf } from './email-address.ts'
import * as links from './email-links.ts'
import type { Person } from './openid.ts'
import type { Grant } from './grant.ts'
import { emailChanges, identities, sessions, users } from './tables.ts'

/** The facts that a caller has proven before, which must still hold. */
export type Proof =
  /** A password was right: it was verified against this hash. Null where the account has none. */
  | { by: 'password'; hash: string | null }
  /** The browser that registered the account is back, by its cookie. */
  | { by: 'browser'; hash: string }
  /** Somebody is signed in. */
  | { by: 'session'; sessionId: string }
  /** A program has shown a key. Keys are of a later room, which looks whether it is still there. */
  | { by: 'key'; isThere: (tx: Tx, userId: string) => Promise<boolean> }
  /** Somebody has opened a mailed link, which is used up by this. */
  | { by: 'link'; token: string; kinds: readonly links.LinkKind[]; now: Date }
  /** A link of this kind will be mailed to this address. */
  | { by: 'mailbox'; address: string; kind: links.LinkKind }
  /** An issuer says who somebody is. */
  | { by: 'identity'; person: Person }

const refusals = {
  password: 'wrong_password',
  browser: 'password_needed',
  session: 'not_signed_in',
  key: 'not_signed_in',
  link: 'link_used',
  mailbox: 'link_used',
  identity: 'not_signed_in',
} satisfies Record<Proof['by'], RefusalCode>

/**
 * Writes new ways into an account, in a transaction of its own or within the caller's, when all
 * proofs still hold.
 *
 * @throws Refusal `wrong_password`, `password_needed`, `not_signed_in`, `link_used`: by the proof that does not hold;
 * `account_blocked`
 */
export async function grantAccess<T>(
  db: Queryable,
  { userId, proofs }: { userId: string; proofs: readonly [Proof, ...Proof[]] },
  write: (tx: Tx, grant: Grant) => Promise<T>,
): Promise<T> {
  const granting = () => grantWithin(db, { userId, proofs }, write)
  // A caller with a transaction has its connection already.
  return isTx(db) ? granting() : oneByOne(`access:${userId}`, granting)
}

function grantWithin<T>(
  db: Queryable,
  { userId, proofs }: { userId: string; proofs: readonly Proof[] },
  write: (tx: Tx, grant: Grant) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Rows of other tables that point at this one may still be added meanwhile: they are no way in.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    for (const proof of proofs)
      if (!user || !(await holds(tx, user, proof))) throw new Refusal(refusals[proof.by])
    if (user?.blockedAt) throw new Refusal('account_blocked')
    return write(tx, { userId } as Grant)
  })
}

async function holds(tx: Tx, user: typeof users.$inferSelect, proof: Proof): Promise<boolean> {
  switch (proof.by) {
    case 'password':
      return user.passwordHash === proof.hash
    case 'browser':
      return user.browserHash === proof.hash
    case 'session': {
      const { id, userId } = sessions
      const own = and(eq(id, proof.sessionId), eq(userId, user.id))
      return (await tx.select({ id }).from(sessions).where(own)).length > 0
    }
    case 'key':
      return proof.isThere(tx, user.id)
    case 'link': {
      const { token, kinds, now } = proof
      return (await links.use(tx, { token, kinds, now })) === user.id
    }
    case 'mailbox': {
      const change = eq(emailChanges.userId, user.id)
      const isChange = proof.kind === 'change-old' || proof.kind === 'change-new'
      const [pending] = isChange ? await tx.select().from(emailChanges).where(change) : []
      if (isChange && !pending) return false
      return (proof.kind === 'change-new' ? pending?.newEmail : user.email) === proof.address
    }
    case 'identity': {
      const { issuer, subject, email, isVerified } = proof.person
      const { id, userId } = identities
      const isTheirs = and(eq(identities.issuer, issuer), eq(identities.subject, subject))
      const own = and(eq(userId, user.id), isTheirs)
      if ((await tx.select({ id }).from(identities).where(own)).length > 0) return true
      return isVerified && keyOf(email) === user.emailKey
    }
  }
}
