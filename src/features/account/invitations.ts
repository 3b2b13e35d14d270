/**
 * Who may sign up: anybody, whom an operator has invited, or nobody. What this part promises:
 *
 * - An invitation is for one address, makes one account, and is good for a week.
 * - Its link is good only with that address. Google, which proves the address, needs no link.
 */
import { randomUUID } from 'node:crypto'

import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import { z } from 'zod'

import type { Db, Queryable, Tx } from '#server/db.ts'
import { writeLetter } from '#server/letter.ts'
import { type MailWriter, addMail, writerOf } from '#server/mail-jobs.ts'
import type { Queue } from '#server/queue.ts'
import { BRAND } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import type { SignUp } from './contract.ts'
import { isEmailAddress, keyOf } from './email-address.ts'
import { hashOf, newToken } from './sessions.ts'
import { invitations, users } from './tables.ts'

const mail = { kind: 'invitation', data: z.object({ invitationId: z.uuid() }) }

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Invites an address: a mail with the link is on its way. One that was invited before gets a new
 * link, and the old one ends.
 *
 * @throws Refusal `invalid_email`, `has_account`, `sign_up_closed`
 */
export async function invite(
  tx: Tx,
  { queue, signUp }: { queue: Queue; signUp: SignUp },
  { id = randomUUID(), email, now }: { id?: string; email: string; now: Date },
): Promise<void> {
  if (signUp === 'closed') throw new Refusal('sign_up_closed')
  if (!isEmailAddress(email)) throw new Refusal('invalid_email')
  const emailKey = keyOf(email)
  if ((await tx.$count(users, eq(users.emailKey, emailKey))) > 0) throw new Refusal('has_account')
  await tx.delete(invitations).where(eq(invitations.emailKey, emailKey))
  const expiresAt = new Date(now.getTime() + WEEK_MS)
  await tx.insert(invitations).values({ id, email, emailKey, createdAt: now, expiresAt })
  await addMail(queue, tx, mail, { invitationId: id })
}

/** Writes the mail, with a new token; null where the invitation was withdrawn or used, or is over. */
export const writer = ({
  db,
  clock,
  publicUrl,
}: {
  db: Db
  clock: Clock
  publicUrl: URL
}): MailWriter =>
  writerOf(mail, async ({ invitationId: id }) => {
    const token = newToken()
    const [invited] = await db
      .update(invitations)
      .set({ tokenHash: hashOf(token) })
      .where(and(eq(invitations.id, id), isGood(clock())))
      .returning({ email: invitations.email })
    if (!invited) return null
    const url = new URL('/auth?mode=register', publicUrl)
    url.searchParams.set('invitation', token)
    return writeLetter(invited.email, {
      subject: `You are invited to ${BRAND}`,
      heading: `You are invited to ${BRAND}`,
      before: [
        `Whoever runs this ${BRAND} has invited you to make an account with this address. It turns recordings into text: who said what, word for word.`,
      ],
      button: { label: 'Make my account', url: url.href },
      after: [
        'The link works once and for a week, with this address only.',
        'If you did not expect this, you can ignore this mail: nothing will happen.',
      ],
    })
  })

interface PresentedInvitation {
  email: string
  /** The token of the link; `proven` where an issuer vouches for the address. */
  token: string | undefined | { proven: true }
  now: Date
}

/**
 * Lets an address sign up, and uses its invitation up where one is needed. Once more for the same
 * address when that was refused or rolled back.
 *
 * @throws Refusal `sign_up_closed`, `invitation_needed`
 */
export async function admit(tx: Tx, signUp: SignUp, shown: PresentedInvitation): Promise<void> {
  requireOpen(signUp)
  const used = await tx
    .update(invitations)
    .set({ usedAt: shown.now })
    .where(isFor(shown))
    .returning({ id: invitations.id })
  if (used.length === 0 && signUp === 'invited') throw new Refusal('invitation_needed')
}

/** Before anything dear is done for somebody. @throws Refusal `sign_up_closed`, `invitation_needed` */
export async function requireInvited(
  db: Queryable,
  signUp: SignUp,
  shown: PresentedInvitation,
): Promise<void> {
  requireOpen(signUp)
  if (signUp === 'open') return
  if ((await db.$count(invitations, isFor(shown))) === 0) throw new Refusal('invitation_needed')
}

function requireOpen(signUp: SignUp): void {
  if (signUp === 'closed') throw new Refusal('sign_up_closed')
}

function isFor({ email, token, now }: PresentedInvitation) {
  const isLink =
    typeof token === 'object' ? undefined : eq(invitations.tokenHash, hashOf(token ?? ''))
  return and(eq(invitations.emailKey, keyOf(email)), isLink, isGood(now))
}

const isGood = (now: Date) => and(isNull(invitations.usedAt), gt(invitations.expiresAt, now))

/** Those that are still good, the newest first. */
export async function list(
  db: Queryable,
  now: Date,
): Promise<{ id: string; email: string; createdAt: Date; expiresAt: Date }[]> {
  const { id, email, createdAt, expiresAt } = invitations
  return db
    .select({ id, email, createdAt, expiresAt })
    .from(invitations)
    .where(isGood(now))
    .orderBy(desc(createdAt))
    .limit(200)
}

/** From now on its link is good for nothing. @throws Refusal `not_found` */
export async function withdraw(tx: Tx, id: string): Promise<void> {
  const gone = await tx
    .delete(invitations)
    .where(and(eq(invitations.id, id), isNull(invitations.usedAt)))
    .returning({ id: invitations.id })
  if (gone.length === 0) throw new Refusal('not_found')
}

export async function forgetExpired(db: Queryable, now: Date): Promise<void> {
  await db.delete(invitations).where(lt(invitations.expiresAt, now))
}
