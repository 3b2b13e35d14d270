import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

import { count, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { shownRows } from '#features/row/row.ts'
import { transcriptions } from '#features/row/tables.ts'
import { originalTurns, turns } from '#features/text/tables.ts'
import { transcriptionJobs } from '#features/transcriptions/jobs.ts'
import * as sample from '#features/transcriptions/sample.ts'
import { sweep } from '#features/transcriptions/sweep.ts'
import * as room from '#features/transcriptions/transcriptions.ts'
import type { Db } from '#server/db.ts'
import * as fileMarks from '#server/file-marks.ts'
import { queuesOf } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { mailJobs } from '#server/mail-jobs.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { UNDELETE_MINUTES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { pass } from '#test/passing.ts'
import { searches } from '#test/searches.ts'

import type { ListSort } from './contract.ts'
import * as deleting from './deleting.ts'
import * as library from './library.ts'

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

/** Every page of a list, as a reader comes by them. */
async function pages(db: Db, asked: { userId: string } & library.Page): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await library.list({ db }, { ...asked, cursor })
    names.push(...page.rows.map(({ originalName }) => originalName))
    cursor = page.next
  } while (cursor !== undefined)
  return names
}

const search = async (db: Db, userId: string, q: string) =>
  (await library.list({ db }, { userId, limit: 50, q })).rows

