/**
 * A summary that its owner has written again, in a language and a length. What this promises:
 *
 * - It costs nothing, and can be asked for five times a day and recording.
 * - The summary before stays until a better one takes its place (later-summary.ts), and can come back
 *   until another one is written.
 * - Action items that somebody touched and chapters of one's own stay.
 */
import { randomUUID } from 'node:crypto'

import { and, asc, desc, eq, isNull, lte, sql } from 'drizzle-orm'

import { type Owned, lockFinished, writeRow } from '#features/row/row.ts'
import { markSpeakers, writtenWith } from '#features/text/speaker-marks.ts'
import { type Db, type Queryable } from '#server/db.ts'
import { REWRITES_A_DAY } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal, refusals } from '#shared/refusals.ts'
import type { Queue } from '#server/queue.ts'

import { type OrderSummary, SummaryAgain } from './contract.ts'
import { summaryJob } from './later-summary.ts'
import { summaryOrders } from './tables.ts'

interface Deps {
  db: Db
  clock: Clock
  queue: Pick<Queue, 'add'>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Asks for another summary. One that the server awaits by itself is written in this form instead.
 *
 * @throws Refusal `not_found`, `not_finished`, `summary_off`, `summary_under_way`,
 * `too_many_summaries`
 */
export async function order(
  { db, clock, queue }: Deps,
  { language, length, isWritten = true, ...owned }: Owned & OrderSummary & { isWritten?: boolean },
): Promise<SummaryAgain> {
  const now = clock()
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    // Whose it is not is not told what this server has.
    if (!isWritten) throw new Refusal('summary_off')
    const ofRow = eq(summaryOrders.transcriptionId, row.id)
    const before = await tx
      .select()
      .from(summaryOrders)
      .where(ofRow)
      .orderBy(asc(summaryOrders.askedAt))
    const isUnderWay = before.some(
      ({ id, outcome }) => outcome === null && id === row.summaryPending,
    )
    if (isUnderWay) throw new Refusal('summary_under_way')
    const dayAgo = new Date(now.getTime() - DAY_MS)
    const ofToday = before.filter(({ askedAt }) => askedAt > dayAgo)
    const [first] = ofToday
    if (first && ofToday.length >= REWRITES_A_DAY)
      throw tooMany(first.askedAt.getTime() + DAY_MS - now.getTime())
    // What counts no more is needed only while it holds a text that can come back.
    await tx
      .delete(summaryOrders)
      .where(and(ofRow, lte(summaryOrders.askedAt, dayAgo), isNull(summaryOrders.before)))
    const asked = {
      id: randomUUID(),
      transcriptionId: row.id,
      language: language ?? row.summaryLanguage,
      length,
      textSince: row.textSince,
      askedAt: now,
    }
    await tx.insert(summaryOrders).values(asked)
    await writeRow(tx, row.id, { summaryPending: asked.id })
    await queue.add(tx, summaryJob, { transcriptionId: row.id, pending: asked.id })
    const canGoBack = before.some((one) => isBefore(one, row))
    return SummaryAgain.parse({ ...asked, status: 'writing', canGoBack })
  })
}

function tooMany(leftMs: number): Refusal {
  const hours = Math.ceil(leftMs / HOUR_MS)
  const minutes = Math.ceil(leftMs / 60_000)
  const left = hours > 1 ? `${hours} hours` : minutes > 1 ? `${minutes} minutes` : 'a minute'
  return new Refusal('too_many_summaries', {
    message: `${refusals.too_many_summaries[1]} It can be written again in ${left}.`,
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  })
}

type Order = typeof summaryOrders.$inferSelect

/** Under another text, what was written of the one before is not true. */
const isBefore = ({ before, textSince }: Order, row: { textSince: number }): boolean =>
  before !== null && textSince === row.textSince

/**
 * Puts the summary from before the last writing back.
 *
 * @throws Refusal `not_found`, `not_finished`, `no_summary_before`
 */
export async function back({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    const isOfRow = eq(summaryOrders.transcriptionId, row.id)
    const orders = await tx.select().from(summaryOrders).where(isOfRow)
    const found = orders.find((one) => isBefore(one, row))
    if (!found?.before) throw new Refusal('no_summary_before')
    const { isMarked, ...before } = found.before
    const mark = (text: string) => (isMarked ? markSpeakers(text, row) : text)
    await writeRow(tx, row.id, { ...before, ...writtenWith(before, mark) })
    await tx.update(summaryOrders).set({ before: null }).where(eq(summaryOrders.id, found.id))
  })
}

/**
 * What became of the last time that it was asked for; null where nobody has asked. While the row that was
 * read still awaits it, it is being written: it may have ended since, and then the row is another.
 */
export async function lastOf(
  db: Queryable,
  row: { id: string; textSince: number; summaryPending: string | null },
): Promise<SummaryAgain | null> {
  const { id, language, length, outcome, textSince } = summaryOrders
  const canGoBack = sql<boolean>`exists (select from ${summaryOrders} other
    where other.transcription_id = ${row.id} and other.before is not null
    and other.text_since = ${row.textSince})`
  const [last] = await db
    .select({ id, language, length, outcome, textSince, canGoBack })
    .from(summaryOrders)
    .where(eq(summaryOrders.transcriptionId, row.id))
    .orderBy(desc(summaryOrders.askedAt))
    .limit(1)
  if (last?.textSince !== row.textSince) return null
  const ended = last.id === row.summaryPending ? null : last.outcome
  return SummaryAgain.parse({ ...last, status: ended ?? 'writing' })
}
