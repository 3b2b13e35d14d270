/**
 * Who somebody is. What this room promises:
 *
 * - Nobody learns from an answer, or from how long it takes, whether an address has an account.
 * - A mailed link works once, and only the newest one. A link alone does not confirm a password
 *   that somebody else may have chosen (decision 018).
 * - A new password, however it is set, ends every way in that the old one has given: also those
 *   that are being made at the same moment (`access.ts`).
 * - The credits of a sign-up are granted once per person, when the address is proven.
 * - Guessing is slowed down per account and per network address, without locking the owner out: a
 *   browser that has signed in before has a budget of its own (`known-browsers.ts`).
 * - Right passwords are counted as well, wherever they are typed: beyond the limit none is hashed.
 * - However many passwords are typed at once, few are hashed at once, for users and
 *   networks in rotation.
 * - Passwords, session tokens and links are never kept, only hashes that prove them right.
 *
 * Public: activity.ts, blocking.ts, calls-at-once.ts, directory.ts, invitations.ts, limits.ts, operators.ts, ready-mail.ts, recent-proof.ts, session-hook.ts, time-zone.ts
 */
import { createHash, randomUUID } from 'node:crypto'

import { and, eq, isNull, lt, sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { asJson } from '#server/columns.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import * as limits from '#server/limits.ts'
import { addMail } from '#server/mail-jobs.ts'
import { networkOf } from '#server/network.ts'
import type { Queue } from '#server/queue.ts'
import { SIGNUP_CREDITS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Proof, grantAccess } from './access.ts'
import * as activity from './activity.ts'
import {
  type EmailOnly,
  type IssuerId,
  type Login,
  type Register,
  type SignUp,
  User,
  type VerifyEmail,
} from './contract.ts'
import { isEmailAddress, keyOf, mailboxOf } from './email-address.ts'
import * as links from './email-links.ts'
import type { Grant } from './grant.ts'
import * as invitations from './invitations.ts'
import * as knownBrowsers from './known-browsers.ts'
import { toOwner } from './mails.ts'
import * as passwords from './passwords.ts'
import * as sessions from './sessions.ts'
import {
  emailChanges,
  googleTrips,
  identities,
  pictures,
  signInTickets,
  signupGrants,
  users,
} from './tables.ts'
import * as throttle from './throttle.ts'

export { type Proof, grantAccess } from './access.ts'
export type { Grant } from './grant.ts'
export { withHashing } from './passwords.ts'
export { countNetwork } from './throttle.ts'

export interface Deps extends throttle.CountDeps {
  queue: Queue
  signUp: SignUp
}

/** The API keys and webhooks of a later room, which are ended inside the transaction. */
export type Revoke = (tx: Tx, owner: { userId: string; now: Date }) => Promise<void>

export interface ResetDeps extends Pick<Deps, 'db' | 'clock'> {
  revoke: Revoke
}

/** Where a request came from. */
interface Visitor {
  ip: string
  device: string
  /** The value of a cookie by which a browser that has signed in before is known again. */
  browser?: string | undefined
}

type MailAsked = EmailOnly & Pick<Visitor, 'ip'>

/**
 * Makes an account. Where the address has one already, a mail says so instead. Both take the same
 * steps and answer a value for a cookie, which later proves that this browser made the account.
 * Where an address is registered again before it was confirmed, nobody knows which of the two owns
 * it: both passwords are dropped, and the mail asks the owner to choose one.
 *
 * @throws Refusal `invalid_email`, `common_password`, `too_many_attempts`, `sign_up_closed`,
 * `invitation_needed`
 */
export async function register(
  deps: Deps,
  { email, password, firstName, lastName, next, invitation, ip }: Register & Pick<Visitor, 'ip'>,
): Promise<{ browser: string }> {
  checkAddress(email)
  checkPassword(password)
  const now = deps.clock()
  const shown = { email, token: invitation, now }
  const passwordHash = await passwords.withHashing(networkOf(ip), async ({ hash }) => {
    await throttle.countNetwork(deps, 'signUps', ip)
    await invitations.requireInvited(deps.db, deps.signUp, shown)
    return hash(password)
  })
  const browser = sessions.newToken()
  const browserHash = sessions.hashOf(browser)

  await deps.db.transaction(async (tx) => {
    await invitations.admit(tx, deps.signUp, shown)
    const [created] = await tx
      .insert(users)
      .values({
        email,
        emailKey: keyOf(email),
        firstName,
        lastName,
        passwordHash,
        browserHash,
        next,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: users.id })
    const user = await byAddress(tx, email)
    const userId = user?.id ?? randomUUID()
    if (!created) await forgetClaims(tx, userId)
    const mayMail = await throttle.mayMail(tx, { email, kind: 'sign-up', now })
    // The first mail of a new account always goes out, however many were asked for at this address
    // before.
    if (created) await addMail(deps.queue, tx, toOwner('verify'), { userId })
    else if (mayMail) await addMail(deps.queue, tx, toOwner('already-registered'), { userId })
  })
  return { browser }
}

/**
 * Mails a new link to confirm an address. Says nothing about whether there is one to confirm.
 *
 * @throws Refusal `invalid_email`, `too_many_attempts`
 */
export async function resendVerification(deps: Deps, asked: MailAsked): Promise<void> {
  await mailLink(deps, asked, 'verify', (user) => !user.isVerified)
}

/**
 * Mails a link to choose a new password. Says nothing about whether the address has an account.
 *
 * @throws Refusal `invalid_email`, `too_many_attempts`
 */
export async function forgotPassword(deps: Deps, asked: MailAsked): Promise<void> {
  await mailLink(deps, asked, 'reset', () => true)
}

/**
 * Confirms an address by the token of a mailed link, grants the credits of a sign-up and signs in.
 * The link proves whose mailbox it is. Somebody else may have registered the address, with a
 * password of their own: that the same person did is proven by the cookie of the browser that
 * registered, or else by the password. Refused, the link stays good.
 *
 * @throws Refusal `link_used`, `password_needed`, `wrong_chosen_password`, `too_many_attempts`,
 * `too_many_sign_ins`
 */
export async function verifyEmail(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    token,
    password,
    registration,
    ip,
    device,
  }: VerifyEmail & Visitor & { registration?: string | undefined },
): Promise<SignedIn & { next: string | null }> {
  const now = clock()
  const shown = { token, kinds: ['verify'], now } as const
  const link = await links.find(db, shown)
  if (!link) throw new Refusal('link_used')
  const { userId, user } = link
  const { next } = user
  const claim = await proveClaim(db, user, { password, registration, ip, now })
  const proofs = [{ by: 'link', ...shown }, claim] as const
  return grantAccess(db, { userId, proofs }, async (tx, grant) => {
    await confirmAddress(tx, userId, now)
    return { ...(await enter(tx, grant, { kind: 'web', device, known: null, now })), next }
  })
}

