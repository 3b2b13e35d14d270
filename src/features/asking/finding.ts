/**
 * Finds the passages for a question, in one recording or in all that an account has. Of one recording
 * every turn is read; in a library the database first finds the turns that have its words, by the
 * index of the search. Which of them speak of it best is decided by ranking.ts. Where a question names a
 * part of a recording (when.ts), that part comes first. A model reads more: what is found by its own
 * words for the question, what the key points and chapters note of it, and of a long recording places
 * all over it. It runs in a thread.
 */
import { type SQL, and, asc, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'

import { isThere, shownRows } from '#features/row/row.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import { placesIn } from '#features/text/places.ts'
import { turns } from '#features/text/tables.ts'
import { checkBelowOf, isInDoubt, percentOf } from '#features/text/words-in-doubt.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import { guessLanguage, likelier } from '#features/writing/languages.ts'
import type { Db } from '#server/db.ts'
import { UNSPACED } from '#shared/fold.ts'
import { isOtherLanguage, OTHER_LANGUAGE } from '#shared/other-language.ts'
import { Refusal } from '#shared/refusals.ts'

import { waysToSay } from './asked-values.ts'
import type { Passage } from './passages.ts'
import { type RankedPart, type Said, type Term, onceEach, placesFor, termsOf } from './ranking.ts'
import { type Stretch, stretchIn } from './when.ts'

export interface PassageSearch {
  userId: string
  /** The recording that is asked; null: all. */
  id: string | null
  question: string
  /** Words of a model that are looked for too, in the language that was spoken. */
  words: readonly string[]
  /** How many passages are wanted. */
  most: number
  /** Whether what was said around them is wanted too. */
  isForModel: boolean
}

export interface Found {
  /** ISO 639-1 of what was said, the most frequent first. */
  languages: string[]
  /** The best first. */
  passages: Passage[]
  /** For a model: each passage with what was said before and after it, the best first. */
  around: Passage[]
  /** Whether these hold all that was said. */
  isAll: boolean
}

interface TurnFound extends Said {
  id: string
  position: number
  speakerNumber: number | null
  startMs: number
  endMs: number
}

/** @throws Refusal `not_found`, `not_finished` */
export async function find(db: Db, asked: PassageSearch): Promise<Found> {
  const { question, words, id, most } = asked
  const { languages, said, rarity, notes } =
    id === null ? await turnsOfLibrary(db, asked) : await turnsOf(db, { ...asked, id })
  const [spoken = 'en'] = languages
  const stretch =
    id === null ? null : stretchIn(question, likelier(question, spoken), said.at(-1)?.endMs ?? 0)
  const isMeant = ({ turn }: { turn: number }) => stretch !== null && isWithin(said[turn], stretch)
  const placesOf = (text: string) =>
    placesFor(text, said, {
      language: id === null ? likelier(text, spoken) : spoken,
      most: asked.isForModel ? PLACES_FOR_MODEL : most,
      ...(id === null ? { mostOfOne: asked.isForModel ? 4 : 3 } : {}),
      rarity,
    })
  const found = byTurns(placesOf(question), words.length > 0 ? placesOf(words.join(' ')) : [])
  const places = found.toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)))
  const parts = places.map((place): Part => ({ ...place, said: said[place.turn] }))
  const wide = asked.isForModel
    ? withAround(said, places, { isOne: id !== null, notes: ranked(notes, asked), stretch })
    : []
  const passages = await passagesOf(db, [...parts.slice(0, most), ...wide])
  const shown = Math.min(most, parts.length)
  const around = passages.slice(shown)
  const isRead = ({ text }: TurnFound, turn: number) =>
    text.trim() === '' ||
    wide.some((part) => part.turn === turn && part.from === 0 && part.to === text.length)
  const isAll = id !== null && said.every(isRead)
  return { languages, passages: passages.slice(0, shown), around, isAll }
}

const PLACES_FOR_MODEL = 12

/** The best of the one, the best of the other, and so on; a place that both found but once. */
function byTurns(one: readonly RankedPart[], other: readonly RankedPart[]): RankedPart[] {
  const all: RankedPart[] = []
  const isNew = ({ turn, from, to }: RankedPart) =>
    all.every((known) => known.turn !== turn || known.to <= from || known.from >= to)
  for (let at = 0; at < Math.max(one.length, other.length); at += 1)
    for (const place of [one[at], other[at]]) if (place && isNew(place)) all.push(place)
  return all
}

/** A key point, or the title of a chapter: in the language of the summary. */
interface Note {
  text: string
  startMs: number
}

