/**
 * A recording arrives in parts: begun, put part by part, completed. What this promises:
 *
 * - The bytes that have come are kept for a day, and can be asked for. A link that breaks costs what was
 *   on its way; on the way to a bucket, which takes whole parts only, one part.
 * - A part reaches storage in its own size, or does not count. In a bucket it is put there by the
 *   sender; then a worker measures the file, and no byte of it passes through a web process.
 * - An upload becomes one transcription, however often it is completed, and says so each time.
 * - A file that is refused is removed, unless another call made a transcription of it before. A refusal
 *   for another reason, such as too many unconfirmed uploads, loses nothing that has come.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import { and, eq, gt, inArray, isNotNull, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import { z } from 'zod'

import { type Owned, everyRow, requireId, shownRows } from '#features/row/row.ts'
import { type Queryable, type Tx, lock } from '#server/db.ts'
import { job } from '#server/jobs.ts'
import type { Erase } from '#server/personal-data.ts'
import type { Queue } from '#server/queue.ts'
import {
  type InParts,
  NotStored,
  PART_BYTES,
  PartsMissing,
  type Storage,
  WrongSize,
  partOf,
  partsOf,
} from '#server/storage.ts'
import {
  MAX_BATCH,
  MAX_UPLOAD_BYTES,
  type SummaryLanguage,
  UNFINISHED_HOURS,
} from '#shared/business.ts'
import { Refusal, type RefusalCode, refusals } from '#shared/refusals.ts'

import * as bin from './bin.ts'
import type { UploadAnswer, UploadInParts } from './contract.ts'
import type { Note } from './measuring.ts'
import { type Wish, refuseFuture } from './options.ts'
import type { Deps } from './recordings.ts'
import { uploads } from './tables.ts'
import * as arriving from './uploads.ts'

type Row = typeof uploads.$inferSelect

/**
 * Refusals for the file itself, which would come again. A decoder that stalls is not among them: it
 * may not stall the next time, so the file stays.
 */
const forGood: ReadonlySet<string> = new Set<RefusalCode>([
  'not_media',
  'cut_off',
  'no_audio',
  'too_long',
  'too_costly',
  'too_slow',
])

const fileOf = ({ storageKey: key, storageToken: token, sizeBytes }: Row): InParts => ({
  key,
  token,
  sizeBytes,
})

/**
 * Begins an upload.
 *
 * @throws Refusal as a whole upload is refused before its body; `empty_file`, `unsupported_format`
 */
export async function begin(
  deps: arriving.ArrivingDeps,
  {
    userId,
    name,
    sizeBytes,
    summaryLanguage,
    options,
    recorded,
    document,
    isSoundOfVideo = false,
  }: Wish & { userId: string; name: string; sizeBytes: number; isSoundOfVideo?: boolean },
): Promise<UploadInParts> {
  const { db, storage } = deps
  const originalName = arriving.acceptedName(name)
  if (sizeBytes === 0) throw new Refusal('empty_file')
  if (sizeBytes > MAX_UPLOAD_BYTES) throw new Refusal('too_large')
  await arriving.admit(deps, { userId, bytes: sizeBytes })
  const storageKey = randomUUID()
  const storageToken = await storage.beginParts(storageKey, sizeBytes)
  try {
    const row = await db.transaction(async (tx) => {
      await lock(tx, `uploads:${userId}`)
      const open = await tx.$count(uploads, and(eq(uploads.userId, userId), isOpen))
      if (open >= MAX_BATCH) throw new Refusal('too_many_uploads')
      const [made] = await tx
        .insert(uploads)
        .values({
          userId,
          originalName,
          sizeBytes,
          storageKey,
          storageToken,
          summaryLanguage,
          ...options,
          ...recorded,
          documentOrder: document,
          isSoundOfVideo,
        })
        .returning()
      if (!made) throw new Error('the database stored an upload without an id')
      return made
    })
    return await withMissing(storage, row, new Map())
  } catch (error) {
    await storage.remove(storageKey)
    throw error
  }
}

type BegunFile = { name: string } & (
  | { upload: UploadInParts; refusal: null }
  | { upload: null; refusal: { code: RefusalCode; message: string } }
)

/**
 * Begins an upload for each file, in their order. One that is refused says why and does not stop the
 * rest; where all are, nothing was begun, and the first says why.
 *
 * @throws Refusal as `begin`
 */