/** @throws Refusal `password_needed`, `wrong_chosen_password`, `too_many_attempts`, `too_many_sign_ins` */
async function proveClaim(
  db: Db,
  { email, passwordHash: hash, browserHash }: typeof users.$inferSelect,
  {
    password,
    registration,
    ip,
    now,
  }: { password: string | undefined; registration: string | undefined; ip: string; now: Date },
): Promise<Proof> {
  if (registration !== undefined && sessions.hashOf(registration) === browserHash)
    return { by: 'browser', hash: browserHash }
  if (password === undefined) throw new Refusal('password_needed')
  const guess = await passwords.withHashing(networkOf(ip), async ({ verify }) => {
    const tried = await throttle.guess(db, { email, ip, now })
    if (!(await verify(password, hash))) throw new Refusal('wrong_chosen_password')
    return tried
  })
  await throttle.wasRight(db, guess, now)
  return { by: 'password', hash }
}

/**
 * Sets a new password by the token of a mailed link. Nobody stays signed in: somebody who chooses a new
 * password may be shutting a thief out. The link came by mail, so the address is confirmed with it.
 *
 * @throws Refusal `link_used`, `common_password`
 */
export async function resetPassword(
  { db, clock, revoke }: ResetDeps,
  { token, password }: { token: string; password: string },
): Promise<{ userId: string }> {
  checkPassword(password)
  const now = clock()
  const shown = { token, kinds: ['reset'], now } as const
  const link = await links.find(db, shown)
  // Hashing is dear: a made-up token must not buy it.
  if (!link) throw new Refusal('link_used')
  const { userId } = link
  const passwordHash = await passwords.withHashing(userId, ({ hash }) => hash(password))
  const proofs = [{ by: 'link', ...shown }] as const
  await grantAccess(db, { userId, proofs }, async (tx, grant) => {
    const email = await confirmAddress(tx, userId, now)
    await setPassword(tx, grant, { passwordHash, now, revoke })
    await throttle.forgive(tx, email)
    await activity.note(tx, { userId, kind: 'password_reset', now })
  })
  return { userId }
}

