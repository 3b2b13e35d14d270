/**
 * The library of a user's transcriptions: its pages, found by names, tags and what was said, filtered
 * and sorted by the database. Each page begins where the page before ended, so that page 1,000 costs
 * no more than page 1.
 *
 * Public: hidden.ts
 */
import { type SQL, and, eq, gte, inArray, notInArray, or, sql } from 'drizzle-orm'

import { timeZoneOf } from '#features/account/time-zone.ts'
import * as actionItems from '#features/action-items/action-items.ts'
import { refuseFuture } from '#features/recordings/options.ts'
import { withSame } from '#features/recordings/same.ts'
import {
  type Owned,
  everyRow,
  isThere,
  lockOwned,
  shownRows,
  shownStatus,
  tags,
  transcriptionTags,
  writeShown,
} from '#features/row/row.ts'
import type { Tag } from '#features/transcriptions/contract.ts'
import * as ready from '#features/transcriptions/ready.ts'
import {
  type LibraryRow,
  type LightRow,
  toLibraryRow,
  lightColumns,
} from '#features/transcriptions/results.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { withPlaces } from '#features/transcriptions/waiting.ts'
import type { Db } from '#server/db.ts'
import { MOST_CHOSEN } from '#shared/business.ts'
import { cleanOriginalName } from '#shared/file-names.ts'
import { onClockOf } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'
import { nameKeyOf } from '#shared/written.ts'
import { wholeSeconds } from '#shared/format.ts'

import { type Ids, type KnownSpeakers, type ListSort, type ListStatus, NO_TAG } from './contract.ts'
import { termsOf } from './find-words.ts'
import { type Totals, by, cursorAfter, inOrder, readCursor } from './list-order.ts'
import { type Search, foundBy, hitsIn, readSearch } from './search.ts'

export interface Filters {
  status?: ListStatus
  sort?: ListSort
  /** The words that somebody searches for. */
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
  const { rows, search, totals, next } = await find(db, { userId, ...page })
  if (isLooking && clock) await ready.look(db, rows, clock())
  const hits = search ? await hitsIn(db, rows, search) : null
  const shown = rows.map((row) => ({
    ...toLibraryRow(row),
    ...(hits ? { hits: hits.get(row.id) ?? [], places: row.places } : {}),
  }))
  return {
    rows: await withSame(db, await withPlaces(db, shown)),
    totals,
    next,
  }
}

/**
 * The ids of a list in all its pages, as many as one call can change.
 *
 * @throws Refusal `invalid_request`
 */
export async function idsOf(
  { db }: Pick<Deps, 'db'>,
  asked: { userId: string } & Filters,
): Promise<Ids> {
  const { rows, totals } = await find(db, { ...asked, limit: MOST_CHOSEN })
  return {
    rows: rows.map((row) => ({
      id: row.id,
      status: shownStatus(row),
      duration: wholeSeconds(row.durationMs),
    })),
    total: totals.rows,
  }
}

interface Found {
  rows: (LightRow & { firstWords: string | null; tags: Tag[]; places: number })[]
  search: Search | null
  totals: Totals
  next: string | undefined
}

/** Which rows a page has, and what they show, in one query: asking costs more than finding. */
async function find(db: Db, asked: { userId: string } & Page): Promise<Found> {
  const { userId, limit, offset = 0, cursor, ...filters } = asked
  const { q = '', speaker } = filters
  const search = q.trim() === '' ? null : await readSearch(db, { userId, q, speaker })
  // A search without a word.
  if (q.trim() !== '' && !search)
    return { rows: [], search, totals: { rows: 0, places: 0 }, next: undefined }

  const sort = orderOf(filters.sort, search)
  const from = cursor === undefined ? undefined : readCursor(cursor, sort)
  const matching = whichAre(userId, filters)
  const count = from ? nothing : countOf(matching, search)
  const table = db
    .select({
      id: shownRows.id,
      by: by(sort).as('by'),
      places: (search ? sql<number>`found.places` : nothing.places).as('places'),
      allRows: count.rows.as('all_rows'),
      allPlaces: count.places.as('all_places'),
    })
    .from(shownRows)
    .$dynamic()
  const page = (search ? table.innerJoin(foundBy(search), sql`found.id = ${shownRows.id}`) : table)
    .where(and(matching, from?.after))
    .orderBy(...inOrder(sort, { by: by(sort), id: shownRows.id }))
    .limit(limit + 1)
    .offset(offset)
    .as('page')
  // The rest is read of these rows alone: nobody unpacks a text to sort its row.
  const { places, allRows, allPlaces } = page
  const value = sql<string | number>`to_jsonb(${page.by})`
  const rows = await db
    .select({ ...lightColumns, places, allRows, allPlaces, value })
    .from(page)
    .innerJoin(shownRows, eq(shownRows.id, page.id))
    .orderBy(...inOrder(sort, page))

  const [first] = rows
  // Past the end there is no row to say how many there are.
  if (!first && offset > 0)
    return { ...(await find(db, { ...asked, offset: 0 })), rows: [], next: undefined }
  const totals = from?.totals ?? {
    rows: first?.allRows ?? 0,
    ...(search ? { places: first?.allPlaces ?? 0 } : {}),
  }
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? cursorAfter(sort, last, totals) : undefined
  return { rows: shown, search, totals, next }
}

