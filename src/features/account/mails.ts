/**
 * The mails about an account: the data of each, its words and its writer. The words are plain, in one
 * column, with one button and its address in full below.
 */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'

import type { Db } from '#server/db.ts'
import { type Letter, writeLetter } from '#server/letter.ts'
import { type MailWriter, type Written, writerOf } from '#server/mail-jobs.ts'
import type { Mail } from '#server/mail.ts'
import { BRAND } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'

import { grantAccess } from './access.ts'
import { IssuerId } from './contract.ts'
import { keyOf } from './email-address.ts'
import * as links from './email-links.ts'
import * as invitations from './invitations.ts'
import { emailChanges, identities, users } from './tables.ts'

const { linkLives } = links

/** A mail to the owner of an account: its job looks up the address and makes the link. */
type OwnersMail = 'verify' | 'reset' | 'already-registered' | 'change-old' | 'change-new'

export const toOwner = (kind: OwnersMail) => ({
  kind,
  data: z.object({ userId: z.uuid() }),
  isAwaited: true,
})

export const identityLinked = {
  kind: 'identity-linked',
  data: z.object({ userId: z.uuid(), provider: IssuerId, name: z.string() }),
}

interface WriteDeps {
  db: Db
  clock: Clock
  publicUrl: URL
}

export function accountMails(deps: WriteDeps): MailWriter[] {
  const { db, publicUrl } = deps
  const signIn = new URL('/auth', publicUrl).href
  const security = new URL('/account/security', publicUrl).href
  /**
   * Null where the address has no account, which only this job knows, or a blocked one.
   */
  const owner = async (userId: string) => {
    const [user] = await db.select().from(users).where(eq(users.id, userId))
    return user && !user.blockedAt ? user : null
  }
  const write: Record<OwnersMail, (user: typeof users.$inferSelect) => Promise<Written | null>> = {
    verify: async ({ id: userId, email: to, emailVerifiedAt }) =>
      emailVerifiedAt ? null : withLink(deps, { userId, kind: 'verify', to }, verifyWords),
    reset: ({ id: userId, email: to }) => withLink(deps, { userId, kind: 'reset', to }, resetWords),
    'already-registered': async ({ id: userId, email: to, emailVerifiedAt }) =>
      emailVerifiedAt
        ? mailOf(to, signIn, alreadyRegisteredWords)
        : withLink(deps, { userId, kind: 'reset', to }, registeredTwiceWords),
    'change-old': async ({ id: userId, email: to }) =>
      (await addressToConfirm(deps, userId)) &&
      withLink(deps, { userId, kind: 'change-old', to }, changeOldWords),
    'change-new': async ({ id: userId }) => {
      const next = await addressToConfirm(deps, userId)
      if (next === null) return null
      const { to } = next
      // Only the mail says that the address has an account already, so only its owner learns it.
      return next.isTaken
        ? mailOf(to, signIn, alreadyRegisteredWords)
        : withLink(deps, { userId, kind: 'change-new', to }, changeNewWords)
    },
  }
  const kinds = Object.keys(write) as OwnersMail[]
  return [
    ...kinds.map((kind) =>
      writerOf(toOwner(kind), async ({ userId }) => {
        const user = await owner(userId)
        return user && write[kind](user)
      }),
    ),
    writerOf(identityLinked, async ({ userId, provider, name }) => {
      const user = await owner(userId)
      const [linked] = await db
        .select({ address: identities.email })
        .from(identities)
        .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
      return user && linked
        ? mailOf(user.email, security, identityWords({ name, ...linked }))
        : null
    }),
    invitations.writer(deps),
  ]
}

/** The address that an account wants to move to; null when that was called off meanwhile. */
async function addressToConfirm(
  { db }: Pick<WriteDeps, 'db'>,
  userId: string,
): Promise<{ to: string; isTaken: boolean } | null> {
  const [change] = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId))
  if (!change) return null
  const [owner] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, keyOf(change.newEmail)))
  return { to: change.newEmail, isTaken: owner !== undefined && owner.id !== userId }
}

/**
 * A mail with a link of its own. A try that is repeated makes another, and the older links end only
 * when the new one is on its way: two copies of a mail never leave two good links, and a mail that
 * failed takes nothing away.
 */