export async function beginAll(
  deps: arriving.ArrivingDeps,
  {
    files,
    ...common
  }: { files: readonly { name: string; sizeBytes: number; recordedAt?: string }[] } & Omit<
    Parameters<typeof begin>[1],
    'name' | 'sizeBytes'
  >,
): Promise<BegunFile[]> {
  const begun: BegunFile[] = []
  let first: Refusal | undefined
  for (const { recordedAt = null, ...file } of files) {
    try {
      const recorded = { ...common.recorded, recordedAt }
      refuseFuture(recorded, deps.clock())
      const upload = await begin(deps, { ...common, ...file, recorded })
      begun.push({ name: file.name, upload, refusal: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      first ??= error
      const { code, message } = error
      begun.push({ name: file.name, upload: null, refusal: { code, message } })
    }
  }
  if (first && begun.every(({ upload }) => upload === null)) throw first
  return begun
}

const isOpen = and(
  isNull(uploads.transcriptionId),
  or(isNull(uploads.refusal), notInArray(uploads.refusal, [...forGood])),
)

/**
 * The parts of an upload that are missing. An address in a bucket is a permission to write, so a key that
 * may only read gets paths of this server.
 *
 * @throws Refusal `not_found`, or why its file was refused
 */
export async function find(
  { db, storage }: Deps,
  { mayWrite = true, ...owned }: Owned & { mayWrite?: boolean },
): Promise<UploadInParts> {
  const row = await get(db, owned)
  if (row.transcriptionId) return withMissing(storage, row, 'all')
  const kept = await storage.keptParts(fileOf(row)).catch(async (error: unknown) => {
    // It was put anew at this very moment, and lies under another key.
    const { transcriptionId } = await get(db, owned)
    return transcriptionId ? ('all' as const) : sayGone(error)
  })
  const addresses = mayWrite ? storage : { partAddress: async () => null }
  return withMissing(addresses, row, kept)
}

async function get(db: Queryable, { userId, id }: Owned): Promise<Row> {
  requireId(id)
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.userId, userId)))
  if (!row) throw new Refusal('not_found')
  if (row.refusal !== null && forGood.has(row.refusal)) throw refusalOf(row.refusal)
  return row
}

/** The sweep, or its sender, has removed it in this moment. */
function sayGone(error: unknown): never {
  throw error instanceof NotStored ? new Refusal('not_found', { cause: error }) : error
}

const refusalOf = (code: string): Refusal =>
  new Refusal(Object.hasOwn(refusals, code) ? (code as RefusalCode) : 'measuring_failed')

async function withMissing(
  storage: Pick<Storage, 'partAddress'>,
  row: Row,
  kept: ReadonlyMap<number, number> | 'all',
): Promise<UploadInParts> {
  const { id, originalName: name, sizeBytes } = row
  const missing =
    kept === 'all' ? [] : partsOf(row).filter((part) => kept.get(part.number) !== part.sizeBytes)
  const parts = await Promise.all(
    missing.map(async ({ number }) => {
      const address = await storage.partAddress(fileOf(row), number)
      const keptBytes = (kept !== 'all' && kept.get(number)) || 0
      return { number, url: address ?? `/api/uploads/${id}/parts/${number}`, keptBytes }
    }),
  )
  return { id, name, sizeBytes, partBytes: PART_BYTES, parts }
}

/**
 * Keeps a part that is sent to this server.
 *
 * @throws Refusal `not_found`, `wrong_part_size`, `upload_closed`, `no_space`
 */
export async function put(
  { db, storage }: Deps,
  {
    number,
    fromByte,
    sizeBytes,
    ...owned
  }: Owned & { number: number; fromByte: number; sizeBytes: number | null },
  content: Readable,
  signal: AbortSignal,
): Promise<void> {
  const row = await get(db, owned)
  const file = fileOf(row)
  if (!partsOf(file)[number - 1]) throw new Refusal('not_found')
  if (row.transcriptionId) throw new Refusal('upload_closed')
  const part = partOf(file, number)
  if (sizeBytes === null || fromByte + sizeBytes !== part.sizeBytes)
    throw new Refusal('wrong_part_size')
  await arriving.requireSpace(storage, sizeBytes)
  await storage.putPart(file, { number, fromByte }, content, { signal }).catch((cause: unknown) => {
    if (cause instanceof NotStored) throw new Refusal('upload_closed', { cause })
    if (cause instanceof WrongSize) throw new Refusal('wrong_part_size', { cause })
    throw cause
  })
}

/** Which of these are uploads of the user that have not become a transcription. */
export async function unfinishedAmong(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.userId, userId), inArray(uploads.id, [...ids]), isOpen))
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gives an upload up, with the parts that came. It may have arrived whole in that moment: what waits for
 * its confirmation goes too, and what was confirmed stays.
 *
 * @throws Refusal `not_found`
 */
