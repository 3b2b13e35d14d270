/**
 * The library of a user's transcriptions. The database searches them by name and by what was said,
 * filters and sorts them. Each page begins where the page before ended, so that page 1,000 costs no
 * more than page 1. A deleted transcription can be brought back for a few minutes.
 */
import {
  type SQL,
  and,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import {
  type Owned,
  isAgainOf,
  isBeingRewritten,
  isOwned,
  isThere,
  lockOwned,
} from '#features/recordings/recordings.ts'
import { transcriptions } from '#features/recordings/tables.ts'
import { isStorable } from '#server/storable.ts'
import { UNDELETE_MINUTES } from '#shared/business.ts'
import { cleanOriginalName } from '#shared/file-names.ts'
import { Instant } from '#shared/instant.ts'
import { Refusal } from '#shared/refusals.ts'

import type { ListSort, ListStatus, SearchHit, TranscriptionRow } from './contract.ts'
import { findTerms, snippetOf, termsOf } from './find-words.ts'
import { placesIn } from './places.ts'
import * as ready from './ready.ts'
import { type LightRow, labelOf, toRow } from './results.ts'
import { namesOf } from './speakers.ts'
import { isFinished } from './status.ts'
import { turns } from './tables.ts'
import type { Deps } from './transcriptions.ts'

type Row = typeof transcriptions.$inferSelect

/** Lists are polled, so they leave the long texts out. */
const {
  transcriptionText: _text,
  summary: _summary,
  summaryNote: _note,
  keyPoints: _keyPoints,
  topics: _topics,
  confirmAnswer: _answer,
  peaks: _peaks,
  nameSearch: _name,
  ...lightColumns
} = getTableColumns(transcriptions)
/** What a row of a list is made of. */
export const rowColumns = lightColumns

export interface Page {
  limit: number
  offset?: number
  status?: ListStatus
  sort?: ListSort
  /** What somebody searches for. */
  q?: string | undefined
  /** Only what was uploaded at this moment or later. */
  since?: string | undefined
  /** Where the page before ended. It is valid only for the same search, filters and order. */
  cursor?: string | undefined
  /** Whether it is shown to its owner, who then sees how far each is. */
  isLooking?: boolean
}

type Light = LightRow & { sortName: string }

interface Order {
  by: SQL
  /** What a cursor keeps of the last row, and its type in the database. */
  value: (row: Light) => string | number
  type: 'timestamptz' | 'integer' | 'text'
  isDescending: boolean
}

const { createdAt, durationMs, originalName, id: rowId } = transcriptions
const byTime = { by: sql`${createdAt}`, type: 'timestamptz' } as const
const byLength = { by: sql`${durationMs}`, type: 'integer' } as const
const orders: Record<ListSort, Order> = {
  newest: { ...byTime, value: (row) => row.createdAt.toISOString(), isDescending: true },
  oldest: { ...byTime, value: (row) => row.createdAt.toISOString(), isDescending: false },
  longest: { ...byLength, value: (row) => row.durationMs, isDescending: true },
  shortest: { ...byLength, value: (row) => row.durationMs, isDescending: false },
  name: {
    by: sql`lower(${originalName})`,
    type: 'text',
    value: (row) => row.sortName,
    isDescending: false,
  },
}

/**
 * A page of a user's transcriptions, and how many there are in all that match.
 *
 * @throws Refusal `invalid_request` for a cursor that was not made for this order
 */
export async function list(
  { db, clock }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'clock'>>,
  {
    userId,
    limit,
    offset = 0,
    status = 'all',
    sort = 'newest',
    q = '',
    since,
    cursor,
    isLooking = false,
  }: { userId: string } & Page,
): Promise<{ rows: TranscriptionRow[]; total: number; next: string | undefined }> {
  const terms = termsOf(q)
  // The search holds signs only, and no word to look for.
  if (q.trim() !== '' && terms.length === 0) return { rows: [], total: 0, next: undefined }
  const search = terms.length > 0 ? { text: terms.join(' '), query: queryOf(terms) } : null
  const matching = and(
    eq(transcriptions.userId, userId),
    isNull(transcriptions.deletedAt),
    isNull(transcriptions.againOf),
    statusIs[status],
    since === undefined ? undefined : gte(createdAt, new Date(since)),
    search ? isFound(userId, search) : undefined,
  )
  const from = cursor === undefined ? undefined : readCursor(cursor, sort)
  const order = orders[sort]
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const rows = await db
    .select({ ...lightColumns, sortName: sql<string>`lower(${originalName})` })
    .from(transcriptions)
    .where(and(matching, from && isAfter(sort, from)))
    .orderBy(sql`${order.by} ${direction}`, sql`${rowId} ${direction}`)
    .limit(limit + 1)
    .offset(offset)
  // Matches are counted for the first page only. The cursor carries the number to later pages.
  const total = from?.total ?? (await db.$count(transcriptions, matching))

  const shown = rows.slice(0, limit)
  if (isLooking && clock) await ready.look(db, shown, clock())
  const last = shown.at(-1)
  const hits = search ? await hitsIn(db, shown, search.query, terms) : null
  return {
    rows: shown.map((row) => ({
      ...toRow(row),
      ...(hits ? { hits: hits.get(row.id) ?? [] } : {}),
    })),
    total,
    next:
      rows.length > limit && last
        ? writeCursor({ sort, value: order.value(last), id: last.id, total })
        : undefined,
  }
}

const finished = ['completed', 'error']
const statusIs: Record<ListStatus, SQL | undefined> = {
  all: undefined,
  open: notInArray(transcriptions.status, finished),
  finished: inArray(transcriptions.status, finished),
  completed: eq(transcriptions.status, 'completed'),
  error: eq(transcriptions.status, 'error'),
}

/** Asks for all the words in one turn. Of the last word the beginning is enough. */
function queryOf(terms: readonly string[]): SQL {
  const parts = terms.map((term, index) => {
    const phrase = sql`phraseto_tsquery('simple', search_text(${term}))`
    return index < terms.length - 1 ? phrase : sql`(${phrase}::text || ':*')::tsquery`
  })
  return sql.join(parts, sql` && `)
}

/** Finds by name or by what was said, in two queries: so each of them can use its own index. */
function isFound(userId: string, { text, query }: { text: string; query: SQL }): SQL {
  return sql`${rowId} in (
    select named.id from ${transcriptions} named
    where named.user_id = ${userId} and named.deleted_at is null and named.name_search like '%' || trim(search_text(${text})) || '%'
    union
    select spoken.id from ${transcriptions} spoken
    where spoken.user_id = ${userId} and spoken.deleted_at is null and exists (
      select from ${turns} said where said.transcription_id = spoken.id and said.search @@ (${query})))`
}

const HITS = 3

async function hitsIn(
  db: Deps['db'],
  rows: readonly Pick<Row, 'id' | 'status' | 'speakers' | 'speakerCount'>[],
  query: SQL,
  terms: readonly string[],
): Promise<Map<string, SearchHit[]>> {
  const done = rows.filter(({ status }) => status === 'completed')
  if (done.length === 0) return new Map()
  const ids = sql.join(
    done.map(({ id }) => sql`${id}::uuid`),
    sql`, `,
  )
  const { rows: found } = await db.execute<{
    transcription: string
    id: string
    speaker: number | null
    start_ms: number
    text: string
    words: { text: string; startMs: number }[]
  }>(sql`
    select said.transcription_id as transcription, id, speaker, start_ms, text, words
    from ${turns} said join (
      select transcription_id, position,
        row_number() over (partition by transcription_id order by position) as place
      from ${turns} where transcription_id in (${ids}) and search @@ (${query})
    ) found using (transcription_id, position)
    where found.place <= ${HITS} order by said.position`)
  const hits = new Map<string, SearchHit[]>()
  for (const turn of found) {
    const row = done.find(({ id }) => id === turn.transcription)
    if (!row) continue
    const places = findTerms(turn.text, terms)
    const speaker = turn.speaker === null ? null : labelOf(turn.speaker, namesOf(row))
    const hit = { turnId: turn.id, at: timeAt(turn, places[0]?.[0] ?? 0) / 1000, speaker }
    hits.set(row.id, [...(hits.get(row.id) ?? []), { ...hit, ...snippetOf(turn.text, places) }])
  }
  return hits
}

/** When the word at this place of the text was said. */
function timeAt(
  turn: { start_ms: number; text: string; words: { text: string; startMs: number }[] },
  at: number,
): number {
  const places = placesIn(turn.text, turn.words)
  const index = places.findIndex(({ to }) => to > at)
  return turn.words[index]?.startMs ?? turn.start_ms
}

interface Cursor {
  sort: ListSort
  value: string | number
  id: string
  total: number
}

/** What a cursor holds of the last row of the page before, for each order. */
const cursorOf = (sort: ListSort): z.ZodType<Cursor> =>
  z.object({
    sort: z.literal(sort),
    value: {
      timestamptz: Instant,
      integer: z.int32(),
      text: z.string().refine(isStorable),
    }[orders[sort].type],
    id: z.uuid(),
    total: z.int32().min(0),
  })

const writeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string, sort: ListSort): Cursor {
  const cursor = cursorOf(sort).safeParse(parsed(Buffer.from(text, 'base64url').toString()))
  if (!cursor.success) throw new Refusal('invalid_request')
  return cursor.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // This server never made such a cursor, so the request is refused.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isAfter(sort: ListSort, { value, id }: Cursor): SQL {
  const { by, type, isDescending } = orders[sort]
  const than = isDescending ? sql`<` : sql`>`
  return sql`(${by}, ${rowId}) ${than} (${value}::${sql.raw(type)}, ${id}::uuid)`
}

