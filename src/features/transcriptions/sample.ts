/**
 * The sample: our own recording with what the model of the set-up heard in it, doubts and mistakes
 * included, so that anybody can see a result before the first upload. It costs nothing, touches no
 * ledger, and is from then on a transcription like any other: its recording has its 30 days, and its
 * owner may delete it.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'

import * as documents from '#features/documents/documents.ts'
import { removeUnnamed } from '#features/recordings/kept-files.ts'
import { requireSpace } from '#features/recordings/uploads.ts'
import { everyRow, shownRows } from '#features/row/row.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import { checkBelowOf, countInDoubt } from '#features/text/words-in-doubt.ts'
import type { Db } from '#server/db.ts'

import { labelOf } from './results.ts'
import type { Deps } from './transcriptions.ts'

const NAME = 'sample.m4a'
const recording = fileURLToPath(new URL(`./sample/${NAME}`, import.meta.url))
const transcription = new URL('./sample/sample.json', import.meta.url)
const waveform = new URL('./sample/peaks.json', import.meta.url)
const STORE_MS = 60_000

const TimedText = { startMs: z.int(), endMs: z.int(), text: z.string() }

/** What scripts/make-sample-transcription.ts wrote, as it wrote the waveform. */
const Sample = z.object({
  language: z.string(),
  engine: z.string(),
  durationMs: z.int(),
  summary: z.string(),
  summaryNote: z.string(),
  keyPoints: z.array(z.object({ text: z.string(), quote: z.string(), startMs: z.int() })),
  topics: z.array(z.string()),
  turns: z.array(
    z.object({
      speaker: z.int(),
      ...TimedText,
      words: z.array(
        z.object({ ...TimedText, confidence: z.number(), isAligned: z.literal(true).optional() }),
      ),
    }),
  ),
})

/**
 * The user's sample, made when they have none. Asking again, or many times at once, answers the
 * one there is.
 *
 * @throws Refusal `no_space`
 */
export async function open(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  userId: string,
): Promise<{ id: string }> {
  const { db, storage } = deps
  const found = await find(db, userId)
  if (found) return found

  // One that was deleted a moment ago would stand in the way: a user has one, and wants a fresh one.
  await forget(deps, userId)
  await requireSpace(storage, (await stat(recording)).size)
  const key = randomUUID()
  const content = createReadStream(recording)
  const { sizeBytes } = await storage.write(key, content, { signal: AbortSignal.timeout(STORE_MS) })
  try {
    const made = await insert(deps, { userId, storageKey: key, sizeBytes })
    if (made) return made
  } finally {
    await removeUnnamed(deps, key)
  }
  // Made by another request meanwhile, and that one has a recording of its own.
  return open(deps, userId)
}

const read = async () => Sample.parse(JSON.parse(await readFile(transcription, 'utf8')))

/** What is said in the sample, for rooms that show on it what they would do. */
export async function said(now: Date): Promise<documents.Source> {
  const { language, durationMs, turns } = await read()
  return {
    name: NAME,
    language,
    requestedLanguage: language,
    recordedOn: now.toISOString().slice(0, 10),
    durationMs,
    turns: turns.map((turn) => ({ ...turn, speaker: labelOf(turn.speaker) })),
  }
}

async function find(db: Db, userId: string): Promise<{ id: string } | undefined> {
  const [row] = await db
    .select({ id: shownRows.id })
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), eq(shownRows.isSample, true)))
  return row
}

async function forget({ db, storage }: Pick<Deps, 'db' | 'storage'>, userId: string) {
  const isGone = and(
    eq(everyRow.userId, userId),
    eq(everyRow.isSample, true),
    isNotNull(everyRow.deletedAt),
  )
  const gone = await db.transaction(async (tx) => {
    const rows = await tx.select({ id: everyRow.id }).from(everyRow).where(isGone)
    await documents.removeOf(
      tx,
      rows.map(({ id }) => id),
    )
    return tx.delete(everyRow).where(isGone).returning({ storageKey: everyRow.storageKey })
  })
  for (const { storageKey } of gone) if (storageKey) await storage.remove(storageKey)
}

/** Row and turns in one transaction; nothing when the user has a sample already. */
async function insert(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  stored: { userId: string; storageKey: string; sizeBytes: number },
): Promise<{ id: string } | undefined> {
  const { turns, ...result } = await read()
  const peaks = z.array(z.int()).parse(JSON.parse(await readFile(waveform, 'utf8')))
  const now = clock()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(everyRow)
      .values({
        ...stored,
        ...result,
        isSample: true,
        status: 'completed',
        originalName: NAME,
        mediaType: 'audio/mp4',
        peaks,
        creditsRequired: 0,
        summaryLanguage: result.language,
        transcriptionText: turns.map(({ text }) => text).join('\n\n'),
        wordCount: turns.reduce((sum, { words }) => sum + words.length, 0),
        wordsInDoubt: countInDoubt(turns, checkBelowOf(result.engine)),
        speakerCount: new Set(turns.map(({ speaker }) => speaker)).size,
        createdAt: now,
        finishedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: everyRow.id })
    if (!row) return undefined
    const said = turns.map((turn, position) => ({ ...turn, position, transcriptionId: row.id }))
    await tx.insert(turnRows).values(said)
    return row
  })
}