export async function drop({ db, storage }: Deps, owned: Owned): Promise<void> {
  const { id } = await get(db, owned)
  const [dropped] = await db
    .delete(uploads)
    .where(and(eq(uploads.id, id), isNull(uploads.transcriptionId)))
    .returning()
  if (dropped) return storage.remove(dropped.storageKey)
  const itsRow = db.select({ id: uploads.transcriptionId }).from(uploads).where(eq(uploads.id, id))
  const [unconfirmed] = await db
    .delete(everyRow)
    .where(and(inArray(everyRow.id, itsRow), eq(everyRow.status, 'uploading')))
    .returning({ storageKey: everyRow.storageKey })
  if (unconfirmed?.storageKey) await storage.remove(unconfirmed.storageKey)
}

export type Completing = Deps & { queue: Pick<Queue, 'add'> }

/** How long a call waits for a worker, and how often it looks. */
const WAIT_MS = 20_000
const LOOK_MS = 200

/**
 * Makes the upload a transcription that waits for its confirmation. May be repeated: the answer
 * stays the same. Null while a worker still measures it; then it is to be asked again.
 *
 * @throws Refusal `not_found`, `parts_missing`, `measuring_failed`, and as a whole upload is refused
 */
export async function complete(
  deps: Completing,
  owned: Owned,
  signal: AbortSignal,
): Promise<UploadAnswer | null> {
  const { db, storage } = deps
  const row = await get(db, owned)
  if (row.transcriptionId) return answerOf(db, row)
  try {
    await storage.joinParts(fileOf(row))
  } catch (cause) {
    if (cause instanceof PartsMissing) throw new Refusal('parts_missing', { cause })
    // Another process was first, and has put it anew under a key of its own.
    const now = await get(db, owned)
    return now.transcriptionId ? answerOf(db, now) : sayGone(cause)
  }
  const isHere = (await storage.partAddress(fileOf(row), 1)) === null
  if (isHere) return takeHere(deps, row, signal)
  await askWorker(deps, row)
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(LOOK_MS)) {
    signal.throwIfAborted()
    const now = await get(db, owned)
    if (now.transcriptionId) return answerOf(db, now)
    if (now.refusal !== null) throw refusalOf(now.refusal)
  }
  return null
}

async function takeHere(deps: Deps, row: Row, signal: AbortSignal): Promise<UploadAnswer> {
  const { db } = deps
  try {
    return await decide(deps, row, signal)
  } catch (error) {
    // Another process was first, and may have removed the file that was being measured here.
    const now = await get(db, row)
    if (now.transcriptionId) return answerOf(db, now)
    throw error
  }
}

/** Another call, or another delivery of the job, was first. */
class TakenBefore extends Error {}

/** Makes a transcription of it, or writes down why not. @throws TakenBefore, Refusal */
async function decide(
  deps: Deps,
  row: Row,
  signal: AbortSignal,
  note?: Note,
): Promise<UploadAnswer> {
  const { db, storage } = deps
  const { id, userId, storageKey, originalName, sizeBytes, isSoundOfVideo } = row
  const isIt = and(eq(uploads.id, id), isOpen)
  const order = {
    userId,
    arrived: { key: storageKey, originalName, sizeBytes },
    summaryLanguage: row.summaryLanguage as SummaryLanguage,
    options: {
      spokenLanguage: row.spokenLanguage,
      askedSpeakers: row.askedSpeakers,
      askedChannels: row.askedChannels,
      terms: row.terms,
    },
    recorded: { recordedAt: row.recordedAt, timeZone: row.timeZone },
    document: row.documentOrder,
    isSoundOfVideo,
    ...(note && { note }),
    beforeMeasuring: async () => {
      const { transcriptionId } = await get(db, row)
      if (transcriptionId) throw new TakenBefore()
    },
    within: async (tx: Tx, transcriptionId: string) => {
      const [taken] = await tx
        .update(uploads)
        .set({ transcriptionId, refusal: null })
        .where(isIt)
        .returning({ id: uploads.id })
      if (!taken) throw new TakenBefore()
    },
  }
  try {
    return await arriving.take(deps, order, signal)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // None where it became a transcription meanwhile, or was refused before.
    const [refused] = await db
      .update(uploads)
      .set({ refusal: error.code })
      .where(isIt)
      .returning({ id: uploads.id })
    if (refused && forGood.has(error.code)) await storage.remove(storageKey)
    throw error
  }
}

