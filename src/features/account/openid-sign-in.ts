/**
 * Signing in through an issuer: Google, or one of the operator's. What this part promises:
 *
 * - A trip ends in the browser that began it, at the issuer it went to, once, within ten minutes.
 * - An account is found by the identity at the issuer, and by an address only when the issuer has
 *   verified it. Somebody who registered that address before without proving it loses all ways into the
 *   account: password, sessions, tokens and mailed links.
 * - A visitor without an account gets one only if they may sign up here. The address is proven, so that
 *   an invitation needs no link.
 * - A session alone links nothing: linking asks for the password, and its owner is told by mail.
 * - The ticket that ends up in an address is worth nothing elsewhere: it is good once, for a
 *   minute, in the same browser, and only beside the session's own cookie.
 */
import { and, eq, gt } from 'drizzle-orm'

import type { Db, Queryable, Tx } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { addMail } from '#server/mail-jobs.ts'
import type { Queue } from '#server/queue.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { TICKET_START } from '#shared/ticket.ts'

import { grantAccess } from './access.ts'
import * as account from './account.ts'
import * as activity from './activity.ts'
import type { IssuerId, LinkIssuer, SignUp } from './contract.ts'
import { isEmailAddress, keyOf } from './email-address.ts'
import * as invitations from './invitations.ts'
import * as links from './email-links.ts'
import type { Grant } from './grant.ts'
import { identityLinked } from './mails.ts'
import type { Issuer, Person, Picture } from './openid.ts'
import { type Owner, prove } from './profile.ts'
import * as sessions from './sessions.ts'
import { type WhyShut, isWhyShut } from './status.ts'
import { googleTrips, identities, pictures, signInTickets, users } from './tables.ts'
import { type CountDeps, countNetwork } from './throttle.ts'

export interface Deps {
  db: Db
  clock: Clock
  queue: Queue
  log: Log
  issuer: Issuer
  signUp: SignUp
}

const TRIP_MS = 10 * 60 * 1000
const TICKET_MS = 60 * 1000

/** The address to send the browser to, and the value that it must bring back in a cookie. */
interface Departure {
  url: URL
  browser: string
}

/** Needs no session. @throws Refusal `too_many_attempts`, `too_much_at_once` */
export async function leaveToSignIn(
  deps: CountDeps & Pick<Deps, 'issuer'>,
  ip: string,
): Promise<Departure> {
  await countNetwork(deps, 'trips', ip)
  return leave(deps.db, deps, null)
}

/**
 * Leaves to link an identity to the account of who is signed in. An account without a password has
 * one already, or gets a password by mail first.
 *
 * @throws Refusal `wrong_current_password`, `too_many_attempts`, `too_many_sign_ins`, `not_signed_in`
 */
export async function leaveToLink(
  deps: Pick<Deps, 'db' | 'clock' | 'issuer'>,
  owner: Pick<Owner, 'userId' | 'sessionId'> & LinkIssuer,
): Promise<Departure> {
  const { userId, sessionId, password } = owner
  const { hash, proofs } = await prove(deps, owner, password)
  if (hash === null) throw new Refusal('wrong_current_password')
  return grantAccess(deps.db, { userId, proofs }, (tx, grant) =>
    leave(tx, deps, { grant, sessionId }),
  )
}

/** A trip that signs in opens nothing before it ends; one that links needs a grant to begin. */
async function leave(
  db: Queryable,
  { clock, issuer }: Pick<Deps, 'clock' | 'issuer'>,
  linking: { grant: Grant; sessionId: string } | null,
): Promise<Departure> {
  const trip = issuer.newTrip()
  const url = await issuer.addressFor(trip)
  const browser = sessions.newToken()
  const now = clock()
  await db.insert(googleTrips).values({
    stateHash: sessions.hashOf(trip.state),
    browserHash: sessions.hashOf(browser),
    codeVerifier: trip.codeVerifier,
    nonce: trip.nonce,
    provider: issuer.id,
    sessionId: linking?.sessionId ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TRIP_MS),
  })
  return { url, browser }
}

/** The values that the browser brings back. */
export interface Return {
  state: string | undefined
  code: string | undefined
  /** All of it, as the issuer wrote it. */
  query: string
  browser: string | undefined
  device: string
  requestId: string
  /** Who is signed in there, and by which session. */
  user: { id: string; sessionId: string } | null
}

export type Outcome =
  | { kind: 'welcome'; userId: string; token: string }
  | { kind: 'back'; userId: string; token: string; ticket: string }
  | { kind: 'linked'; userId: string }
  /** The identity opens another account, or the account has another one at the issuer. */
  | { kind: 'not-linked' }
  /** The visitor may not come in, and is told why. */
  | { kind: 'shut'; why: WhyShut }
  | { kind: 'failed' }