interface RankedNotes {
  /** The notes that speak of the question, the best first. */
  ofQuestion: Note[]
  /** The others, of which the first few are far apart. */
  others: Note[]
}

const MOST_NOTES = 4

function ranked(notes: readonly Note[], { question, words }: PassageSearch): RankedNotes {
  const said = notes.map(({ text }, at): Said => ({
    text,
    speaker: null,
    recording: '',
    stretch: String(at),
  }))
  const language = guessLanguage(notes.map(({ text }) => text).join(' '))
  const best = [question, words.join(' ')].map((text) =>
    placesFor(text, said, { language, most: MOST_NOTES }),
  )
  const ofQuestion = byTurns(best[0] ?? [], best[1] ?? []).slice(0, MOST_NOTES)
  const first = new Set(ofQuestion.map(({ turn }) => turn))
  return {
    ofQuestion: ofQuestion.flatMap(({ turn }) => notes[turn] ?? []),
    others: inTurns(notes.filter((_, at) => !first.has(at))),
  }
}

const rowColumns = {
  id: shownRows.id,
  name: shownRows.originalName,
  status: shownRows.status,
  language: shownRows.language,
  speakers: shownRows.speakers,
  speakerCount: shownRows.speakerCount,
  engine: shownRows.engine,
}

async function turnsOf(db: Db, { userId, id }: PassageSearch & { id: string }) {
  const { keyPoints, chapters } = shownRows
  const [row] = await db
    .select({ ...rowColumns, keyPoints, chapters })
    .from(shownRows)
    .where(isThere({ userId, id }))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  const names = namesOf(row)
  const rows = await db
    .select({
      id: turns.id,
      position: turns.position,
      speaker: turns.speaker,
      startMs: turns.startMs,
      endMs: turns.endMs,
      text: turns.text,
    })
    .from(turns)
    .where(and(eq(turns.transcriptionId, id), ne(turns.text, OTHER_LANGUAGE)))
    .orderBy(asc(turns.position))
  const said = rows.map(({ speaker, ...turn }): TurnFound => ({
    ...turn,
    recording: id,
    stretch: id,
    speakerNumber: speaker,
    speaker: speaker === null ? null : labelOf(speaker, names),
  }))
  const spoken = row.language ?? guessLanguage(said.map(({ text }) => text).join(' '))
  const titles = row.chapters?.list.map(({ title: text, startMs }) => ({ text, startMs })) ?? []
  const points = row.keyPoints?.flatMap(({ text, startMs }) =>
    startMs === null ? [] : [{ text, startMs }],
  )
  const notes: Note[] = [...titles, ...(points ?? [])]
  return { languages: [spoken], said, rarity: undefined, notes }
}

/** How many turns of a library are looked at closely. */
const MOST_CANDIDATES = 300
/**
 * Words that nobody said are looked for with one letter changed. Each takes the database a tenth of a
 * second or more, and 500 letters have room for sixteen of them.
 */
const MOST_MISHEARD = 3

/** In how many languages a model gives words for a library. */
const MOST_LANGUAGES = 3

