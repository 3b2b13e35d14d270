/** How often passwords may be tried, and mails, sign-ups and messages asked for. */
import { createHash, randomUUID } from 'node:crypto'

import { type Db, type Tx, lock } from '#server/db.ts'
import * as limits from '#server/limits.ts'
import { networkOf } from '#server/network.ts'
import { oneByOne } from '#server/one-by-one.ts'
import { PER_HOUR, type PerHour } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { keyOf } from './email-address.ts'

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
/** Wrong passwords from one network address, for all accounts together. */
const GUESSES_PER_ADDRESS = 100
/** Mails of one kind to one address. */
const MAILS_PER_KIND = 3

/** A try that was let through; it is no guess any more when the password turns out to be right. */
export interface Guess {
  id: string
  account: string
  /** Under which it is counted then. */
  rightKey: string
}

/**
 * Lets a password be tried, or refuses. While an account is attacked, a network address that has not
 * guessed yet still gets one try: the owner comes from such an address, and the attackers have used up
 * theirs. `knownBy` names a browser or session that has proved before that it is the owner's. It is
 * counted by itself, so that others who guess from its network or at its account do not shut it out.
 * Verifying is dear, so somebody who has shown the right password too often is refused before it. The
 * answer says nothing about the one that was typed now.
 *
 * @throws Refusal `too_many_attempts`, `too_many_sign_ins`
 */
export async function guess(
  db: Db,
  { email, now, ...from }: { email: string; now: Date } & ({ knownBy: string } | { ip: string }),
): Promise<Guess> {
  const rightKey = rightAt(email, 'knownBy' in from ? 'known' : networkOf(from.ip))
  const right = await limits.lastHour(db, { key: rightKey, limit: RIGHT_PER_PLACE, now })
  limits.refuseFull(right, 'too_many_sign_ins')
  const account = guessKey(email)
  if ('knownBy' in from)
    return { id: await guessFromKnown(db, from.knownBy, now), account, rightKey }
  const address = networkOf(from.ip)
  const pair = `${account}@${address}`
  const byWhomever = `guess-from:${address}`
  return db.transaction(async (tx) => {
    await lock(tx, account)
    await lock(tx, byWhomever)
    const hourOf = (key: string, limit: number) => limits.lastHour(tx, { key, limit, now })
    const byPair = await hourOf(pair, GUESSES_PER_PAIR)
    const byAccount = await hourOf(account, GUESSES_PER_ACCOUNT)
    limits.refuseFull(byPair, 'too_many_attempts')
    limits.refuseFull(await hourOf(byWhomever, GUESSES_PER_ADDRESS), 'too_many_attempts')
    if (byAccount.retryAfterSeconds > 0 && byPair.counted > 0)
      throw new Refusal('too_many_attempts', { retryAfterSeconds: byPair.resetSeconds })
    const id = randomUUID()
    await limits.add(tx, { id, keys: [account, pair, byWhomever], now })
    return { id, account, rightKey }
  })
}

async function guessFromKnown(db: Db, knownBy: string, now: Date): Promise<string> {
  const id = randomUUID()
  const wish = { id, key: `guess-known:${knownBy}`, limit: GUESSES_PER_BROWSER, now }
  limits.refuseFull(await limits.takeAlone(db, wish), 'too_many_attempts')
  return id
}

/**
 * The password was right, so this was not a guess: it is counted with the right ones. A deletion of the
 * account holds the rows of its guesses, so this may wait, and no place for hashing may be held. Until
 * then it counts as a wrong one.
 *
 * @throws Refusal `too_many_sign_ins` when others were counted at the same moment, `too_much_at_once`
 */
export async function wasRight(
  db: Db,
  { id, account, rightKey: key }: Guess,
  now: Date,
): Promise<void> {
  const hour = await oneByOne(`right:${account}`, () =>
    db.transaction(async (tx) => {
      await limits.takeBack(tx, id)
      return limits.take(tx, { key, limit: RIGHT_PER_PLACE, now })
    }),
  )
  limits.refuseFull(hour, 'too_many_sign_ins')
}

/**
 * Somebody who can read the account's mail is its owner: earlier guesses no longer stand in the way.
 */
export async function forgive(tx: Tx, email: string): Promise<void> {
  const account = guessKey(email)
  await limits.forget(tx, [account, `${account}@%`, rightAt(email, '%')])
}

export interface CountDeps {
  db: Db
  clock: Clock
  /** Whether PUBLIC_URL is of this machine, so that a visitor from it is somebody sitting at it. */
  isLocal: boolean
  /** How often one network address may do a thing in an hour. */
  perHour?: PerHour | undefined
}

/**
 * Whether one more mail of a kind may go to an address this hour. Counts addresses nobody has as
 * well. Each kind is counted by itself: asking for many of one kind does not stop the others.
 */
export async function mayMail(
  tx: Tx,
  { email, kind, now }: { email: string; kind: string; now: Date },
): Promise<boolean> {
  const key = `mail:${kind}:${digest(email)}`
  const { retryAfterSeconds } = await limits.take(tx, { key, limit: MAILS_PER_KIND, now })
  return retryAfterSeconds === 0
}

/**
 * Counts a call of one network address, before anything is looked up for it.
 *
 * @throws Refusal `too_many_attempts`, `too_much_at_once`
 */
export async function countNetwork(
  { db, clock, isLocal, perHour = PER_HOUR }: CountDeps,
  what: keyof PerHour,
  ip: string,
): Promise<void> {
  // Nobody at the machine itself needs to farm credits on it. On a public server the machine's own
  // address is that of a proxy which is not in the settings, and behind it is everybody.
  if (isLocal && isLoopback(ip)) return
  const key = `${what}:${networkOf(ip)}`
  const wish = { key, limit: perHour[what], now: clock() }
  limits.refuseFull(await limits.takeAlone(db, wish), 'too_many_attempts')
}

const rightAt = (email: string, place: string) => `right:${digest(email)}@${place}`
const guessKey = (email: string) => `guess:${digest(email)}`

/** A hash, because keys are kept a little longer than their counts, and must name nobody. */
function digest(email: string): string {
  return createHash('sha256').update(keyOf(email)).digest('base64url')
}

function isLoopback(ip: string): boolean {
  const address = networkOf(ip)
  return address.startsWith('127.') || ip === '::1'
}