/** Ends a trip. All faults have the same outcome, and the log says which it was. */
export async function comeBack(deps: Deps, given: Return): Promise<Outcome> {
  return arrive(deps, given).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    // Else the account was given a new password meanwhile, or this session has ended.
    return isWhyShut(error.code) ? { kind: 'shut', why: error.code } : { kind: 'failed' }
  })
}

async function arrive(deps: Deps, given: Return): Promise<Outcome> {
  const { db, log, issuer } = deps
  const refused = { event: `${issuer.id}_refused`, requestId: given.requestId }
  const trip = await takeTrip(deps, given)
  if (!trip || !given.code) {
    const why = trip ? 'the issuer gave no code' : 'no such trip of this browser'
    log.info({ ...refused, why }, 'sign-in elsewhere')
    return { kind: 'failed' }
  }
  const person = await issuer.identify(given.query, trip).catch((error: unknown) => {
    log.warn({ ...refused, err: error }, 'sign-in elsewhere')
    return null
  })
  if (!person) return { kind: 'failed' }

  const picture = person.pictureUrl === null ? null : await issuer.picture(person.pictureUrl)
  if (trip.sessionId !== null) {
    const { sessionId } = trip
    if (sessionId !== given.user?.sessionId) return { kind: 'failed' }
    const { id: userId } = given.user
    const proofs = [{ by: 'session', sessionId }] as const
    return grantAccess(db, { userId, proofs }, (tx, grant) =>
      link(tx, grant, deps, { person, picture, given }),
    )
  }
  if (!person.isVerified || !isEmailAddress(person.email)) {
    const why = 'the address is not verified'
    log.info({ ...refused, why }, 'sign-in elsewhere')
    return { kind: 'failed' }
  }
  const proofs = [{ by: 'identity', person }] as const
  return db.transaction(async (tx) => {
    const userId = (await byIdentity(tx, person)) ?? (await byAddress(tx, deps, person))
    return grantAccess(tx, { userId, proofs }, (within, grant) =>
      signIn(within, grant, deps, { person, picture, given }),
    )
  })
}

/**
 * Of several calls with the same state one gets the trip, and only in the browser that began it.
 */
async function takeTrip({ db, clock, issuer }: Deps, { state, browser }: Return) {
  if (!state || !browser) return null
  const { stateHash, browserHash, provider, expiresAt } = googleTrips
  const [trip] = await db
    .delete(googleTrips)
    .where(
      and(
        eq(stateHash, sessions.hashOf(state)),
        eq(browserHash, sessions.hashOf(browser)),
        eq(provider, issuer.id),
        gt(expiresAt, clock()),
      ),
    )
    .returning()
  return trip ? { ...trip, state } : null
}

interface Arrival {
  person: Person
  picture: Picture | null
  given: Return
}

async function signIn(
  tx: Tx,
  grant: Grant,
  deps: Deps,
  { person, picture, given }: Arrival,
): Promise<Outcome> {
  const now = deps.clock()
  const method = deps.issuer.id
  const { userId } = grant
  const adopted = await adopt(tx, grant, deps, person)
  if (!adopted) return { kind: 'failed' }
  const { isNew } = adopted
  if (picture) await keepPicture(tx, userId, picture)

  const { device } = given
  const begun = await sessions.open(tx, grant, { kind: 'web', method, device, now })
  await activity.note(tx, { userId, kind: `signed_in_${method}`, device, now })
  if (isNew) return { kind: 'welcome', userId, token: begun.token }

  const ticket = TICKET_START + sessions.newToken()
  await tx.insert(signInTickets).values({
    tokenHash: sessions.hashOf(ticket),
    browserHash: sessions.hashOf(given.browser ?? ''),
    sessionId: begun.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TICKET_MS),
  })
  return { kind: 'back', userId, token: begun.token, ticket }
}

async function byIdentity(tx: Tx, { issuer, subject }: Person): Promise<string | null> {
  const [known] = await tx
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
  return known?.userId ?? null
}

/** The account of an address: somebody's, or a new one. */
async function byAddress(tx: Tx, { clock, issuer, signUp }: Deps, person: Person): Promise<string> {
  const { email } = person
  const now = clock()
  const emailKey = keyOf(email)
  const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.emailKey, emailKey))
  if (known) return known.id
  await invitations.admit(tx, signUp, { email, token: { proven: true }, now })
  const values = {
    email,
    emailKey,
    ...namesOf(person),
    provider: issuer.id,
    createdAt: now,
  } as const
  await tx.insert(users).values(values).onConflictDoNothing()
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.emailKey, emailKey))
  if (!user) throw new Error('an account that was just there is gone')
  return user.id
}