test('how many there are is counted without reading one of them', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const counted = db.select({ count: count() }).from(shownRows).where(eq(shownRows.userId, userId))
  let plan = ''
  const takenBack = db.transaction(async (tx) => {
    // In an empty table any way would do.
    await tx.execute(sql`drop index transcriptions_by_name, transcriptions_by_length`)
    for (const way of ['seqscan', 'bitmapscan'])
      await tx.execute(sql`set local ${sql.raw(`enable_${way}`)} = off`)
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${counted.getSQL()}`)
    plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    tx.rollback()
  })
  await takenBack.catch(() => undefined)
  expect(plan).toContain('Index Only Scan using transcriptions_by_user')
})

test('the list is newest first, and its pages neither repeat nor skip a row', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const sameMoment = new Date('2026-01-02T03:04:05.678Z')
  for (let index = 0; index < 7; index++)
    await anUpload(db, {
      userId,
      originalName: `${index}.mp3`,
      createdAt: index < 3 ? sameMoment : new Date(sameMoment.getTime() + index),
    })
  const seen = await pages(db, { userId, limit: 2 })
  expect(seen.slice(0, 4)).toEqual(['6.mp3', '5.mp3', '4.mp3', '3.mp3'])
  expect(seen.slice(4).sort()).toEqual(['0.mp3', '1.mp3', '2.mp3'])
  for (const offset of [0, 9])
    expect((await library.list({ db }, { userId, limit: 2, offset })).totals.rows).toBe(7)
})

test('a library is sorted by age, length or name, page after page', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const recordings = [
    { originalName: 'beta.mp3', durationMs: 30_000, createdAt: new Date('2026-03-01') },
    { originalName: 'Alpha.mp3', durationMs: 90_000, createdAt: new Date('2026-03-02') },
    { originalName: 'ćwiczenie.mp3', durationMs: 60_000, createdAt: new Date('2026-03-03') },
    { originalName: 'alpha.mp3', durationMs: 60_000, createdAt: new Date('2026-03-04') },
  ]
  for (const each of recordings) await aTranscription(db, { userId, ...each })
  const sorted = async (sort: ListSort) => pages(db, { userId, limit: 1, sort })
  expect((await sorted('oldest'))[0]).toBe('beta.mp3')
  expect((await sorted('longest'))[0]).toBe('Alpha.mp3')
  expect((await sorted('shortest'))[0]).toBe('beta.mp3')
  expect((await sorted('name')).slice(2)).toEqual(['beta.mp3', 'ćwiczenie.mp3'])
  for (const sort of ['newest', 'oldest', 'longest', 'shortest', 'name'] as const)
    expect((await sorted(sort)).toSorted()).toEqual(
      recordings.map(({ originalName }) => originalName).toSorted(),
    )
})

test('open jobs and finished ones are asked for apart', async ({ db }) => {
  const { id: userId } = await aUser(db)
  await anUpload(db, { userId, originalName: 'waiting.mp3' })
  await aTranscription(db, { userId, originalName: 'running.mp3', status: 'transcribing: chunks' })
  await aTranscription(db, { userId, originalName: 'done.mp3' })
  await aTranscription(db, { userId, originalName: 'failed.mp3', status: 'error' })
  const names = async (status: library.Page['status']) =>
    (await library.list({ db }, { userId, limit: 9, status })).rows
      .map(({ originalName }) => originalName)
      .toSorted()
  expect(await names('open')).toEqual(['running.mp3', 'waiting.mp3'])
  expect(await names('finished')).toEqual(['done.mp3', 'failed.mp3'])
  expect(await names('error')).toEqual(['failed.mp3'])
  expect(await names('completed')).toEqual(['done.mp3'])
})

test('a search finds what was said, and lands on the moment', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, {
    userId,
    turns: [
      { speaker: 0, text: 'Nothing to see here' },
      { speaker: 1, text: 'we talked about the Café budget, twice' },
    ],
  })
  await aTranscription(db, { userId, turns: [{ speaker: 0, text: 'Something else' }] })
  const [found, ...others] = await search(db, userId, 'CAFE budg')
  expect(others).toEqual([])
  expect(found).toMatchObject({ id })
  const [hit] = found!.hits!
  // Four words and half a second of silence, then five words until it is said.
  expect(hit).toMatchObject({ at: 3.7, speaker: 'Speaker B' })
  expect(hit!.marks.map(([from, to]) => hit!.snippet.slice(from, to))).toEqual(['Café budg'])
})

test('the mark that stands for another language is not found, as nobody said it', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const turns = [
    { speaker: 0, text: 'Which language?' },
    { speaker: 1, text: '[another language]' },
  ]
  await aTranscription(db, { userId, turns })
  const [found] = await search(db, userId, 'language')
  expect(found?.hits?.map(({ snippet }) => snippet)).toEqual(['Which language?'])
})

test('a search finds names, whatever their accents and signs', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId, originalName: 'Réunion_2026-03 (final).m4a' })
  for (const q of ['reunion', 'UNION', '2026 03', 'final'])
    expect((await search(db, userId, q)).map((row) => [row.id, row.hits])).toEqual([[id, []]])
  expect(await search(db, userId, '100%')).toEqual([])
  expect(await search(db, userId, '%')).toEqual([])
})

test('a search finds what somebody said by their name, and who they are', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, {
    userId,
    originalName: 'a.m4a',
    speakers: [
      { speaker: 0, name: 'Ada Lovett' },
      { speaker: 1, name: 'Bén Okafor' },
    ],
    turns: [
      { speaker: 0, text: 'What happens to the binder' },
      { speaker: 1, text: 'The binder goes sticky, and the oxide comes off' },
      { speaker: 1, text: 'We bake those reels' },
    ],
  })
  await aTranscription(db, { userId, turns: [{ speaker: 0, text: 'a binder of somebody' }] })
  const [found, ...others] = await search(db, userId, 'binder ben')
  expect(others).toEqual([])
  expect(found).toMatchObject({ id, places: 1 })
  expect(found!.hits).toMatchObject([{ speaker: 'Bén Okafor', speakerNumber: 1, marks: [[4, 10]] }])
  // By the name alone the recording is found, and no place in it.
  expect(await search(db, userId, 'okafor')).toMatchObject([{ id, places: 0, hits: [] }])
  const binder = await library.list(
    { db },
    { userId, limit: 5, q: 'binder', speaker: 'ada  lovett' },
  )
  expect(binder.rows).toMatchObject([{ id, places: 1, hits: [{ speaker: 'Ada Lovett' }] }])
  expect((await library.list({ db }, { userId, limit: 5, speaker: 'Ben' })).rows).toEqual([])
  expect(await library.speakers({ db }, { userId })).toEqual([
    { name: 'Ada Lovett', count: 1 },
    { name: 'Bén Okafor', count: 1 },
  ])
  expect(await library.speakers({ db }, { userId, q: 'oka' })).toHaveLength(1)
})

test('words in quotation marks stand together', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const turns = [{ speaker: 0, text: 'It goes sticky, and then sticky it goes' }]
  await aTranscription(db, { userId, turns })
  const [found] = await search(db, userId, '"goes sticky"')
  expect(found!.hits).toMatchObject([{ marks: [[3, 14]] }])
  expect(await search(db, userId, '"sticky goes"')).toEqual([])
  expect(await search(db, userId, '"goes stick"')).toEqual([])
  expect(await search(db, userId, '"goes stick')).toHaveLength(1)
})

test('the best match comes first: a name, then where most was said, page after page', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const of = (originalName: string, times: number, ageS: number) =>
    aTranscription(db, {
      userId,
      originalName,
      createdAt: new Date(1e12 - 1000 * ageS),
      turns: Array.from({ length: times }, () => ({ speaker: 0, text: 'a harbour' })),
    })
  await of('once', 1, 2)
  await of('newer once', 1, 1)
  await of('thrice', 3, 3)
  await of('harbour', 0, 4)
  const asked = { userId, q: 'harbour', sort: 'best', limit: 1 } as const
  expect(await pages(db, asked)).toEqual(['harbour', 'thrice', 'newer once', 'once'])
  const { totals, next } = await library.list({ db }, asked)
  expect(totals).toEqual({ rows: 4, places: 5 })
  expect((await library.list({ db }, { ...asked, cursor: next })).totals).toEqual(totals)
})

test('writings without spaces are found by what stands in them', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, {
    userId,
    turns: [{ speaker: 0, text: '今日は東京で会議があります。' }],
  })
  const [found] = await search(db, userId, '東京')
  expect(found).toMatchObject({ id, hits: [{ marks: [[3, 5]] }] })
  expect(await search(db, userId, '京東')).toEqual([])
})

test('hostile searches find nothing and break nothing', async ({ db }) => {
  const { id: userId } = await aUser(db)
  await aTranscription(db, { userId, turns: [{ speaker: 0, text: 'plain words' }] })
  for (const q of [
    "'",
    '":*',
    "a' | 'b",
    '\\',
    '!!',
    ':*',
    '& | !',
    '<->',
    "x'); drop table turns",
  ])
    expect((await search(db, userId, q)).map(({ hits }) => hits)).toEqual([])
})

test('nobody finds what others said', async ({ db }) => {
  const owner = await aUser(db)
  const other = await aUser(db)
  await aTranscription(db, { userId: owner.id, turns: [{ speaker: 0, text: 'a secret plan' }] })
  expect(await search(db, other.id, 'secret')).toEqual([])
  expect(await search(db, owner.id, 'secret')).toHaveLength(1)
})

test('a cursor that was made up, or is of another order, is refused', async ({ db }) => {
  const { id: userId } = await aUser(db)
  for (let index = 0; index < 2; index++) await anUpload(db, { userId })
  const { next } = await library.list({ db }, { userId, limit: 1 })
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const id = crypto.randomUUID()
  for (const cursor of [
    'x',
    '',
    made(null),
    made({ sort: 'newest', value: 'yesterday', id, total: 2 }),
    made({ sort: 'newest', value: 1, id, total: 2 }),
    made({ sort: 'newest', value: '2026-01-01', id: 'x', total: 2 }),
    made({ sort: 'newest', value: '2026-01-01', id, total: -1 }),
  ])
    expect(await refusalOf(library.list({ db }, { userId, limit: 1, cursor }))).toBe(
      'invalid_request',
    )
  const other = library.list({ db }, { userId, limit: 1, sort: 'longest', cursor: next })
  expect(await refusalOf(other)).toBe('invalid_request')
})

test('a renamed transcription has its new name everywhere, cleaned', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  const row = await library.rename(
    { db },
    { userId, id, name: '../../etc/Kick\u0000off  call\u202e ' },
  )
  expect(row.originalName).toBe('Kick off call')
  expect((await room.get({ db }, { userId, id })).originalName).toBe('Kick off call')
  const { id: stranger } = await aUser(db)
  expect(await refusalOf(library.rename({ db }, { userId: stranger, id, name: 'x' }))).toBe(
    'not_found',
  )
})

test('a deleted transcription is gone for everybody, and can be brought back for a few minutes', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const turns = [{ speaker: 0, text: 'words' }]
  // However old it is, it can be brought back while its deletion is young.
  const { id } = await aTranscription(db, { userId, turns, createdAt: new Date(0) })
  const now = new Date()
  const deps = { db, clock: () => now }
  const { restorableUntil } = await deleting.remove(deps, { userId, ids: [id] })
  expect(restorableUntil.getTime() - now.getTime()).toBe(UNDELETE_MINUTES * 60_000)
  expect(await refusalOf(room.get({ db }, { userId, id }))).toBe('not_found')
  expect(await refusalOf(room.getFinished({ db }, { userId, id }))).toBe('not_found')
  expect(await refusalOf(deleting.remove(deps, { userId, ids: [id] }))).toBe('not_found')
  expect(await search(db, userId, 'words')).toEqual([])
  expect(await library.list({ db }, { userId, limit: 5 })).toMatchObject({
    rows: [],
    totals: { rows: 0 },
  })
  const { id: stranger } = await aUser(db)
  expect(await refusalOf(deleting.bringBack(deps, { userId: stranger, ids: [id] }))).toBe(
    'not_found',
  )

  expect(await deleting.bringBack(deps, { userId, ids: [id] })).toEqual([id])
  expect(await deleting.bringBack(deps, { userId, ids: [id] })).toEqual([id])
  await deleting.remove(deps, { userId, ids: [id] })
  await pass(db, UNDELETE_MINUTES * 60_000)
  expect(await refusalOf(deleting.bringBack(deps, { userId, ids: [id] }))).toBe('not_found')
})

test('a recording that is worked on is not deleted', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId, status: 'processing' })
  const deps = { db, clock: () => new Date() }
  expect(await refusalOf(deleting.remove(deps, { userId, ids: [id] }))).toBe('still_processing')
})

test('a deleted transcription is swept away with everything made from it', async ({
  db,
  database,
}) => {
  const { id: userId } = await aUser(db)
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-library-'))
  const storage = diskStorage(path.join(folder, 'files'))
  // As a server does at its start: without it nothing is removed.
  await fileMarks.join(db, storage, { hasRecordings: async () => false })
  const queue = await openQueue(database, {
    log: silentLog,
    queues: queuesOf([...mailJobs, ...transcriptionJobs]),
  })
  const storageKey = crypto.randomUUID()
  await storage.write(storageKey, Readable.from([Buffer.from('sound')]), {
    signal: new AbortController().signal,
  })
  const { id } = await aTranscription(db, {
    userId,
    storageKey,
    turns: [{ speaker: 0, text: 'words' }],
  })
  const clock = () => new Date()
  const deps = { db, queue, storage, clock, log: silentLog, workRoot: folder }
  await deleting.remove(deps, { userId, ids: [id] })
  await sweep(deps)
  expect(await db.$count(turns, eq(turns.transcriptionId, id))).toBe(1)
  await pass(db, UNDELETE_MINUTES * 60_000)
  await sweep(deps)
  await queue.stop()
  expect(await db.$count(transcriptions, eq(transcriptions.id, id))).toBe(0)
  expect(await db.$count(turns, eq(turns.transcriptionId, id))).toBe(0)
  expect(await db.$count(originalTurns, eq(originalTurns.transcriptionId, id))).toBe(0)
  await expect(storage.open(storageKey)).rejects.toThrow()
})

test('a user who deletes the sample and opens it again has a fresh one', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-library-'))
  const deps = { db, storage: diskStorage(folder), clock: () => new Date() }
  const first = await sample.open(deps, userId)
  await deleting.remove(deps, { userId, ids: [first.id] })
  const second = await sample.open(deps, userId)
  expect(second.id).not.toBe(first.id)
  expect(await refusalOf(deleting.bringBack(deps, { userId, ids: [first.id] }))).toBe('not_found')
})

test('the library finds what every other search finds, and marks the same places', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const told = searches.map(({ text, wanted, found }, index) => ({ text, wanted, found, index }))
  const ids = new Map<string, number>()
  for (const { text, index } of told) {
    const turns = [{ speaker: 0, text }]
    const { id } = await aTranscription(db, { userId, originalName: `${index}.mp3`, turns })
    ids.set(id, index)
  }
  const answers = []
  for (const { wanted, index } of told) {
    const row = (await search(db, userId, wanted)).find(({ id }) => ids.get(id) === index)
    const places = (row?.hits ?? []).flatMap(({ snippet, marks }) =>
      marks.map(([from, to]) => snippet.slice(from, to)),
    )
    answers.push([wanted, places])
  }
  expect(answers).toEqual(told.map(({ wanted, found }) => [wanted, found]))
})

test('names of recordings, tags and speakers are folded by the same rules', async ({ db }) => {
  for (const { text, wanted, found } of searches) {
    const { rows } = await db.execute<{ has: boolean }>(
      sql`select search_text(${text}) like '%' || trim(search_text(${wanted})) || '%' as has`,
    )
    expect([text, wanted, rows[0]?.has]).toEqual([text, wanted, found.length > 0])
  }
})