/**
 * Sets a password, and ends every way in that the one before it has given. An identity elsewhere of the
 * account's own address comes back by itself, the next time that its owner signs in with it. An
 * account without a password keeps its identities: no password was asked for when it was linked.
 */
export async function setPassword(
  tx: Tx,
  { userId }: Grant,
  { passwordHash, now, revoke }: { passwordHash: string; now: Date; revoke: Revoke },
): Promise<void> {
  const own = eq(users.id, userId)
  const [before] = await tx.select({ hash: users.passwordHash }).from(users).where(own)
  await tx.update(users).set({ passwordHash }).where(own)
  // What hangs on a session ends with it: tickets, and trips that would link one.
  await sessions.endAll(tx, userId)
  await knownBrowsers.forgetAll(tx, userId)
  await links.endAll(tx, { userId, now })
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
  if (before?.hash) await unlink(tx, { userId, now })
  await revoke(tx, { userId, now })
}

/** Ends the sign-in at other issuers, or at one of them. Answers whether there was one. */
export async function unlink(
  tx: Tx,
  {
    userId,
    provider,
    device,
    now,
  }: { userId: string; provider?: IssuerId; device?: string; now: Date },
): Promise<boolean> {
  const gone = await tx
    .delete(identities)
    .where(
      and(
        eq(identities.userId, userId),
        provider === undefined ? undefined : eq(identities.provider, provider),
      ),
    )
    .returning()
  if (gone.length === 0) return false
  await tx
    .update(users)
    .set({ provider: 'email', profileImageUrl: null })
    .where(eq(users.id, userId))
  await tx.delete(pictures).where(eq(pictures.userId, userId))
  for (const each of gone) {
    const kind = `${each.provider}_unlinked` as const
    await activity.note(tx, { userId, kind, ...(device && { device }), now })
  }
  return true
}

export interface SignedIn {
  user: User
  kind: sessions.SessionKind
  token: string
  /** The value that the browser keeps to be known again; null for a script. */
  browser: string | null
}

/**
 * Signs in. A wrong password costs as much time for an address without an account.
 *
 * @throws Refusal `invalid_email`, `wrong_password`, `email_not_verified`, `too_many_attempts`,
 * `too_many_sign_ins`
 */
export async function login(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { email, password, token: asksForToken = false, ip, device, browser }: Login & Visitor,
): Promise<SignedIn> {
  checkAddress(email)
  const now = clock()
  const known = await knownBrowsers.find(db, { email, token: browser, now })
  const from = known === null ? { ip } : { knownBy: known }
  const { guess, user } = await passwords.withHashing(
    known ?? networkOf(ip),
    async ({ verify }) => {
      const tried = await throttle.guess(db, { email, now, ...from })
      const found = await byAddress(db, email)
      const isRight = await verify(password, found?.passwordHash ?? null)
      if (!found || !isRight) throw new Refusal('wrong_password')
      return { guess: tried, user: found }
    },
  )
  await throttle.wasRight(db, guess, now)
  if (!user.isVerified) throw new Refusal('email_not_verified')

  const { id: userId, passwordHash: hash } = user
  const kind = asksForToken ? 'token' : 'web'
  return grantAccess(db, { userId, proofs: [{ by: 'password', hash }] }, (tx, grant) =>
    enter(tx, grant, { kind, device, known, now }),
  )
}

/** Begins the session of somebody who has proven who they are. */
async function enter(
  tx: Tx,
  grant: Grant,
  {
    kind,
    device,
    known,
    now,
  }: { kind: sessions.SessionKind; device: string; known: string | null; now: Date },
): Promise<SignedIn> {
  const { userId } = grant
  const { token } = await sessions.open(tx, grant, { kind, device, now })
  const browser = kind === 'web' ? await knownBrowsers.remember(tx, grant, { known, now }) : null
  const noted = kind === 'web' ? 'signed_in' : 'token_made'
  await activity.note(tx, { userId, kind: noted, device, now })
  return { user: await get(tx, userId), kind, token, browser }
}

/** The account as its owner sees it. @throws Refusal `not_signed_in` when it is gone */
export async function get(db: Queryable, userId: string): Promise<User> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Refusal('not_signed_in')
  const { available } = await credits.balance(db, userId)
  // The schema leaves out what its owner does not see, such as the hash of the password.
  return User.parse({ ...asJson(user), credits: available })
}

