/**
 * How right a text was, as far as its user has found out: the corrections against the words of the
 * engine. It is measured when the user says that they have gone through the text, or its words to
 * check, and counts for them alone.
 */
import { and, asc, count, eq, gt, gte, max, or, sum } from 'drizzle-orm'

import type { Deps } from '#features/recordings/recordings.ts'
import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import type { Db, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { turns, turnsOf, checkedTexts, originalTurns } from './tables.ts'
import { differences } from './align.ts'
import type { Accuracy, EngineAccuracy } from './contract.ts'
import { originalOf } from './originals.ts'

/**
 * Counts what was corrected so far, and keeps it. Asked again, it counts again.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function measure(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  owned: Owned,
): Promise<Accuracy> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        id: shownRows.id,
        status: shownRows.status,
        wordCount: shownRows.wordCount,
      })
      .from(shownRows)
      .where(isThere(owned))
      .for('update')
    if (!row) throw new Refusal('not_found')
    if (row.status !== 'completed') throw new Refusal('not_finished')
    const accuracy = await corrections(tx, row)
    const values = { ...accuracy, checkedAt: clock() }
    await tx
      .insert(checkedTexts)
      .values({ ...values, transcriptionId: row.id })
      .onConflictDoUpdate({ target: checkedTexts.transcriptionId, set: values })
    return accuracy
  })
}

/** Only turns that were corrected are compared with what the engine wrote, by hand or by the vocabulary. */
async function corrections(
  tx: Tx,
  { id, wordCount }: { id: string; wordCount: number | null },
): Promise<Accuracy> {
  const [kept] = await tx
    .select({ words: max(originalTurns.wordsTo) })
    .from(originalTurns)
    .where(eq(originalTurns.transcriptionId, id))
  // A turn that the vocabulary has changed has been written more than once; one that is as it was differs
  // by nothing.
  const edited = await turnsOf(tx, id, or(eq(turns.isEdited, true), gt(turns.revision, 0)))
  let corrected = 0
  for (const turn of edited)
    corrected += differences((await originalOf({ tx, id }, turn)).words, turn.words)
  return { words: kept?.words ?? wordCount ?? 0, corrected }
}

/** A text that was transcribed again since is another text. */
const isOfThisText = gte(checkedTexts.checkedAt, shownRows.finishedAt)

/** The last measurement of one text; null where its user has not gone through it. */
export async function accuracyOf(db: Db, { id }: Pick<Owned, 'id'>): Promise<Accuracy | null> {
  const [row] = await db
    .select({ words: checkedTexts.words, corrected: checkedTexts.corrected })
    .from(checkedTexts)
    .innerJoin(shownRows, eq(shownRows.id, checkedTexts.transcriptionId))
    .where(and(eq(checkedTexts.transcriptionId, id), isOfThisText))
  return row ?? null
}

/** Over all texts that this user has checked. */
export async function accuracyByEngine(db: Db, userId: string): Promise<EngineAccuracy[]> {
  const rows = await db
    .select({
      engine: shownRows.engine,
      recordings: count(),
      words: sum(checkedTexts.words).mapWith(Number),
      corrected: sum(checkedTexts.corrected).mapWith(Number),
    })
    .from(checkedTexts)
    .innerJoin(shownRows, eq(shownRows.id, checkedTexts.transcriptionId))
    .where(
      and(
        // An earlier text that is kept counts no more.
        eq(shownRows.userId, userId),
        eq(shownRows.isSample, false),
        isOfThisText,
      ),
    )
    .groupBy(shownRows.engine)
    .orderBy(asc(shownRows.engine))
  return rows.map(({ engine, ...figures }) => ({ engine: engine ?? 'unknown', ...figures }))
}