function namesOf({ email, firstName, lastName }: Person) {
  return {
    firstName: firstName || email.slice(0, email.indexOf('@')).slice(0, 100),
    lastName,
  }
}

/**
 * Makes an account the one of somebody who comes from the issuer. Null where another identity there
 * opens it.
 */
async function adopt(
  tx: Tx,
  grant: Grant,
  { clock, issuer }: Deps,
  person: Person,
): Promise<{ isNew: boolean } | null> {
  const now = clock()
  const provider = issuer.id
  const { userId } = grant
  const outcome = await tie(tx, grant, { provider, person, now })
  if (outcome !== 'added') return outcome === 'known' ? { isNew: false } : null

  const [user] = await tx.select().from(users).where(eq(users.id, userId))
  const isNew = user?.emailVerifiedAt === null
  if (isNew) {
    // Somebody may have registered the address without owning it: nothing of theirs opens it.
    await sessions.endAll(tx, userId)
    await links.endAll(tx, { userId, now })
    const { email } = person
    await tx
      .update(users)
      .set({ email, ...namesOf(person), passwordHash: null, provider })
      .where(eq(users.id, userId))
  }
  await account.confirmAddress(tx, userId, now)
  if (!isNew) await activity.note(tx, { userId, kind: `${provider}_linked`, now })
  return { isNew }
}

/** Lets an identity open an account, or says that it does already, or opens another one. */
async function tie(
  tx: Tx,
  { userId }: Grant,
  { provider, person, now }: { provider: IssuerId; person: Person; now: Date },
): Promise<'added' | 'known' | 'taken'> {
  const { issuer, subject, email } = person
  const [added] = await tx
    .insert(identities)
    .values({ userId, provider, issuer, subject, email, createdAt: now })
    .onConflictDoNothing()
    .returning()
  if (added) return 'added'
  if ((await byIdentity(tx, person)) !== userId) return 'taken'
  await tx
    .update(identities)
    .set({ email })
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
  return 'known'
}

async function link(
  tx: Tx,
  grant: Grant,
  { clock, queue, issuer: { id: provider, name } }: Deps,
  { person, picture, given }: Arrival,
): Promise<Outcome> {
  const now = clock()
  const { userId } = grant
  const outcome = await tie(tx, grant, { provider, person, now })
  if (outcome === 'taken') return { kind: 'not-linked' }
  if (outcome === 'known') return { kind: 'linked', userId }
  if (picture) await keepPicture(tx, userId, picture)
  await activity.note(tx, { userId, kind: `${provider}_linked`, device: given.device, now })
  await addMail(queue, tx, identityLinked, { userId, provider, name })
  return { kind: 'linked', userId }
}

async function keepPicture(tx: Tx, userId: string, picture: Picture): Promise<void> {
  await tx
    .insert(pictures)
    .values({ userId, ...picture })
    .onConflictDoUpdate({ target: pictures.userId, set: picture })
  // The address changes with the picture, so that a browser may keep it.
  const version = sessions.hashOf(picture.bytes.toString('base64')).slice(0, 12)
  await tx
    .update(users)
    .set({ profileImageUrl: `/api/account/picture?v=${version}` })
    .where(eq(users.id, userId))
}

/**
 * Takes a ticket for the session it was written for, in the browser it was written for. Refused, it
 * changes nothing about who is signed in there.
 *
 * @throws Refusal `ticket_refused`
 */
export async function redeem(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { ticket, browser, token }: { ticket: string; browser: string; token: string },
): Promise<void> {
  const now = clock()
  const session = await sessions.find(db, { token, kinds: ['web'], now })
  if (!session) throw new Refusal('ticket_refused')
  const [taken] = await db
    .delete(signInTickets)
    .where(
      and(
        eq(signInTickets.tokenHash, sessions.hashOf(ticket)),
        eq(signInTickets.browserHash, sessions.hashOf(browser)),
        eq(signInTickets.sessionId, session.id),
        gt(signInTickets.expiresAt, now),
      ),
    )
    .returning()
  if (!taken) throw new Refusal('ticket_refused')
}

/** The cookie that ties a trip and its ticket to one browser. */
export const browserCookie = (publicUrl: URL) =>
  sessions.cookieFor(publicUrl, { of: 'google', ms: TRIP_MS })
