/**
 * Messages to the people who run the server. What this room promises:
 *
 * - A message that was answered with thanks is kept, also while no mail can be sent.
 * - It is mailed to the support address, where there is one, and never to anybody else: nobody can
 *   use the form to write to a stranger.
 * - Nothing in it can become a header of the mail, or more than text.
 */
import { asc, eq, or, sql } from 'drizzle-orm'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import type { Db } from '#server/db.ts'
import { mailPage } from '#server/letter.ts'
import { type MailWriter, addMail, writerOf } from '#server/mail-jobs.ts'
import type { Mail } from '#server/mail.ts'
import { type Erase, type Exporter, jsonExporter } from '#server/personal-data.ts'
import type { Queue } from '#server/queue.ts'
import { BRAND, type PerHour } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { contactTypes } from '#shared/contact-types.ts'
import { escapeHtml } from '#shared/html.ts'

import type { ContactMessage } from './contract.ts'
import { contactMessages } from './tables.ts'

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  isLocal: boolean
  /** How many messages one network address may send in an hour. */
  perHour?: PerHour | undefined
}

const mail = { kind: 'contact', data: z.object({ messageId: z.uuid() }) }

type Letter = typeof contactMessages.$inferSelect

/**
 * Keeps a message and has it mailed.
 *
 * @throws Refusal `invalid_email`, `too_many_attempts`
 */
export async function send(
  deps: Deps,
  { ip, userId, reference, ...message }: ContactMessage & { ip: string; userId: string | null },
): Promise<void> {
  const { db, queue, clock } = deps
  account.checkAddress(message.email)
  const now = clock()
  await account.countNetwork(deps, 'messages', ip)
  await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(contactMessages)
      .values({ ...message, userId, reference: reference || null, createdAt: now })
      .returning({ id: contactMessages.id })
    if (!row) throw new Error('a message that was just written is gone')
    await addMail(queue, tx, mail, { messageId: row.id })
  })
}

/** To the support address; without one, messages are only kept. */
export const contactMails = ({
  db,
  supportEmail: to,
}: {
  db: Db
  supportEmail: string | null
}): MailWriter[] => [
  writerOf(mail, async ({ messageId }) => (to === null ? null : mailAbout(db, { messageId, to }))),
]

/** Null when its writer has deleted the message meanwhile. */
export async function mailAbout(
  db: Db,
  { messageId, to }: { messageId: string; to: string },
): Promise<Mail | null> {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, messageId))
  if (!row) return null
  const lines = linesOf(row)
  const subject = `[${BRAND}] ${contactTypes[row.type]}: ${row.subject || 'no subject'}`
  return {
    to,
    replyTo: row.email,
    subject,
    text: `${lines.join('\n')}\n\n${row.message}\n`,
    html: mailPage(
      subject,
      `<p>${lines.map(escapeHtml).join('<br>')}</p><p style="white-space:pre-wrap">${escapeHtml(row.message)}</p>`,
    ),
  }
}

function linesOf({ name, email, userId, reference, createdAt }: Letter): string[] {
  return [
    `From: ${name.replace(/\p{Cc}+/gu, ' ')} <${email}>`,
    `Sent: ${createdAt.toISOString()}`,
    `Account: ${userId ?? 'not signed in'}`,
    ...(reference ? [`About: ${reference.replace(/\p{Cc}+/gu, ' ')}`] : []),
  ]
}

/** Messages that somebody wrote while signed in, and messages from their address without. */
export const isFrom = (userId: string, email: string) =>
  or(
    eq(contactMessages.userId, userId),
    eq(sql`lower(${contactMessages.email})`, email.toLowerCase()),
  )

export const contactExporter = (db: Db): Exporter =>
  jsonExporter('messages', async (userId) => {
    const rows = await db
      .select()
      .from(contactMessages)
      .where(eq(contactMessages.userId, userId))
      .orderBy(asc(contactMessages.createdAt))
    return [{ path: 'messages.json', rows, modifiedAt: rows.at(-1)?.createdAt }]
  })

export const eraseMessages: Erase = async (tx, userId) => {
  const { email } = await account.get(tx, userId)
  const gone = await tx
    .delete(contactMessages)
    .where(isFrom(userId, email))
    .returning({ id: contactMessages.id })
  return { counts: { messages: gone.length } }
}
