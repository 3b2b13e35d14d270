/** The mail that says that a webhook is paused. */
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import type { Db } from '#server/db.ts'
import { writeLetter } from '#server/letter.ts'
import { type MailWriter, writerOf } from '#server/mail-jobs.ts'
import { BRAND } from '#shared/business.ts'

const reasons = {
  dead: 'One of your webhooks did not take a message in any of ten tries over three days. Nothing more is sent there.',
  gone: 'One of your webhooks answered that it is gone (410). Nothing more is sent there.',
  new_password:
    'Your webhooks are paused because the password of your account was changed. Resume those that are yours, and delete the others.',
}

export const webhookPaused = {
  kind: 'webhook-paused',
  data: z.object({ userId: z.uuid(), why: z.enum(['dead', 'gone', 'new_password']) }),
}

export const webhookMails = ({ db, publicUrl }: { db: Db; publicUrl: URL }): MailWriter[] => [
  writerOf(webhookPaused, async ({ userId, why }) => {
    const person = await account.addressOf(db, userId)
    if (!person) return null
    return writeLetter(person.email, {
      subject: `A ${BRAND} webhook is paused`,
      heading: 'A webhook is paused',
      before: [reasons[why]],
      button: {
        label: 'Look at your webhooks',
        url: new URL('/account/webhooks', publicUrl).href,
      },
      after: [
        'What was not delivered is kept for 30 days. Resume the webhook and send it again there.',
      ],
    })
  }),
]
