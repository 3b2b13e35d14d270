/**
 * Several uploads, confirmed in one go. What this promises:
 *
 * - All are confirmed or none: their states, holds and jobs are written in one transaction.
 * - A call that is repeated with the same ids gets the answer of the first one and holds nothing
 *   twice, even if one of them was cancelled since.
 * - If one cannot be confirmed, the refusal names its id, and none is confirmed.
 * - Each job of a user goes behind the ones before it, so a batch holds up nobody else's first file.
 */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'

import * as blocking from '#features/account/blocking.ts'
import * as credits from '#features/credits/credits.ts'
import type { KeptOrder } from '#features/documents/contract.ts'
import type { KeptOptions } from '#features/recordings/options.ts'
import { unfinishedAmong } from '#features/recordings/uploads-in-parts.ts'
import { type Owned, type Row, batches, everyRow, requireId, shownRows } from '#features/row/row.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { Tx } from '#server/db.ts'
import { DOCUMENT_CREDITS, type SummaryLanguage } from '#shared/business.ts'
import { Refusal, type RefusalCode, refusals } from '#shared/refusals.ts'

import type { Batch, ConfirmAnswer } from './contract.ts'
import { rowsOf } from './results.ts'
import * as ready from './ready.ts'
import { type Deps, start } from './transcriptions.ts'
import * as unpaidJobs from './unpaid-jobs.ts'
import { withPlaces } from './waiting.ts'

interface BatchOrder {
  userId: string
  /** In the order in which they are to be worked on. */
  ids: readonly string[]
  summaryLanguage?: SummaryLanguage | undefined
  /** The options of all of them; null where each keeps those that came with it. */
  options?: KeptOptions | null
  /** A document of each of them, in the place of one that came with it. */
  document?: KeptOrder | undefined
  /** The price that was shown for all of them. */
  creditsRequired?: number | undefined
}

/**
 * Sets the price of each aside and queues its job.
 *
 * @throws Refusal `not_found`, `parts_missing`, `already_confirmed`, `not_waiting`, each with the ids
 * in `refused`; `price_differs`, `insufficient_credits`, `account_blocked`, `too_many_unpaid_jobs`
 */
export async function confirm(
  { db, queue, clock, onEvent }: Deps,
  { userId, summaryLanguage, options, document, creditsRequired, ...asked }: BatchOrder,
): Promise<ConfirmAnswer> {
  const ids = [...new Set(asked.ids.map((id) => id.toLowerCase()))]
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const found = await lockAll(tx, { userId, ids })
    const before = await answerBefore(tx, found, { userId, ids, summaryLanguage })
    if (before) return before
    await requireWaiting(tx, found, { userId, ids })
    const rows = document ? found.map(withItsPrice) : found
    const price = rows.reduce((sum, row) => sum + row.creditsRequired, 0)
    if (creditsRequired !== undefined && creditsRequired !== price)
      throw new Refusal('price_differs', { figures: { creditsRequired: price } })
    await unpaidJobs.requireFew(tx, { userId, now: clock() })
    // Before the credits are locked: a job that ends locks both in this order.
    const terms = options?.terms ?? rows.flatMap((row) => row.terms ?? [])
    await vocabulary.keepTerms(tx, { userId, terms, now: clock() })
    await credits.requireForAll(tx, { userId, credits: price, of: rows.length })
    const [batch] = await tx.insert(batches).values({ userId, createdAt: clock() }).returning()
    if (!batch) throw new Error('the database stored a batch without an id')
    const areOurs = inArray(
      everyRow.id,
      rows.map(({ id }) => id),
    )
    await tx
      .update(everyRow)
      .set({
        ...options,
        batchId: batch.id,
        ...(document
          ? { withDocument: true, documentOrder: document, creditsRequired: withPrice }
          : {}),
      })
      .where(areOurs)
    let answer = { creditsDeducted: 0, creditsRemaining: 0 }
    for (const row of rows) {
      answer = await start({ tx, queue }, row, {
        attempt: 1,
        confirmedAt: clock(),
        summaryLanguage,
        keepsAnswer: true,
      })
      const data = { id: row.id, credits: row.creditsRequired }
      await onEvent?.(tx, { userId, type: 'transcription.created', data })
    }
    const whole = { creditsDeducted: price, creditsRemaining: answer.creditsRemaining }
    await tx
      .update(batches)
      .set({ confirmAnswer: { ids, ...whole } })
      .where(eq(batches.id, batch.id))
    return whole
  })
}

