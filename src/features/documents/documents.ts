/**
 * Documents made of finished transcriptions. What this room promises:
 *
 * - A document costs one credit, set aside when it is asked for and taken when it is there. One that
 *   fails gives it back. Where the failure was ours, the same text is tried again for nothing; another
 *   text, or one that says too little, is a new document at the usual price.
 * - Where the language model of the server wrote nothing that may be shown, a document put together
 *   without it is free, because it is not the one that was ordered. A document of a type that its
 *   user has described can only be written by the model: it fails, and says why.
 * - Credit, row and job are written together; so are text and settlement. None is without the other.
 * - The room is handed the transcript, and reads no other room's tables.
 * - Documents are for plans that have them. Documents that somebody has stay theirs when the plan ends.
 *
 * Public: hidden.ts
 */
import { createHash } from 'node:crypto'

import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import * as blocking from '#features/account/blocking.ts'
import * as credits from '#features/credits/credits.ts'
import {
  type DocumentKindId,
  type DocumentOrder,
  type Writer,
  documentKinds,
  kindOf,
} from '#features/writing/contract.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { giveUpWithoutJob, job } from '#server/jobs.ts'
import * as limits from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import { DOCUMENT_CREDITS } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { downloadName } from '#shared/file-names.ts'
import type { Hiding } from '#shared/hidden-words.ts'
import { Refusal } from '#shared/refusals.ts'

import {
  DocumentTypeId,
  type DocumentType,
  type GeneratedDocument,
  type KeptOrder,
  type OrderDocument,
} from './contract.ts'
import { withoutWords } from './hidden.ts'
import { documents } from './tables.ts'
import * as templates from './templates.ts'

/** A user's transcription. */
export interface Owned {
  userId: string
  id: string
}

/** The transcript that a document is made of. */
export type Source = Omit<DocumentOrder, 'kind' | 'withImages'>

/** The answers of later rooms about a transcription. Both refuse with `not_found`. */
export interface Recordings {
  /** Refuses a transcription that is not there or not this user's. */
  check(owned: Owned): Promise<{ isFinished: boolean }>
  /** The transcript as it is now, with its `hashOf`. Refuses with `not_finished` before the end. */
  read(owned: Owned, signal: AbortSignal): Promise<Source & { hash: string }>
  /** What is hidden for others in it; null where nothing is. */
  veil(owned: Owned): Promise<Hiding | null>
}

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  /** Hears of documents that are finished. */
  onEvent?: OnEvent
}

type Row = typeof documents.$inferSelect

/** A failed document is tried again for nothing at most so often: each try costs a model's work. */
export const MOST_RETRIES = 5

/** One hold, however often a document is tried. */
const holdCause = (id: string): string => `document:${id}`

/** @throws Refusal `documents_need_plan` */
export async function requirePlan(db: Queryable, userId: string): Promise<void> {
  const { planType } = await account.get(db, userId)
  if (planType === 'starter') throw new Refusal('documents_need_plan')
}

/**
 * The user's own come last, and only where a language model can write them.
 *
 * @throws Refusal `documents_need_plan`
 */
export async function types(
  db: Queryable,
  { userId, isByModel }: { userId: string; isByModel: boolean },
): Promise<DocumentType[]> {
  await requirePlan(db, userId)
  return [
    ...documentKinds.map((kind) => ({ ...kind, isOwn: false })),
    ...(isByModel ? await templates.types(db, userId) : []),
  ]
}

/**
 * An order as it is kept: without pictures where the type has none, and with a copy of a type
 * that its user has described.
 *
 * @throws Refusal `documents_need_plan`, `templates_off`, `template_gone`
 */
export async function accept(
  db: Queryable,
  { userId, documentType, includeImages }: OrderDocument & { userId: string },
  isByModel: () => Promise<boolean>,
): Promise<KeptOrder> {
  await requirePlan(db, userId)
  if (templates.isBuiltIn(documentType))
    return { documentType, includeImages: includeImages && kindOf(documentType).includeImages }
  if (!(await isByModel())) throw new Refusal('templates_off')
  const template = await templates.copyOf(db, { userId, type: documentType })
  return { documentType, includeImages: false, template }
}

