/**
 * Deletes finished transcriptions: nobody can see them any more. For five minutes they can be brought
 * back; then they are removed with everything that was made from them.
 *
 * Promise: what a user deletes can be brought back for five minutes, then it is gone.
 */
import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'

import * as activity from '#features/account/activity.ts'
import { everyRow, isWorkedOnAgain, requireId, shownRows } from '#features/row/row.ts'
import { isFinished } from '#features/transcriptions/status.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import type { Tx } from '#server/db.ts'
import { UNDELETE_MINUTES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

const UNDELETE_MS = UNDELETE_MINUTES * 60_000

interface OwnedIds {
  userId: string
  ids: readonly string[]
}

/**
 * Deletes those of them that are finished, together. Those that are worked on, or wait for a
 * confirmation, are left; those that are gone are passed over. Until the answered time the deleted ones
 * can be brought back.
 *
 * @throws Refusal `not_found` if none is there, `still_processing` if all that is there was left
 */
export async function remove(
  { db, clock, onEvent }: Pick<Deps, 'db' | 'clock' | 'onEvent'>,
  asked: OwnedIds,
): Promise<{ deleted: string[]; left: string[]; restorableUntil: Date }> {
  const now = clock()
  const { userId } = asked
  return db.transaction(async (tx) => {
    const rows = await lockThose(tx, asked)
    if (rows.length === 0) throw new Refusal('not_found')
    const canGo = ({ status, isWorkedOn }: (typeof rows)[number]) =>
      isFinished(status) && !isWorkedOn
    const deleted = rows.filter(canGo).map(({ id }) => id)
    if (deleted.length === 0) throw new Refusal('still_processing')
    // Work that was not confirmed ends; an earlier text goes, and comes back, with this one.
    await tx
      .delete(everyRow)
      .where(and(inArray(everyRow.againOf, deleted), eq(everyRow.status, 'uploading')))
    await tx
      .update(everyRow)
      // By the database's clock, as its end is.
      .set({ deletedAt: sql`now()` })
      .where(or(inArray(everyRow.id, deleted), inArray(everyRow.againOf, deleted)))
    const kind = 'transcription_deleted'
    const count = deleted.length === 1 ? {} : { count: deleted.length }
    await activity.note(tx, { userId, kind, ...count, now })
    for (const id of deleted)
      await onEvent?.(tx, { userId, type: 'transcription.deleted', data: { id } })
    return {
      deleted,
      left: rows.filter((row) => !canGo(row)).map(({ id }) => id),
      restorableUntil: new Date(now.getTime() + UNDELETE_MS),
    }
  })
}

const areThere = ({ userId, ids }: OwnedIds) =>
  and(eq(shownRows.userId, userId), inArray(shownRows.id, [...ids]))

/** @throws Refusal `not_found` for what is no id at all */
async function lockThose(tx: Tx, asked: OwnedIds) {
  for (const id of asked.ids) requireId(id)
  const { id, status } = shownRows
  // In the order of their ids, as everybody who locks several: so nobody waits for each other.
  await tx.select({ id }).from(shownRows).where(areThere(asked)).orderBy(id).for('update')
  // Read once they are locked: work on one of them may have begun meanwhile.
  return tx
    .select({ id, status, isWorkedOn: sql<boolean>`${isWorkedOnAgain(id)}` })
    .from(shownRows)
    .where(areThere(asked))
    .orderBy(id)
}

/**
 * Brings deleted ones back, and answers which of them are there now. Does nothing to those that are
 * not deleted.
 *
 * @throws Refusal `not_found` if none is there, also when it is too late
 */
export async function bringBack({ db }: Pick<Deps, 'db'>, asked: OwnedIds): Promise<string[]> {
  const { userId, ids } = asked
  for (const id of ids) requireId(id)
  const { id, againOf } = everyRow
  const areAsked = and(eq(everyRow.userId, userId), inArray(id, [...ids]), isNull(againOf))
  const rows = await db.transaction(async (tx) => {
    // In the order of their ids, as everybody who locks several.
    await tx.select({ id }).from(everyRow).where(areAsked).orderBy(id).for('update')
    await tx
      .update(everyRow)
      .set({ deletedAt: null })
      .where(
        and(
          or(
            areAsked,
            // An earlier text comes back with its transcription, and never alone.
            and(eq(everyRow.userId, userId), inArray(againOf, [...ids])),
          ),
          isNotNull(everyRow.deletedAt),
          gt(everyRow.deletedAt, sql`now() - ${sql.raw(`interval '${UNDELETE_MINUTES} minutes'`)}`),
        ),
      )
    return tx.select({ id: shownRows.id }).from(shownRows).where(areThere(asked))
  })
  if (rows.length === 0) throw new Refusal('not_found')
  return rows.map(({ id }) => id)
}
