/**
 * What somebody is to do: found with the summary, ticked, changed and added by its owner. What this
 * promises:
 *
 * - Each change is made under the lock of its row. Of twenty ticks at once none is lost.
 * - They stand as they were said, what was added last, until their owner moves them.
 * - A better summary or another text finds them anew, and loses nothing that its owner touched: see
 *   text/carried-actions.ts.
 * - Days count from when the recording was made. When its owner changes that, they are counted anew,
 *   but for those that its owner set.
 * - What was deleted can be brought back for as long as a transcription can, and is not found again.
 *
 * Public: action-text.ts, hidden.ts
 */
import { randomUUID } from 'node:crypto'

import { and, eq, sql } from 'drizzle-orm'

import { type Owned, type Row, everyRow, isThere, shownRows, writeRow } from '#features/row/row.ts'
import type { KeptAction } from '#features/row/kept.ts'
import { veilOf } from '#features/row/veil.ts'
import { UNKNOWN_SPEAKER } from '#features/speech/contract.ts'
import { isFresh, withoutGone } from '#features/text/carried-actions.ts'
import { shownAs, speakersOf } from '#features/text/named-speakers.ts'
import { isSameName, tidyName } from '#features/text/speakers.ts'
import { turns } from '#features/text/tables.ts'
import type { Summary } from '#features/writing/contract.ts'
import { dayOf, isSaidIn } from '#features/writing/due.ts'
import type { Db, Tx } from '#server/db.ts'
import { MOST_ACTIONS } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { hideInName } from '#shared/hidden-words.ts'
import { recordedDay } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'

import type { ActionItem, AddAction, ChangeAction } from './contract.ts'
import { veiled } from './hidden.ts'

export type Spoken = Pick<Row, 'speakers' | 'speakerCount'>

interface Deps {
  db: Db
  clock: Clock
}

type OfItem = Owned & { itemId: string }

/** As they are shown. */
export const shown = (row: Spoken & Pick<Row, 'actionItems'>): ActionItem[] =>
  (row.actionItems ?? []).filter(({ deletedAt }) => deletedAt === null).map(shownOf(row))

const shownOf =
  (row: Spoken) =>
  ({ startMs, isChanged: _isChanged, deletedAt: _deletedAt, ...item }: KeptAction): ActionItem => {
    const speakers = speakersOf(row)
    const speaker =
      item.speaker === null
        ? speakerCalled(item.who, row)
        : (speakers.find((one) => one.speaker === item.speaker)?.speaker ?? null)
    const named = speakers.find((one) => one.speaker === speaker)
    return {
      ...item,
      speaker,
      who: named ? shownAs(named) : item.who,
      at: startMs === null ? null : startMs / 1000,
    }
  }

/** The number of the speaker with that name; null where nobody is called so. */
function speakerCalled(who: string | null, row: Spoken): number | null {
  if (who === null) return null
  return speakersOf(row).find((one) => isSameName(shownAs(one), who))?.speaker ?? null
}

/** @throws Refusal `invalid_request` where nothing is left that can be seen */
function textOf(given: string): string {
  const text = tidyName(given)
  if (text === '') throw new Refusal('invalid_request')
  return text
}

function whoIs(given: string | null, row: Spoken): Pick<KeptAction, 'speaker' | 'who'> {
  const who = tidyName(given ?? '') || null
  const speaker = speakerCalled(who, row)
  return { speaker, who: speaker === null ? who : null }
}

/** What was found in a recording, as its row keeps it. */
export const kept = (found: NonNullable<Summary['actionItems']>, row: Spoken): KeptAction[] =>
  found.map(({ who, ...item }) => ({
    ...item,
    // What stands for a voice that was not told apart names nobody.
    ...whoIs(who === UNKNOWN_SPEAKER ? null : who, row),
    id: randomUUID(),
    isDone: false,
    isOwn: false,
    isChanged: false,
    deletedAt: null,
  }))

/** @throws Refusal `not_found`, `not_finished`, `too_many_action_items` */
export const add = (deps: Deps, { text, who, dueDate, ...owned }: Owned & AddAction) =>
  change(deps, owned, (items, row) => {
    requireRoom(items)
    const item: KeptAction = {
      id: randomUUID(),
      text: textOf(text),
      ...whoIs(who, row),
      due: null,
      dueDate,
      startMs: null,
      quote: null,
      isSentence: false,
      isDone: false,
      isOwn: true,
      isChanged: false,
      deletedAt: null,
    }
    return { items: [...items, item], item }
  })

/**
 * Changes what is given of one. A day of one's own takes the place of what was said of it.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export const set = (
  deps: Deps,
  { text: given, who, dueDate, isDone, before: next, ...ofItem }: OfItem & ChangeAction,
) =>
  changeOne(deps, { ...ofItem, next }, (before, { row }) => {
    if (before.deletedAt !== null) return null
    const text = given === undefined ? before.text : textOf(given)
    const isNewText = text !== before.text
    const isNewDay = dueDate !== undefined && dueDate !== before.dueDate
    const person = who === undefined ? null : whoIs(who, row)
    const isNewPerson =
      person !== null && (person.speaker !== before.speaker || person.who !== before.who)
    return {
      ...before,
      ...(isNewText ? { text, isSentence: false } : {}),
      ...(isNewPerson ? person : {}),
      ...(isNewDay ? { dueDate, due: null } : {}),
      isDone: isDone ?? before.isDone,
      isChanged: before.isChanged || isNewText || isNewPerson || isNewDay,
    }
  })

/** Hides one. What is hidden already stays so. @throws Refusal `not_found`, `not_finished` */
export const remove = (deps: Deps, ofItem: OfItem) =>
  changeOne(deps, ofItem, (before) => ({
    ...before,
    deletedAt: before.deletedAt ?? deps.clock().toISOString(),
  }))

