/**
 * Cuts: stretches of a recording that are to be left out. What this room promises:
 *
 * - A cut lies beside the text, in the times of the recording. Neither the recording nor the text, its
 *   corrections and its times are changed by one, and every cut can be put back.
 * - An act is cut or put back as a whole or not at all. Two acts at once are both done.
 * - The last fifty acts can be undone, one after the other, also later and in another browser. Who names the
 *   act to be undone undoes no other.
 * - Cuts belong to the recording: another text of it has the same ones.
 *
 * Public: ranges.ts, renders.ts, veiled-sound.ts, without-cuts.ts
 */
import { isDeepStrictEqual } from 'node:util'

import { and, desc, eq, inArray, lte } from 'drizzle-orm'

import { type Owned, isThere, lockFinished, renders, shownRows } from '#features/row/row.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { type CutRange, type Cuts, MOST_CUTS } from './contract.ts'
import { type Range, inSeconds, joined, lengthOf, without } from './ranges.ts'
import { cutLists } from './tables.ts'

/** So many acts can be undone. */
const KEPT_ACTS = 50

/** @throws Refusal `not_found` */
export async function get(db: Db, owned: Owned): Promise<Cuts> {
  const [row] = await db
    .select({ durationMs: shownRows.durationMs })
    .from(shownRows)
    .where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  return shown(db, await lastActs(db, owned.id), { ...row, id: owned.id })
}

/** The cuts of a recording, for whoever has made sure whose it is. */
export async function rangesOf(db: Queryable, transcriptionId: string): Promise<Range[]> {
  const [last] = await lastActs(db, transcriptionId)
  return rangesIn(last)
}

/**
 * Takes stretches out, and puts others back before. Where they are one over the other or go beyond the
 * recording, only what there is to be done is done; where that is nothing, no act is counted.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_gone`, `too_many_cuts`
 */
export async function change(
  db: Db,
  { cut, restore, ...owned }: Owned & { cut: readonly CutRange[]; restore: readonly CutRange[] },
): Promise<Cuts> {
  return db.transaction(async (tx) => {
    const row = await lockFinished(tx, owned)
    if (cut.length > 0 && row.storageKey === null) throw new Refusal('recording_gone')
    const acts = await lastActs(tx, row.id)
    const before = rangesIn(acts[0])
    const stay = without(before, within(restore, row))
    const ranges = joined([...stay, ...within(cut, row)])
    if (ranges.length > MOST_CUTS) throw new Refusal('too_many_cuts')
    if (isDeepStrictEqual(before, ranges)) return shown(tx, acts, row)
    const act = (acts[0]?.act ?? 0) + 1
    const times = timesOf(ranges)
    await tx.insert(cutLists).values({ transcriptionId: row.id, act, times })
    await tx
      .delete(cutLists)
      .where(and(eq(cutLists.transcriptionId, row.id), lte(cutLists.act, act - KEPT_ACTS - 1)))
    return shown(tx, await lastActs(tx, row.id), row)
  })
}

/**
 * Takes the last act back. Does nothing where there is none that can be.
 *
 * @throws Refusal `not_found`, `not_finished`, `cut_elsewhere`
 */
export async function undo(
  db: Db,
  { act, ...owned }: Owned & { act?: string | undefined },
): Promise<Cuts> {
  return db.transaction(async (tx: Tx) => {
    const row = await lockFinished(tx, owned)
    const acts = await lastActs(tx, row.id)
    const [last] = acts
    if (act !== undefined && act !== nameOf(last)) throw new Refusal('cut_elsewhere')
    if (!last || !canUndo(acts)) return shown(tx, acts, row)
    await tx
      .delete(cutLists)
      .where(and(eq(cutLists.transcriptionId, row.id), eq(cutLists.act, last.act)))
    return shown(tx, await lastActs(tx, row.id), row)
  })
}

type Act = Pick<typeof cutLists.$inferSelect, 'act' | 'times' | 'createdAt'>

/** Numbers come again after an undo; with its moment an act has a name of its own. */
const nameOf = (act: Act | undefined): string | null =>
  act ? `${act.act}-${act.createdAt.getTime()}` : null

/** The last act and the one before it, as far as they are kept. */
const lastActs = (db: Queryable, transcriptionId: string): Promise<Act[]> =>
  db
    .select({ act: cutLists.act, times: cutLists.times, createdAt: cutLists.createdAt })
    .from(cutLists)
    .where(eq(cutLists.transcriptionId, transcriptionId))
    .orderBy(desc(cutLists.act))
    .limit(2)

/** The very first act goes back to no cuts at all; of others the one before must be kept. */
const canUndo = ([last, before]: readonly Act[]): boolean =>
  last !== undefined && (last.act === 1 || before !== undefined)

const rangesIn = (act: Act | undefined): Range[] => listOf(act?.times ?? [])

/** As they are kept: from, to, from, to, … */
export const timesOf = (ranges: readonly Range[]): number[] =>
  ranges.flatMap(({ startMs, endMs }) => [startMs, endMs])

export function listOf(times: readonly number[]): Range[] {
  return Array.from({ length: times.length / 2 }, (_, at) => ({
    startMs: times[2 * at] ?? 0,
    endMs: times[2 * at + 1] ?? 0,
  }))
}

/** As a list, in whole milliseconds, as far as the recording goes. */
const within = (asked: readonly CutRange[], { durationMs }: { durationMs: number }): Range[] =>
  joined(
    asked.map(({ start, end }) => ({
      startMs: Math.min(Math.round(start * 1000), durationMs),
      endMs: Math.min(Math.round(end * 1000), durationMs),
    })),
  )

async function shown(
  db: Queryable,
  acts: readonly Act[],
  { id, durationMs }: { id: string; durationMs: number },
): Promise<Cuts> {
  const ranges = rangesIn(acts[0])
  return {
    cuts: inSeconds(ranges),
    remaining: (durationMs - lengthOf(ranges)) / 1000,
    canUndo: canUndo(acts),
    act: nameOf(acts[0]),
    files: await db.$count(
      renders,
      and(eq(renders.transcriptionId, id), inArray(renders.status, ['making', 'made'])),
    ),
  }
}
