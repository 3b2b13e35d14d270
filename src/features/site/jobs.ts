import { z } from 'zod'

import type { Log } from '#server/log.ts'
import { type Mailer, mailTries } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as contact from './contact.ts'

export const contactQueues: readonly QueueDeclaration[] = [{ name: 'contact', ...mailTries }]

export interface WorkDeps extends Pick<contact.Deps, 'db' | 'queue'> {
  mailer: Mailer
  /** Null: messages are only kept. */
  supportEmail: string | null
  log: Log
}

const Job = z.object({ messageId: z.uuid() })

export async function workContact({
  db,
  queue,
  mailer,
  supportEmail,
  log,
}: WorkDeps): Promise<void> {
  await queue.work('contact', { concurrency: 1 }, async ({ data }) => {
    const { messageId } = Job.parse(data)
    if (supportEmail === null) return
    const mail = await contact.mailAbout(db, { messageId, to: supportEmail })
    if (!mail) return
    const result = await mailer.send(mail)
    if (result.kind === 'refused')
      log.error({ messageId, status: result.status }, 'the support address refuses mail')
  })
}
