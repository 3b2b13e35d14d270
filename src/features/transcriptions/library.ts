/**
 * The library of a user's transcriptions: its pages, found by names, tags and what was said, filtered
 * and sorted by the database. Each page begins where the page before ended, so that page 1,000 costs
 * no more than page 1.
 */
import {
  type SQL,
  and,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  notInArray,
  sql,
} from 'drizzle-orm'

import { type Owned, isThere } from '#features/recordings/recordings.ts'
import { transcriptions } from '#features/recordings/tables.ts'
import type { Db } from '#server/db.ts'
import { MOST_CHOSEN } from '#shared/business.ts'
import { cleanOriginalName } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Ids, type KnownSpeakers, type ListSort, type ListStatus, NO_TAG } from './contract.ts'
import { termsOf } from './find-words.ts'
import {
  type Placed,
  type Totals,
  cursorAfter,
  inOrder,
  placing,
  readCursor,
} from './list-order.ts'
import * as ready from './ready.ts'
import { type LibraryRow, toLibraryRow } from './results.ts'
import { type Search, foundBy, hitsIn, readSearch } from './search.ts'
import { tags, transcriptionTags } from './tables.ts'
import { keyOf, tagsOf } from './tags.ts'
import type { Deps } from './transcriptions.ts'

/** So many characters of a text are more than one line. */
const FIRST_CHARACTERS = 200

/** Lists are polled, so they leave the long texts out. */
const {
  transcriptionText,
  summary: _summary,
  summaryNote: _note,
  keyPoints: _keyPoints,
  topics: _topics,
  confirmAnswer: _answer,
  peaks: _peaks,
  nameSearch: _name,
  speakerSearch: _speakers,
  ...shortColumns
} = getTableColumns(transcriptions)
const lightColumns = {
  ...shortColumns,
  firstWords: sql<string | null>`left(${transcriptionText}, ${sql.raw(String(FIRST_CHARACTERS))})`,
}

export interface Filters {
  status?: ListStatus
  sort?: ListSort
  /** What somebody searches for. */
  q?: string | undefined
  /** Names of tags: all of them, or `none` for what has none. */
  tag?: string | readonly string[] | undefined
  /** A name that somebody gave a speaker. */
  speaker?: string | undefined
  /** Only what was uploaded at this moment or later. */
  since?: string | undefined
}

export interface Page extends Filters {
  limit: number
  offset?: number
  /** Where the page before ended. It is valid only for the same search, filters and order. */
  cursor?: string | undefined
  /** Whether it is shown to its owner, who then sees how far each is. */
  isLooking?: boolean
}

/**
 * A page of a user's transcriptions, and how many there are in all that match.
 *
 * @throws Refusal `invalid_request` for a cursor that was not made for this order
 */
export async function list(
  { db, clock }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'clock'>>,
  { userId, isLooking = false, ...page }: { userId: string } & Page,
): Promise<{ rows: LibraryRow[]; totals: Totals; next: string | undefined }> {
  const found = await find(db, { userId, ...page })
  if (!found) return { rows: [], totals: { rows: 0, places: 0 }, next: undefined }
  const { search, totals, next } = found
  const ids = found.rows.map(({ id }) => id)
  const places = new Map(found.rows.map(({ id, places }) => [id, places]))
  const rows = await lightRows(db, userId, ids)
  if (isLooking && clock) await ready.look(db, rows, clock())
  const hits = search ? await hitsIn(db, rows, search) : null
  const tagsBy = await tagsOf(db, { userId, ids })
  return {
    rows: rows.map((row) => ({
      ...toLibraryRow(row, tagsBy.get(row.id)),
      ...(hits ? { hits: hits.get(row.id) ?? [], places: places.get(row.id) ?? 0 } : {}),
    })),
    totals,
    next,
  }
}

/**
 * What a list has in all its pages, as far as one call can change it.
 *
 * @throws Refusal `invalid_request`
 */
export async function idsOf(
  { db }: Pick<Deps, 'db'>,
  asked: { userId: string } & Filters,
): Promise<Ids> {
  const found = await find(db, { ...asked, limit: MOST_CHOSEN })
  const rows = found?.rows ?? []
  return {
    rows: rows.map(({ id, status, durationMs }) => ({
      id,
      status,
      duration: Math.floor(durationMs / 1000),
    })),
    total: found?.totals.rows ?? 0,
  }
}

interface Found {
  rows: (Placed & { status: string; places: number })[]
  search: Search | null
  totals: Totals
  next: string | undefined
}

/** Which rows a page has; null for a search without a word. */
async function find(
  db: Db,
  { userId, limit, offset = 0, cursor, ...filters }: { userId: string } & Page,
): Promise<Found | null> {
  const { q = '', speaker } = filters
  const search = q.trim() === '' ? null : await readSearch(db, { userId, q, speaker })
  if (q.trim() !== '' && !search) return null
  const sort = orderOf(filters.sort, search)
  const from = cursor === undefined ? undefined : readCursor(cursor, sort)
  const matching = whichAre(userId, filters)
  const nothing = sql<number>`0`
  const table = db
    .select({
      ...placing,
      status: transcriptions.status,
      ...(search
        ? { places: sql<number>`found.places`, worth: sql<number>`found.worth::float8` }
        : { places: nothing, worth: nothing }),
    })
    .from(transcriptions)
    .$dynamic()
  const rows = await (
    search ? table.innerJoin(foundBy(search), sql`found.id = ${transcriptions.id}`) : table
  )
    .where(and(matching, from?.after))
    .orderBy(...inOrder(sort))
    .limit(limit + 1)
    .offset(offset)
  // Matches are counted for the first page only. The cursor carries the number to later pages.
  const totals = from?.totals ?? (await totalsOf(db, matching, search))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? cursorAfter(sort, last, totals) : undefined
  return { rows: shown, search, totals, next }
}

