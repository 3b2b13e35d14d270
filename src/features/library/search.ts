/**
 * Searches what an account has: names of recordings, tags, and what was said. A turn is found when
 * it has all the words of a search. The name of its speaker counts as well: "binder ben" finds
 * where Ben says it. Every part of the query asks whose it is.
 */
import { type SQL, sql } from 'drizzle-orm'

import { type Row, shownRows, tags, transcriptionTags } from '#features/row/row.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import { placesIn } from '#features/text/places.ts'
import { turns } from '#features/text/tables.ts'
import type { SearchHit } from '#features/transcriptions/contract.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import type { Db } from '#server/db.ts'
import { OTHER_LANGUAGE } from '#shared/other-language.ts'

import { findTerms, isOpen, snippetOf, termsOf } from './find-words.ts'

/** One way to find a place: words in a turn, and by name who says them, if that is asked. */
interface Way {
  said: SQL | null
  names: string[] | null
}

export interface Search {
  userId: string
  terms: string[]
  /** Whether the last term may go on. */
  isEndOpen: boolean
  ways: Way[]
}

/**
 * Reads the words to search for; null where the search has only signs, and no word.
 * `speaker`: only what somebody of this name said.
 */
export async function readSearch(
  db: Db,
  { userId, q, speaker }: { userId: string; q: string; speaker: string | undefined },
): Promise<Search | null> {
  const terms = termsOf(q)
  if (terms.length === 0) return null
  const isEndOpen = isOpen(q)
  const said = (kept: readonly string[]) => queryOf(kept, isEndOpen && kept.at(-1) === terms.at(-1))
  if (speaker !== undefined)
    return {
      userId,
      terms,
      isEndOpen,
      ways: [{ said: said(terms), names: [await folded(db, speaker)] }],
    }

  // Speakers whose names have words of the search, by which words these are.
  const named = Map.groupBy(await namesWith(db, userId, terms), ({ has }) => has.join())
  const ofSpeakers = [...named.values()].slice(0, MOST_WAYS).map((group): Way => {
    const rest = terms.filter((_, index) => !group[0]?.has.includes(index))
    const names = group.map(({ name }) => name)
    return { said: rest.length > 0 ? said(rest) : null, names }
  })
  return { userId, terms, isEndOpen, ways: [{ said: said(terms), names: null }, ...ofSpeakers] }
}

/** How many sets of words that are in names of speakers are looked at. */
const MOST_WAYS = 4

/** Asks for all the words in one turn. Of the last word the beginning is enough. */
function queryOf(terms: readonly string[], isEndOpen: boolean): SQL {
  const parts = terms.map((term, index) => {
    const phrase = sql`phraseto_tsquery('simple', search_text(${term}))`
    return isEndOpen && index === terms.length - 1
      ? sql`(${phrase}::text || ':*')::tsquery`
      : phrase
  })
  return sql.join(parts, sql` && `)
}

async function folded(db: Db, text: string): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(sql`select speaker_key(${text}) as name`)
  return rows[0]?.name ?? ''
}

