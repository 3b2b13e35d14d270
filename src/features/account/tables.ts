import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { instant } from '#server/columns.ts'

import { issuerIds } from './contract.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

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
    /** argon2id in PHC form; null for an account that only signs in elsewhere. */
    passwordHash: text(),
    emailVerifiedAt: instant(),
    /** Hash of the cookie of the browser that registered, until the address is confirmed. */
    browserHash: text(),
    /** The page that they were on their way to, until the address is confirmed. */
    next: text(),
    planType: text({ enum: ['starter', 'professional', 'enterprise'] })
      .notNull()
      .default('starter'),
    subscriptionStatus: text().notNull().default('none'),
    provider: text({ enum: ['email', ...issuerIds] })
      .notNull()
      .default('email'),
    createdAt: instant().notNull().defaultNow(),
    /** The time zone that came with their last upload, by its IANA name. */
    timeZone: text(),
    /** Whether they are told by mail when work took long and nobody looks at it. */
    readyMail: boolean().notNull().default(true),
    /**
     * The key in the link of such a mail, by which these mails are switched off without signing in.
     */
    readyMailKey: uuid().notNull().defaultRandom(),
    /** Since when an operator keeps its owner out. */
    blockedAt: instant(),
    /** Set by an operator for this account alone; null: as its plan says. */
    callsPerHour: integer(),
    unconfirmedUploads: integer(),
  },
  (t) => [
    uniqueIndex('users_one_per_address').on(t.emailKey),
    uniqueIndex('users_by_ready_mail_key').on(t.readyMailKey),
    check('users_plan_type', sql`${t.planType} in ('starter', 'professional', 'enterprise')`),
    check('users_provider', sql`${t.provider} in ('email', 'google', 'oidc')`),
    check('users_calls_per_hour', sql`${t.callsPerHour} between 1 and 10000`),
    check('users_unconfirmed_uploads', sql`${t.unconfirmedUploads} between 1 and 200`),
  ],
)

/** Whose a row is, and with whom it goes. */
export const owner = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Signed-in browsers (`web`) and tokens given to scripts at sign-in (`token`). Only hashes are kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text().notNull(),
    userId: owner(),
    kind: text({ enum: ['web', 'token'] }).notNull(),
    /** How its holder proved who they are. */
    method: text({ enum: ['password', ...issuerIds] })
      .notNull()
      .default('password'),
    /** Coarse: browser and system, never the whole user agent. */
    device: text().notNull().default(''),
    /** The last characters of a script's token, by which its owner knows it again. */
    tokenEnd: text(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
    /** When its holder last typed the password again, for what asks for a recent one. */
    provenAt: instant(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('sessions_one_per_token').on(t.tokenHash),
    index('sessions_by_user').on(t.userId),
    check('sessions_kind', sql`${t.kind} in ('web', 'token')`),
    check('sessions_method', sql`${t.method} in ('password', 'google', 'oidc')`),
  ],
)

/** Browsers that have signed in to an account before: their guesses have a budget of their own. */
export const knownBrowsers = pgTable(
  'known_browsers',
  {
    /** Of the value of the browser's cookie. */
    tokenHash: text().primaryKey(),
    userId: owner(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (t) => [index('known_browsers_by_user').on(t.userId)],
)

/** One-time links in mails. A new link of a kind ends the older ones of its user. */
export const emailLinks = pgTable(
  'email_links',
  {
    tokenHash: text().primaryKey(),
    userId: owner(),
    kind: text({ enum: ['verify', 'reset', 'change-old', 'change-new'] }).notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [
    index('email_links_by_user').on(t.userId, t.kind),
    check('email_links_kind', sql`${t.kind} in ('verify', 'reset', 'change-old', 'change-new')`),
  ],
)

/**
 * The mailboxes that were given the credits of a sign-up. No foreign key: deleting the account and
 * signing up again does not earn them twice.
 */
export const signupGrants = pgTable('signup_grants', {
  /** Hash of the mailbox: address variants that reach one person share it. */
  mailboxHash: text().primaryKey(),
  createdAt: instant().notNull().defaultNow(),
})

/** Whom operators have invited to sign up. Gone a week later, used or not, and with the account. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    emailKey: text().notNull(),
    /** Of the link; null until its mail is on its way. */
    tokenHash: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [uniqueIndex('invitations_one_per_address').on(t.emailKey)],
)

/** A change of address that waits for both mailboxes; a user has one at a time. */
export const emailChanges = pgTable('email_changes', {
  userId: owner().primaryKey(),
  newEmail: text().notNull(),
  oldConfirmedAt: instant(),
  newConfirmedAt: instant(),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
})

/**
 * The identities of users at issuers. The issuer's subject names somebody: their address there may
 * change.
 */
export const identities = pgTable(
  'identities',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: owner(),
    provider: text({ enum: issuerIds }).notNull().default('google'),
    issuer: text().notNull(),
    subject: text().notNull(),
    /** As the issuer last said it, for its owner to recognise. */
    email: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('identities_one_per_subject').on(t.issuer, t.subject),
    uniqueIndex('identities_one_per_user').on(t.userId, t.issuer),
  ],
)

/** Sign-ins that have left for an issuer and not come back yet. Each is used once. */
export const googleTrips = pgTable('google_trips', {
  stateHash: text().primaryKey(),
  /** Hash of the cookie of the browser that left: no other may come back. */
  browserHash: text().notNull(),
  provider: text({ enum: issuerIds }).notNull().default('google'),
  codeVerifier: text().notNull(),
  nonce: text().notNull(),
  /** Set where somebody who is signed in links an identity to their account. Ends with their session. */
  sessionId: uuid().references(() => sessions.id, { onDelete: 'cascade' }),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
})

/** The values of `?token=…&auth=success`: good once, for a minute, in the browser that signed in. */
export const signInTickets = pgTable('sign_in_tickets', {
  tokenHash: text().primaryKey(),
  browserHash: text().notNull(),
  sessionId: uuid()
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
})

/** Profile pictures that came with a Google account, kept here so that pages load nothing elsewhere. */
export const pictures = pgTable('pictures', {
  userId: owner().primaryKey(),
  mediaType: text().notNull(),
  bytes: bytea().notNull(),
})

/** The events of an account, for its owner to read. Ids and kinds, never words of a recording. */
export const activity = pgTable(
  'activity',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: owner(),
    kind: text().notNull(),
    device: text().notNull().default(''),
    /** How many things, where it was about several. */
    count: integer(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [index('activity_by_user').on(t.userId, t.id)],
)

/** That an account was deleted, and how much with it. Nothing here says whose it was. */
export const deletionReceipts = pgTable('deletion_receipts', {
  id: uuid().primaryKey().defaultRandom(),
  erased: jsonb().$type<Record<string, number>>().notNull(),
  at: instant().notNull().defaultNow(),
})