/** @throws Refusal `not_found`, `not_finished`, `too_many_action_items` */
export const bringBack = (deps: Deps, ofItem: OfItem) =>
  changeOne(deps, ofItem, (before, { items }) => {
    if (before.deletedAt === null) return before
    if (!isFresh(before.deletedAt, deps.clock())) return null
    requireRoom(items)
    return { ...before, deletedAt: null }
  })

/**
 * Counts the days of what was said anew, from the day of the recording as its row has it now. Does
 * nothing where they were counted from that day already.
 */
export async function countAnew(
  tx: Tx,
  { id: ofRow, unless }: { id: string; unless?: string | null },
): Promise<void> {
  const [row] = await tx
    .select({
      language: everyRow.language,
      recordedAt: everyRow.recordedAt,
      actionItems: everyRow.actionItems,
    })
    .from(everyRow)
    .where(eq(everyRow.id, ofRow))
    .for('update')
  const items = row?.actionItems ?? []
  const recordedOn = recordedDay(row?.recordedAt ?? null)
  if (unless !== undefined && recordedDay(unless) === recordedOn) return
  if (!row?.language || items.length === 0) return
  const said = { language: row.language, recordedOn }
  const texts = await textsAround(tx, { id: ofRow, items })
  // What its owner set has no words for it any more.
  const counted = items.map((item) => {
    const { due, quote, text } = item
    if (due === null) return item
    const within = [...(texts.get(item.id) ?? []), quote ?? text].find((one) => isSaidIn(due, one))
    return { ...item, dueDate: dayOf(due, { ...said, within: within ?? due }) }
  })
  await writeRow(tx, ofRow, { actionItems: counted })
}

/** The turns in which they were said: what stands beside a day may not be in the quote. */
async function textsAround(
  tx: Tx,
  { id: ofRow, items }: { id: string; items: readonly KeptAction[] },
): Promise<Map<string, string[]>> {
  const times = items.flatMap(({ due, startMs }) =>
    due === null || startMs === null ? [] : startMs,
  )
  const isAround = sql`exists (select from unnest(${sql.param(times)}::integer[]) at
    where at between ${turns.startMs} and ${turns.endMs})`
  const said = await tx
    .select({ startMs: turns.startMs, endMs: turns.endMs, text: turns.text })
    .from(turns)
    .where(and(eq(turns.transcriptionId, ofRow), isAround))
  const around = (at: number) => said.filter(({ startMs, endMs }) => startMs <= at && at <= endMs)
  return new Map(
    items.map((item) => [
      item.id,
      item.startMs === null ? [] : around(item.startMs).map(({ text }) => text),
    ]),
  )
}

function requireRoom(items: readonly KeptAction[]): void {
  const there = items.filter(({ deletedAt }) => deletedAt === null)
  if (there.length >= MOST_ACTIONS) throw new Refusal('too_many_action_items')
}

/**
 * Changes one under the lock of its row; null stands for what is not there to be changed. `next`: it goes
 * before that one, or to the end for null.
 */
const changeOne = (
  deps: Deps,
  { itemId, next, ...owned }: OfItem & { next?: string | null | undefined },
  work: (before: KeptAction, of: { items: KeptAction[]; row: Spoken }) => KeptAction | null,
) =>
  change(deps, owned, (items, row) => {
    const before = items.find(({ id }) => id === itemId)
    const item = before && work(before, { items, row })
    if (!item) throw new Refusal('not_found')
    if (next === undefined)
      return { items: items.map((one) => (one === before ? item : one)), item }
    const others = items.filter((one) => one !== before)
    const to = next === null ? others.length : others.findIndex(({ id }) => id === next)
    if (to < 0) throw new Refusal('not_found')
    return { items: others.toSpliced(to, 0, item), item }
  })

type Changed = { items: KeptAction[]; item: KeptAction }

/** Not the whole row, which holds hours of text. */
const columns = {
  id: shownRows.id,
  userId: shownRows.userId,
  againOf: shownRows.againOf,
  status: shownRows.status,
  originalName: shownRows.originalName,
  actionItems: shownRows.actionItems,
  speakers: shownRows.speakers,
  speakerCount: shownRows.speakerCount,
  language: shownRows.language,
  summaryLanguage: shownRows.summaryLanguage,
}

/** Runs one change under the lock of its row, and answers the item that it left. */
async function change(
  { db, clock }: Deps,
  owned: Owned,
  work: (items: KeptAction[], row: Spoken) => Changed,
): Promise<ActionItem> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select(columns).from(shownRows).where(isThere(owned)).for('update')
    if (!row) throw new Refusal('not_found')
    if (row.status !== 'completed') throw new Refusal('not_finished')
    const { items, item } = work(withoutGone(row.actionItems ?? [], clock()), row)
    await writeRow(tx, row.id, { actionItems: items })
    return shownOf(row)(item)
  })
}

/** For a calendar, as others get it. @throws Refusal `not_found`, `not_finished`, `no_action_items` */
export async function list(
  { db }: Pick<Deps, 'db'>,
  owned: Owned,
): Promise<{ originalName: string; items: ActionItem[] }> {
  const [row] = await db.select(columns).from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  const veil = await veilOf(db, row)
  const items = shown(veil ? veiled(row, veil) : row)
  if (items.length === 0) throw new Refusal('no_action_items')
  const { originalName } = row
  return { originalName: veil ? hideInName(originalName, veil) : originalName, items }
}
