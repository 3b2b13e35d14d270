import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { instant } from '#server/columns.ts'

/** The messages of the contact form, kept also where no mail can be sent. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The user who was signed in when it was sent. */
    userId: uuid().references(() => users.id),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull().default(''),
    type: text({
      enum: ['general', 'technical', 'billing', 'complaint', 'feature', 'partnership'],
    }).notNull(),
    message: text().notNull(),
    /**
     * The subject of the page from which it was written, for instance a request or transcription id.
     */
    reference: text(),
    createdAt: instant().notNull().defaultNow(),
    /** When an operator marked it as answered. */
    answeredAt: instant(),
  },
  (t) => [
    index('contact_messages_by_user').on(t.userId),
    index('contact_messages_by_time').on(t.createdAt),
    index('contact_messages_by_email').on(sql`lower(${t.email})`),
    check(
      'contact_messages_type',
      sql`${t.type} in ('general', 'technical', 'billing', 'complaint', 'feature', 'partnership')`,
    ),
  ],
)
