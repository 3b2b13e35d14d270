/**
 * A recording arrives: streamed to storage under a random name, measured by decoding, priced.
 * Whatever is refused or cut off on the way leaves nothing behind, on disk or in the database.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import { and, count, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'

import { limitsOf } from '#features/account/limits.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import type { OrderDocument } from '#features/documents/contract.ts'
import * as documents from '#features/documents/documents.ts'
import { transcriptions } from '#features/transcriptions/tables.ts'
import { type Queryable, type Tx, lock } from '#server/db.ts'
import type { Space, Storage } from '#server/storage.ts'
import { type SummaryLanguage, MAX_UPLOADS_AT_ONCE, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { cleanOriginalName, hasAcceptedExtension } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import type { BeginUpload, UploadAnswer } from './contract.ts'
import { measuring } from './measuring.ts'
import { type Measured, measure } from './measure.ts'
import type { KeptOptions } from './options.ts'
import type { Deps } from './recordings.ts'

/** A file as it came in: stored, but not yet anybody's. */
export interface Arrived {
  key: string
  originalName: string
  sizeBytes: number
}

/** One for the whole process, because every kind of upload shares its processor. */
const decoding = measuring()

/** Room for the other form fields and the boundaries around a file of the largest size. */
const LARGEST_FORM_BYTES = MAX_UPLOAD_BYTES + 64 * 1024

/**
 * Says no before a byte of the body is read, where that is possible. `announcedBytes` is what the
 * client says it will send; null when it does not say.
 *
 * @throws Refusal `insufficient_credits` on an empty balance, `too_many_unconfirmed`, `too_much_measuring`,
 * `too_large`, `no_space`
 */
export async function admit(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  {
    userId,
    announcedBytes,
    isConfirmed = false,
  }: { userId: string; announcedBytes: number | null; isConfirmed?: boolean },
): Promise<void> {
  const { available } = await credits.balance(db, userId)
  if (available === 0) throw new Refusal('insufficient_credits')
  if (!isConfirmed) await requireFewUnconfirmed(db, userId)
  await decoding.requireFree({ db, clock }, userId)
  const bytes = announcedBytes ?? LARGEST_FORM_BYTES
  if (bytes > LARGEST_FORM_BYTES) throw new Refusal('too_large')
  await requireSpace(storage, bytes)
}

/** What recordings leave free of their disk: the database and the jobs at work need it more. */
const RESERVED_BYTES = 2 * 1024 ** 3
const RESERVED_SHARE = 0.05

/** @throws Refusal `no_space` when this many bytes more would leave the disk too full */
export async function requireSpace(storage: Storage, bytes: number): Promise<void> {
  if (!hasRoom(await storage.space(), bytes)) throw new Refusal('no_space')
}

/** Whether this many bytes more leave enough of the disk free. */
export function hasRoom({ freeBytes, totalBytes }: Space, bytes = 0): boolean {
  return freeBytes >= bytes + Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE)
}

/**
 * Counts the uploads of each user that are under way in this process, and runs one more. Whoever
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

/**
 * Streams a file to storage. The stream must be cut at the limit by whoever made it and then say
 * `isTruncated`: a longer file is refused, and what was written of it is removed.
 *
 * @throws Refusal `unsupported_format`, `too_large`, `empty_file`
 */
export async function store(
  { storage }: Pick<Deps, 'storage'>,
  file: { name: string; stream: Readable; isTruncated: () => boolean },
  signal: AbortSignal,
): Promise<Arrived> {
  const originalName = cleanOriginalName(file.name)
  if (!hasAcceptedExtension(originalName)) throw new Refusal('unsupported_format')

  const key = randomUUID()
  const { sizeBytes } = await storage.write(key, file.stream, { signal })
  if (file.isTruncated() || sizeBytes === 0) {
    await storage.remove(key)
    throw new Refusal(file.isTruncated() ? 'too_large' : 'empty_file')
  }
  return { key, originalName, sizeBytes }
}

/** A stored file, and what is to become of it. */
interface Order {
  userId: string
  arrived: Arrived
  summaryLanguage: SummaryLanguage
  /** What somebody knows of it. */
  options?: KeptOptions
  /** The document that is to be made of it. */
  document?: OrderDocument | null
  /** Whether it is the sound of a video that stayed where it is. */
  isSoundOfVideo?: boolean
  /** Confirms it in the transaction that makes it the user's: both or neither. */
  confirm?: (tx: Tx, id: string) => Promise<void>
  /** Called when its turn has come, before it is measured. */
  inTurn?: () => Promise<void>
  /** Whether the caller writes down how long it was measured. */
  isNoted?: boolean
  /** What else belongs into that transaction. */
  alongside?: (tx: Tx, id: string) => Promise<void>
}

/**
 * Measures a stored file, prices it and makes it the user's. On a refusal the file is removed.
 *
 * @throws Refusal as `price`
 */
