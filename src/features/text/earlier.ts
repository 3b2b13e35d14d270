/**
 * How a new text takes the place of the one before, and how that comes back. What this promises:
 *
 * - One transaction puts the new text in the place of the old one. Until then the old one
 *   stays. The row of the work keeps it for 30 days, and hides it for one more.
 * - Changes of the old text are kept with it, and are never taken back in the new one.
 * - Action items that were ticked, changed or added go along, whichever text takes over.
 */
import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'

import { type KeptOptions } from '#features/recordings/options.ts'
import { isBeingRewritten, type Deps } from '#features/recordings/recordings.ts'
import {
  type NewRow,
  type Owned,
  type Row,
  earlierRows,
  everyRow,
  goesWithText,
  lockFinished,
  lockOwned,
  writeRow,
} from '#features/row/row.ts'
import type { KeptAction } from '#features/row/kept.ts'
import type { Tx } from '#server/db.ts'
import { BIN_HOURS, RETENTION_DAYS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { turns } from './tables.ts'
import { carryActions, withoutNumbers } from './carried-actions.ts'
import { handOverEdits } from './carried.ts'
import { speakersOf } from './named-speakers.ts'

/** Deletes runs that were never confirmed or have failed, before a newer one is asked for. */
export async function dropOlder(tx: Tx, id: string): Promise<void> {
  const isOlder = and(eq(everyRow.againOf, id), inArray(everyRow.status, ['uploading', 'error']))
  await tx.delete(everyRow).where(isOlder)
}

export async function insertRun(
  tx: Tx,
  before: Row,
  values: Partial<PgInsertValue<typeof everyRow>> & { creditsRequired: number },
): Promise<Row> {
  const { userId, originalName, sizeBytes, durationMs, recordedAt, summaryLanguage } = before
  const [run] = await tx
    .insert(everyRow)
    .values({
      userId,
      originalName,
      sizeBytes,
      durationMs,
      recordedAt,
      summaryLanguage,
      againOf: before.id,
      ...values,
    })
    .returning()
  if (!run) throw new Error('the database stored work on a recording without an id')
  return run
}

type Columns = typeof goesWithText
type Text = Pick<Row, { [C in keyof Columns]: Columns[C] extends true ? C : never }[keyof Columns]>

/** The columns that go with a text from row to row. */
function textOf(row: Row): Text & { summaryPending: null } {
  const names = (Object.keys(goesWithText) as (keyof Row)[]).filter((name) => goesWithText[name])
  const text = Object.fromEntries(names.map((name) => [name, row[name]])) as Text
  // A summary that is still awaited is for the text of now, not for one that is put back.
  return { ...text, summaryPending: null }
}

/** The transcription whose recording a run works on, locked; before the run is. */
export async function lockBefore(tx: Tx, id: string): Promise<Row | null> {
  const [row] = await tx.select().from(everyRow).where(eq(everyRow.id, id)).for('update')
  return row ?? null
}

/** Turns the row of a run into the keeper of the text before, when the text of the run takes over. */
export function asEarlier(before: Row, run: Pick<Row, 'creditsRequired'>) {
  return {
    ...textOf(before),
    revision: before.revision,
    status: 'completed',
    // A run that was free because of a fault has used it up.
    hasFault: before.hasFault && run.creditsRequired > 0,
    keptUntil,
  }
}

/** The action items of a text that takes the place of another. */
function actionsFor(before: Row, found: KeptAction[] | null = null): KeptAction[] | null {
  if (!before.actionItems?.length) return found
  return carryActions(withoutNumbers(before.actionItems, speakersOf(before)), found ?? [])
}

/** By the database's clock, as its end is. */
const keptUntil = sql<Date>`now() + ${sql.raw(`interval '${RETENTION_DAYS} days'`)}`

/** Hands the text of a transcription over to the row that is to keep it. One kept before is deleted. */
export async function setAside(
  tx: Tx,
  { id, keeper }: { id: string; keeper: string },
): Promise<void> {
  await tx.delete(everyRow).where(and(isEarlierOf(id), ne(everyRow.id, keeper)))
  await handOverText(tx, { from: id, to: keeper })
}

/** Writes the result of a run to the transcription whose text it is from now on. */
export async function begin(
  tx: Tx,
  {
    before,
    run,
    result,
    now,
  }: {
    before: Row
    run: KeptOptions & Pick<Row, 'summaryLanguage'>
    result: Partial<NewRow>
    now: Date
  },
): Promise<void> {
  const { spokenLanguage = null, askedSpeakers = null, askedChannels = null, terms = null } = run
  // Numbers of changes go on: none that was made of the old text is ever one of the new.
  const revision = before.revision + 1
  await writeRow(tx, before.id, {
    ...result,
    // Somebody's own stay at their times: the recording is the same.
    ...(before.chapters?.by === 'own' ? { chapters: before.chapters } : {}),
    actionItems: actionsFor(before, result.actionItems),
    summaryLanguage: run.summaryLanguage,
    spokenLanguage,
    askedSpeakers,
    askedChannels,
    terms,
    // Those that somebody has named are found again by their voices.
    speakers: before.speakers === null ? (result.speakers ?? null) : null,
    revision,
    textSince: revision,
    finishedAt: now,
  })
}

/** How many speakers were asked for is what the next form begins with. */
export async function keepAsked(
  tx: Tx,
  { id, run }: { id: string; run: Pick<Row, 'askedSpeakers'> },
): Promise<void> {
  const { askedSpeakers } = run
  await writeRow(tx, id, { askedSpeakers })
}

async function handOverText(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  await tx.update(turns).set({ transcriptionId: to }).where(eq(turns.transcriptionId, from))
  await handOverEdits(tx, { from, to })
}

const isEarlierOf = (id: string) => and(eq(everyRow.againOf, id), isNotNull(everyRow.keptUntil))

/** For a day after its time it is only hidden: a clock may be wrong. */
const isEarlierText = (id: string) =>
  and(eq(earlierRows.againOf, id), gt(earlierRows.keptUntil, sql`now()`))

/** The earlier text of a transcription, if one is kept. */
export async function earlierOf(
  db: Pick<Tx, 'select'>,
  id: string,
): Promise<{ id: string; keptUntil: Date } | null> {
  const [row] = await db
    .select({ id: earlierRows.id, keptUntil: earlierRows.keptUntil })
    .from(earlierRows)
    .where(isEarlierText(id))
  return row?.keptUntil ? { id: row.id, keptUntil: row.keptUntil } : null
}

/**
 * Puts the earlier text back, and keeps this one in its place for 30 days. No credits move.
 *
 * @throws Refusal `not_found`, `not_finished`, `being_rewritten`, `no_earlier_text`
 */
export async function back({ db, clock }: Pick<Deps, 'db' | 'clock'>, owned: Owned): Promise<void> {
  await db.transaction(async (tx) => {
    const now = await lockText(tx, owned)
    const [earlier] = await tx.select().from(earlierRows).where(isEarlierText(now.id)).for('update')
    if (!earlier) throw new Refusal('no_earlier_text')
    // The price of what is not confirmed was that of this text.
    await dropOlder(tx, now.id)
    await writeRow(tx, earlier.id, { keptUntil: null })
    const keeper = await insertRun(tx, now, {
      ...textOf(now),
      revision: now.revision,
      status: 'completed',
      againWhat: 'text',
      creditsRequired: 0,
      createdAt: clock(),
      keptUntil,
    })
    await handOverText(tx, { from: now.id, to: keeper.id })
    await handOverText(tx, { from: earlier.id, to: now.id })
    const revision = now.revision + 1
    await writeRow(tx, now.id, {
      ...textOf(earlier),
      actionItems: actionsFor(now, earlier.actionItems),
      revision,
      // Of a text that nobody has changed, the originals are kept aside at its first change.
      textSince: earlier.revision === earlier.textSince ? revision : earlier.textSince,
    })
    await tx.delete(everyRow).where(eq(everyRow.id, earlier.id))
  })
}

/**
 * Drops the earlier text. Where there is none, nothing happens.
 *
 * @throws Refusal `not_found`
 */
export async function dropEarlier({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await lockOwned(tx, owned)
    await tx.delete(everyRow).where(isEarlierOf(id))
  })
}

/** The row of a text that may be changed now, locked. */
async function lockText(tx: Tx, owned: Owned): Promise<Row> {
  const row = await lockFinished(tx, owned)
  if (await isBeingRewritten(tx, row.id)) throw new Refusal('being_rewritten')
  return row
}

const TOLD_MS = 24 * 60 * 60 * 1000

/** Earlier texts whose time is over for a day, and work that ended a day ago and left no text. */
export async function removeOver({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const { againOf, keptUntil, finishedAt } = everyRow
  const isTold = and(isNull(keptUntil), lt(finishedAt, new Date(now.getTime() - TOLD_MS)))
  const isOver = lt(keptUntil, new Date(now.getTime() - BIN_HOURS * 3_600_000))
  await db.delete(everyRow).where(and(isNotNull(againOf), or(isOver, isTold)))
}
