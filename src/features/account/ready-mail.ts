/**
 * Whether somebody is told by mail that work which took long has ended. What this part promises:
 *
 * - It is on until its owner switches it off: on the account page, or by the link in such a mail,
 *   which needs no sign-in and does nothing else.
 * - Nothing is mailed to an address that is not confirmed, nor to an account that is blocked.
 */
import { and, eq, isNotNull, isNull } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'
import { writeLetter } from '#server/letter.ts'
import type { Mail } from '#server/mail.ts'
import { oneByOne } from '#server/one-by-one.ts'

import { BRAND } from '#shared/business.ts'

import { users } from './tables.ts'

/** Shorter work is still in mind, and mostly still on the screen. */
export const LONG_MS = 2 * 60_000
/** A page asks every two seconds. After this time without asking it is closed, or out of sight. */
export const LOOKED_MS = 15_000
/** How often it is written down that somebody looks: not at every poll. */
export const NOTED_EVERY_MS = 8_000

export async function set(
  db: Queryable,
  { userId, isOn }: { userId: string; isOn: boolean },
): Promise<void> {
  await db.update(users).set({ readyMail: isOn }).where(eq(users.id, userId))
}

/**
 * Takes the key in the link of a mail. Answers whether it is anybody's. Repeating it changes nothing.
 */
export async function switchOff(db: Queryable, key: string): Promise<boolean> {
  const off = await oneByOne(`mails-off:${key}`, () =>
    db
      .update(users)
      .set({ readyMail: false })
      .where(eq(users.readyMailKey, key))
      .returning({ id: users.id }),
  )
  return off.length > 0
}

/** The address that such a mail goes to, and the path of its link; null where none is to be sent. */
export async function recipient(
  db: Queryable,
  userId: string,
): Promise<{ email: string; offPath: string } | null> {
  const { email, readyMail, readyMailKey, blockedAt, emailVerifiedAt } = users
  const [user] = await db
    .select({ email, key: readyMailKey })
    .from(users)
    .where(
      and(eq(users.id, userId), eq(readyMail, true), isNull(blockedAt), isNotNull(emailVerifiedAt)),
    )
  return user ? { email: user.email, offPath: `/mails-off?key=${user.key}` } : null
}

export interface Words {
  subject: string
  before: string[]
  label: string
  path: string
}

/** Such a mail. */
export const written = (
  { email, offPath }: { email: string; offPath: string },
  { path, label, ...words }: Words,
  publicUrl: URL,
): Mail =>
  writeLetter(email, {
    ...words,
    heading: words.subject,
    button: { label, url: new URL(path, publicUrl).href },
    after: [
      `${BRAND} mails you when work took longer than two minutes and you were not looking at it.`,
    ],
    off: { label: 'No more of these mails', url: new URL(offPath, publicUrl).href },
  })