/**
 * Sets the credit aside and has the document written. The caller has made sure that there is a
 * finished transcription of this user.
 *
 * @throws Refusal `insufficient_credits`
 */
export async function begin(
  tx: Tx,
  { queue, clock }: Pick<Deps, 'queue' | 'clock'>,
  { userId, id: transcriptionId, ...kept }: Owned & KeptOrder,
): Promise<Row> {
  const [row] = await tx
    .insert(documents)
    .values({
      userId,
      transcriptionId,
      ...kept,
      title: kept.template?.name ?? kindOf(kindIn(kept.documentType)).name,
      createdAt: clock(),
    })
    .returning()
  if (!row) throw new Error('the database stored a document without an id')
  await credits.hold(tx, { userId, cause: holdCause(row.id), credits: DOCUMENT_CREDITS })
  await addJob({ tx, queue }, row)
  return row
}

/** The kind of a document whose type no user has described. */
function kindIn(documentType: string): DocumentKindId {
  const type = DocumentTypeId.parse(documentType)
  if (!templates.isBuiltIn(type)) throw new Error('an order of an own type came without its copy')
  return type
}

/** Each further job of a user has a lower priority, so twenty of one do not hold up another's first. */
async function addJob(
  { tx, queue }: { tx: Tx; queue: Queue },
  { id, userId, attempt }: Pick<Row, 'id' | 'userId' | 'attempt'>,
): Promise<void> {
  const theirs = and(eq(documents.userId, userId), eq(documents.status, 'generating'))
  const priority = 1 - (await tx.$count(documents, theirs))
  await queue.add(tx, documentJob, { documentId: id, attempt }, { priority })
}

/**
 * A document of a transcription that is finished already.
 *
 * @throws Refusal `documents_need_plan`, `templates_off`, `template_gone`, `not_found`, `not_finished`,
 * `insufficient_credits`, `account_blocked`, `too_many_unpaid_documents`
 */
export async function order(
  deps: Deps & { recordings: Recordings; isByModel(): Promise<boolean> },
  asked: Owned & OrderDocument,
): Promise<GeneratedDocument> {
  const { db, recordings } = deps
  const kept = await accept(db, asked, deps.isByModel)
  const { isFinished } = await recordings.check({ userId: asked.userId, id: asked.id })
  if (!isFinished) throw new Refusal('not_finished')
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, asked.userId)
    await limits.requireNotFull(tx, {
      key: unpaidKey(asked.userId),
      limit: UNPAID_AN_HOUR,
      code: 'too_many_unpaid_documents',
      now: deps.clock(),
    })
    return shown(await begin(tx, deps, { userId: asked.userId, id: asked.id, ...kept }))
  })
}

/**
 * Where too little was said for a document, or the model wrote nothing of a user's own type that may be
 * shown, the credit is returned although the work was done. So that nobody uses the processor for
 * nothing, a user has only so many of these in an hour. Documents that were given away do not count:
 * that the model of the server failed is no fault of the user's.
 */
const UNPAID_AN_HOUR = 5
const unpaidKey = (userId: string): string => `unpaid-document:${userId}`

/**
 * Tries a failed document again, for nothing: its credit came back, and the failure was ours. A
 * failure whose reason its owner was told lies in the text, and is not ours.
 *
 * @throws Refusal `not_found`, `document_not_failed`, `document_order_anew`, `document_given_up`,
 * `account_blocked`
 */
export async function retry(
  { db, queue }: Deps,
  { userId, id, documentId }: Owned & { documentId: string },
): Promise<GeneratedDocument> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const [row] = await tx
      .select()
      .from(documents)
      .where(isOwned({ userId, id, documentId }))
      .for('update')
    if (!row) throw new Refusal('not_found')
    if (row.status !== 'error') throw new Refusal('document_not_failed')
    if (row.problem !== null) throw new Refusal('document_order_anew')
    if (row.attempt > MOST_RETRIES) throw new Refusal('document_given_up')
    const attempt = row.attempt + 1
    const [again] = await tx
      .update(documents)
      .set({ status: 'generating', attempt, finishedAt: null })
      .where(eq(documents.id, row.id))
      .returning()
    await addJob({ tx, queue }, { ...row, attempt })
    return shown(again ?? row)
  })
}

