import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

const instant = () => timestamp({ withTimezone: true, precision: 3 })

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** As the user wrote it; mail goes to exactly this. */
    email: text().notNull(),
    /** Lower case: one account per address, however it is spelled. */
    emailKey: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    profileImageUrl: text(),
    /** argon2id in PHC form; null for an account that only signs in through Google. */
    passwordHash: text(),
    emailVerifiedAt: instant(),
    planType: text({ enum: ['starter', 'professional', 'enterprise'] })
      .notNull()
      .default('starter'),
    subscriptionStatus: text().notNull().default('none'),
    provider: text({ enum: ['email', 'google'] })
      .notNull()
      .default('email'),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('users_one_per_address').on(t.emailKey),
    check('users_plan_type', sql`${t.planType} in ('starter', 'professional', 'enterprise')`),
    check('users_provider', sql`${t.provider} in ('email', 'google')`),
  ],
)

/** Signed-in browsers (`web`) and tokens given to scripts at sign-in (`token`). Only hashes are kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['web', 'token'] }).notNull(),
    /** Coarse: browser and system, never the whole user agent. */
    device: text().notNull().default(''),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('sessions_one_per_token').on(t.tokenHash),
    index('sessions_by_user').on(t.userId),
    check('sessions_kind', sql`${t.kind} in ('web', 'token')`),
  ],
)

/** One-time links in mails. A new link of a kind ends the older ones of its user. */
export const emailLinks = pgTable(
  'email_links',
  {
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['verify', 'reset'] }).notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [
    index('email_links_by_user').on(t.userId, t.kind),
    check('email_links_kind', sql`${t.kind} in ('verify', 'reset')`),
  ],
)

/** What is throttled: one row per try and rule, for instance `login:ADDRESS_HASH` or `signup:IP`. */
export const attempts = pgTable(
  'attempts',
  {
    /** The try. One can count under several keys, and is taken back from all of them. */
    id: uuid().notNull(),
    key: text().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [index('attempts_by_key').on(t.key, t.at), index('attempts_by_id').on(t.id)],
)

/**
 * Who was given the credits of a sign-up. No foreign key: deleting the account and signing up
 * again does not earn them twice.
 */
export const signupGrants = pgTable('signup_grants', {
  /** Hash of the mailbox: address variants that reach one person share it. */
  mailboxHash: text().primaryKey(),
  createdAt: instant().notNull().defaultNow(),
})