/** As `withPrice` writes it. */
const withItsPrice = (row: Row): Row =>
  row.withDocument ? row : { ...row, creditsRequired: row.creditsRequired + DOCUMENT_CREDITS }
const withPrice = sql`${everyRow.creditsRequired}
  + case when ${everyRow.withDocument} then 0 else ${DOCUMENT_CREDITS}::integer end`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Those that are there, as they were asked for. Locked by id, so that two batches never wait for each other. */
async function lockAll(
  tx: Tx,
  { userId, ids }: Pick<BatchOrder, 'userId' | 'ids'>,
): Promise<Row[]> {
  const known = ids.filter((id) => uuid.test(id))
  const rows = await tx
    .select()
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, known)))
    .orderBy(asc(shownRows.id))
    .for('update')
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The answer that the very same call got before; null where it is asked for the first time. */
async function answerBefore(
  tx: Tx,
  rows: readonly Row[],
  { userId, ids, summaryLanguage }: BatchOrder,
): Promise<ConfirmAnswer | null> {
  const [first] = rows
  if (!first || first.batchId === null) return null
  const [batch] = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.id, first.batchId), eq(batches.userId, userId)))
  const said = batch?.confirmAnswer
  const isSame = said && said.ids.length === ids.length && said.ids.every((id) => ids.includes(id))
  const isOther = rows.some(
    (row) => row.summaryLanguage !== (summaryLanguage ?? row.summaryLanguage),
  )
  if (!isSame || isOther) return null
  const { creditsDeducted, creditsRemaining } = said
  return { creditsDeducted, creditsRemaining }
}

/** @throws Refusal with the code of the first that is in the way, and with all of them */
async function requireWaiting(
  tx: Tx,
  rows: readonly Row[],
  { userId, ids }: Pick<BatchOrder, 'userId' | 'ids'>,
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = ids.filter((id) => !byId.has(id) && uuid.test(id))
  const coming = missing.length > 0 ? await unfinishedAmong(tx, { userId, ids: missing }) : null
  const refused = ids.flatMap((id) => {
    const code = whyNot(byId.get(id), coming?.has(id) ?? false)
    return code ? [{ id, code, message: sentences[code] ?? refusals[code][1] }] : []
  })
  const [first] = refused
  if (!first) return
  if (rows.length === 0 && !coming?.size) throw new Refusal('not_found')
  const others = refused.length > 1 ? ` So are ${refused.length - 1} more.` : ''
  throw new Refusal(first.code, {
    message: `None of these files was confirmed, and nothing was charged. ${first.id} is in the way: ${first.message}${others}`,
    refused,
  })
}

function whyNot(row: Row | undefined, isComing: boolean): RefusalCode | null {
  if (!row) return isComing ? 'parts_missing' : 'not_found'
  if (row.status === 'uploading') return null
  return row.confirmAnswer ? 'already_confirmed' : 'not_waiting'
}

const sentences: Partial<Record<RefusalCode, string>> = {
  not_found: 'There is no such upload.',
  parts_missing: 'This upload is not complete. Its transcription has an id of its own.',
  already_confirmed: 'It was confirmed before.',
}

/**
 * The transcriptions that were confirmed together and are still there. `isLooking`: their owner sees them.
 *
 * @throws Refusal `not_found`
 */
export async function get(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id, isLooking = false }: Owned & { isLooking?: boolean },
): Promise<Batch> {
  requireId(id)
  const [batch] = await db
    .select()
    .from(batches)
    .where(and(eq(batches.id, id), eq(batches.userId, userId)))
  if (!batch) throw new Refusal('not_found')
  const rows = await db
    .select({ id: shownRows.id })
    .from(shownRows)
    .where(and(eq(shownRows.batchId, id), eq(shownRows.userId, userId)))
  if (isLooking) await ready.look(db, rows, clock())
  const order = new Map(batch.confirmAnswer?.ids.map((each, index) => [each, index]))
  const placeOf = (row: { id: string }) => order.get(row.id) ?? order.size
  const ids = rows.sort((a, b) => placeOf(a) - placeOf(b)).map((row) => row.id)
  return {
    id,
    createdAt: batch.createdAt.toISOString(),
    transcriptions: await withPlaces(db, await rowsOf(db, { userId, ids })),
  }
}