/**
 * Sets the plan that a user has paid for. Billing decides it, in the transaction that knows why.
 * Answers whether there is such a user.
 */
export async function setPlan(
  tx: Tx,
  { userId, ...plan }: { userId: string; planType: User['planType']; subscriptionStatus: string },
): Promise<boolean> {
  const changed = await tx.update(users).set(plan).where(eq(users.id, userId)).returning()
  return changed.length > 0
}

/** Whom to write to; null when the account is gone. */
export async function addressOf(
  db: Queryable,
  userId: string,
): Promise<{ email: string; name: string } | null> {
  const { email, firstName, lastName } = users
  const [user] = await db
    .select({ email, firstName, lastName })
    .from(users)
    .where(eq(users.id, userId))
  return user ? { email: user.email, name: `${user.firstName} ${user.lastName}`.trim() } : null
}

/**
 * The name of an account for others to read; it may be empty. Null of one that is blocked or gone.
 */
export async function nameFor(db: Queryable, userId: string): Promise<string | null> {
  const { firstName, lastName } = users
  const [user] = await db
    .select({ firstName, lastName })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.blockedAt)))
  return user ? [user.firstName, user.lastName].filter(Boolean).join(' ') : null
}

/** The cookie of the browser that registered. It ends with the first link that was mailed. */
export const registrationCookie = (publicUrl: URL) =>
  sessions.cookieFor(publicUrl, { of: 'registration', ms: links.linkLives.verify.ms })

/** Removes old tries, expired sessions and expired links. */
export async function tidyUp({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  await limits.forgetOld(db, now)
  await sessions.forgetExpired(db, now)
  await links.forgetExpired(db, now)
  await knownBrowsers.forgetExpired(db, now)
  await activity.forgetOld(db, now)
  await invitations.forgetExpired(db, now)
  for (const table of [googleTrips, signInTickets, emailChanges])
    await db.delete(table).where(lt(table.expiresAt, now))
}

/**
 * Drops the password of a registration that was never confirmed, so that the owner of the address does
 * not get an account that a stranger can open.
 */
async function forgetClaims(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash: null, browserHash: null, next: null })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
}

/** Marks the address as proven, the first time with the credits of a sign-up. */
export async function confirmAddress(tx: Tx, userId: string, now: Date): Promise<string> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: now, browserHash: null, next: null })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) throw new Refusal('link_used')

  const mailboxHash = createHash('sha256').update(mailboxOf(user.email)).digest('base64url')
  const [first] = await tx
    .insert(signupGrants)
    .values({ mailboxHash, createdAt: now })
    .onConflictDoNothing()
    .returning()
  if (first) await credits.grant(tx, { userId, cause: `signup:${userId}`, credits: SIGNUP_CREDITS })
  return user.email
}

/**
 * Mails a link, at most a few an hour to one address; past that it is silently left out, because a
 * refusal would tell that mails go there. For an address without an account a job without a recipient
 * keeps the steps the same.
 */
async function mailLink(
  deps: Deps,
  { email, ip }: MailAsked,
  kind: links.LinkKind,
  isFor: (user: Known) => boolean,
): Promise<void> {
  checkAddress(email)
  const now = deps.clock()
  await throttle.countNetwork(deps, 'mails', ip)
  await deps.db.transaction(async (tx) => {
    const user = await byAddress(tx, email)
    const userId = user && isFor(user) ? user.id : randomUUID()
    if (await throttle.mayMail(tx, { email, kind, now }))
      await addMail(deps.queue, tx, toOwner(kind), { userId })
  })
}

type Known = NonNullable<Awaited<ReturnType<typeof byAddress>>>

/**
 * Reads no more columns than it must: a longer row takes longer to read, which would tell that there is
 * one.
 */
async function byAddress(db: Queryable, email: string) {
  const { id, passwordHash, emailVerifiedAt } = users
  const [user] = await db
    .select({ id, passwordHash, isVerified: sql<boolean>`${emailVerifiedAt} is not null` })
    .from(users)
    .where(eq(users.emailKey, keyOf(email)))
  return user
}

/** @throws Refusal `invalid_email` */
export function checkAddress(email: string): void {
  if (!isEmailAddress(email)) throw new Refusal('invalid_email')
}

/** @throws Refusal `common_password` */
export function checkPassword(password: string): void {
  if (passwords.isCommon(password)) throw new Refusal('common_password')
}