/**
 * Gives a transcription another name, on the page and on every file that is made of it.
 *
 * @throws Refusal `not_found`
 */
export async function rename(
  { db }: Pick<Deps, 'db'>,
  { name, ...owned }: Owned & { name: string },
): Promise<TranscriptionRow> {
  const [row] = await db
    .update(transcriptions)
    .set({ originalName: cleanOriginalName(name) })
    .where(isThere(owned))
    .returning(lightColumns)
  if (!row) throw new Refusal('not_found')
  return toRow(row)
}

const UNDELETE_MS = UNDELETE_MINUTES * 60_000

/**
 * Deletes a finished transcription: nobody can see it any more. Until the answered time it can be
 * brought back. Then it is removed with everything that was made from it.
 *
 * @throws Refusal `not_found`, `still_processing`
 */
export async function remove(
  { db, clock, onEvent }: Pick<Deps, 'db' | 'clock' | 'onEvent'>,
  owned: Owned,
): Promise<{ restorableUntil: Date }> {
  const now = clock()
  await db.transaction(async (tx) => {
    const row = await lockOwned(tx, owned)
    if (!isFinished(row.status) || (await isBeingRewritten(tx, row.id)))
      throw new Refusal('still_processing')
    // What was asked for and not confirmed is over; an earlier text goes, and comes back, with this one.
    await tx
      .delete(transcriptions)
      .where(and(eq(transcriptions.againOf, row.id), eq(transcriptions.status, 'uploading')))
    await tx
      .update(transcriptions)
      .set({ deletedAt: now })
      .where(or(eq(transcriptions.id, row.id), eq(transcriptions.againOf, row.id)))
    await account.noteDeletion(tx, { userId: row.userId, kind: 'transcription_deleted', now })
    const { id, userId } = row
    await onEvent?.(tx, { userId, type: 'transcription.deleted', data: { id } })
  })
  return { restorableUntil: new Date(now.getTime() + UNDELETE_MS) }
}

/**
 * Brings a deleted transcription back. Does nothing to one that is not deleted.
 *
 * @throws Refusal `not_found`, also when it is too late
 */
export async function bringBack(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  owned: Owned,
): Promise<TranscriptionRow> {
  const oldest = new Date(clock().getTime() - UNDELETE_MS)
  await db
    .update(transcriptions)
    .set({ deletedAt: null })
    .where(
      and(
        or(isOwned(owned), isAgainOf(owned)),
        isNotNull(transcriptions.deletedAt),
        gt(transcriptions.deletedAt, oldest),
      ),
    )
  const [row] = await db.select(lightColumns).from(transcriptions).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  return toRow(row)
}