/** Names of speakers, folded, that have words which begin with terms; and which terms. */
async function namesWith(
  db: Db,
  userId: string,
  terms: readonly string[],
): Promise<{ name: string; has: number[] }[]> {
  const like = sql.join(
    terms.map(
      (term) => sql`speaker_search like (select '%|' || ${foldedTerm(term)} || '%')
      or speaker_search like (select '% ' || ${foldedTerm(term)} || '%')`,
    ),
    sql` or `,
  )
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct unnest(string_to_array(trim(both '|' from speaker_search), '||')) as name
    from ${shownRows} where ${isMine(userId)} and (${like})`)
  return rows
    .map(({ name }) => ({
      name,
      has: terms.flatMap((term, index) => (beginsIn(name, term) ? [index] : [])),
    }))
    .filter(({ has }) => has.length > 0)
}

/** Within a query of its own, so that it is folded once, and not anew for every row. */
const foldedTerm = (term: string) => sql`trim(search_text(${term}))`

const beginsIn = (name: string, term: string): boolean => ` ${name}`.includes(` ${term}`)

const isMine = (userId: string) => sql`shown.user_id = ${userId}`

/** `|ben okafor|`, as `speaker_search` holds each name. */
const hasName = (names: readonly string[]) =>
  sql`shown.speaker_search like any (array[${sql.join(
    names.map((name) => sql`'%|' || ${name} || '|%'`),
    sql`, `,
  )}])`

/** Which speakers of which transcriptions have one of these names. */
const voicesOf = (userId: string, names: readonly string[]) => sql`
  select shown.id, (one.value ->> 'speaker')::integer as speaker
  from ${shownRows} cross join lateral jsonb_array_elements(shown.speakers) one
  where ${isMine(userId)} and ${hasName(names)} and speaker_key(one.value ->> 'name') in (${sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  )})`

/** Every turn in which it was said, once, with its transcription. */
function placesFor({ userId, ways }: Search, ids?: readonly string[]): SQL {
  const among = ids
    ? sql`and said.transcription_id in (${sql.join(
        ids.map((id) => sql`${id}::uuid`),
        sql`, `,
      )})`
    : sql``
  const parts = ways.flatMap(({ said, names }) =>
    said === null
      ? []
      : [
          sql`select said.transcription_id as id, said.position from ${turns} said
            join ${
              names === null
                ? sql`${shownRows} on shown.id = said.transcription_id and ${isMine(userId)}`
                : sql`(${voicesOf(userId, names)}) voice
                  on voice.id = said.transcription_id and voice.speaker = said.speaker`
            }
            where said.search @@ (${said}) and said.text <> ${OTHER_LANGUAGE} ${among}`,
        ],
  )
  return sql.join(parts, sql` union `)
}

/** A name is worth more than any number of places, so that a user who types a name finds it first. */
const NAME = 200_000
const TAG_OR_SPEAKER = 100_000
const MOST_PLACES = 99_999

/** The worth of a transcription in the table `found`; of two equal ones the newer is worth more. */
export const worth = sql`((found.kind + least(found.places, ${sql.raw(String(MOST_PLACES))})) * 10000000000
  + extract(epoch from ${shownRows.createdAt})::bigint)`

/**
 * A table `found` of transcriptions: in how many turns it was said, and the best kind of match. Each
 * kind is a query by itself, which can use its own index.
 */
export function foundBy(search: Search): SQL {
  const { userId, terms, ways } = search
  const every = (column: SQL) =>
    sql.join(
      terms.map((term) => sql`${column} like (select '%' || ${foldedTerm(term)} || '%')`),
      sql` and `,
    )
  const speakers = ways.flatMap(({ said, names }) =>
    said === null && names !== null
      ? [
          sql`select shown.id, 0, ${TAG_OR_SPEAKER}::integer from ${shownRows}
            where ${isMine(userId)} and ${hasName(names)}`,
        ]
      : [],
  )
  const parts = [
    sql`select id, count(*)::integer as places, 0 as kind from (${placesFor(search)}) place group by id`,
    sql`select shown.id, 0, ${NAME}::integer from ${shownRows}
      where ${isMine(userId)} and ${every(sql`shown.name_search`)}`,
    sql`select of_it.transcription_id, 0, ${TAG_OR_SPEAKER}::integer
      from ${tags} tag join ${transcriptionTags} of_it on of_it.tag_id = tag.id
      where tag.user_id = ${userId} and ${every(sql`search_text(tag.name)`)}`,
    ...speakers,
  ]
  return sql`(
    select id, sum(places)::integer as places, max(kind) as kind
    from (${sql.join(parts, sql` union all `)}) one group by id) found`
}

const HITS = 3

/** The first places of each of these transcriptions. */
export async function hitsIn(
  db: Db,
  rows: readonly Pick<Row, 'id' | 'status' | 'speakers' | 'speakerCount'>[],
  search: Search,
): Promise<Map<string, SearchHit[]>> {
  const done = new Map(
    rows.filter(({ status }) => status === 'completed').map((row) => [row.id, row]),
  )
  if (done.size === 0) return new Map()
  const { rows: found } = await db.execute<{
    transcription: string
    id: string
    speaker: number | null
    start_ms: number
    text: string
    words: { text: string; startMs: number }[]
  }>(sql`
    select said.transcription_id as transcription, said.id, speaker, start_ms, text, words
    from ${turns} said join (
      select id, position, row_number() over (partition by id order by position) as number
      from (${placesFor(search, [...done.keys()])}) place
    ) place on place.id = said.transcription_id and place.position = said.position
    where place.number <= ${HITS} order by said.position`)
  const hits = new Map<string, SearchHit[]>()
  for (const turn of found) {
    const row = done.get(turn.transcription)
    if (!row) continue
    const places = findTerms(turn.text, search.terms, search.isEndOpen)
    const hit = {
      turnId: turn.id,
      at: timeAt(turn, places[0]?.[0] ?? 0) / 1000,
      speaker: turn.speaker === null ? null : labelOf(turn.speaker, namesOf(row)),
      speakerNumber: turn.speaker,
      ...snippetOf(turn.text, places),
    }
    hits.set(row.id, [...(hits.get(row.id) ?? []), hit])
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
