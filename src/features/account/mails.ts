/** The words of the account's mails: plain, one column, one button, the address in full below it. */
import { z } from 'zod'

import type { Mail } from '#server/mail.ts'
import { BRAND, TAGLINE } from '#shared/business.ts'
import { escapeHtml } from '#shared/html.ts'

import { linkLives } from './email-links.ts'

/** No address and no token: the job looks one up and makes the other when it sends. */
export const MailJob = z.object({
  userId: z.uuid(),
  kind: z.enum(['verify', 'reset', 'already-registered']),
})
export type MailJob = z.infer<typeof MailJob>

interface Letter {
  subject: string
  heading: string
  /** Paragraphs before the button, and after it. Our own words only: nothing a visitor typed. */
  before: string[]
  button: { label: string; url: string }
  after: string[]
}

const notYou = 'If this was not you, you can ignore this mail: nothing will happen.'

export function verifyMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Confirm your email for ${BRAND}`,
    heading: 'Confirm your email',
    before: [`Welcome to ${BRAND}. Please confirm that this address is yours.`],
    button: { label: 'Confirm my email', url },
    after: [`The link works once and for ${linkLives.verify.words}.`, notYou],
  })
}

export function resetMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Reset your ${BRAND} password`,
    heading: 'Choose a new password',
    before: [`Somebody, most likely you, asked for a new password for ${BRAND}.`],
    button: { label: 'Choose a new password', url },
    after: [
      `The link works once and for ${linkLives.reset.words}. A new password signs you out everywhere.`,
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

/** To an address that was used to sign up again before it was confirmed. */
export function verifyAgainMail({ to, url }: { to: string; url: string }): Mail {
  return write(to, {
    subject: `Confirm your email for ${BRAND}`,
    heading: 'Confirm your email',
    before: [
      `You signed up for ${BRAND} with this address before. Please confirm that it is yours.`,
      'Your password is the one you chose the first time. Forgot it? Ask for a new one where you sign in.',
    ],
    button: { label: 'Confirm my email', url },
    after: [`The link works once and for ${linkLives.verify.words}.`, notYou],
  })
}

function write(to: string, { subject, heading, before, button, after }: Letter): Mail {
  const text = [
    BRAND,
    heading,
    ...before,
    `${button.label}:\n${button.url}`,
    ...after,
    `-- \n${BRAND}. ${TAGLINE}`,
  ].join('\n\n')

  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`
  const url = escapeHtml(button.url)
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c1b19;font:16px/1.5 sans-serif">
<div style="max-width:520px">
<p style="margin:0 0 24px;font:600 20px serif">${BRAND}</p>
<h1 style="margin:0 0 16px;font:600 24px/1.25 serif">${escapeHtml(heading)}</h1>
${before.map(paragraph).join('\n')}
<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 20px;background:#104832;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;word-break:break-all"><a href="${url}" style="color:#1c1b19">${url}</a></p>
${after.map(paragraph).join('\n')}
</div>
</body>
</html>
`
  return { to, subject, text: `${text}\n`, html }
}
