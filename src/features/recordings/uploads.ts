/**
 * A recording arrives: let in, streamed to storage under a random name, measured by decoding, priced,
 * and made its user's. Every way in goes through here: whole files in one request through `receiving`,
 * files in parts through uploads-in-parts.ts, which puts the parts and calls `take`. Whatever is
 * refused or cut off on the way leaves nothing behind, on disk or in the database.
 *
 * Promise: a full disk refuses, and keeps nothing of what it refused.
 */
import { randomUUID } from 'node:crypto'

import { and, eq } from 'drizzle-orm'

import { limitsOf } from '#features/account/limits.ts'
import { timeZoneOf } from '#features/account/time-zone.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { type Row, everyRow, shownRows } from '#features/row/row.ts'
import { type Queryable, type Tx, lock } from '#server/db.ts'
import type { IncomingFile } from '#server/request-body.ts'
import type { Space, Storage } from '#server/storage.ts'
import { MAX_UPLOADS_AT_ONCE, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { cleanOriginalName, hasAcceptedExtension } from '#shared/file-names.ts'
import { isAfter, onClockOf } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'
import { wholeSeconds } from '#shared/format.ts'

import type { UploadAnswer } from './contract.ts'
import * as engines from './engines.ts'
import { removeUnnamed } from './kept-files.ts'
import { type Note, measuring } from './measuring.ts'
import { type Measured, measure } from './measure.ts'
import type { Wish } from './options.ts'
import type { Deps } from './recordings.ts'
import { sameOf } from './same.ts'

/** A file as it came in: stored, but not yet anybody's. */
export interface Arrived {
  key: string
  originalName: string
  sizeBytes: number
}

export type ArrivingDeps = Deps & { engines: engines.EngineNames }

/** One for the whole process, because every kind of upload shares its processor. */
const decoding = measuring()

/** A file of the largest size, with the other form fields and the boundaries around it. */
const LARGEST_FORM_BYTES = MAX_UPLOAD_BYTES + 64 * 1024

interface Announced {
  userId: string
  /** What the client says it will send; null when it does not say. */
  bytes: number | null
  /** Whether it is confirmed by the call that sends it. */
  isConfirmed?: boolean
}

/**
 * Says no before a byte of the body is read, where that is possible.
 *
 * @throws Refusal `not_set_up`, `insufficient_credits` on an empty balance, `too_many_unconfirmed`,
 * `too_much_measuring`, `too_large`, `no_space`
 */
export async function admit(
  { db, storage, clock, ...deps }: ArrivingDeps,
  { userId, bytes, isConfirmed = false }: Announced,
): Promise<void> {
  engines.need(deps.engines)
  const { available } = await credits.balance(db, userId)
  if (available === 0) throw new Refusal('insufficient_credits')
  if (!isConfirmed) await requireFewUnconfirmed(db, userId)
  await decoding.requireFree({ db, clock }, userId)
  const most = bytes ?? LARGEST_FORM_BYTES
  if (most > LARGEST_FORM_BYTES) throw new Refusal('too_large')
  await requireSpace(storage, most)
}

/** The space that recordings leave free on their disk: the database and running jobs need it more. */
const RESERVED_BYTES = 2 * 1024 ** 3
const RESERVED_SHARE = 0.05

/** @throws Refusal `no_space` when this many bytes more would leave the disk too full */
export async function requireSpace(storage: Storage, bytes: number): Promise<void> {
  if (!hasSpace(await storage.space(), bytes)) throw new Refusal('no_space')
}

/** Whether this many bytes more leave enough of the disk free. */
export function hasSpace({ freeBytes, totalBytes }: Space, bytes = 0): boolean {
  return freeBytes >= bytes + Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE)
}

/**
 * Counts the uploads of each user that are under way in this process, and runs one more. A client that
 * opens connections without end is stopped here, long before the unconfirmed uploads are counted.
 *
 * @throws Refusal `too_many_uploads`
 */
export function uploadSlots(): <T>(userId: string, upload: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, number>()
  return async (userId, upload) => {
    const before = underWay.get(userId) ?? 0
    if (before >= MAX_UPLOADS_AT_ONCE) throw new Refusal('too_many_uploads')
    underWay.set(userId, before + 1)
    try {
      return await upload()
    } finally {
      const left = (underWay.get(userId) ?? 1) - 1
      if (left > 0) underWay.set(userId, left)
      else underWay.delete(userId)
    }
  }
}

/** @throws Refusal `unsupported_format` */
export function acceptedName(name: string): string {
  const originalName = cleanOriginalName(name)
  if (!hasAcceptedExtension(originalName)) throw new Refusal('unsupported_format')
  return originalName
}

/**
 * Streams a file to storage. It must be cut at the limit by whoever made the stream.
 *
 * @throws Refusal `unsupported_format`, `too_large`, `empty_file`
 */
export type Store = (file: IncomingFile, signal: AbortSignal) => Promise<Arrived>

/**
 * The door of files that come in one request: lets the request in, and hands it what stores its file.
 * A file that no row names when the request is over is removed, whatever was in the way.
 *
 * @throws Refusal `too_many_uploads`, and as `admit`
 */
