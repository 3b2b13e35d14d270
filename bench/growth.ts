/**
 * Do the usual calls cost the same while a service grows? In services of 200, of 2,000 and of 20,000
 * recordings the same small account makes the same calls, and so does the owner of all the other
 * recordings. The measure is the number of blocks of 8 kB that the database reads for each call, from
 * the smallest to the largest service. Then the words of three and of eight hours, a correction and
 * the files of three. All data is made up; the product's own functions answer. The database is
 * PostgreSQL 15 as Debian builds it (`sudo apt install postgresql-15`), which has parts that the
 * embedded one lacks, such as a compiler of queries; without it, the embedded one.
 *
 *     npm run bench -- growth [recordings = 20000]
 */
import { gzipSync } from 'node:zlib'

import { sql } from 'drizzle-orm'

import { find } from '#features/asking/finding.ts'
import { ExportQuery } from '#features/exports/contract.ts'
import { exportFile } from '#features/exports/exports.ts'
import * as library from '#features/library/library.ts'
import { read as readShared } from '#features/sharing/shown.ts'
import * as sharing from '#features/sharing/sharing.ts'
import { removeOver } from '#features/text/earlier.ts'
import * as editing from '#features/text/text.ts'
import { words } from '#features/text/turn-view.ts'
import * as transcriptions from '#features/transcriptions/transcriptions.ts'
import { openDatabase } from '#server/db.ts'
import { migrate } from '#server/migrate.ts'
import { systemClock } from '#shared/clock.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { isPostgres15Here, startPostgres15 } from '#test/postgres-15.ts'

import { takenAlong } from './tools/ending.ts'
import { openBenchDatabase } from './tools/house.ts'
import {
  median,
  milliseconds,
  printFigures,
  printMachine,
  printTable,
  ratio,
  within,
} from './tools/report.ts'
import { talk } from './tools/talk.ts'

const [most = 20_000] = process.argv.slice(2).map(Number)
const sizes = [most / 100, most / 10, most].map(Math.round)
const OWN = 100
const ROUNDS = 5
/** An index of thousands of pages is one step deeper than one of ten. */
const MOST_GROWTH = 1.5

printMachine()
const server = isPostgres15Here ? await debians() : await embedded()
// One connection, whose reading is all there is.
const database = await openDatabase({ connectionString: server.url, max: 1 })
const { db } = database
const deps = { db, clock: systemClock }
try {
  await migrate(database)
  const { rows } = await database.pool.query<{ name: string; jit: string }>(
    `select version() as name, current_setting('jit') as jit`,
  )
  console.log(`${rows[0]?.name.replace(/ on .*/, '')}, queries are compiled: ${rows[0]?.jit}`)

  const small = await aSmallAccount()
  const { id: everybodyElse } = await aUser(db)
  const reads = new Map<string, Read[]>()
  for (const size of sizes) {
    await growTo(everybodyElse, size)
    const all = { ...acts(small), ...pagesOf(everybodyElse), ...searchesOf(everybodyElse) }
    for (const [what, act] of Object.entries(all))
      reads.set(what, [...(reads.get(what) ?? []), await measured(act)])
  }
  printTable(`Blocks read in a service of ${sizes.join(', ')} recordings`, [
    ['', ...sizes.map(String), 'times', `≤ ${MOST_GROWTH}`, 'median at the end'],
    ...[...reads].map(([what, each]) => lineOf(what, each)),
  ])

  const { id: userId } = await aUser(db)
  const three = await aTalk(userId, 3)
  const eight = await aTalk(userId, 8)
  printFigures('Long recordings', [
    ...(await reading('3 h', { userId, id: three })),
    ...(await reading('8 h', { userId, id: eight })),
    ...(await correcting({ userId, id: three })),
    ...(await taking({ userId, id: three })),
    {
      what: 'the passages of 8 h for a question',
      figure: milliseconds(
        median(
          await timed(() => passages({ userId, id: eight }, 'When was the price decided?'), 5),
        ),
      ),
    },
  ])
} finally {
  await database.close()
  await server.stop()
}

async function debians() {
  const { url, stop } = await startPostgres15()
  return { url, stop: takenAlong(stop) }
}

async function embedded() {
  const { postgres, stop } = await openBenchDatabase()
  return { url: postgres.url, stop }
}

interface Small {
  userId: string
  /** A recording of 200 turns, translated once. */
  id: string
  /** One that is worked on. */
  open: string
  token: string
}

