/** Chapters of a transcription: setting them, finding them, and whose they are. */
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import type { KeptChapters } from '#features/row/kept.ts'
import { transcriptions } from '#features/row/tables.ts'
import * as earlier from '#features/text/earlier.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import type { Chapter, Chapters, Transcription } from '#features/transcriptions/contract.ts'
import * as laterSummary from '#features/transcriptions/later-summary.ts'
import type { Summary } from '#features/writing/contract.ts'
import type { Db } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { systemClock } from '#shared/clock.ts'
import type { TestApp } from '#test/app.ts'
import { chapterTexts } from '#test/chapter-texts.ts'
import { untilItWaits } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'

const found: KeptChapters = {
  by: 'words',
  list: [
    { title: 'Harbour bridge', startMs: 0 },
    { title: 'Ferry', startMs: 292_000 },
    { title: 'Night shift', startMs: 600_500 },
  ],
}
const shown: Chapter[] = found.list.map(({ title, startMs }) => ({ title, start: startMs / 1000 }))

async function aLong(server: TestApp, values: object = {}) {
  const { db } = server.parts.database
  const user = await aUser(db)
  const { id } = await aTranscription(db, {
    userId: user.id,
    durationMs: 2_470_000,
    chapters: found,
    ...values,
  })
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}`
  const read = async () => (await call(url)).json<Transcription>()
  const put = (chapters: readonly Chapter[], was?: readonly Chapter[]) =>
    call({ method: 'PUT', url: `${url}/chapters`, payload: { chapters, ...(was ? { was } : {}) } })
  const find = () => call({ method: 'POST', url: `${url}/chapters/find` })
  return { db, id, userId: user.id, read, put, find }
}

async function talkOf(db: Db, id: string): Promise<void> {
  const { turns } = chapterTexts().find(({ name }) => name === 'interview')!
  await db.insert(turnRows).values(
    turns.map(({ startMs, endMs, text }, position) => ({
      transcriptionId: id,
      position,
      speaker: position % 2,
      startMs: Math.round(startMs),
      endMs: Math.round(endMs),
      text,
      words: [],
    })),
  )
}

test('chapters stand with the transcription, and are their owner’s once they were changed', async ({
  server,
}) => {
  const { read, put } = await aLong(server)
  expect(await read()).toMatchObject({ chapters: shown, chaptersBy: 'words' })
  const mine = [{ title: '  The \n \u202ebridge\u2066 ', start: 12.3456 }, shown[2]!, shown[0]!]
  const answer = await put(mine, shown)
  expect(answer.statusCode).toBe(200)
  const now: Chapters = {
    chapters: [shown[0]!, { title: 'The bridge', start: 12.346 }, shown[2]!],
    chaptersBy: 'own',
  }
  expect(answer.json()).toEqual(now)
  expect(await read()).toMatchObject(now)
  expect((await put([])).json()).toEqual({ chapters: [], chaptersBy: 'own' })
})

test('chapters that were changed elsewhere are not written over, and the same twice is one change', async ({
  server,
}) => {
  const { read, put } = await aLong(server)
  const first = [{ title: 'One', start: 0 }]
  expect((await put(first, shown)).statusCode).toBe(200)
  const late = await put([{ title: 'Two', start: 0 }], shown)
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({ code: 'chapters_changed' })
  expect((await put(first, shown)).json()).toEqual({ chapters: first, chaptersBy: 'own' })
  expect((await read()).chapters).toEqual(first)
})

test('a chapter lies in the recording, five seconds from the others', async ({ server }) => {
  const { put, read } = await aLong(server)
  for (const [chapters, message] of [
    [[...shown, { title: 'New', start: 287.5 }], 'Another chapter begins at 4:52.'],
    [[...shown, { title: 'New', start: 296.9 }], 'Another chapter begins at 4:52.'],
    [[...shown, { title: 'New', start: 2_470 }], 'This recording ends at 41:10.'],
  ] as const) {
    const answer = await put(chapters)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'chapter_misplaced', message })
  }
  for (const wrong of [
    { title: ' ', start: 0 },
    { title: 'x'.repeat(101), start: 0 },
    { title: 'Before', start: -1 },
  ])
    expect((await put([wrong])).statusCode).toBe(400)
  const many = Array.from({ length: 101 }, (_, at) => ({ title: 'x', start: at * 10 }))
  expect((await put(many)).statusCode).toBe(400)
  expect((await put(many.slice(1))).statusCode).toBe(200)
  expect((await read()).chapters).toHaveLength(100)
})

test('a recording that is not finished has no chapters to set or to find', async ({ server }) => {
  const open = await aLong(server, { status: 'processing', finishedAt: null })
  expect((await open.put(shown)).json()).toMatchObject({ code: 'not_finished' })
  expect((await open.find()).json()).toMatchObject({ code: 'not_finished' })
})

test('chapters are found anew in the text as it is, also where they were somebody’s own', async ({
  server,
}) => {
  const { db, id, find, put, read } = await aLong(server)
  await put([{ title: 'Mine', start: 0 }])
  const none = await find()
  expect(none.statusCode).toBe(422)
  expect(none.json()).toMatchObject({
    code: 'no_chapters',
    message: 'No chapters could be found.',
  })
  expect((await read()).chapters).toEqual([{ title: 'Mine', start: 0 }])
  await talkOf(db, id)
  const answer = await find()
  expect(answer.statusCode).toBe(200)
  expect(answer.json<Chapters>().chaptersBy).toBe('words')
  expect(answer.json<Chapters>().chapters.length).toBeGreaterThanOrEqual(3)
  expect(await read()).toMatchObject(answer.json<Chapters>())
})

test('chapters of a text that was changed while they were looked for are not kept', async ({
  server,
}) => {
  const { db, id, find, read } = await aLong(server)
  await talkOf(db, id)
  const finding = await db.transaction(async (tx) => {
    const isIt = eq(transcriptions.id, id)
    await tx.select().from(transcriptions).where(isIt).for('update')
    const answer = find()
    await untilItWaits(db, answer)
    await tx.delete(turnRows).where(eq(turnRows.transcriptionId, id))
    await tx.update(transcriptions).set({ revision: 1 }).where(isIt)
    return [answer] as const
  })
  expect((await finding[0]).json()).toMatchObject({ code: 'no_chapters' })
  expect(await read()).toMatchObject({ chapters: shown })
})

const better: Summary = {
  text: 'The bridge is closed.',
  keyPoints: [],
  topics: [],
  language: 'en',
  engine: 'llm',
  note: 'Written by AI.',
  chapters: { by: 'model', list: [{ title: 'The bridge is closed', startMs: 0 }] },
}

test('a summary that comes later replaces chapters that were found, and nobody’s own', async ({
  server,
}) => {
  for (const [isOwn, summary, expected] of [
    [false, better, [{ title: 'The bridge is closed', start: 0 }]],
    [false, { ...better, chapters: null }, shown],
    [true, better, [{ title: 'Mine', start: 0 }]],
  ] as const) {
    const pending = crypto.randomUUID()
    const { db, id, put, read } = await aLong(server, { summaryPending: pending })
    if (isOwn) await put([{ title: 'Mine', start: 0 }])
    await laterSummary.end({ db, log: silentLog }, { transcriptionId: id, pending }, summary)
    const now = await read()
    expect(now).toMatchObject({ summary: better.text, chapters: expected })
    expect(now.chaptersBy).toBe(isOwn ? 'own' : summary.chapters ? 'model' : 'words')
  }
})

test('a new text brings its chapters, but for those that are somebody’s own, and the earlier text its own', async ({
  server,
}) => {
  for (const isOwn of [false, true]) {
    const { db, id, userId, put, read } = await aLong(server)
    if (isOwn) await put([{ title: 'Mine', start: 0 }])
    const before = (await read()).chapters
    const result = laterSummary.columnsOf(better, { speakerCount: 2, speakers: null })
    await db.transaction(async (tx) => {
      const row = (await earlier.lockBefore(tx, id))!
      const kept = { ...earlier.asEarlier(row, { creditsRequired: 1 }), finishedAt: new Date() }
      const values = { ...kept, againWhat: 'text' as const, creditsRequired: 1 }
      const keeper = await earlier.insertRun(tx, row, {
        ...values,
        keptUntil: new Date(Date.now() + 3_600_000),
      })
      await earlier.setAside(tx, { id, keeper: keeper.id })
      await earlier.begin(tx, { before: row, run: row, result, now: new Date() })
    })
    const again = await read()
    expect(again.chapters).toEqual(isOwn ? before : [{ title: 'The bridge is closed', start: 0 }])
    await put([{ title: 'Of the new text', start: 0 }])
    await earlier.back({ db, clock: systemClock }, { userId, id })
    expect((await read()).chapters).toEqual(before)
    const [keeper] = await db.select().from(transcriptions).where(eq(transcriptions.againOf, id))
    expect(keeper?.chapters).toMatchObject({ by: 'own', list: [{ title: 'Of the new text' }] })
  }
})
