import { and, eq } from 'drizzle-orm'
import { z } from 'zod'

import * as deletionClock from '#server/deletion-clock.ts'
import type { Log } from '#server/log.ts'
import { type Mail, type Mailer, mailTries, sendForJob } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import { grantAccess } from './access.ts'
import * as account from './account.ts'
import { keyOf } from './email-address.ts'
import * as invitations from './invitations.ts'
import * as links from './email-links.ts'
import {
  MailJob,
  alreadyRegisteredMail,
  changeNewMail,
  changeOldMail,
  identityLinkedMail,
  invitationMail,
  registeredTwiceMail,
  resetMail,
  verifyMail,
} from './mails.ts'
import { emailChanges, identities, users } from './tables.ts'

export const accountQueues: readonly QueueDeclaration[] = [
  { name: 'mail', ...mailTries },
  { name: 'invitation', ...mailTries },
  { name: 'account-tidy-up', cron: '17 * * * *' },
]

export interface WorkDeps extends Pick<account.Deps, 'db' | 'queue' | 'clock'> {
  mailer: Mailer
  publicUrl: URL
  log: Log
}

export async function workAccount(deps: WorkDeps): Promise<void> {
  await deps.queue.work('mail', { concurrency: 2 }, async ({ id, data }) =>
    sendMail(deps, { id, ...MailJob.parse(data) }),
  )
  await deps.queue.work('invitation', { concurrency: 1 }, async ({ id, data }) =>
    sendInvitation(deps, { jobId: id, ...InvitationJob.parse(data) }),
  )
  await deps.queue.work('account-tidy-up', { concurrency: 1 }, async () => {
    const now = await deletionClock.time(deps)
    if (now !== null) await account.tidyUp({ ...deps, clock: () => now })
  })
}

const InvitationJob = z.object({ invitationId: z.uuid() })

async function sendInvitation(
  { db, clock, mailer, publicUrl, log }: WorkDeps,
  { jobId, invitationId: id }: { jobId: string; invitationId: string },
): Promise<void> {
  const renewed = await invitations.renew(db, { id, now: clock() })
  // Withdrawn, used or over.
  if (!renewed) return
  const { email: to, token } = renewed
  const url = new URL('/auth?mode=register', publicUrl)
  url.searchParams.set('invitation', token)
  const result = await mailer.send({ ...invitationMail({ to, url: url.href }), id: jobId })
  if (result.kind === 'refused')
    log.warn({ jobId, invitationId: id, status: result.status }, 'an invitation was refused')
}

/**
 * Sends one mail. A delivery that is repeated carries the same Message-ID, and its link replaces
 * the one before, so two copies of a mail never leave two good links.
 */
async function sendMail(
  deps: WorkDeps,
  { id, userId, kind, provider, name }: z.output<typeof MailJob> & { id: string },
): Promise<void> {
  const [user] = await deps.db.select().from(users).where(eq(users.id, userId))
  // Nobody has the address (the job keeps that a secret), or it was confirmed meanwhile.
  if (!user || (kind === 'verify' && user.emailVerifiedAt)) return
  // Nothing opens it, so no link is sent.
  if (user.blockedAt) return
  const to = user.email
  const send = (mail: Mail) => sendForJob(deps, mail, { jobId: id, userId })

  switch (kind) {
    case 'verify':
      return withLink(deps, { userId, kind, to }, (url) => send(verifyMail({ to, url })))
    case 'reset':
      return withLink(deps, { userId, kind, to }, (url) => send(resetMail({ to, url })))
    case 'already-registered':
      return user.emailVerifiedAt
        ? send(alreadyRegisteredMail({ to, url: new URL('/auth', deps.publicUrl).href }))
        : withLink(deps, { userId, kind: 'reset', to }, (url) =>
            send(registeredTwiceMail({ to, url })),
          )
    case 'change-old':
      if ((await addressToConfirm(deps, userId)) === null) return
      return withLink(deps, { userId, kind, to }, (url) => send(changeOldMail({ to, url })))
    case 'google-linked':
    case 'identity-linked': {
      const { email } = identities
      const [linked] = await deps.db
        .select({ email })
        .from(identities)
        .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
      const url = new URL('/account/security', deps.publicUrl).href
      return linked && send(identityLinkedMail({ to, url, name, address: linked.email }))
    }
    case 'change-new': {
      const next = await addressToConfirm(deps, userId)
      if (next === null) return
      // Whoever has an account there already learns it from the mail, and nobody else does.
      return next.isTaken
        ? send(alreadyRegisteredMail({ to: next.to, url: new URL('/auth', deps.publicUrl).href }))
        : withLink(deps, { userId, kind, to: next.to }, (url) =>
            send(changeNewMail({ to: next.to, url })),
          )
    }
  }
}

/** The address that an account wants to move to; null when that was called off meanwhile. */
async function addressToConfirm(
  { db }: Pick<WorkDeps, 'db'>,
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

/** The older links end only when the new one is on its way: a failed mail takes nothing away. */
async function withLink(
  { db, clock, publicUrl }: WorkDeps,
  { userId, kind, to }: { userId: string; kind: links.LinkKind; to: string },
  send: (url: string) => Promise<void>,
): Promise<void> {
  // Where the address has changed meanwhile, the job fails, and its next try sees the new one.
  const proofs = [{ by: 'mailbox', address: to, kind }] as const
  const token = await db.transaction((tx) =>
    grantAccess(tx, { userId, proofs }, (grant) => links.create(tx, grant, { kind, now: clock() })),
  )
  const url = new URL('/auth', publicUrl)
  url.searchParams.set(kind === 'change-old' || kind === 'change-new' ? 'change' : kind, token)
  await send(url.href)
  await links.endOlder(db, { userId, kind, token, now: clock() })
}
