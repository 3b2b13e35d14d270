/**
 * How often something may be tried, counted in the database, so that several processes count
 * together. Windows slide; what is tried at the same moment is counted one after the other.
 */
import { createHash, randomUUID } from 'node:crypto'

import { and, asc, eq, gt, like, lt, or, sql } from 'drizzle-orm'

import type { Db, Queryable, Tx } from '#server/db.ts'
import { networkOf } from '#server/network.ts'
import { PER_HOUR, type PerHour } from '#shared/business.ts'
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import { keyOf } from './email-address.ts'
import { attempts } from './tables.ts'

const HOUR_MS = 60 * 60 * 1000

/** Wrong passwords for one account from one network address. */
const GUESSES_PER_PAIR = 10
/** Wrong passwords for one account from everywhere, before only newcomers are still heard. */
const GUESSES_PER_ACCOUNT = 50
/** Wrong passwords from a browser that has signed in before, or in a session. */
const GUESSES_PER_BROWSER = 10
/**
 * Right passwords for one account from one network address, and as many from all its known browsers
 * and sessions: more than people and their programs need.
 */
const RIGHT_PER_PLACE = 30
/** Wrong passwords from one network address, whoever they are for. */
const GUESSES_PER_ADDRESS = 100
/** Mails of one kind to one address. */
const MAILS_PER_KIND = 3

/** A try that was let through; it is no guess any more when the password turns out to be right. */
export interface Guess {
  id: string
  /** Under which it is counted then. */
  rightKey: string
}

/**
 * Lets a password be tried, or not. An account under attack still hears the first try of a network
 * address that has not guessed before: its owner comes from one, and the attackers' are used up.
 * `knownBy` names a browser or session that has proved before that it is the owner's. It is counted
 * by itself, so that others who guess from its network or at its account do not shut it out.
 * Verifying is dear, so whoever has shown the right password too often is refused before it. The
 * answer says nothing about the one that was typed now.
 *
 * @throws Refusal `too_many_attempts`, `too_many_sign_ins`
 */
export async function guess(
  db: Db,
  { email, now, ...from }: { email: string; now: Date } & ({ knownBy: string } | { ip: string }),
): Promise<Guess> {
  const rightKey = rightAt(email, 'knownBy' in from ? 'known' : networkOf(from.ip))
  const right = await count(db, rightKey, now)
  if (right.length >= RIGHT_PER_PLACE)
    throw tooMany(right, RIGHT_PER_PLACE, now, 'too_many_sign_ins')
  if ('knownBy' in from) return { id: await guessFromKnown(db, from.knownBy, now), rightKey }
  const account = guessKey(email)
  const address = networkOf(from.ip)
  const pair = `${account}@${address}`
  const byWhomever = `guess-from:${address}`
  return db.transaction(async (tx) => {
    await lock(tx, account)
    await lock(tx, byWhomever)
    const byPair = await count(tx, pair, now)
    const byAddress = await count(tx, byWhomever, now)
    const byAccount = await count(tx, account, now)
    if (byPair.length >= GUESSES_PER_PAIR) throw tooMany(byPair, GUESSES_PER_PAIR, now)
    if (byAddress.length >= GUESSES_PER_ADDRESS) throw tooMany(byAddress, GUESSES_PER_ADDRESS, now)
    if (byAccount.length >= GUESSES_PER_ACCOUNT && byPair.length > 0)
      throw tooMany(byPair, byPair.length, now)
    const id = randomUUID()
    await tx
      .insert(attempts)
      .values([account, pair, byWhomever].map((key) => ({ id, key, at: now })))
    return { id, rightKey }
  })
}

async function guessFromKnown(db: Db, knownBy: string, now: Date): Promise<string> {
  const id = randomUUID()
  const wish = { id, key: `guess-known:${knownBy}`, limit: GUESSES_PER_BROWSER, now }
  const refusal = await db.transaction((tx) => take(tx, wish))
  if (refusal) throw refusal
  return id
}

/**
 * The password was right, so this was not a guess: it is counted with the right ones.
 *
 * @throws Refusal `too_many_sign_ins` when others were counted at the same moment
 */
export async function wasRight(db: Db, { id, rightKey: key }: Guess, now: Date): Promise<void> {
  const refusal = await db.transaction(async (tx) => {
    await tx.delete(attempts).where(eq(attempts.id, id))
    return take(tx, { key, limit: RIGHT_PER_PLACE, code: 'too_many_sign_ins', now })
  })
  if (refusal) throw refusal
}

/** Whoever can read the account's mail is its owner: earlier guesses no longer stand in the way. */
export async function forgive(tx: Tx, email: string): Promise<void> {
  const account = guessKey(email)
  const { key } = attempts
  const own = or(eq(key, account), like(key, `${account}@%`), like(key, rightAt(email, '%')))
  await tx.delete(attempts).where(own)
}