/**
 * Newest first. A plan without documents sees those it had before.
 *
 * @throws Refusal `not_found`, `documents_need_plan`
 */
export async function list(
  { db, recordings }: Pick<Deps, 'db'> & { recordings: Recordings },
  owned: Owned,
): Promise<GeneratedDocument[]> {
  await recordings.check(owned)
  const rows = await db
    .select()
    .from(documents)
    .where(and(eq(documents.transcriptionId, owned.id), eq(documents.userId, owned.userId)))
    .orderBy(desc(documents.createdAt), desc(documents.id))
  if (rows.length === 0) await requirePlan(db, owned.userId)
  return rows.map(shown)
}

/** One that is written, as others get it. @throws Refusal `not_found` */
export async function get(
  { db, recordings }: Pick<Deps, 'db'> & { recordings: Recordings },
  { documentId, ...owned }: Owned & { documentId: string },
): Promise<Row> {
  await recordings.check(owned)
  const [row] = await db
    .select()
    .from(documents)
    .where(and(isOwned({ ...owned, documentId }), eq(documents.status, 'generated')))
  if (!row) throw new Refusal('not_found')
  const veil = await recordings.veil(owned)
  return veil ? { ...row, ...withoutWords(row, veil, 'others') } : row
}

/** Text of one of these documents that is on its way to others. */
export async function textForOthers(
  { db, recordings }: Pick<Deps, 'db'> & { recordings: Recordings },
  {
    userId,
    documentId,
    ...text
  }: Pick<Row, 'title' | 'content'> & { userId: string; documentId: string },
): Promise<{ title: string; content: string }> {
  const [row] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.id, documentId), eq(documents.userId, userId)))
  if (!row) throw new Refusal('not_found')
  const veil = await recordings.veil({ userId, id: row.transcriptionId })
  const { title, content } = veil ? withoutWords({ ...row, ...text }, veil, 'others') : text
  return { title, content }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isOwned({ userId, id, documentId }: Owned & { documentId: string }) {
  if (!uuid.test(documentId) || !uuid.test(id)) throw new Refusal('not_found')
  return and(
    eq(documents.id, documentId),
    eq(documents.userId, userId),
    eq(documents.transcriptionId, id),
  )
}

function shown(row: Row): GeneratedDocument {
  return {
    id: row.id,
    title: row.title,
    documentType: DocumentTypeId.parse(row.documentType),
    template: row.template && { ...row.template, parts: [...row.template.parts] },
    content: row.content,
    wordCount: row.wordCount,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    note: row.note,
    problem: row.problem,
    isCreditReturned: row.isCreditReturned,
  }
}

export interface WriteDeps extends Deps {
  log: Log
  writer: Writer
  recordings: Recordings
}

const WriteJob = z.object({ documentId: z.uuid(), attempt: z.int() })
type WriteJob = z.infer<typeof WriteJob>

const TOO_LITTLE =
  'This recording says too little, or too little of it was understood, for a document. Choose another type, or use the transcript itself.'
const GONE = 'The transcription it was to be made of is gone.'
const CHANGED =
  'The text was changed after this document was ordered, so it is not written for free. Create it anew.'