export async function take(deps: Deps, order: Order, signal: AbortSignal): Promise<UploadAnswer> {
  try {
    return await price(deps, order, signal)
  } catch (error) {
    await removeUnnamed(deps, order.arrived.key)
    throw error
  }
}

/**
 * Removes what no row names. The connection may have ended after the row was stored: then the file
 * stays. It also stays where nobody can tell, and is swept if no row names it.
 */
async function removeUnnamed(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  key: string,
): Promise<void> {
  const isNamed = eq(transcriptions.storageKey, key)
  const rows = await db.$count(transcriptions, isNamed).catch(() => null)
  if (rows === 0) await storage.remove(key)
}

/**
 * The same, but on a refusal the file stays where it is.
 *
 * @throws Refusal `not_media`, `cut_off`, `no_audio`, `too_long`, `too_costly`, `too_slow`,
 * `reading_stalled`, `too_many_unconfirmed`, `too_much_measuring`
 */
export async function price(deps: Deps, order: Order, signal: AbortSignal): Promise<UploadAnswer> {
  const work = async (become: (id: string) => void) => {
    await order.inTurn?.()
    const { key } = order.arrived
    const measured = await measure(deps.storage, key, signal)
    const isAnew = measured.key !== key
    try {
      // Nobody is left to confirm it; a row would only stand in the way of the next upload.
      signal.throwIfAborted()
      const answer = await insert(deps, { ...order, measured })
      become(answer.transcriptionId)
      // What stays for another reason is swept: no row names it.
      if (isAnew) await deps.storage.remove(key).catch(() => undefined)
      return answer
    } catch (error) {
      if (isAnew) await removeUnnamed(deps, measured.key)
      throw error
    }
  }
  return decoding.run(deps, order.userId, work, signal, { isNoted: order.isNoted })
}

async function insert(
  { db }: Pick<Deps, 'db'>,
  {
    userId,
    arrived,
    summaryLanguage,
    options = {},
    document = null,
    isSoundOfVideo = false,
    confirm,
    alongside,
    measured: { key: storageKey, durationMs, mediaType, picture, peaks, sizeBytes },
  }: Order & { measured: Measured },
): Promise<UploadAnswer> {
  const duration = Math.floor(durationMs / 1000)
  const creditsRequired = creditsFor(duration, { withDocument: document !== null })
  return db.transaction(async (tx) => {
    // Uploads of one user are counted one after the other, or a burst would pass the limit.
    await lock(tx, `uploads:${userId}`)
    if (!confirm) await requireFewUnconfirmed(tx, userId)
    const [row] = await tx
      .insert(transcriptions)
      .values({
        userId,
        originalName: arrived.originalName,
        storageKey,
        sizeBytes,
        durationMs,
        mediaType,
        picture: picture ?? (isSoundOfVideo ? 'left_out' : null),
        peaks,
        summaryLanguage,
        ...options,
        withDocument: document !== null,
        documentOrder: document && documents.tidy(document),
        creditsRequired,
      })
      .returning({ id: transcriptions.id })
    if (!row) throw new Error('the database stored an upload without an id')
    await confirm?.(tx, row.id)
    await alongside?.(tx, row.id)
    const { available } = await credits.balance(tx, userId)
    return {
      transcriptionId: row.id,
      filename: arrived.originalName,
      duration,
      creditsRequired,
      creditsAvailable: available,
    }
  })
}

/** @throws Refusal `too_many_unconfirmed` */
async function requireFewUnconfirmed(db: Queryable, userId: string): Promise<void> {
  const waiting = await unconfirmed(db, userId)
  const { unconfirmedUploads } = await limitsOf(db, userId)
  if (waiting < unconfirmedUploads) return
  throw new Refusal('too_many_unconfirmed', {
    message: `You have ${waiting} uploads waiting for your confirmation. Confirm or cancel one, then upload again. Nothing was charged.`,
  })
}

async function unconfirmed(db: Queryable, userId: string): Promise<number> {
  const [found] = await db
    .select({ waiting: count() })
    .from(transcriptions)
    .where(
      and(
        eq(transcriptions.userId, userId),
        eq(transcriptions.status, 'uploading'),
        isNull(transcriptions.againOf),
      ),
    )
  return found?.waiting ?? 0
}

/** The document that is to be made of the recording, if one is. @throws Refusal `invalid_request` */
export function documentIn({
  generateDocument,
  documentType,
  includeImages,
}: Pick<
  z.infer<typeof BeginUpload>,
  'generateDocument' | 'documentType' | 'includeImages'
>): OrderDocument | null {
  if (String(generateDocument) !== 'true') return null
  if (!documentType)
    throw new Refusal('invalid_request', {
      message: 'Please choose a type for the document. Nothing was charged.',
    })
  return { documentType, includeImages: String(includeImages) === 'true' }
}