async function turnsOfLibrary(db: Db, { userId, question, words }: PassageSearch) {
  const areMine = and(eq(shownRows.userId, userId), eq(shownRows.status, 'completed'))
  const spoken = await db
    .select({ language: shownRows.language })
    .from(shownRows)
    .where(areMine)
    .groupBy(shownRows.language)
    .orderBy(desc(count()))
    .limit(MOST_LANGUAGES)
  const languages = spoken.flatMap(({ language }) => language ?? [])
  const [common = 'en'] = languages
  const all = [question, words.join(' ')].flatMap((text) =>
    termsOf(text, likelier(text, common), languages),
  )
  const terms = onceEach(all)
  const mine = sql`(select id from ${shownRows} where ${areMine})`
  const inMine = sql`said.transcription_id in ${mine} and said.text <> ${OTHER_LANGUAGE}`
  const none = { languages, said: [] as TurnFound[], rarity: undefined, notes: [] as Note[] }
  if (terms.length === 0) return none
  const asWritten = await Promise.all(
    terms.map(async (term) => {
      const [query, variants] = [queryOf(term, languages), variantsOf(term)]
      const isMisheard = variants.length > 0 && !(await isSaid(db, query, inMine))
      return { query, variants: isMisheard ? variants : [] }
    }),
  )
  const misheard = asWritten.filter(({ variants }) => variants.length > 0).slice(0, MOST_MISHEARD)
  const queries = await Promise.all(
    asWritten.map(async (term) =>
      misheard.includes(term)
        ? (await thoseSaid(db, term.variants, inMine)).join(' | ') || term.query
        : term.query,
    ),
  )
  const hits = queries.map(
    (query, term) => sql`select said.transcription_id, said.position, ${term}::integer as term
      from ${turns} said where said.search @@ ${query}::tsquery and ${inMine}`,
  )
  const worths = sql.join(
    terms.map(({ worth }, term) => sql`(${term}::integer, ${worth}::float8)`),
    sql`, `,
  )
  const { rows } = await db.execute<{
    recording: string
    group: string
    id: string
    position: number
    speaker: number | null
    startMs: number
    endMs: number
    text: string
    rarities: Record<string, number>
  }>(sql`
    with hit as materialized (${sql.join(hits, sql` union all `)}),
    rare as materialized (
      select term, ln(1 + (${turnsAbout(mine)}) / count(*)) as rarity from hit group by term
    ),
    best as (
      select transcription_id, position, sum(rarity * worth) as worth
      from hit join rare using (term) join (values ${worths}) term_worth (term, worth) using (term)
      group by transcription_id, position order by 3 desc, transcription_id, position
      limit ${MOST_CANDIDATES}
    )
    select near.transcription_id as recording, best.position as group, near.id, near.position,
      near.speaker, near.start_ms as "startMs", near.end_ms as "endMs", near.text,
      (select jsonb_object_agg(term, rarity) from rare) as rarities
    from best cross join lateral (
      (select * from ${turns} before where before.transcription_id = best.transcription_id
        and before.position <= best.position order by before.position desc limit 3)
      union all
      (select * from ${turns} later where later.transcription_id = best.transcription_id
        and later.position > best.position order by later.position limit 2)
    ) near order by recording, best.position, near.position`)
  const ids = [...new Set(rows.map(({ recording }) => recording))]
  const known = new Map(
    (await db.select(rowColumns).from(shownRows).where(inArray(shownRows.id, ids))).map((row) => [
      row.id,
      { names: namesOf(row), language: row.language },
    ]),
  )
  // Neighbourhoods that share a turn are one stretch; between others something is left out.
  const said: TurnFound[] = []
  let stretch = 0
  for (const group of Map.groupBy(rows, (row) => `${row.recording} ${row.group}`).values()) {
    const last = said.at(-1)
    const [first] = group
    const goesOn =
      last && first && last.recording === first.recording && first.position <= last.position
    if (!goesOn) stretch += 1
    for (const { speaker, group: _, rarities: _rarities, ...turn } of group)
      if (!isOtherLanguage(turn.text) && (!goesOn || turn.position > last.position))
        said.push({
          ...turn,
          stretch: String(stretch),
          language: known.get(turn.recording)?.language ?? null,
          speakerNumber: speaker,
          speaker: speaker === null ? null : labelOf(speaker, known.get(turn.recording)?.names),
        })
  }
  const rarities = rows[0]?.rarities ?? {}
  const byStem = new Map(terms.map(({ stem }, at) => [stem, rarities[at]]))
  return { languages, said, rarity: ({ stem }: Term) => byStem.get(stem), notes: [] as Note[] }
}

/** About how many turns a library has: to count them would take longer than to find any. */
const turnsAbout = (mine: SQL) =>
  sql`select 1 + sum(duration_ms) / 15000.0 from ${shownRows} where shown.id in ${mine}`