/** Without words to look for nothing matches better than anything else. */
const orderOf = (sort: ListSort = 'newest', search: Search | null): ListSort =>
  sort === 'best' && !search ? 'newest' : sort

/**
 * How many there are in all, counted for the first page only: the cursor carries it to later ones. A
 * search goes through all that it finds; the rest is counted from an index.
 */
const countOf = (matching: SQL | undefined, search: Search | null) =>
  search
    ? {
        rows: sql<number>`(count(*) over ())::integer`,
        places: sql<number>`(sum(found.places) over ())::integer`,
      }
    : {
        ...nothing,
        rows: sql<number>`(select count(*)::integer from ${shownRows} ${matching ? sql`where ${matching}` : sql``})`,
      }
const nothing = { rows: sql<number>`0`, places: sql<number>`0` }

const finished = ['completed', 'error']
const statusIs: Record<ListStatus, SQL | undefined> = {
  all: undefined,
  open: notInArray(shownRows.status, finished),
  finished: inArray(shownRows.status, finished),
  completed: eq(shownRows.status, 'completed'),
  error: eq(shownRows.status, 'error'),
}

function whichAre(
  userId: string,
  { status = 'all', tag = [], speaker, since }: Filters,
): SQL | undefined {
  return and(
    eq(shownRows.userId, userId),
    statusIs[status],
    since === undefined ? undefined : gte(shownRows.createdAt, new Date(since)),
    ...[tag].flat().map((name) => hasTag(userId, name)),
    speaker === undefined
      ? undefined
      : sql`${shownRows.speakerSearch} like '%|' || speaker_key(${speaker}) || '|%'`,
  )
}

function hasTag(userId: string, name: string): SQL {
  const ofIt = sql`of_it.transcription_id = ${shownRows.id}`
  if (name === NO_TAG) return sql`not exists (select from ${transcriptionTags} of_it where ${ofIt})`
  return sql`exists (
    select from ${transcriptionTags} of_it join ${tags} tag on tag.id = of_it.tag_id
    where ${ofIt} and tag.user_id = ${userId} and tag.name_key = ${nameKeyOf(name)})`
}

/** One row of the list. @throws Refusal `not_found` */
export async function row({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<LibraryRow> {
  const [found] = await db.select(lightColumns).from(shownRows).where(isThere(owned))
  if (!found) throw new Refusal('not_found')
  return toLibraryRow(found)
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
  await writeShown(db, owned, { originalName: cleanOriginalName(name) })
  return row({ db }, owned)
}

/**
 * Says when it was recorded; null: nobody knows. The days that were said are counted anew, in the text
 * from before too, which may come back.
 *
 * @throws Refusal `not_found`, `invalid_request` for a day that is still to come
 */
export async function setRecordedAt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    recordedAt,
    timeZone = null,
    ...owned
  }: Owned & { recordedAt: string | null; timeZone?: string | undefined | null },
): Promise<void> {
  refuseFuture({ recordedAt, timeZone }, clock())
  await db.transaction(async (tx) => {
    // Before the transcription is locked: whoever deletes an account locks the user first.
    const zone = (await timeZoneOf(tx, { userId: owned.userId, told: timeZone })) ?? 'UTC'
    const { id } = await lockOwned(tx, owned)
    const rows = await tx
      .update(everyRow)
      .set({ recordedAt: recordedAt === null ? null : onClockOf(zone, recordedAt) })
      .where(or(eq(everyRow.id, id), eq(everyRow.againOf, id)))
      .returning({ id: everyRow.id })
    for (const one of rows) await actionItems.countAnew(tx, one)
  })
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
    select (array_agg(one.name order by shown.created_at desc))[1] as name,
      count(distinct shown.id)::integer as count
    from ${shownRows} cross join lateral unnest(
      string_to_array(trim(both '|' from shown.speaker_search), '||'),
      array(select each ->> 'name' from jsonb_array_elements(shown.speakers) each
        where each ->> 'name' is not null)) one (key, name)
    where shown.user_id = ${userId} and shown.speaker_search <> '' ${sql.join(has, sql` `)}
    group by one.key order by count(distinct shown.id) desc, one.key limit ${MOST_SPEAKERS}`)
  return rows
}