/** One job at a time; what was in the way of the last one is forgotten. */
async function askWorker({ db, queue, clock }: Completing, { id, userId }: Row): Promise<void> {
  await db.transaction(async (tx) => {
    const [asked] = await tx
      .update(uploads)
      .set({ measuringAt: clock(), refusal: null })
      .where(
        and(
          eq(uploads.id, id),
          isOpen,
          or(isNull(uploads.measuringAt), isNotNull(uploads.refusal)),
        ),
      )
      .returning({ id: uploads.id })
    if (!asked) return
    // Each of a user goes behind the ones before it: ten of one do not hold up another's first.
    const theirs = and(
      eq(uploads.userId, userId),
      isNotNull(uploads.measuringAt),
      isNull(uploads.transcriptionId),
      isNull(uploads.refusal),
    )
    const priority = -(await tx.$count(uploads, theirs))
    await queue.add(tx, uploadJob, { uploadId: id }, { priority })
  })
}

/** The job of a worker: measures what lies in a bucket. Delivered twice, it does nothing twice. */
export async function measureForUpload(
  deps: Deps,
  uploadId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps
  const isIt = eq(uploads.id, uploadId)
  const [row] = await db.select().from(uploads).where(isIt)
  if (!row || row.transcriptionId || row.refusal !== null) return
  /** Added to what the tries of the last hour took. Waiting for a place costs nothing. */
  const note = async (ms: number) => {
    const isRecent = gt(uploads.measuredAt, new Date(clock().getTime() - 3_600_000))
    const before = sql`case when ${isRecent} then ${uploads.measuredMs} else 0 end`
    const measuredMs = sql`${before} + ${Math.round(ms)}`
    await db.update(uploads).set({ measuredMs, measuredAt: clock() }).where(isIt)
  }
  try {
    await decide(deps, row, signal, note)
  } catch (error) {
    if (!(error instanceof TakenBefore || error instanceof Refusal)) throw error
  }
}

/** A job that broke each time. The file stays, and completing it asks anew. */
export async function giveUpMeasuring({ db }: Pick<Deps, 'db'>, uploadId: string): Promise<void> {
  await db
    .update(uploads)
    .set({ refusal: 'measuring_failed' satisfies RefusalCode })
    .where(and(eq(uploads.id, uploadId), isOpen))
}

export const uploadJob = job({
  name: 'measure-upload',
  data: z.object({ uploadId: z.uuid() }),
  concurrency: Math.max(2, availableParallelism()),
  run: (deps: Deps, { uploadId }, { signal }) => measureForUpload(deps, uploadId, signal),
  giveUp: (deps: Deps, { uploadId }) => giveUpMeasuring(deps, uploadId),
})

async function answerOf(db: Queryable, { transcriptionId }: Row): Promise<UploadAnswer> {
  const [row] = transcriptionId
    ? await db.select().from(shownRows).where(eq(shownRows.id, transcriptionId))
    : []
  if (!row) throw new Refusal('not_found')
  return arriving.answerOf(db, row)
}

/** Removes what was not completed in a day, and what is remembered of the others. */
export async function removeOldUploads({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const expired = new Date(now.getTime() - UNFINISHED_HOURS * 3_600_000)
  await db.transaction(async (tx) => {
    const removed = await tx.delete(uploads).where(lt(uploads.createdAt, expired)).returning()
    const open = removed.filter(({ transcriptionId }) => transcriptionId === null)
    const files = open.map((row) => {
      const { storageKey, userId, createdAt } = row
      return { storageKey, kind: 'upload' as const, userId, createdAt, row }
    })
    await bin.put(tx, files, now)
  })
}

/** Forgets what was answered about an upload, and under which names it came. */
export const forgetOf = async (tx: Tx, transcriptionId: string): Promise<void> =>
  void (await tx.delete(uploads).where(eq(uploads.transcriptionId, transcriptionId)))

/** Uploads that are under way when an account ends, and what lies in the bin. */
export function eraseUploads({ storage }: Pick<Deps, 'storage'>): Erase {
  return async (tx, userId) => {
    const rows = await tx.delete(uploads).where(eq(uploads.userId, userId)).returning()
    const open = rows.filter(({ transcriptionId }) => transcriptionId === null)
    const binned = await bin.emptyOf(tx, { userId })
    return {
      counts: { uploads: open.length },
      afterwards: async () => {
        for (const { storageKey } of open) await storage.remove(storageKey)
        for (const key of binned) await storage.remove(key)
      },
    }
  }
}