/** An account of a hundred recordings, which stays as it is. */
async function aSmallAccount(): Promise<Small> {
  const { id: userId } = await aUser(db)
  await fill(userId, OWN)
  const { id } = await aTranscription(db, { userId, turns: talk(200, 14), durationMs: 1_000_000 })
  await translate(id)
  const { id: open } = await aTranscription(db, { userId, status: 'processing', turns: [] })
  const { url } = await sharing.make(
    { ...deps, publicUrl: new URL('http://localhost'), secretKey: 'only for this run' },
    { userId, transcriptionId: id, includes: ['recording'], cuts: 'applied', days: null },
  )
  return { userId, id, open, token: url?.split('/').at(-1) ?? '' }
}

/** The recordings of everybody else, as one account: the whole of a library that grows. */
async function growTo(userId: string, size: number): Promise<void> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from transcriptions where user_id = ${userId}`,
  )
  await fill(userId, size - (rows[0]?.n ?? 0))
  await db.execute(sql`vacuum analyze`)
}

/** Recordings of twenty turns each, with a word that is rare and one that is not; each tenth translated. */
async function fill(userId: string, count: number): Promise<void> {
  await db.execute(sql`
    insert into transcriptions (user_id, original_name, size_bytes, duration_ms, summary_language,
      credits_required, status, finished_at, created_at, speaker_count)
    select ${userId}, 'recording ' || md5(random()::text) || '.mp3', 1000, 1000 * (n * 7919 % 7200), 'en', 1,
      'completed', now(), now() - n * interval '1 hour', 2 from generate_series(1, ${count}::int) n`)
  await db.execute(sql`
    insert into turns (transcription_id, position, speaker, start_ms, end_ms, text, words)
    select t.id, n, n % 2, n * 5000, n * 5000 + 4000,
      'we talked about ' || substr(md5(t.id::text || n), 1, 6) || ' and about ' ||
      case when t.duration_ms % 997000 = 0 and n = 7 then 'zebras' else 'horses' end || ' again', '[]'
    from transcriptions t cross join generate_series(0, 19) n
    where t.user_id = ${userId} and not exists (select from turns where transcription_id = t.id)`)
  await translate(
    sql`select id from transcriptions where user_id = ${userId} and duration_ms % 10000 = 0`,
  )
}

async function translate(which: string | ReturnType<typeof sql>): Promise<void> {
  await db.execute(sql`
    insert into translations (user_id, transcription_id, language, status, finished_at)
    select user_id, id, 'de', 'translated', now() from transcriptions where id in (${which})
    on conflict do nothing`)
  await db.execute(sql`
    insert into translated_turns (translation_id, transcription_id, turn_id, source_hash, parts, is_delivered)
    select one.id, turns.transcription_id, turns.id, md5(turns.text), '[]', true
    from translations one join turns using (transcription_id) where one.transcription_id in (${which})
    on conflict do nothing`)
}

type Act = () => Promise<unknown>

/** The calls of an account that always has the same size. */
function acts({ userId, id, open, token }: Small): Record<string, Act> {
  const owned = { userId, id }
  const srt = ExportQuery.parse({ format: 'srt' })
  return {
    'a running job is asked about': () =>
      transcriptions.getUncompleted(deps, { userId, id: open, isLooking: true }),
    'a result is opened': () => transcriptions.get(deps, owned),
    'its words': () => words(deps, owned),
    'its captions': () => exportFile(deps, { ...owned, ...srt }),
    'a question to it': () => passages(owned, 'When was the price decided?'),
    'a question to a small library': () => passages({ userId, id: null }, 'Who met the zebras?'),
    'a small library, newest first': () => library.list(deps, { userId, limit: 50 }),
    'a link is opened': async () => {
      const found = await sharing.find(deps, token)
      if (typeof found === 'string') throw new Error(`the link is ${found}`)
      const shown = {
        withNames: true,
        withSummary: true,
        withRecording: true,
        withText: true,
        cuts: [],
      }
      await readShared(db, { userId, transcriptionId: id, ...shown })
    },
    'an earlier text whose time is over goes, with its translation': async () => {
      await keptTooLong(id)
      await removeOver(deps)
    },
  }
}

/** The calls of the owner of a library that grows: a page has always the same length. */
function pagesOf(userId: string): Record<string, Act> {
  const page = (asked: { sort?: 'name' | 'longest' }) => () =>
    library.list(deps, { userId, limit: 50, ...asked })
  return {
    'the large library, newest first': page({}),
    '… by name': page({ sort: 'name' }),
    '… by length': page({ sort: 'longest' }),
    '… a question to it': () => passages({ userId, id: null }, 'What was said about the zebras?'),
  }
}

/** They say how much they found, so they may read more where there is more. */
function searchesOf(userId: string): Record<string, Act> {
  const search = (q: string) => () => library.list(deps, { userId, limit: 50, q })
  return {
    'a search in it: a rare word': search('zebras'),
    'a search in it: what nobody said': search('unicorns'),
  }
}

/** Puts a small text aside, as transcribing again does, and lets its time run out. */
async function keptTooLong(of: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into transcriptions (user_id, original_name, size_bytes, duration_ms, summary_language,
      credits_required, status, finished_at, again_of, again_what, kept_until)
    select user_id, original_name, size_bytes, duration_ms, summary_language, 0, 'completed', now(),
      id, 'text', now() - interval '3 days' from transcriptions where id = ${of} returning id`)
  await db.execute(sql`
    insert into turns (transcription_id, position, speaker, start_ms, end_ms, text, words)
    values (${rows[0]?.id}, 0, 0, 0, 1000, 'We met before.', '[]')`)
}

