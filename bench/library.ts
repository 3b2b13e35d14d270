/**
 * Do long recordings and large libraries stay quick? The words of three and of eight hours, a
 * correction in the middle of them, a search, a question; and the pages of a library of thousands against those
 * of one of a hundred. All data is made up; the product's own functions answer.
 *
 *     npm run bench -- library [rows = 10000]
 */
import { gzipSync } from 'node:zlib'

import { sql } from 'drizzle-orm'

import { find } from '#features/asking/finding.ts'
import { ExportQuery } from '#features/exports/contract.ts'
import { exportFile } from '#features/exports/exports.ts'
import * as library from '#features/library/library.ts'
import * as editing from '#features/text/text.ts'
import { words } from '#features/text/turn-view.ts'
import { systemClock } from '#shared/clock.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import { openBenchDatabase } from './tools/house.ts'
import {
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  ratio,
  within,
} from './tools/report.ts'
import { talk } from './tools/talk.ts'

const [rows = 10_000] = process.argv.slice(2).map(Number)
const FEW = 100
const ROUNDS = 15

printMachine()
const { database, stop } = await openBenchDatabase()
const { db } = database
const deps = { db, clock: systemClock }
try {
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

  const few = await aLibrary(FEW)
  const many = await aLibrary(rows)
  await db.execute(sql`vacuum analyze`)
  printFigures(`A library of ${rows} against one of ${FEW}`, [
    ...(await paging('newest first', few, many, {})),
    ...(await paging('by name', few, many, { sort: 'name' })),
    ...(await paging('by length', few, many, { sort: 'longest' })),
    ...(await searching(many)),
    ...(await asking(many)),
  ])
} finally {
  await stop()
}

/** Some 167 words a minute, 14 in a turn. */
async function aTalk(userId: string, hours: number): Promise<string> {
  const said = { turns: talk(hours * 715, 14), durationMs: hours * 3_600_000 }
  const { id } = await aTranscription(db, { userId, ...said })
  return id
}

async function aLibrary(size: number): Promise<string> {
  const { id: userId } = await aUser(db)
  await db.execute(sql`
    insert into transcriptions (user_id, original_name, size_bytes, duration_ms, summary_language,
      credits_required, status, finished_at, created_at, speaker_count)
    select ${userId}, 'recording ' || md5(n::text) || '.mp3', 1000, 1000 * (n * 7919 % 7200), 'en', 1,
      'completed', now(), now() - n * interval '1 hour', 2 from generate_series(1, ${size}::int) n`)
  // Twenty turns each: what a search goes through, with one word that is rare and one that is not.
  await db.execute(sql`
    insert into turns (transcription_id, position, speaker, start_ms, end_ms, text, words)
    select t.id, n, n % 2, n * 5000, n * 5000 + 4000,
      'we talked about ' || substr(md5(t.id::text || n), 1, 6) || ' and about ' ||
      case when t.duration_ms % 997000 = 0 and n = 7 then 'zebras' else 'horses' end || ' again', '[]'
    from transcriptions t cross join generate_series(0, 19) n where t.user_id = ${userId}`)
  return userId
}

async function timed(
  work: (round: number) => Promise<unknown>,
  rounds = ROUNDS,
): Promise<number[]> {
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

async function paging(
  what: string,
  few: string,
  many: string,
  asked: { sort?: 'name' | 'longest' },
) {
  const list = async (userId: string, cursor?: string) =>
    library.list({ db }, { userId, limit: 50, ...asked, cursor })
  // A page from the middle of the large library, where a query by offset would have to count rows.
  let cursor: string | undefined
  for (let page = 0; page < Math.min(100, rows / 100); page += 1)
    cursor = (await list(many, cursor)).next
  const small = percentile(await timed(() => list(few)), 0.95)
  const large = percentile(await timed(() => list(many, cursor)), 0.95)
  return [
    within(`${what}, p95`, large, 50),
    {
      what: '… against the small one',
      figure: ratio(large / small),
      bar: '≤ 1.5',
      isMet: large / small <= 1.5,
    },
  ]
}

async function searching(userId: string) {
  const figures = []
  for (const [what, q] of [
    ['a rare word', 'zebras'],
    ['a word in every recording', 'horses'],
    ['what nobody said', 'unicorns'],
    ['the beginning of a name', 'recording ab'],
  ] as const) {
    const times = await timed(() => library.list({ db }, { userId, limit: 50, q }), 7)
    figures.push({ what: `search: ${what}`, figure: milliseconds(median(times)) })
  }
  return figures
}

const passages = (whose: { userId: string; id: string | null }, question: string) =>
  find(db, { ...whose, question, most: 8, isForModel: true })

async function asking(userId: string) {
  const figures = []
  for (const [what, question] of [
    ['a rare word', 'What was said about the zebras?'],
    ['a word in every turn', 'Who talked about horses?'],
    ['a name that nobody said', 'What did Kowalski think of it?'],
  ] as const) {
    const times = await timed(() => passages({ userId, id: null }, question), 7)
    figures.push(within(`question: ${what}`, median(times), 1_000))
  }
  return figures
}
