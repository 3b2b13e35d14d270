/**
 * The changes that an owner makes to their account. What this part promises:
 *
 * - A password is changed only with the old one, and every other way in that the old one has given ends
 *   with it.
 * - An address is changed when both mailboxes have said yes, the old one and the new one, within a day.
 *   A stolen session alone cannot move the account to another mailbox.
 * - Google, or another issuer, can only be taken away where a password is left to sign in with.
 */
import { eq } from 'drizzle-orm'

import { asJson } from '#server/columns.ts'
import { type Db, type Tx, isDuplicate } from '#server/db.ts'
import { addMail } from '#server/mail-jobs.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Proof, grantAccess } from './access.ts'
import * as account from './account.ts'
import * as activity from './activity.ts'
import {
  type Account,
  type ChangeEmail,
  type ChangeNames,
  type ChangePassword,
  type IssuerId,
  issuerIds,
  type SessionRow,
} from './contract.ts'
import { keyOf } from './email-address.ts'
import * as links from './email-links.ts'
import type { Grant } from './grant.ts'
import * as knownBrowsers from './known-browsers.ts'
import { toOwner } from './mails.ts'
import type { Issuers } from './openid.ts'
import * as passwords from './passwords.ts'
import * as sessions from './sessions.ts'
import { emailChanges, identities, pictures, users } from './tables.ts'
import * as throttle from './throttle.ts'

type Deps = account.Deps

/** Who asks, from which session and from where. */
export interface Owner {
  userId: string
  sessionId: string
  kind: sessions.SessionKind
  ip: string
  device: string
}

/** Of one that is not set up any more. */
const issuerNames = { google: 'Google', oidc: 'Single sign-on' } as const

const CHANGE_MS = 24 * 60 * 60 * 1000

export async function get(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, issuers }: { userId: string; issuers: Issuers },
): Promise<Account> {
  const user = await find(db, userId)
  const linked = await db
    .select({ id: identities.provider, email: identities.email })
    .from(identities)
    .where(eq(identities.userId, userId))
  const [change] = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId))
  const isWaiting = change !== undefined && change.expiresAt > clock()
  return {
    hasPassword: user.passwordHash !== null,
    readyMail: user.readyMail,
    issuers: issuerIds
      .map((id) => ({
        id,
        name: issuers[id]?.name ?? issuerNames[id],
        email: linked.find((each) => each.id === id)?.email ?? null,
        isOffered: issuers[id] !== null,
      }))
      .filter(({ email, isOffered }) => isOffered || email !== null),
    emailChange: isWaiting
      ? {
          newEmail: change.newEmail,
          isOldConfirmed: change.oldConfirmedAt !== null,
          isNewConfirmed: change.newConfirmedAt !== null,
        }
      : null,
  }
}

export async function rename(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, device, names }: Owner & { names: ChangeNames },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set(names).where(eq(users.id, userId))
    await activity.note(tx, { userId, kind: 'names_changed', device, now: clock() })
  })
}

/**
 * Sets another password. The session that asked goes on under a new token, which is the answer. A
 * browser is known again by the other one.
 *
 * @throws Refusal `wrong_current_password`, `common_password`, `too_many_attempts`, `too_many_sign_ins`
 */
export async function changePassword(
  deps: account.ResetDeps,
  owner: Owner & ChangePassword,
): Promise<{ token: string; browser: string | null }> {
  const { db, clock, revoke } = deps
  const { userId, kind, device, password, newPassword } = owner
  account.checkPassword(newPassword)
  // Without an old one there is nothing to prove: such an account is given one by mail.
  if ((await find(db, userId)).passwordHash === null) throw new Refusal('wrong_current_password')
  const { proofs } = await prove(deps, owner, password)
  const passwordHash = await passwords.withHashing(userId, (hashing) => hashing.hash(newPassword))
  const now = clock()
  return grantAccess(db, { userId, proofs }, async (tx, grant) => {
    await account.setPassword(tx, grant, { passwordHash, now, revoke })
    await activity.note(tx, { userId, kind: 'password_changed', device, now })
    const { token } = await sessions.open(tx, grant, { kind, device, now })
    // A program keeps no cookies.
    if (kind === 'token') return { token, browser: null }
    return { token, browser: await knownBrowsers.remember(tx, grant, { known: null, now }) }
  })
}

/**
 * Mails both addresses. The answer does not say whether somebody else has the new one.
 *
 * @throws Refusal `invalid_email`, `wrong_current_password`, `too_many_attempts`, `too_many_sign_ins`
 */
export async function askForEmailChange(deps: Deps, owner: Owner & ChangeEmail): Promise<void> {
  const { db, clock, queue } = deps
  const { userId, device, ip, email } = owner
  account.checkAddress(email)
  const { proofs } = await prove(deps, owner, owner.password)
  const now = clock()
  await throttle.countNetwork(deps, 'mails', ip)
  await grantAccess(db, { userId, proofs }, async (tx, grant) => {
    await noteChange(tx, grant, { email, now })
    await links.endAll(tx, { userId, kinds: ['change-old', 'change-new'], now })
    await activity.note(tx, { userId, kind: 'email_change_asked', device, now })
    if (!(await throttle.mayMail(tx, { email, kind: 'change', now })))
      throw new Refusal('too_many_attempts')
    await addMail(queue, tx, toOwner('change-old'), { userId })
    await addMail(queue, tx, toOwner('change-new'), { userId })
  })
}

