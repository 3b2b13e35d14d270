/**
 * Deletes finished transcriptions: nobody can see them any more. For five minutes they can be brought
 * back; then they are removed with everything that was made from them.
 *
 * Promise: what a user deletes can be brought back for five minutes, then it is gone.
 */
import { type SQL, and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'

import * as activity from '#features/account/activity.ts'
import { isWorkedOnAgain, requireId } from '#features/row/row.ts'
import { transcriptions } from '#features/row/tables.ts'
import { isFinished } from '#features/transcriptions/status.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import type { Tx } from '#server/db.ts'
import { UNDELETE_MINUTES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

const UNDELETE_MS = UNDELETE_MINUTES * 60_000

interface Asked {
  userId: string
  ids: readonly string[]
}

/**
 * Deletes those of them that are finished, together. What is worked on, or waits for a confirmation,
 * is left; what is not there any more is passed over. Until the answered time they can be brought back.
 *
 * @throws Refusal `not_found` if none is there, `still_processing` if all that is there was left
 */
export async function remove(
  { db, clock, onEvent }: Pick<Deps, 'db' | 'clock' | 'onEvent'>,
  asked: Asked,
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
    // What was asked for and not confirmed is over; an earlier text goes, and comes back, with this one.
    await tx
      .delete(transcriptions)
      .where(and(inArray(transcriptions.againOf, deleted), eq(transcriptions.status, 'uploading')))
    await tx
      .update(transcriptions)
      // By the database's clock, as its end is.
      .set({ deletedAt: sql`now()` })
      .where(or(inArray(transcriptions.id, deleted), inArray(transcriptions.againOf, deleted)))
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

/** In the order of their ids, as everybody who locks several: so nobody waits for each other. */
const lockAll = (tx: Tx, those: SQL | undefined) =>
  tx
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(those)
    .orderBy(transcriptions.id)
    .for('update')

/** Whether they are deleted or not. @throws Refusal `not_found` for what is no id at all */
function areTheirs({ userId, ids }: Asked) {
  for (const id of ids) requireId(id)
  return and(
    eq(transcriptions.userId, userId),
    inArray(transcriptions.id, [...ids]),
    isNull(transcriptions.againOf),
  )
}

async function lockThose(tx: Tx, asked: Asked) {
  const areThere = and(areTheirs(asked), isNull(transcriptions.deletedAt))
  await lockAll(tx, areThere)
  // Read once they are locked: work on one of them may have begun meanwhile.
  return tx
    .select({
      id: transcriptions.id,
      status: transcriptions.status,
      isWorkedOn: isWorkedOnAgain,
    })
    .from(transcriptions)
    .where(areThere)
    .orderBy(transcriptions.id)
}

/**
 * Brings deleted ones back, and answers which of them are there now. Does nothing to those that are
 * not deleted.
 *
 * @throws Refusal `not_found` if none is there, also when it is too late
 */
export async function bringBack({ db }: Pick<Deps, 'db'>, asked: Asked): Promise<string[]> {
  const { userId, ids } = asked
  const areAsked = areTheirs(asked)
  const rows = await db.transaction(async (tx) => {
    await lockAll(tx, areAsked)
    await tx
      .update(transcriptions)
      .set({ deletedAt: null })
      .where(
        and(
          or(
            areAsked,
            // An earlier text comes back with its transcription, and never alone.
            and(eq(transcriptions.userId, userId), inArray(transcriptions.againOf, [...ids])),
          ),
          isNotNull(transcriptions.deletedAt),
          gt(
            transcriptions.deletedAt,
            sql`now() - ${sql.raw(`interval '${UNDELETE_MINUTES} minutes'`)}`,
          ),
        ),
      )
    return tx
      .select({ id: transcriptions.id })
      .from(transcriptions)
      .where(and(areAsked, isNull(transcriptions.deletedAt)))
  })
  if (rows.length === 0) throw new Refusal('not_found')
  return rows.map(({ id }) => id)
}
