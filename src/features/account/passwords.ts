/**
 * Passwords at rest and at the door: argon2id (19 MiB, 2 passes, 1 lane) in PHC form, worked out
 * off the event loop; the same work for an address that has no password, so that the time an
 * answer takes does not tell who has an account; and no password that everybody tries first.
 *
 * Hashing is dear, so nothing is hashed without a place of a semaphore. It has few places. The line for
 * them is of limited length, and serves users and networks in rotation. A try of a password is counted
 * while the place is held, so that only a few wait for the lock of the count, and the connections to
 * the database stay free for everybody else. Work that has a place must not ask for a second one, nor
 * wait for the row of the account or of an earlier try: a deletion of the account holds those for long.
 *
 * Promise: who waits for a lock of their own, or for a hash, keeps no connection to the database
 * from others (server/one-by-one.ts, test/at-once.test.ts).
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

import { refuseFullLine, semaphore } from '#server/semaphore.ts'

const derive = promisify(argon2)

/** How many of Node's four threads hash passwords. The others are for files and for names. */
export const AT_ONCE = 2
/** How many may wait of one user or network: a class signs in within two seconds. */
const MOST_OF_ONE = 50
/** Twice as many take five seconds: somebody who would wait longer is better told to come back. */
const MOST_WAITING = 100
const places = semaphore(AT_ONCE)

export interface Hashing {
  hash(password: string): Promise<string>
  /** `null` stands for "no such account" or "no password": as much work, and always false. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/**
 * Waits for a place, then does the work, which is lent the hashing functions. `owner` is the user or
 * the network that it is for.
 *
 * @throws Refusal `too_much_at_once`, `server_busy`, instead of a long wait; what the work throws
 */
export async function withHashing<T>(
  owner: string,
  work: (hashing: Hashing) => Promise<T>,
): Promise<T> {
  refuseFullLine(places, owner, { ofLane: MOST_OF_ONE, ofAll: MOST_WAITING })
  await using _ = await places.take(undefined, { owner })
  // Awaited, or the place would be given back before the work ends.
  return await work({ hash, verify })
}

/** The cost of one guess: memory in KiB, and how often it is gone through. */
export interface Work {
  memory: number
  passes: number
}
export const WORK: Work = { memory: 19 * 1024, passes: 2 }

let work = WORK
const parallelism = 1
const saltBytes = 16
const keyBytes = 32

/**
 * From now on passwords are kept with this much work. For tests of other things, which sign up often.
 * Those that were kept before go on being verified with theirs.
 */
export function keepWith(given: Work): void {
  work = given
}

async function hash(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derive('argon2id', {
    message: normal(password),
    nonce: salt,
    ...work,
    parallelism,
    tagLength: keyBytes,
  })
  return written(salt, key)
}

const written = (salt: Buffer, key: Buffer): string =>
  `$argon2id$v=19$m=${work.memory},t=${work.passes},p=${parallelism}$${base64(salt)}$${base64(key)}`

/** Verified against where there is no password, so that it takes as long as a real one. */
const nobody = (): string => written(Buffer.alloc(saltBytes), Buffer.alloc(keyBytes))

async function verify(password: string, stored: string | null): Promise<boolean> {
  const parts = phc.exec(stored ?? nobody())?.groups
  if (!parts) throw new Error('a stored password hash is not argon2id in PHC form')
  const expected = Buffer.from(parts.key ?? '', 'base64')
  const key = await derive('argon2id', {
    message: normal(password),
    nonce: Buffer.from(parts.salt ?? '', 'base64'),
    memory: Number(parts.memory),
    passes: Number(parts.passes),
    parallelism: Number(parts.parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(key, expected) && stored !== null
}

const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[\w+/]+)\$(?<key>[\w+/]+)$/

/** The same characters typed on two keyboards can be different code points. */
function normal(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'))
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const words = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split(/\s+/),
)

const rows = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '!@#$%^&*()_+',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  'zaq12wsxcde34rfv',
  'zaq1xsw2cde3vfr4bgt5nhy6',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
]
const walks = rows.flatMap((row) => [row, [...row].reverse().join('')])

const leet: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/**
 * Whether a password is among the first that an attacker tries: short runs of digits, keyboard
 * walks, something repeated, or a well-known word with figures and signs around it.
 */
export function isCommon(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (/^\d{1,11}$/.test(text) || /^(?=.{1,10}$)\d*[a-z]{0,2}\d*$/.test(text)) return true
  const unit = repeatedUnit(text)
  if (unit !== text && (unit.length <= 4 || isCommon(unit))) return true
  if (isWalk(text) || words.has(text)) return true

  const letters = spelled(text)
  // A figure at the end is more often a figure than a letter: "michael1" is michael, not michaeli.
  const cores = [bare(text), bare(letters), bare(letters.replaceAll('i', 'l')), spelled(bare(text))]
  return cores.some(
    (core) =>
      text.length - core.length <= 8 && (words.has(core) || (core.length >= 3 && isWalk(core))),
  )
}

/** With the letters that figures and signs stand for. */
const spelled = (text: string) => text.replace(/[@$!0134578]/g, (sign) => leet[sign] ?? sign)

/** Without figures and signs around it. */
const bare = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

function isWalk(text: string): boolean {
  return text !== '' && walks.some((walk) => walk.includes(text))
}

/** The shortest text that, repeated, gives this one (the last time possibly cut short). */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}