/** Who asks. `isLocal` says that the server is reached on its own machine only. */
export interface Asker {
  ip: string
  isLocal: boolean
  now: Date
  /** What one network address may do in an hour. */
  perHour?: PerHour | undefined
}

/**
 * Whether one more mail of a kind may go to an address this hour. Counts addresses nobody has as
 * well. Each kind by itself, so that nobody can ask for so many of one that another stays away.
 */
export async function mayMail(
  tx: Tx,
  { email, kind, now }: { email: string; kind: string; now: Date },
): Promise<boolean> {
  const key = `mail:${kind}:${digest(email)}`
  return (await take(tx, { key, limit: MAILS_PER_KIND, now })) === null
}

/**
 * Counts a mail asked for by a network address, before anything is looked up for it.
 *
 * @throws Refusal `too_many_attempts`
 */
export async function askForMail(db: Db, asker: Asker): Promise<void> {
  await countNetwork(db, asker, { name: 'mail-from', what: 'mails' })
}

/** @throws Refusal `too_many_attempts` */
export async function signUp(db: Db, asker: Asker): Promise<void> {
  await countNetwork(db, asker, { name: 'sign-up', what: 'signUps' })
}

/** @throws Refusal `too_many_attempts` */
export async function contact(db: Db, asker: Asker): Promise<void> {
  await countNetwork(db, asker, { name: 'contact', what: 'messages' })
}

/** @throws Refusal `too_many_attempts` */
export async function badToken(db: Db, asker: Asker): Promise<void> {
  await countNetwork(db, asker, { name: 'bad-token', what: 'badTokens' })
}

/** Counts one more for a later room, under a key of its own. */
export async function countFor(tx: Tx, { key, now }: { key: string; now: Date }): Promise<void> {
  await lock(tx, key)
  await tx.insert(attempts).values({ id: randomUUID(), key, at: now })
}

/**
 * Refuses with the code that a later room gives, when as many as `limit` were counted under its
 * key in the last hour. A transaction that is about to count one more is waited for.
 *
 * @throws Refusal
 */
export async function requireRoom(
  tx: Tx,
  { key, limit, code, now }: { key: string; limit: number; code: RefusalCode; now: Date },
): Promise<void> {
  await lock(tx, key)
  const recent = await count(tx, key, now)
  if (recent.length >= limit) throw tooMany(recent, limit, now, code)
}

/** Removes what no window reaches any more. */
export async function forget(db: Queryable, now: Date): Promise<void> {
  await db.delete(attempts).where(lt(attempts.at, new Date(now.getTime() - HOUR_MS)))
}

async function countNetwork(
  db: Db,
  { ip, isLocal, now, perHour = PER_HOUR }: Asker,
  { name, what }: { name: string; what: keyof PerHour },
): Promise<void> {
  // Whoever sits at the machine need not farm credits on it. On a public server the machine's own
  // address is a proxy that nobody was told of, and with it everybody.
  if (isLocal && isLoopback(ip)) return
  const key = `${name}:${networkOf(ip)}`
  const refusal = await db.transaction((tx) => take(tx, { key, limit: perHour[what], now }))
  if (refusal) throw refusal
}

/** Counts one more, or answers why not and then counts nothing. */
async function take(
  tx: Tx,
  {
    id = randomUUID(),
    key,
    limit,
    code,
    now,
  }: { id?: string; key: string; limit: number; code?: RefusalCode; now: Date },
): Promise<Refusal | null> {
  await lock(tx, key)
  const recent = await count(tx, key, now)
  if (recent.length >= limit) return tooMany(recent, limit, now, code)
  await tx.insert(attempts).values({ id, key, at: now })
  return null
}

/** Until the transaction ends, nobody else counts under this key. */
async function lock(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** The tries of the last hour, oldest first. */
async function count(db: Queryable, key: string, now: Date): Promise<Date[]> {
  const since = new Date(now.getTime() - HOUR_MS)
  const rows = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(eq(attempts.key, key), gt(attempts.at, since)))
    .orderBy(asc(attempts.at))
  return rows.map(({ at }) => at)
}

function tooMany(
  recent: Date[],
  limit: number,
  now: Date,
  code: RefusalCode = 'too_many_attempts',
): Refusal {
  // One more is allowed when the oldest of the last `limit` has left the window.
  const oldest = recent.at(-limit) ?? now
  const waitMs = oldest.getTime() + HOUR_MS - now.getTime()
  return new Refusal(code, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}

const rightAt = (email: string, place: string) => `right:${digest(email)}@${place}`
const guessKey = (email: string) => `guess:${digest(email)}`

/** Keys outlive what they count by a little, so they do not name anybody. */
function digest(email: string): string {
  return createHash('sha256').update(keyOf(email)).digest('base64url')
}

function isLoopback(ip: string): boolean {
  const address = networkOf(ip)
  return address.startsWith('127.') || ip === '::1'
}