export function receiving(deps: ArrivingDeps) {
  const { storage } = deps
  const slots = uploadSlots()
  return <T>(announced: Announced, work: (store: Store) => Promise<T>): Promise<T> =>
    slots(announced.userId, async () => {
      await admit(deps, announced)
      await using stored = new AsyncDisposableStack()
      return await work(async ({ name, stream, isTruncated }, signal) => {
        const originalName = acceptedName(name)
        const key = randomUUID()
        const { sizeBytes } = await storage.write(key, stream, { signal })
        stored.defer(() => removeUnnamed(deps, key))
        if (isTruncated()) throw new Refusal('too_large')
        if (sizeBytes === 0) throw new Refusal('empty_file')
        return { key, originalName, sizeBytes }
      })
    })
}

/** A stored file, and what is to become of it. */
interface Order extends Omit<Wish, 'ignored'> {
  userId: string
  arrived: Arrived
  /** Whether it is the sound of a video that stayed where it is. */
  isSoundOfVideo?: boolean
  /** Whether `within` confirms it. */
  isConfirmed?: boolean
  /** Done in the transaction that makes it the user's: both or neither. */
  within?: (tx: Tx, id: string) => Promise<void>
  /** Called when it has a place, just before it is measured. */
  beforeMeasuring?: () => Promise<void>
  /** Writes down how long it was measured; otherwise this process remembers it. */
  note?: Note
}

/**
 * Measures a stored file, prices it and makes it the user's. On a refusal the file stays where it is.
 *
 * @throws Refusal `not_media`, `cut_off`, `no_audio`, `too_long`, `too_costly`, `too_slow`,
 * `reading_stalled`, `too_many_unconfirmed`, `too_much_measuring`
 */
export async function take(deps: Deps, order: Order, signal: AbortSignal): Promise<UploadAnswer> {
  const work = async () => {
    await order.beforeMeasuring?.()
    const { key } = order.arrived
    const measured = await measure(deps.storage, key, signal)
    const isAnew = measured.key !== key
    try {
      // Nobody is left to confirm it; a row would only stand in the way of the next upload.
      signal.throwIfAborted()
      const answer = await insert(deps, { ...order, measured })
      if (isAnew) await removeUnnamed(deps, key)
      return answer
    } catch (error) {
      if (isAnew) await removeUnnamed(deps, measured.key)
      throw error
    }
  }
  return decoding.run(deps, order.userId, work, signal, order.note)
}

async function insert(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    userId,
    arrived,
    summaryLanguage,
    options,
    recorded,
    document,
    isSoundOfVideo = false,
    isConfirmed = false,
    within,
    measured: { key: storageKey, durationMs, stamp, picture, ...measured },
  }: Order & { measured: Measured },
): Promise<UploadAnswer> {
  const seconds = wholeSeconds(durationMs)
  const creditsRequired = creditsFor(seconds, { withDocument: document !== null })
  return db.transaction(async (tx) => {
    // Uploads of one user are counted one after the other, or a burst would pass the limit.
    await lock(tx, `uploads:${userId}`)
    if (!isConfirmed) await requireFewUnconfirmed(tx, userId)
    const timeZone = (await timeZoneOf(tx, { userId, told: recorded.timeZone })) ?? 'UTC'
    const told = onClockOf(timeZone, recorded.recordedAt ?? stamp ?? '')
    const [row] = await tx
      .insert(everyRow)
      .values({
        userId,
        recordedAt: told !== null && isAfter(told, clock()) ? null : told,
        originalName: arrived.originalName,
        storageKey,
        durationMs,
        ...measured,
        picture: picture ?? (isSoundOfVideo ? 'left_out' : null),
        summaryLanguage,
        ...options,
        withDocument: document !== null,
        documentOrder: document,
        creditsRequired,
      })
      .returning()
    if (!row) throw new Error('the database stored an upload without an id')
    await within?.(tx, row.id)
    return answerOf(tx, row)
  })
}

/** The answer to a client whose upload has become a row. */
export async function answerOf(db: Queryable, row: Row): Promise<UploadAnswer> {
  const { available } = await credits.balance(db, row.userId)
  return {
    transcriptionId: row.id,
    filename: row.originalName,
    duration: wholeSeconds(row.durationMs),
    creditsRequired: row.creditsRequired,
    creditsAvailable: available,
    recordedAt: row.recordedAt,
    levels: row.levels,
    sameAs: (await sameOf(db, [row.id])).get(row.id) ?? null,
  }
}

/** @throws Refusal `too_many_unconfirmed` */
async function requireFewUnconfirmed(db: Queryable, userId: string): Promise<void> {
  const { userId: user, status } = shownRows
  const waiting = await db.$count(shownRows, and(eq(user, userId), eq(status, 'uploading')))
  const { unconfirmedUploads } = await limitsOf(db, userId)
  if (waiting < unconfirmedUploads) return
  throw new Refusal('too_many_unconfirmed', {
    message: `You have ${waiting} uploads waiting for your confirmation. Confirm or cancel one, then upload again. Nothing was charged.`,
  })
}