interface Read {
  blocks: number
  ms: number
}

async function measured(act: Act): Promise<Read> {
  const times = await timed(act, ROUNDS)
  const before = await blocksRead()
  await act()
  return { blocks: (await blocksRead()) - before, ms: median(times) }
}

/** Blocks of all tables and their indexes, read by this connection, which is the only one. */
async function blocksRead(): Promise<number> {
  await db.execute(sql`select pg_stat_force_next_flush()`)
  const { rows } = await db.execute<{ blocks: string }>(sql`
    select sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
      + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0)
      + coalesce(tidx_blks_read, 0) + coalesce(tidx_blks_hit, 0)) as blocks from pg_statio_user_tables`)
  return Number(rows[0]?.blocks)
}

function lineOf(what: string, each: readonly Read[]): string[] {
  const [first, last] = [each[0], each.at(-1)]
  if (!first || !last) throw new Error(`${what} was not measured`)
  const grown = last.blocks / Math.max(1, first.blocks)
  return [
    what,
    ...each.map(({ blocks }) => String(blocks)),
    ratio(grown),
    what.startsWith('a search') ? '' : grown <= MOST_GROWTH ? 'meets' : 'falls short',
    milliseconds(last.ms),
  ]
}

/** Some 167 words a minute, 14 in a turn. */
async function aTalk(userId: string, hours: number): Promise<string> {
  const said = { turns: talk(hours * 715, 14), durationMs: hours * 3_600_000 }
  const { id } = await aTranscription(db, { userId, ...said })
  return id
}

async function timed(work: (round: number) => Promise<unknown>, rounds = 15): Promise<number[]> {
  const times: number[] = []
  await work(-1)
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await work(round)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function reading(what: string, owned: { userId: string; id: string }) {
  let json = ''
  const times = await timed(async () => {
    json = JSON.stringify(await words({ db }, owned))
  })
  const packed = gzipSync(json).length
  const ms = median(times)
  return [
    within(`words of ${what}`, ms, 150),
    {
      what: `… packed (${(json.length / 1e6).toFixed(1)} MB unpacked)`,
      figure: `${(packed / 1e6).toFixed(2)} MB`,
      bar: '≤ 1 MB',
      isMet: packed <= 1e6,
    },
  ]
}

async function correcting(owned: { userId: string; id: string }) {
  const { turns } = await words({ db }, owned)
  const turn = turns[1_000]
  if (!turn) throw new Error('the talk is too short')
  let revision = turn.revision
  const times = await timed(async (round) => {
    const text = `${turn.text} and one more ${round}`
    const saved = await editing.setText(deps, { ...owned, turnId: turn.id, revision, text })
    if (saved.kind === 'conflict') throw new Error('nobody else writes here')
    revision = saved.edited.turns[0]?.revision ?? revision
  })
  return [{ what: 'a correction in 3 h, saved', figure: milliseconds(median(times)) }]
}

async function taking(owned: { userId: string; id: string }) {
  const figures = []
  for (const format of ['srt', 'json', 'docx', 'pdf'] as const) {
    const times = await timed(
      () => exportFile({ db }, { ...owned, ...ExportQuery.parse({ format }) }),
      3,
    )
    figures.push({ what: `3 h as ${format}`, figure: milliseconds(median(times)) })
  }
  return figures
}

function passages(whose: { userId: string; id: string | null }, question: string) {
  return find(db, { ...whose, question, most: 8, isForModel: true, words: [] })
}