/** Tells one text from another: the words of each speaker, in order. */
export const hashOf = ({ turns }: Pick<Source, 'turns'>): string =>
  createHash('sha256')
    .update(JSON.stringify(turns.map(({ speaker, text }) => [speaker, text])))
    .digest('base64url')

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function write(
  deps: WriteDeps,
  job: WriteJob,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const engine = deps.writer.name
  const [row] = await deps.db.select().from(documents).where(isOpen(job))
  // Written by an earlier delivery, or removed with its transcription.
  if (!row) return
  try {
    const { userId, transcriptionId: id } = row
    const { hash: sourceHash, ...source } = await deps.recordings.read({ userId, id }, signal)
    // The first try is paid, so any text will do. Further tries are free for the same text only.
    if (job.attempt > 1 && row.sourceHash !== null && row.sourceHash !== sourceHash)
      return await fail(deps, job, CHANGED)
    await deps.db.update(documents).set({ sourceHash }).where(isOpen(job))
    const order = row.template
      ? { ...source, own: row.template }
      : { ...source, kind: kindIn(row.documentType), withImages: row.includeImages }
    const answer = await deps.writer.compose(order, { signal })
    if (answer.kind !== 'written') {
      const problem = row.template ? templates.whyNot(answer) : TOO_LITTLE
      const isUnpaidWork = answer.kind !== 'no_model'
      await finish(deps, job, { ...failed(problem), isUnpaidWork }, 0)
      return { outcome: answer.kind, engine }
    }
    const { document } = answer
    // A document put together without the model was not ordered.
    const isAsOrdered = document.engine === engine
    const written = { status: 'generated', ...document, problem: null } as const
    if (isAsOrdered) await finish(deps, job, written, DOCUMENT_CREDITS)
    else await finish(deps, job, { ...written, isCreditReturned: true }, 0)
    return { outcome: isAsOrdered ? 'generated' : 'generated without the model', engine }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    if (error instanceof Refusal) return fail(deps, job, GONE)
    if (!isLastAttempt) throw error
    deps.log.error({ err: error, documentId: row.id }, 'document given up')
    await fail(deps, job, null)
    return { outcome: 'given up', engine }
  }
}

const STOPPED = 'Whoever runs this server has stopped this document. Create it anew.'

/** Locks documents before credits are moved: everything that ends a document locks in this order. */
export async function lockAllOf(tx: Tx, userId: string): Promise<void> {
  await openOf(tx, userId).for('update')
}

const jobColumns = { documentId: documents.id, attempt: documents.attempt }

const openOf = (tx: Tx, userId: string) =>
  tx
    .select(jobColumns)
    .from(documents)
    .where(and(eq(documents.userId, userId), eq(documents.status, 'generating')))
    .orderBy(documents.id)

/**
 * Ends all documents that are being written for a user. A worker that has it finds it ended, and
 * stores nothing.
 */
export async function stopAllOf(
  tx: Tx,
  deps: { clock: Clock; onEvent?: OnEvent | undefined },
  userId: string,
): Promise<void> {
  for (const row of await openOf(tx, userId)) await fail({ ...deps, db: tx }, row, STOPPED)
}

interface EndDeps {
  db: Pick<Tx, 'transaction'>
  clock: Clock
  onEvent?: OnEvent | undefined
}

/** Ends a document that nobody will write any more. Does nothing when it has ended. */
export async function fail(deps: EndDeps, job: WriteJob, problem: string | null): Promise<void> {
  await finish(deps, job, failed(problem), 0)
}

const failed = (problem: string | null) =>
  ({ status: 'error', problem, isCreditReturned: true }) as const

/** Stores how a document ended and settles its credit, both or neither. */
async function finish(
  { db, clock, onEvent }: EndDeps,
  job: WriteJob,
  {
    isUnpaidWork = false,
    ...values
  }: Partial<typeof documents.$inferInsert> & { isUnpaidWork?: boolean },
  price: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(documents)
      .set({ ...values, finishedAt: clock() })
      .where(isOpen(job))
      .returning({
        userId: documents.userId,
        transcriptionId: documents.transcriptionId,
        sourceHash: documents.sourceHash,
      })
    if (!row) return
    const { userId, transcriptionId, sourceHash } = row
    // Who deletes a recording while a model writes about it has its work for nothing.
    const isLeft = values.problem === GONE && sourceHash !== null
    if (isUnpaidWork || isLeft) await limits.addOne(tx, { key: unpaidKey(userId), now: clock() })
    const type = values.status === 'generated' ? 'document.completed' : 'document.failed'
    // Settled once: a document that was tried again for nothing finds nothing held.
    await credits.settle(tx, {
      userId,
      cause: holdCause(job.documentId),
      credits: price,
    })
    await onEvent?.(tx, { userId, type, data: { id: job.documentId, transcriptionId } })
  })
}

