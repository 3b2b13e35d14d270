/** Makes the users and rows that tests begin with, and fills in what a test does not say. */
import { createHash, randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'

import type { Grant, Proof } from '#features/account/account.ts'
import * as passwords from '#features/account/passwords.ts'
import * as sessions from '#features/account/sessions.ts'
import { users } from '#features/account/tables.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import type { KeptAction } from '#features/row/kept.ts'
import { transcriptions } from '#features/row/tables.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import { translatedTurns, translations } from '#features/translations/tables.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
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
    lastName = 'Example',
    password,
    browser,
  }: {
    credits?: number
    plan?: PlanId
    verified?: boolean
    email?: string
    lastName?: string
    /** Without one the user cannot sign in by password. */
    password?: string
    /** The cookie of the browser that registered, for somebody who is not verified. */
    browser?: string
  } = {},
): Promise<User> {
  const passwordHash = password === undefined ? null : await hashOf(password)
  return db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({
        email,
        emailKey: email.toLowerCase(),
        firstName: 'Ada',
        lastName,
        passwordHash,
        planType: plan,
        emailVerifiedAt: verified ? new Date() : null,
        browserHash: browser === undefined ? null : sessions.hashOf(browser),
      })
      .returning()
    if (amount > 0) {
      await credits.grant(tx, { userId: user!.id, cause: `test:${user!.id}`, credits: amount })
    }
    return user!
  })
}

/** The hash of a password, as it is kept. */
export async function hashOf(password: string): Promise<string> {
  return passwords.withHashing(randomUUID(), ({ hash }) => hash(password))
}

/** Creates a session, key or token without the proof that the product asks for. */
export async function granted<T>(
  db: Db,
  userId: string,
  write: (tx: Tx, grant: Grant) => Promise<T>,
): Promise<T> {
  return db.transaction((tx) => write(tx, { userId } as Grant))
}

/** Somebody who is signed in. */
export async function aSession(
  db: Db,
  {
    userId,
    kind = 'web',
    device = '',
    now = new Date(),
  }: { userId: string; kind?: sessions.SessionKind; device?: string; now?: Date },
): Promise<{ id: string; token: string }> {
  return granted(db, userId, (tx, grant) => sessions.open(tx, grant, { kind, device, now }))
}

/** A proof that is always valid, for tests that call what needs one without a session. */
export const anyProof: Proof = { by: 'key', isThere: async () => true }

let lastMs = 0
/** Now, but at least a millisecond after the last one: rows of the same age are listed in any order. */
function aLaterMoment(): Date {
  lastMs = Math.max(lastMs + 1, Date.now())
  return new Date(lastMs)
}

/** A transcription as an upload leaves it: measured, priced, waiting for its confirmation. */
export async function anUpload(
  db: Queryable,
  {
    userId,
    seconds = 60,
    storageKey = randomUUID(),
    originalName = 'interview.m4a',
    createdAt = aLaterMoment(),
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

/**
 * A transcription as a job leaves it. Each word takes 300 ms with 100 ms after it, and half a
 * second lies between two turns.
 *
 * @param sure how sure the engine was of the n-th word, from 0 to 1; 0.4 unless told.
 */
export async function aTranscription(
  db: Db,
  {
    turns = [],
    status = 'completed',
    sure = () => 0.4,
    ...others
  }: Partial<typeof transcriptions.$inferInsert> & {
    userId: string
    turns?: { speaker: number | null; text: string }[]
    sure?: (place: number) => number | null
  },
): Promise<typeof transcriptions.$inferSelect> {
  const createdAt = aLaterMoment()
  const isFinished = status === 'completed' || status === 'error'
  const [row] = await db
    .insert(transcriptions)
    .values({
      originalName: 'interview.m4a',
      storageKey: randomUUID(),
      sizeBytes: 1_000,
      durationMs: 60_000,
      summaryLanguage: 'en',
      createdAt,
      language: 'en',
      engine: 'pocketsphinx',
      creditsRequired: 1,
      status,
      finishedAt: isFinished ? createdAt : null,
      transcriptionText: turns.map(({ text }) => text).join('\n\n'),
      wordCount: turns.flatMap(({ text }) => text.split(' ')).length,
      speakerCount: new Set(turns.map(({ speaker }) => speaker).filter((id) => id !== null)).size,
      ...others,
    })
    .returning()
  let atMs = 0
  let place = 0
  const said = turns.map(({ speaker, text }, position) => {
    const words = text.split(' ').map((word) => {
      const startMs = atMs
      atMs += 400
      return { text: word, startMs, endMs: startMs + 300, confidence: sure(place++) }
    })
    atMs += 500
    const startMs = words[0]!.startMs
    const endMs = words.at(-1)!.endMs
    return { transcriptionId: row!.id, position, speaker, text, words, startMs, endMs }
  })
  for (let from = 0; from < said.length; from += 500)
    await db.insert(turnRows).values(said.slice(from, from + 500))
  return row!
}

/** A text in another language, turn by turn; null where a turn is not translated. */
export async function aTranslation(
  db: Db,
  {
    userId,
    transcriptionId,
    language,
    texts,
  }: {
    userId: string
    transcriptionId: string
    language: string
    texts: readonly (string | null)[]
  },
): Promise<void> {
  const said = await db
    .select()
    .from(turnRows)
    .where(eq(turnRows.transcriptionId, transcriptionId))
    .orderBy(turnRows.position)
  const [translation] = await db
    .insert(translations)
    .values({ userId, transcriptionId, language, status: 'translated', finishedAt: aLaterMoment() })
    .returning()
  await db.insert(translatedTurns).values(
    said.map((turn, index) => ({
      translationId: translation!.id,
      transcriptionId,
      turnId: turn.id,
      sourceHash: createHash('md5').update(turn.text).digest('hex'),
      parts: texts[index] ? [{ text: texts[index], letters: 10 }] : null,
      isDelivered: true,
    })),
  )
}

/** An action item as it was found in a recording. */
export const anActionItem = (given: Partial<KeptAction> = {}): KeptAction => ({
  id: randomUUID(),
  text: 'Send the list.',
  speaker: null,
  who: null,
  due: null,
  dueDate: null,
  startMs: 1_000,
  quote: 'I will send the list.',
  isSentence: false,
  isDone: false,
  isOwn: false,
  isChanged: false,
  deletedAt: null,
  ...given,
})