/** A change takes the place of one that waits. */
async function noteChange(
  tx: Tx,
  { userId }: Grant,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const change = {
    newEmail: email,
    oldConfirmedAt: null,
    newConfirmedAt: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CHANGE_MS),
  }
  await tx
    .insert(emailChanges)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: emailChanges.userId, set: change })
}

export async function cancelEmailChange(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
    await links.endAll(tx, { userId, kinds: ['change-old', 'change-new'], now: clock() })
  })
}

/**
 * One of the two mailboxes says yes; the second one to say it makes the change.
 *
 * @throws Refusal `link_used`, `address_taken`
 */
export async function confirmEmailChange(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<{ isDone: boolean }> {
  const now = clock()
  const shown = { token, kinds: ['change-old', 'change-new'], now } as const
  const link = await links.find(db, shown)
  if (!link) throw new Refusal('link_used')
  const { userId, kind } = link
  const proofs = [{ by: 'link', ...shown }] as const
  return grantAccess(db, { userId, proofs }, async (tx, grant) => {
    const [change] = await tx
      .update(emailChanges)
      .set(kind === 'change-old' ? { oldConfirmedAt: now } : { newConfirmedAt: now })
      .where(eq(emailChanges.userId, userId))
      .returning()
    if (!change || change.expiresAt <= now) throw new Refusal('link_used')
    if (!change.oldConfirmedAt || !change.newConfirmedAt) return { isDone: false }
    await setAddress(tx, grant, { email: change.newEmail, now })
    return { isDone: true }
  })
}

/** @throws Refusal `address_taken` */
async function setAddress(
  tx: Tx,
  { userId }: Grant,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const taken = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, keyOf(email)))
  if (taken.some(({ id }) => id !== userId)) throw new Refusal('address_taken')
  await tx
    .update(users)
    .set({ email, emailKey: keyOf(email) })
    .where(eq(users.id, userId))
    .catch((error: unknown) => {
      // Somebody else has moved to it, or registered it, at the same moment.
      throw isDuplicate(error) ? new Refusal('address_taken', { cause: error }) : error
    })
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
  // What was mailed to the old address opens nothing any more.
  await links.endAll(tx, { userId, now })
  await activity.note(tx, { userId, kind: 'email_changed', now })
}

/** @throws Refusal `last_way_in`, `not_found` */
export async function unlink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, device, provider }: Owner & { provider: IssuerId },
): Promise<void> {
  await db.transaction(async (tx) => {
    // Locked, so that the password cannot go at the same moment.
    const [user] = await tx
      .select({ hash: users.passwordHash })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update')
    if (!user?.hash) throw new Refusal('last_way_in')
    if (!(await account.unlink(tx, { userId, provider, device, now: clock() })))
      throw new Refusal('not_found')
  })
}

export async function picture(db: Db, userId: string) {
  const [found] = await db.select().from(pictures).where(eq(pictures.userId, userId))
  if (!found) throw new Refusal('not_found')
  return found
}

export async function listSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId }: Pick<Owner, 'userId' | 'sessionId'>,
): Promise<SessionRow[]> {
  const rows = await sessions.list(db, { userId, now: clock() })
  return rows.map((row) => ({ ...asJson(row), isCurrent: row.id === sessionId }))
}

/** @throws Refusal `not_found` for a session of somebody else, or of nobody */
export async function endSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, device, id }: Owner & { id: string },
): Promise<void> {
  if (!(await sessions.endOwn(db, { userId, id }))) throw new Refusal('not_found')
  await activity.note(db, { userId, kind: 'session_ended', device, now: clock() })
}

export async function endOtherSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId, device }: Owner,
): Promise<number> {
  const count = await sessions.endOthers(db, { userId, id: sessionId })
  if (count > 0)
    await activity.note(db, { userId, kind: 'sessions_ended', device, count, now: clock() })
  return count
}

/**
 * The password again, before an act that a stolen session must not allow. Counted like a sign-in, or a
 * stolen session would be a place to guess at. An account without one has nothing to ask for. Answers
 * the hash that it was right against, and the proof that `grantAccess` looks at again.
 *
 * @throws Refusal `wrong_current_password`, `too_many_attempts`, `too_many_sign_ins`
 */
export async function prove(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId }: Pick<Owner, 'userId' | 'sessionId'>,
  password: string | undefined,
): Promise<{ hash: string | null; proofs: [Proof, Proof] }> {
  const { email, passwordHash: hash } = await find(db, userId)
  const proofs: [Proof, Proof] = [
    { by: 'session', sessionId },
    { by: 'password', hash },
  ]
  if (hash === null) return { hash, proofs }
  const now = clock()
  const guess = await passwords.withHashing(userId, async ({ verify }) => {
    const tried = await throttle.guess(db, { email, knownBy: sessionId, now })
    if (!(await verify(password ?? '', hash))) throw new Refusal('wrong_current_password')
    return tried
  })
  await throttle.wasRight(db, guess, now)
  return { hash, proofs }
}

async function find(db: Db, userId: string) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Refusal('not_signed_in')
  return user
}