async function isSaid(db: Db, query: string, inMine: SQL): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from ${turns} said where said.search @@ ${query}::tsquery and ${inMine} limit 1`,
  )
  return rows.length > 0
}

/** A word in so many turns of all accounts is no misheard name. */
const MOST_OF_ALL = 5_000

/** Which words of many were said. One by one: of a query of hundreds the whole table would be read. */
async function thoseSaid(db: Db, words: readonly string[], inMine: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ word: string }>(sql`
    select word from unnest(string_to_array(${words.join(' ')}, ' ')) word
    cross join lateral (
      select 1 from (
        select transcription_id, text from ${turns} where search @@ word::tsquery limit ${MOST_OF_ALL}
      ) said where ${inMine} limit 1) one`)
  return rows.map(({ word }) => word)
}

/**
 * The forms of a word begin alike, and others may be said in its place. A value is said in the languages
 * of the library. What is found too much is not kept by the ranking.
 */
function queryOf({ folded, stem, kin, value }: Term, languages: readonly string[]): string {
  if (value) {
    const spoken = new Set([value.language, ...languages])
    const ways = [...spoken].flatMap((language) => waysToSay({ ...value, language }))
    return [...new Set(ways.map(phraseOf))].filter(Boolean).join(' | ')
  }
  if (unspaced.test(folded)) return phraseOf([folded])
  let length = 0
  while (length < stem.length && stem[length] === folded[length]) length += 1
  const least = /\p{Script=Hangul}/u.test(folded) ? 2 : 4
  const itself = length >= least ? [`'${folded.slice(0, length)}':*`] : [`'${folded}'`, `'${stem}'`]
  const others = [...kin].map((one) => (one.length >= least ? `'${one}':*` : `'${one}'`))
  // "C.E.O." is three words of the database. "U.S.A." begins as "U.S." does.
  const letters = folded === 'usa' ? 'us' : folded
  const spelled = /^[a-z]{2,5}$/.test(letters) ? [phraseOf([...letters])] : []
  return [...itself, ...others, ...spelled].join(' | ')
}

/**
 * Words beside each other; "*" is any ending. In writings without spaces the database has a word for
 * each sign.
 */
const phraseOf = (words: readonly string[]): string =>
  words
    .flatMap((one) => one.match(signs) ?? [])
    .map((one) => (one.endsWith('*') ? `'${one.slice(0, -1)}':*` : `'${one}'`))
    .join(' <-> ')

const unspaced = new RegExp(`[${UNSPACED}]`, 'u')
const signs = new RegExp(`[${UNSPACED}]\\p{M}*|[^${UNSPACED}]+`, 'gu')
const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** Words that differ from one in one letter: as a recogniser may have written a name. */
function variantsOf({ folded, worth, value }: Term): string[] {
  if (worth < 1 || value || !/^[a-z]{5,20}$/.test(folded)) return []
  const variants = new Set<string>()
  for (let at = 0; at <= folded.length; at += 1) {
    const [head, tail] = [folded.slice(0, at), folded.slice(at)]
    variants.add(head + tail.slice(1))
    if (tail.length > 1) variants.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`)
    for (const letter of alphabet) {
      variants.add(head + letter + tail)
      variants.add(head + letter + tail.slice(1))
    }
  }
  return [...variants].map((variant) => `'${variant}'`)
}

interface Part extends RankedPart {
  said: TurnFound | undefined
}

/** Of what was said before and after a passage, this many letters are read by a model. */
const BESIDE = 450
/** Letters of a recording that a model reads as a whole: some fifteen minutes of talk. */
const SHORT = 12_000

/** Each place in its turn, with the turns beside it; nothing twice. */
function withAround(
  said: readonly TurnFound[],
  places: readonly RankedPart[],
  {
    isOne,
    notes,
    stretch,
  }: {
    isOne: boolean
    notes: RankedNotes
    stretch: Stretch | null
  },
): Part[] {
  const parts: Part[] = []
  const add = (turn: number, span: { from: number; to: number }) => {
    const there = said[turn]
    if (!there || there.text.trim() === '') return
    const known = parts.find((part) => part.turn === turn && part.from <= span.from)
    if (known && known.to >= span.to) return
    parts.push({ turn, ...atWords(there.text, span), marks: [], said: there })
  }
  const read = () => parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const addUpTo = (most: number, moments: readonly Moment[]) => {
    for (const { turn, at } of moments) {
      if (read() >= most) return
      let left = 2 * BESIDE
      let from = Math.max(0, at - BESIDE)
      for (let next = turn; left > 0 && next < said.length; next += 1) {
        const to = Math.min(said[next]?.text.length ?? 0, from + left)
        add(next, { from, to })
        left -= to - from
        from = 0
      }
    }
  }
  const length = said.reduce((sum, { text }) => sum + text.length, 0)
  const isLong = isOne && length > SHORT
  const momentsOf = (some: readonly Note[]) => some.map(({ startMs }) => momentAt(said, startMs))
  if (isLong && stretch) addUpTo(SHORT / 2, spreadOver(said, stretch))
  for (const [rank, { turn, from, to }] of places.entries()) {
    if (isLong && rank === PLACES_BEFORE_NOTES) addUpTo(Infinity, momentsOf(notes.ofQuestion))
    const text = said[turn]?.text ?? ''
    const [before, after] = [said[turn - 1], said[turn + 1]]
    const isNext = (other: TurnFound | undefined) => other?.stretch === said[turn]?.stretch
    if (before && isNext(before) && from < BESIDE)
      add(turn - 1, { from: Math.max(0, before.text.length - BESIDE), to: before.text.length })
    add(turn, { from: Math.max(0, from - BESIDE), to: Math.min(text.length, to + BESIDE) })
    if (after && isNext(after) && text.length - to < BESIDE)
      add(turn + 1, { from: 0, to: Math.min(after.text.length, BESIDE) })
  }
  // Of a short recording all is read. Of a long one the room that is left goes to its chapters and key
  // points, and to places all over it: so "What is it about?" has an answer, and so has a question in
  // other words than were said.
  if (isOne && !isLong)
    for (const [turn, { text }] of said.entries()) add(turn, { from: 0, to: text.length })
  if (isLong) {
    const moments = momentsOf([...notes.ofQuestion, ...notes.others])
    addUpTo(SHORT, [...moments, ...spreadOver(said, EVERYTHING)])
  }
  return parts
}