async function withLink(
  { db, clock, publicUrl }: WriteDeps,
  { userId, kind, to }: { userId: string; kind: links.LinkKind; to: string },
  words: Words,
): Promise<Written> {
  // Where the address has changed meanwhile, the job fails, and its next try sees the new one.
  const proofs = [{ by: 'mailbox', address: to, kind }] as const
  const token = await grantAccess(db, { userId, proofs }, (tx, grant) =>
    links.create(tx, grant, { kind, now: clock() }),
  )
  const url = new URL('/auth', publicUrl)
  url.searchParams.set(kind === 'change-old' || kind === 'change-new' ? 'change' : kind, token)
  return {
    ...mailOf(to, url.href, words),
    onSent: () => links.endOlder(db, { userId, kind, token, now: clock() }),
  }
}

/** The words of a mail with one button. */
type Words = Omit<Letter, 'button'> & { label: string }

const mailOf = (to: string, url: string, { label, ...words }: Words): Mail =>
  writeLetter(to, { ...words, button: { label, url } })

const notYou = 'If this was not you, you can ignore this mail: nothing will happen.'

const verifyWords: Words = {
  subject: `Confirm your email for ${BRAND}`,
  heading: 'Confirm your email',
  before: [`Welcome to ${BRAND}. Please confirm that this address is yours.`],
  label: 'Confirm my email',
  after: [
    `The link works once and for ${linkLives.verify.words}. In the browser you signed up with it signs you in; elsewhere it asks for the password you chose.`,
    notYou,
  ],
}

const resetWords: Words = {
  subject: `Reset your ${BRAND} password`,
  heading: 'Choose a new password',
  before: [`Somebody, most likely you, asked for a new password for ${BRAND}.`],
  label: 'Choose a new password',
  after: [
    `The link works once and for ${linkLives.reset.words}.`,
    'A new password signs you out everywhere, revokes your API keys, pauses your webhooks and unlinks Google and single sign-on. Either with this address is linked again when you next sign in with it.',
    'If this was not you, you can ignore this mail: your password stays as it is.',
  ],
}

/** To an address that was used to sign up again, and has been confirmed long since. */
const alreadyRegisteredWords: Words = {
  subject: `You already have a ${BRAND} account`,
  heading: 'You already have an account',
  before: [
    `Somebody, most likely you, tried to sign up for ${BRAND} with this address. It has an account, and nothing was changed.`,
  ],
  label: 'Sign in',
  after: ['Forgot your password? Ask for a new one where you sign in.', notYou],
}

/**
 * To an address that was used to sign up again before it was confirmed. Nobody knows which of the
 * two was its owner, so the owner chooses the password here.
 */
const registeredTwiceWords: Words = {
  subject: `Confirm your email for ${BRAND}`,
  heading: 'Confirm your email',
  before: [
    `Somebody, most likely you, signed up for ${BRAND} with this address more than once. To be sure that the account is yours alone, choose its password now: that confirms your address too.`,
  ],
  label: 'Choose my password',
  after: [`The link works once and for ${linkLives.reset.words}.`, notYou],
}

/** To the owner of an account that an issuer opens from now on. `address` is the one there. */
const identityWords = ({ name, address }: { name: string; address: string }): Words => ({
  subject: `${name} now opens your ${BRAND} account`,
  heading: `${name} now opens your account`,
  before: [
    `Somebody who knows your password, most likely you, linked ${address} at ${name} to your ${BRAND} account. It can sign in there from now on.`,
  ],
  label: 'See how you sign in',
  after: [
    `If this was not you, choose "Forgot password?" where you sign in. A new password unlinks ${name}, signs everybody out, revokes API keys and pauses webhooks.`,
  ],
})

/** To the address that an account is about to leave. */
const changeOldWords: Words = {
  subject: `Change of your ${BRAND} email address`,
  heading: 'Do you want another email address?',
  before: [
    `Somebody who is signed in to your ${BRAND} account, most likely you, wants to use another email address for it. It changes when you say yes here and in the mail to the new address.`,
  ],
  label: 'Yes, change it',
  after: [
    `The link works once and for ${linkLives['change-old'].words}.`,
    'If this was not you, do not open the link: nothing will change. Then sign in, sign out everywhere else, and change your password.',
  ],
}

/** To the address that an account is about to move to. */
const changeNewWords: Words = {
  subject: `Confirm your new email address for ${BRAND}`,
  heading: 'Is this your new email address?',
  before: [`Please confirm that this address is yours and that your ${BRAND} account may use it.`],
  label: 'Yes, this is mine',
  after: [`The link works once and for ${linkLives['change-new'].words}.`, notYou],
}
