/** The words of the account's mails: plain, one column, one button, the address in full below it. */
import { z } from 'zod'

import { writeLetter as write } from '#server/letter.ts'
import type { Mail } from '#server/mail.ts'
import { BRAND } from '#shared/business.ts'

import { IssuerId } from './contract.ts'
import { linkLives } from './email-links.ts'

/** No address and no token: the job looks one up and makes the other when it sends. */
export const MailJob = z.object({
  userId: z.uuid(),
  kind: z.enum([
    'verify',
    'reset',
    'already-registered',
    'change-old',
    'change-new',
    'identity-linked',
    // Queued by the release before, which knew Google only.
    'google-linked',
  ]),
  /** Of an identity that was linked. */
  provider: IssuerId.default('google'),
  name: z.string().default('Google'),
})
export type MailJob = z.input<typeof MailJob>

const notYou = 'If this was not you, you can ignore this mail: nothing will happen.'

export function verifyMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Confirm your email for ${BRAND}`,
    heading: 'Confirm your email',
    before: [`Welcome to ${BRAND}. Please confirm that this address is yours.`],
    button: { label: 'Confirm my email', url },
    after: [
      `The link works once and for ${linkLives.verify.words}. In the browser you signed up with it signs you in; elsewhere it asks for the password you chose.`,
      notYou,
    ],
  })
}

export function resetMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Reset your ${BRAND} password`,
    heading: 'Choose a new password',
    before: [`Somebody, most likely you, asked for a new password for ${BRAND}.`],
    button: { label: 'Choose a new password', url },
    after: [
      `The link works once and for ${linkLives.reset.words}.`,
      'A new password signs you out everywhere, revokes your API keys, pauses your webhooks and unlinks Google and single sign-on. Either with this address is linked again when you next sign in with it.',
      'If this was not you, you can ignore this mail: your password stays as it is.',
    ],
  })
}

/** To an address that was used to sign up again, and has been confirmed long since. */
export function alreadyRegisteredMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `You already have a ${BRAND} account`,
    heading: 'You already have an account',
    before: [
      `Somebody, most likely you, tried to sign up for ${BRAND} with this address. It has an account, and nothing was changed.`,
    ],
    button: { label: 'Sign in', url },
    after: ['Forgot your password? Ask for a new one where you sign in.', notYou],
  })
}

/**
 * To an address that was used to sign up again before it was confirmed. Nobody knows which of the
 * two was its owner, so the owner chooses the password here.
 */
export function registeredTwiceMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Confirm your email for ${BRAND}`,
    heading: 'Confirm your email',
    before: [
      `Somebody, most likely you, signed up for ${BRAND} with this address more than once. To be sure that the account is yours alone, choose its password now: that confirms your address too.`,
    ],
    button: { label: 'Choose my password', url },
    after: [`The link works once and for ${linkLives.reset.words}.`, notYou],
  })
}

/** To the owner of an account that an issuer opens from now on. `address` is the one there. */
export function identityLinkedMail({
  to,
  url,
  name,
  address,
}: {
  to: string
  url: string
  name: string
  address: string
}): Mail {
  return write(to, {
    subject: `${name} now opens your ${BRAND} account`,
    heading: `${name} now opens your account`,
    before: [
      `Somebody who knows your password, most likely you, linked ${address} at ${name} to your ${BRAND} account. It can sign in there from now on.`,
    ],
    button: { label: 'See how you sign in', url },
    after: [
      `If this was not you, choose "Forgot password?" where you sign in. A new password unlinks ${name}, signs everybody out, revokes API keys and pauses webhooks.`,
    ],
  })
}

/** To somebody whom an operator has invited. */
export function invitationMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `You are invited to ${BRAND}`,
    heading: `You are invited to ${BRAND}`,
    before: [
      `Whoever runs this ${BRAND} has invited you to make an account with this address. It turns recordings into text: who said what, word for word.`,
    ],
    button: { label: 'Make my account', url },
    after: [
      'The link works once and for a week, with this address only.',
      'If you did not expect this, you can ignore this mail: nothing will happen.',
    ],
  })
}

/** To the address that an account is about to leave. */
export function changeOldMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Change of your ${BRAND} email address`,
    heading: 'Do you want another email address?',
    before: [
      `Somebody who is signed in to your ${BRAND} account, most likely you, wants to use another email address for it. It changes when you say yes here and in the mail to the new address.`,
    ],
    button: { label: 'Yes, change it', url },
    after: [
      `The link works once and for ${linkLives['change-old'].words}.`,
      'If this was not you, do not open the link: nothing will change. Then sign in, sign out everywhere else, and change your password.',
    ],
  })
}

/** To the address that an account is about to move to. */
export function changeNewMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Confirm your new email address for ${BRAND}`,
    heading: 'Is this your new email address?',
    before: [
      `Please confirm that this address is yours and that your ${BRAND} account may use it.`,
    ],
    button: { label: 'Yes, this is mine', url },
    after: [`The link works once and for ${linkLives['change-new'].words}.`, notYou],
  })
}