const isOpen = ({ documentId, attempt }: WriteJob) =>
  and(
    eq(documents.id, documentId),
    eq(documents.attempt, attempt),
    eq(documents.status, 'generating'),
  )

/** Ends documents that are being written and have no job any more. */
export async function endWithoutJob(deps: WriteDeps): Promise<void> {
  const orders = await deps.db
    .select(jobColumns)
    .from(documents)
    .where(eq(documents.status, 'generating'))
  await giveUpWithoutJob(deps, {
    kind: documentJob,
    orders,
    keyOf: ({ documentId, attempt }) => `${documentId}:${attempt}`,
    giveUp: (order) => fail(deps, order, null),
  })
}

export const documentJob = job({
  name: 'write-document',
  data: WriteJob,
  concurrency: 2,
  run: write,
  giveUp: (deps: WriteDeps, order) => fail(deps, order, null),
  everyMinute: endWithoutJob,
})

/** The owners of these documents. Documents that are gone are not in the answer. */
export async function ownersOf(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, userId } = documents
  const rows = await db
    .select({ id, userId })
    .from(documents)
    .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, row.userId]))
}

/** Whether a document is the first of its transcription: that one may have been ordered with it. */
export async function isFirst(
  q: Queryable,
  { id, transcriptionId }: { id: string; transcriptionId: string },
): Promise<boolean> {
  const [first] = await q
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.transcriptionId, transcriptionId))
    .orderBy(documents.createdAt, documents.id)
    .limit(1)
  return first?.id === id
}

/**
 * Removes the documents of these transcriptions; what is held for unfinished ones is given back. Where
 * their owner stays, `ending` hears that those have failed.
 */
export async function removeOf(
  tx: Tx,
  transcriptionIds: readonly string[],
  ending: Omit<EndDeps, 'db'> | null = null,
): Promise<void> {
  if (transcriptionIds.length === 0) return
  const theirs = inArray(documents.transcriptionId, [...transcriptionIds])
  if (ending) {
    const unfinished = await tx
      .select(jobColumns)
      .from(documents)
      .where(and(theirs, eq(documents.status, 'generating')))
      .orderBy(documents.id)
    for (const row of unfinished) await fail({ ...ending, db: tx }, row, GONE)
  }
  const rows = await tx
    .delete(documents)
    .where(theirs)
    .returning({ id: documents.id, userId: documents.userId, status: documents.status })
  for (const { id, userId, status } of rows)
    if (status === 'generating')
      await credits.settle(tx, { userId, cause: holdCause(id), credits: 0 })
}

/** Removes everything this room keeps about a user. */
export const eraseDocuments: Erase = async (tx, userId) => {
  const rows = await tx
    .select({ id: documents.id, transcriptionId: documents.transcriptionId })
    .from(documents)
    .where(eq(documents.userId, userId))
  await removeOf(tx, [...new Set(rows.map(({ transcriptionId }) => transcriptionId))])
  const documentTypes = await templates.erase(tx, userId)
  return { counts: { documents: rows.length, documentTypes } }
}

export function exportDocuments(db: Db): Exporter {
  const theirs = (userId: string) =>
    and(eq(documents.userId, userId), eq(documents.status, 'generated'))
  return {
    name: 'documents',
    async sizeFor(userId) {
      const [found] = await db
        .select({
          files: count(),
          sizeBytes: sql<string>`coalesce(sum(octet_length(${documents.content})), 0)`,
        })
        .from(documents)
        .where(theirs(userId))
      return { files: found?.files ?? 0, sizeBytes: Number(found?.sizeBytes ?? 0) }
    },
    async *exportFor(userId) {
      const rows = await db
        .select()
        .from(documents)
        .where(theirs(userId))
        .orderBy(asc(documents.createdAt))
      for (const row of rows)
        yield {
          path: `documents/${downloadName(`${row.title}.md`)}`,
          content: asMarkdown(row),
          modifiedAt: row.createdAt,
        }
    },
  }
}

export const asMarkdown = ({ title, content, note }: Pick<Row, 'title' | 'content' | 'note'>) =>
  `# ${title}\n\n${content}\n${note ? `\n${note}\n` : ''}`