/** Without words to look for nothing matches better than anything else. */
const orderOf = (sort: ListSort = 'newest', search: Search | null): ListSort =>
  sort === 'best' && !search ? 'newest' : sort

async function totalsOf(db: Db, matching: SQL | undefined, search: Search | null): Promise<Totals> {
  if (!search) return { rows: await db.$count(transcriptions, matching) }
  const [counted] = await db
    .select({
      rows: sql<number>`count(*)::integer`,
      places: sql<number>`coalesce(sum(found.places), 0)::integer`,
    })
    .from(transcriptions)
    .innerJoin(foundBy(search), sql`found.id = ${transcriptions.id}`)
    .where(matching)
  return counted ?? { rows: 0, places: 0 }
}

const finished = ['completed', 'error']
const statusIs: Record<ListStatus, SQL | undefined> = {
  all: undefined,
  open: notInArray(transcriptions.status, finished),
  finished: inArray(transcriptions.status, finished),
  completed: eq(transcriptions.status, 'completed'),
  error: eq(transcriptions.status, 'error'),
}

function whichAre(
  userId: string,
  { status = 'all', tag = [], speaker, since }: Filters,
): SQL | undefined {
  return and(
    eq(transcriptions.userId, userId),
    isNull(transcriptions.deletedAt),
    isNull(transcriptions.againOf),
    statusIs[status],
    since === undefined ? undefined : gte(transcriptions.createdAt, new Date(since)),
    ...[tag].flat().map((name) => hasTag(userId, name)),
    speaker === undefined
      ? undefined
      : sql`${transcriptions.speakerSearch} like '%|' || speaker_key(${speaker}) || '|%'`,
  )
}

function hasTag(userId: string, name: string): SQL {
  const ofIt = sql`of_it.transcription_id = ${transcriptions.id}`
  if (name === NO_TAG) return sql`not exists (select from ${transcriptionTags} of_it where ${ofIt})`
  return sql`exists (
    select from ${transcriptionTags} of_it join ${tags} tag on tag.id = of_it.tag_id
    where ${ofIt} and tag.user_id = ${userId} and tag.name_key = ${keyOf(name)})`
}

/** Rows in the order of their ids. */
async function lightRows(db: Db, userId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .select(lightColumns)
    .from(transcriptions)
    .where(and(eq(transcriptions.userId, userId), inArray(transcriptions.id, [...ids])))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Rows of the list, in the order of their ids. What is not there is left out. */
export async function rowsOf(
  db: Db,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<LibraryRow[]> {
  const tagsBy = await tagsOf(db, { userId, ids })
  const rows = await lightRows(db, userId, ids)
  return rows.map((row) => toLibraryRow(row, tagsBy.get(row.id)))
}

/** One row of the list. @throws Refusal `not_found` */
export async function row({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<LibraryRow> {
  const [found] = await db.select(lightColumns).from(transcriptions).where(isThere(owned))
  if (!found) throw new Refusal('not_found')
  const tagsBy = await tagsOf(db, { userId: owned.userId, ids: [found.id] })
  return toLibraryRow(found, tagsBy.get(found.id))
}

/**
 * Gives a transcription another name, on the page and on every file that is made of it.
 *
 * @throws Refusal `not_found`
 */
export async function rename(
  { db }: Pick<Deps, 'db'>,
  { name, ...owned }: Owned & { name: string },
): Promise<LibraryRow> {
  await db
    .update(transcriptions)
    .set({ originalName: cleanOriginalName(name) })
    .where(isThere(owned))
  return row({ db }, owned)
}

const MOST_SPEAKERS = 200

/** Names that were given to speakers, the most frequent first; with `q`, those it begins a word of. */
export async function speakers(
  { db }: Pick<Deps, 'db'>,
  { userId, q = '' }: { userId: string; q?: string | undefined },
): Promise<KnownSpeakers> {
  const terms = termsOf(q)
  if (q.trim() !== '' && terms.length === 0) return []
  const has = terms.map((term) => sql`and ' ' || one.key like '% ' || speaker_key(${term}) || '%'`)
  const { rows } = await db.execute<KnownSpeakers[number]>(sql`
    select (array_agg(one.name order by mine.created_at desc))[1] as name,
      count(distinct mine.id)::integer as count
    from ${transcriptions} mine cross join lateral unnest(
      string_to_array(trim(both '|' from mine.speaker_search), '||'),
      array(select each ->> 'name' from jsonb_array_elements(mine.speakers) each
        where each ->> 'name' is not null)) one (key, name)
    where mine.user_id = ${userId} and mine.deleted_at is null and mine.again_of is null
      and mine.speaker_search <> '' ${sql.join(has, sql` `)}
    group by one.key order by count(distinct mine.id) desc, one.key limit ${MOST_SPEAKERS}`)
  return rows
}
