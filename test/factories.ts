/** Things for tests to begin with. They read like speech and fill in what the test leaves open. */
import { randomUUID } from 'node:crypto'

import * as passwords from '#features/account/passwords.ts'
import { users } from '#features/account/tables.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/transcriptions/tables.ts'
import type { Db } from '#server/db.ts'
import type { PlanId } from '#shared/business.ts'

export type User = typeof users.$inferSelect

/** A user who has verified the address and can spend these credits. */
export async function aUser(
  db: Db,
  {
    credits: amount = 0,
    plan = 'starter',
    verified = true,
    email = `${randomUUID()}@example.com`,
    password,
  }: {
    credits?: number
    plan?: PlanId
    verified?: boolean
    email?: string
    /** Without one the user cannot sign in by password. */
    password?: string
  } = {},
): Promise<User> {
  return db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({
        email,
        emailKey: email.toLowerCase(),
        firstName: 'Ada',
        lastName: 'Example',
        passwordHash: password === undefined ? null : await passwords.hash(password),
        planType: plan,
        emailVerifiedAt: verified ? new Date() : null,
      })
      .returning()
    if (amount > 0) {
      await credits.grant(tx, { userId: user!.id, cause: `test:${user!.id}`, credits: amount })
    }
    return user!
  })
}

/** A transcription as an upload leaves it: measured, priced, waiting for its confirmation. */
export async function anUpload(
  db: Db,
  {
    userId,
    seconds = 60,
    storageKey = randomUUID(),
    originalName = 'interview.m4a',
    createdAt = new Date(),
  }: {
    userId: string
    seconds?: number
    storageKey?: string
    originalName?: string
    createdAt?: Date
  },
): Promise<typeof transcriptions.$inferSelect> {
  const [row] = await db
    .insert(transcriptions)
    .values({
      userId,
      originalName,
      storageKey,
      sizeBytes: 1_000,
      durationMs: seconds * 1000,
      summaryLanguage: 'en',
      creditsRequired: creditsFor(seconds),
      createdAt,
    })
    .returning()
  return row!
}