/** A model that reads little at once reads these, and then what is noted of the question. */
const PLACES_BEFORE_NOTES = 4

/** A place in a turn, in letters. */
interface Moment {
  turn: number
  at: number
}

const EVERYTHING: Stretch = { fromMs: 0, toMs: Infinity }

const isWithin = (turn: TurnFound | undefined, { fromMs, toMs }: Stretch): boolean =>
  turn !== undefined && turn.endMs > fromMs && turn.startMs < toMs

function momentAt(said: readonly TurnFound[], atMs: number): Moment {
  const turn = Math.max(
    0,
    said.findLastIndex(({ startMs }) => startMs <= atMs),
  )
  const { startMs = 0, endMs = 0, text = '' } = said[turn] ?? {}
  const share = Math.min(1, (atMs - startMs) / Math.max(1, endMs - startMs))
  return { turn, at: Math.max(0, Math.round(share * text.length)) }
}

/** Multiples of it, without their whole parts, lie far from each other, however many they are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** In another order, of which the first few are far apart. */
const inTurns = <T>(all: readonly T[]): T[] =>
  all
    .map((one, at) => ({ one, rank: (at * GOLDEN) % 1 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)

/** Moments all over a stretch of what was said, enough for what a model reads. */
function spreadOver(said: readonly TurnFound[], stretch: Stretch): Moment[] {
  const within = [...said.entries()].filter(([, turn]) => isWithin(turn, stretch))
  const length = within.reduce((sum, [, { text }]) => sum + text.length, 0)
  return Array.from({ length: (2 * SHORT) / BESIDE }, (_, count) => {
    let at = Math.floor(((0.5 + count * GOLDEN) % 1) * length)
    for (const [turn, { text }] of within) {
      if (at < text.length) return { turn, at }
      at -= text.length
    }
    return []
  }).flat()
}

/** Without the halves of words. */
function atWords(text: string, { from, to }: { from: number; to: number }) {
  const space = text.indexOf(' ', from)
  const begin = from === 0 || space === -1 || space - from > 60 ? from : space + 1
  const gap = text.lastIndexOf(' ', to)
  const end = to === text.length || gap === -1 || to - gap > 60 ? to : gap
  return { from: begin, to: Math.max(begin, end) }
}

async function passagesOf(db: Db, parts: readonly Part[]): Promise<Passage[]> {
  const ids = [...new Set(parts.flatMap(({ said }) => said?.id ?? []))]
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: turns.id, words: turns.words })
    .from(turns)
    .where(inArray(turns.id, ids))
  const wordsOf = new Map(rows.map(({ id, words }) => [id, words]))
  const recordings = [...new Set(parts.flatMap(({ said }) => said?.recording ?? []))]
  const of = new Map(
    (await db.select(rowColumns).from(shownRows).where(inArray(shownRows.id, recordings))).map(
      (row) => [row.id, row],
    ),
  )
  return parts.flatMap(({ said, from, to, marks }): Passage[] => {
    const row = said && of.get(said.recording)
    if (!row) return []
    const words = wordsOf.get(said.id) ?? []
    const checkBelow = checkBelowOf(row.engine)
    const placed = placesIn(said.text, words).flatMap((place, at) => {
      const word = words[at]
      if (!word || place.to <= from || place.from >= to || place.to === place.from) return []
      return [
        {
          from: place.from - from,
          to: place.to - from,
          text: word.text,
          startMs: word.startMs,
          endMs: word.endMs,
          confidence: word.confidence,
          isInDoubt: isInDoubt(percentOf(word.confidence), checkBelow),
        },
      ]
    })
    const share = (said.endMs - said.startMs) / Math.max(1, said.text.length)
    return [
      {
        transcriptionId: row.id,
        turnId: said.id,
        name: row.name,
        speaker: said.speaker,
        speakerNumber: said.speakerNumber,
        startMs: placed[0]?.startMs ?? Math.round(said.startMs + share * from),
        endMs: placed.at(-1)?.endMs ?? Math.round(said.startMs + share * to),
        text: said.text.slice(from, to),
        words: placed,
        marks,
      },
    ]
  })
}
