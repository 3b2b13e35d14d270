import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'
import type { z } from 'zod'

import * as credits from '#features/credits/credits.ts'
import { exportTranscripts } from '#features/exports/export-for.ts'
import * as retention from '#features/recordings/retention.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Chunk, EngineResult } from '#features/speech/engines/engine.ts'
import { Again, DecidedAgain, Words } from '#features/text/contract.ts'
import { removeOver } from '#features/text/earlier.ts'
import { threadsForUsers } from '#features/text/user-threads.ts'
import { turns } from '#features/text/tables.ts'
import type * as tasks from '#features/text/tasks.ts'
import { Transcription } from '#features/transcriptions/contract.ts'
import { type RunDeps, run } from '#features/transcriptions/run.ts'
import * as transcribing from '#features/transcriptions/transcriptions.ts'
import * as freeRuns from '#features/transcriptions/free-runs.ts'
import * as unpaidJobs from '#features/transcriptions/unpaid-jobs.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { Tx } from '#server/db.ts'
import type { Happened } from '#server/events.ts'
import { silentLog } from '#server/log.ts'
import { keepThread, tasksIn } from '#server/threads.ts'
import type { TestApp } from '#test/app.ts'
import { anEngine, capabilities, repeating } from '#test/engine.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { pass } from '#test/passing.ts'
import { isLong } from '#test/long.ts'
import { test as base } from '#test/served.ts'

/** With a thread kept that carries over and tells apart, as a worker keeps one. */
const test = base.extend('server', { scope: 'file' }, async ({ server }, { onCleanup }) => {
  const { module } = tasksIn<typeof tasks>(new URL('../text/tasks.ts', import.meta.url))('carry')
  const { url: databaseUrl } = server.parts.database
  const thread = keepThread({ databaseUrl, modules: [module] })
  onCleanup(() => thread.close())
  return server
})

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const sample = path.resolve(import.meta.dirname, '../transcriptions/sample/sample.m4a')
let folder: string
/** Twenty seconds of speech. */
let recording: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quoth-again-'))
  recording = path.join(folder, 'short.wav')
  const asked = ['-v', 'error', '-t', '20', '-i', sample, '-ac', '1', '-ar', '16000', recording]
  await promisify(execFile)('ffmpeg', asked)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Fifty words that are said, one every 400 ms, and no two are alike. */
const said =
  'meeting paper decision summary budget garden window letter number answer morning journey kitchen harbour mountain teacher picture station village weather question company hospital children minister language evening history culture science problem service network product council library railway college student doctor market forest island castle bridge circle square button camera pencil'.split(
    ' ',
  )
/** Twenty words that the first engine heard wrong, and that their owner has corrected. */
const isCorrected = (place: number) => place % 2 === 1 && place < 40
const firstHeard = said.map((word, place) => (isCorrected(place) ? `wrong${place}` : word))

/** An engine that hears these words where somebody speaks. */
const hearing = (words: readonly string[]) =>
  anEngine({
    name: 'second',
    capabilities: { ...capabilities, hasPunctuation: true },
    diarizer: halves,
    recognise: async (_pcm, chunks): Promise<EngineResult> => ({
      kind: 'done',
      language: 'en',
      words: words
        .map((text, place) => ({
          text,
          startMs: place * 400,
          endMs: place * 400 + 300,
          confidence: 0.7,
        }))
        .filter(({ text, startMs }) => text !== '' && isIn(chunks, startMs + 150)),
    }),
  })
const isIn = (chunks: readonly Chunk[], ms: number) =>
  chunks.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)

/** One speaker for ten seconds, and another one after that. */
const halves = {
  name: 'halves',
  diarize: async () => [
    { speaker: 0, startMs: 0, endMs: 10_000 },
    { speaker: 1, startMs: 10_000, endMs: 20_000 },
  ],
}

/** Somebody with a transcription of five turns of ten words, whose recording is there. */
async function anOwner({ parts: { database, storage }, as }: TestApp) {
  const user = await aUser(database.db, { credits: 5 })
  const storageKey = crypto.randomUUID()
  const signal = AbortSignal.timeout(10_000)
  await storage.write(storageKey, createReadStream(recording), { signal })
  const { id } = await aTranscription(database.db, { userId: user.id, storageKey, attempt: 1 })
  const rows = Array.from({ length: 5 }, (_, position) => {
    const words = firstHeard.slice(position * 10, position * 10 + 10).map((text, index) => {
      const startMs = (position * 10 + index) * 400
      return { text, startMs, endMs: startMs + 300, confidence: 0.4 }
    })
    const text = words.map((word) => word.text).join(' ')
    const times = { startMs: position * 4_000, endMs: position * 4_000 + 3_900 }
    return { transcriptionId: id, position, speaker: position, text, words, ...times }
  })
  await database.db.insert(turns).values(rows)
  await database.db
    .update(transcriptions)
    .set({
      speakerCount: 5,
      wordCount: 50,
      transcriptionText: rows.map(({ text }) => text).join('\n\n'),
      chapters: { by: 'words', list: [{ title: 'The beginning', startMs: 0 }] },
    })
    .where(eq(transcriptions.id, id))
  const call = await as(user)
  const url = `/api/transcriptions/${id}`
  const get = async <Schema extends z.ZodType>(schema: Schema, path: string) =>
    schema.parse((await call(`${url}${path}`)).json())
  const words = () => get(Words, '/words')
  const row = async () => {
    const [found] = await database.db.select().from(transcriptions).where(eq(transcriptions.id, id))
    return found!
  }
  const correctAll = async () => {
    for (const turn of (await words()).turns) {
      const payload = { text: righted(turn.text), revision: turn.revision }
      if (payload.text !== turn.text)
        await call({ method: 'PATCH', url: `${url}/turns/${turn.id}`, payload })
    }
  }
  const post = (what: string, payload?: object) =>
    call({ method: 'POST', url: `${url}${what}`, ...(payload ? { payload } : {}) })
  return { user, id, url, call, get, words, row, correctAll, post }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const righted = (text: string) =>
  text.replace(/wrong(\d+)/g, (_, place: string) => said[Number(place)]!)
const textOf = ({ turns: all }: Words) => all.map(({ text }) => text).join(' ')

/** The parts of a worker. */
const working = ({ parts }: TestApp, engine: RunDeps['engine']): RunDeps => ({
  ...parts,
  db: parts.database.db,
  log: silentLog,
  engine,
  writer: repeating,
  databaseUrl: parts.database.url,
  workRoot: path.join(folder, 'work'),
})
const delivery = { isLastAttempt: true, signal: new AbortController().signal }

/** Asks for a new text, confirms it, and answers what a worker finds in the queue. */
async function confirmed({ post, call }: Owner, options: object = {}, payload: object = {}) {
  const quote = (await post('/again', options)).json<{ id: string; creditsRequired: number }>()
  const url = `/api/transcriptions/${quote.id}/confirm`
  const answer = await call({ method: 'POST', url, payload })
  expect(answer.statusCode).toBe(200)
  return { ...quote, url, answer, job: { transcriptionId: quote.id, attempt: 2 } }
}

const balanceOf = ({ user }: Owner, { parts }: TestApp) =>
  credits.balance(parts.database.db, user.id)

test('twenty corrections are in the new text or are listed, and the old text is a step away', async ({
  server,
}) => {
  const owner = await anOwner(server)
  await owner.correctAll()
  await owner.call({ method: 'PATCH', url: `${owner.url}/speakers/0`, payload: { name: 'Ana' } })
  await owner.post('/checked')
  const before = await owner.words()
  const rowBefore = await owner.row()
  expect(textOf(before)).toBe(said.join(' '))
  expect((await owner.get(Again, '/again')).offer).toMatchObject({
    creditsRequired: 1,
    creditsAvailable: 5,
    corrections: 20,
    speakersFound: 5,
  })

  // The second engine makes other mistakes, and loses a stretch altogether.
  const heard = said.map((word, place) =>
    place >= 20 && place < 26 ? '' : place % 4 === 1 ? `other${place}` : word,
  )
  const { job, url, answer, id: runId } = await confirmed(owner, { speakers: '2' })
  expect(answer.json()).toEqual({ creditsDeducted: 1, creditsRemaining: 4 })
  expect((await owner.call({ method: 'POST', url })).json()).toEqual(answer.json())

  // Meanwhile the text can be read, and not be changed.
  const payload = { text: 'something else', revision: before.turns[0]!.revision }
  const edit = {
    method: 'PATCH',
    url: `${owner.url}/turns/${before.turns[0]!.id}`,
    payload,
  } as const
  const refused = await owner.call(edit)
  expect(refused.json()).toMatchObject({
    code: 'being_rewritten',
    message: 'A new text is being written. Corrections wait until it is there.',
  })
  expect(await owner.words()).toEqual(before)
  expect((await owner.get(Transcription, '')).again).toMatchObject({ id: runId, what: 'text' })
  expect((await owner.post('/again', {})).json()).toMatchObject({ code: 'still_processing' })
  for (const what of ['', '/recording']) {
    const kept = await owner.call({ method: 'DELETE', url: owner.url + what })
    expect([kept.statusCode, kept.json().code]).toEqual([409, 'still_processing'])
  }

  const events: Happened[] = []
  const onEvent = async (_tx: Tx, event: Happened) => void events.push(event)
  await run({ ...working(server, hearing(heard)), onEvent }, job, delivery)
  expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 0 })
  // Events name the id that their reader knows.
  expect(events).toMatchObject([
    { type: 'transcription.completed', data: { id: owner.id, again: 'text' } },
  ])
  const after = await owner.words()
  const { carried, earlier } = await owner.get(Again, '/again')
  const lost = carried!.questions.filter(({ kind }) => kind === 'text')
  expect(carried!.placed + lost.length).toBe(20)
  expect(carried!.placed).toBeGreaterThanOrEqual(14)
  expect(lost.length).toBeGreaterThan(0)
  expect(earlier).not.toBeNull()
  expect(after.revision).toBeGreaterThan(before.revision)
  expect(after.checked).toBeUndefined()
  expect(await owner.get(Transcription, '')).toMatchObject({
    engine: 'second',
    again: null,
    status: 'completed',
  })
  // The counts of the old text count no more.
  expect((await owner.call('/api/accuracy')).json()).toEqual([])
  // Its owner has it as a file, and nowhere else.
  const kept = `/api/transcriptions/${runId}`
  expect((await owner.call(`${kept}/export?format=txt`)).body).toContain(righted('wrong1'))
  expect((await owner.call(`${kept}/words`)).statusCode).toBe(404)
  expect((await owner.call(kept)).json()).toMatchObject({
    status: 'completed',
    transcriptionText: null,
    chapters: [],
    chaptersBy: null,
  })
  const everything = exportTranscripts({
    db: server.parts.database.db,
    userThreads: threadsForUsers(server.parts),
  })
  const files: string[] = []
  for await (const file of everything.exportFor(owner.user.id)) files.push(file.path)
  expect(files.filter((file) => file.startsWith('transcriptions/earlier/'))).toHaveLength(3)
  expect(files).toHaveLength(6)
  const listed = (await owner.call('/api/transcriptions')).json<{ id: string }[]>()
  expect(listed.map(({ id }) => id)).toEqual([owner.id])
  // A change of the old text is never taken back in the new one.
  expect((await owner.post('/undo', { edit: 1 })).json()).toMatchObject({ code: 'cannot_undo' })
  expect((await owner.call(edit)).statusCode).toBe(409)

  const [first] = lost
  const decide = async (decision: string) =>
    DecidedAgain.parse(
      (await owner.post('/again/decision', { number: first!.number, decision })).json(),
    )
  const put = await decide('put')
  const mine = first!.kind === 'text' ? first!.mine : ''
  expect(put.edited).not.toBeNull()
  expect(textOf(await owner.words())).toContain(mine)
  expect((await decide('put')).edited).toBeNull()
  expect((await decide('open')).question).toMatchObject({ decision: 'open' })
  expect(textOf(await owner.words())).toBe(textOf(after))

  expect((await owner.post('/again/back')).statusCode).toBe(200)
  const old = await owner.words()
  expect(old.turns).toEqual(before.turns)
  expect(await owner.row()).toEqual({ ...rowBefore, attempt: 2, revision: old.revision })
  expect(old.checked).toEqual({ words: 50, corrected: 20 })
  expect(old.speakers.map(({ name }) => name)).toContain('Ana')
  expect(old.revision).toBeGreaterThan(after.revision)
  // Its own changes can be taken back again, and the new text is kept instead.
  expect((await owner.post('/undo', { edit: 1 })).statusCode).toBe(200)
  await owner.post('/again/back')
  expect(textOf(await owner.words())).toBe(textOf(after))
  expect((await owner.get(Again, '/again')).carried!.placed).toBe(carried!.placed)
  expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 0 })

  const dropped = await owner.call({ method: 'DELETE', url: `${owner.url}/again/earlier` })
  expect(dropped.json()).toMatchObject({ earlier: null })
  expect((await owner.post('/again/back')).json()).toMatchObject({ code: 'no_earlier_text' })
  await server.parts.database.db.transaction(async (tx) => {
    expect(await credits.verify(tx)).toEqual([])
  })
})

test('speakers are told apart again for nothing; words stay, and names stay with their voices', async ({
  server,
}) => {
  const owner = await anOwner(server)
  await owner.correctAll()
  // The first two are one person.
  for (const [speaker, name] of [
    [1, 'Ana'],
    [0, 'Ana'],
    [3, 'Ben'],
    [4, 'Cleo'],
  ])
    await owner.call({
      method: 'PATCH',
      url: `${owner.url}/speakers/${speaker}`,
      payload: { name },
    })
  const before = await owner.words()
  const { id } = (await owner.post('/speakers', { speakers: '2' })).json<{ id: string }>()
  const shown = await owner.call(`/api/transcriptions/${id}`)
  expect(Transcription.parse(shown.json())).toMatchObject({ status: 'processing' })
  await run(working(server, hearing(said)), { transcriptionId: id, attempt: 2 }, delivery)
  expect(await balanceOf(owner, server)).toEqual({ available: 5, held: 0 })

  const after = await owner.words()
  expect(textOf(after)).toBe(textOf(before))
  expect(after.speakers.map(({ name }) => name)).toEqual(['Ana', null])
  const { carried, offer, earlier } = await owner.get(Again, '/again')
  expect(carried!.questions).toEqual([
    { kind: 'name', number: 0, decision: 'open', speaker: 1, name: 'Ben' },
  ])
  expect(offer!.options.speakers).toBe('2')
  expect(earlier).toBeNull()
  const decide = (decision: string) => owner.post('/again/decision', { number: 0, decision })
  expect((await decide('put')).statusCode).toBe(200)
  expect((await owner.words()).speakers.map(({ name }) => name)).toEqual(['Ana', 'Ben'])
  await decide('left')
  expect((await owner.words()).speakers.map(({ name }) => name)).toEqual(['Ana', null])

  // It is one change, which can be undone; and that can be undone.
  const undone = await owner.post('/undo', { edit: after.revision })
  const back = await owner.words()
  expect(back.turns.map(({ text, speaker }) => [text, speaker])).toEqual(
    before.turns.map(({ text, speaker }) => [text, speaker]),
  )
  expect(back.speakers).toEqual(before.speakers)
  const asked = async () => (await owner.get(Again, '/again')).carried!.questions
  expect(await asked()).toEqual([])
  await owner.post('/undo', { edit: undone.json<{ undo: number }>().undo })
  expect(await asked()).toMatchObject([{ speaker: 1, name: 'Ben' }])
  const [turn] = (await owner.words()).turns
  // The engine's words are still known, turn by turn.
  const restored = await owner.post(`/turns/${turn!.id}/restore`, { revision: turn!.revision })
  expect(restored.json<{ turns: { text: string }[] }>().turns[0]!.text).toContain('wrong1')
})

test('a user who had five jobs for nothing in an hour has speakers told apart later', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db } = server.parts.database
  const of = { userId: owner.user.id, now: server.parts.clock() }
  for (let job = 0; job < 5; job++) await db.transaction((tx) => unpaidJobs.count(tx, of))
  const refused = await owner.post('/speakers', { speakers: '2' })
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_unpaid_jobs'])
  expect((await owner.get(Again, '/again')).offer).not.toBeNull()
})

test('an hour has ten runs for nothing, of both kinds together; one that is paid goes on', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db } = server.parts.database
  const of = { userId: owner.user.id, now: server.parts.clock() }
  for (let run = 0; run < 9; run++) await db.transaction((tx) => freeRuns.take(tx, of))
  const tenth = await owner.post('/speakers', { speakers: '2' })
  expect(tenth.statusCode).toBe(200)
  await owner.call({ method: 'DELETE', url: `/api/transcriptions/${tenth.json().id}/cancel` })

  const confirm = async (hasFault: boolean) => {
    await db.update(transcriptions).set({ hasFault }).where(eq(transcriptions.id, owner.id))
    const { id } = (await owner.post('/again', {})).json<{ id: string }>()
    return owner.call({ method: 'POST', url: `/api/transcriptions/${id}/confirm` })
  }
  for (const refused of [await owner.post('/speakers', { speakers: '2' }), await confirm(true)])
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_free_runs'])
  expect((await confirm(false)).json()).toEqual({ creditsDeducted: 1, creditsRemaining: 4 })
  const other = await anOwner(server)
  expect((await other.post('/speakers', { speakers: '2' })).statusCode).toBe(200)
})

test('a recording is there while it is worked on again, and without one no work is paid for', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db } = server.parts.database
  const { id } = await confirmed(owner)
  const remove = () => owner.call({ method: 'DELETE', url: `${owner.url}/recording` })
  expect((await remove()).json()).toMatchObject({ code: 'still_processing' })
  // Its 30 days are over meanwhile.
  await pass(db, 31 * DAY_MS)
  await retention.sweep({ ...server.parts, db }, {})
  // An earlier text is dropped, where there is one, and no work.
  await owner.call({ method: 'DELETE', url: `${owner.url}/again/earlier` })
  expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 1 })
  expect((await owner.get(Again, '/again')).offer).not.toBeNull()

  await owner.call({ method: 'DELETE', url: `/api/transcriptions/${id}/cancel` })
  const quote = (await owner.post('/again', {})).json<{ id: string }>()
  expect((await remove()).statusCode).toBe(200)
  const url = `/api/transcriptions/${quote.id}/confirm`
  const refused = await owner.call({ method: 'POST', url })
  expect(refused.json()).toMatchObject({ code: 'recording_deleted' })
  expect(await balanceOf(owner, server)).toEqual({ available: 5, held: 0 })
})

test('events tell of no transcription that is made or deleted with work on a recording again', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { id } = (await owner.post('/again', {})).json<{ id: string }>()
  const events: Happened[] = []
  const onEvent = async (_tx: Tx, event: Happened) => void events.push(event)
  const deps = { ...working(server, hearing(said)), onEvent }
  await transcribing.confirm(deps, { userId: owner.user.id, id })
  await transcribing.cancel(deps, { userId: owner.user.id, id })
  expect(events).toEqual([])
})

test.for([
  [120_999, 1],
  [121_000, 2],
])(
  'a recording of %i ms is transcribed again at the price of its upload: %i',
  async ([durationMs, price], { server }) => {
    const owner = await anOwner(server)
    const { db } = server.parts.database
    await db.update(transcriptions).set({ durationMs }).where(eq(transcriptions.id, owner.id))
    expect((await owner.get(Again, '/again')).offer).toMatchObject({ creditsRequired: price })
    expect((await owner.post('/again', {})).json()).toMatchObject({ creditsRequired: price })
  },
)

test('an earlier text can be had for 30 days, and is kept for one more in case a clock was wrong', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db } = server.parts.database
  const { job } = await confirmed(owner)
  await run(working(server, hearing(said)), job, delivery)
  const kept = async () => db.$count(transcriptions, eq(transcriptions.againOf, owner.id))
  const clock = server.parts.clock

  await pass(db, 30 * DAY_MS - HOUR_MS)
  expect((await owner.get(Again, '/again')).earlier).not.toBeNull()
  await pass(db, 2 * HOUR_MS)
  expect((await owner.get(Again, '/again')).earlier).toBeNull()
  expect((await owner.post('/again/back')).json()).toMatchObject({ code: 'no_earlier_text' })
  await removeOver({ db, clock })
  expect(await kept()).toBe(1)
  await pass(db, DAY_MS)
  await removeOver({ db, clock })
  expect(await kept()).toBe(0)
})

test('a new text that fails leaves the old one, and its credits come back', async ({ server }) => {
  const owner = await anOwner(server)
  const before = await owner.words()
  const dropped = await confirmed(owner)
  const url = `/api/transcriptions/${dropped.id}/cancel`
  expect((await owner.call({ method: 'DELETE', url })).json()).toEqual({
    message: 'The text stays as it is, and no credits were charged.',
  })
  expect(await balanceOf(owner, server)).toEqual({ available: 5, held: 0 })

  const { id } = await confirmed(owner)
  const job = { transcriptionId: id, attempt: 3 }
  const broken = { ...hearing(said), recognise: () => Promise.reject(new Error('no model')) }
  const events: Happened[] = []
  const onEvent = async (_tx: Tx, event: Happened) => void events.push(event)
  await run({ ...working(server, broken), onEvent }, job, delivery)
  const told = events.filter(({ type }) => type === 'transcription.failed')
  expect(told).toMatchObject([{ data: { id: owner.id, again: 'text' } }])
  expect(await balanceOf(owner, server)).toEqual({ available: 5, held: 0 })
  expect(await owner.get(Transcription, '')).toMatchObject({
    status: 'completed',
    again: {
      status: 'error',
      errorMessage: 'The recording could not be transcribed again. Your credits were returned.',
    },
  })
  expect(await owner.words()).toEqual(before)
  await owner.correctAll()
  expect(textOf(await owner.words())).toBe(said.join(' '))

  const next = await confirmed(owner, {}, { summaryLanguage: 'auto' })
  await run(working(server, hearing(said)), { transcriptionId: next.id, attempt: 4 }, delivery)
  // The failure before is over, and is not told of the text that is there now.
  const again = { again: null, summaryLanguage: 'auto' }
  expect(await owner.get(Transcription, '')).toMatchObject(again)
})

test('a new text that is asked for twice and delivered three times is one, at one price', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const asked = await Promise.all([owner.post('/again', {}), owner.post('/again', {})])
  const ids = asked.map((answer) => answer.json<{ id: string }>().id)
  const confirm = (id: string) =>
    owner.call({ method: 'POST', url: `/api/transcriptions/${id}/confirm` })
  const answers = await Promise.all([...ids, ...ids].map(confirm))
  const begun = ids.filter((_, index) => answers[index]!.statusCode === 200)
  expect(begun).toHaveLength(1)
  expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 1 })
  const job = { transcriptionId: begun[0]!, attempt: 2 }

  const deps = working(server, hearing(said))
  // It dies when all but the last step is done.
  const dying = { ...deps, onEvent: () => Promise.reject(new Error('gone')) }
  await expect(run(dying, job, { ...delivery, isLastAttempt: false })).rejects.toThrow()
  expect(textOf(await owner.words())).toBe(firstHeard.join(' '))
  await run(deps, job, delivery)
  const after = await owner.words()
  await run(deps, job, delivery)
  expect(await owner.words()).toEqual(after)
  expect(after.turns.map(({ text }) => text).join(' ')).not.toContain('wrong')
  expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 0 })
})

if (isLong)
  test('a quote for nothing ends with the text that it was made for', async ({ server }) => {
    const owner = await anOwner(server)
    const { db } = server.parts.database
    const { job } = await confirmed(owner)
    await run(working(server, hearing(said)), job, delivery)
    await db.update(transcriptions).set({ hasFault: true }).where(eq(transcriptions.id, owner.id))
    const quote = (await owner.post('/again', {})).json<{ id: string; creditsRequired: number }>()
    expect(quote.creditsRequired).toBe(0)
    expect((await owner.post('/again/back')).statusCode).toBe(200)
    const url = `/api/transcriptions/${quote.id}/confirm`
    expect((await owner.call({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
    expect(await balanceOf(owner, server)).toEqual({ available: 4, held: 0 })
  })

test('a text that the engine could not write in full is redone free once, with fixed replacements', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db } = server.parts.database
  const replacement = { from: said[2]!, to: 'Verdict', matchCase: false, wholeWord: true }
  await vocabulary.set(db, { userId: owner.user.id, terms: [], replacements: [replacement] })
  await db.update(transcriptions).set({ hasFault: true }).where(eq(transcriptions.id, owner.id))
  const { job, creditsRequired, answer } = await confirmed(owner)
  expect(creditsRequired).toBe(0)
  expect(answer.json()).toEqual({ creditsDeducted: 0, creditsRemaining: 5 })
  await run(working(server, hearing(said)), job, delivery)
  expect(await balanceOf(owner, server)).toEqual({ available: 5, held: 0 })

  const after = await owner.words()
  expect(textOf(after)).toContain('Verdict')
  expect(after.fixed).toMatchObject({ replaced: 1 })
  expect((await owner.get(Again, '/again')).offer).toMatchObject({
    creditsRequired: 1,
    corrections: 0,
  })
  await owner.post('/undo', { edit: after.fixed!.edit })
  expect(textOf(await owner.words())).toContain(said[2]!)
  await owner.post('/again/back')
  expect((await owner.get(Again, '/again')).offer).toMatchObject({ creditsRequired: 1 })

  const later = () => new Date(server.parts.clock().getTime() + 31 * DAY_MS)
  await removeOver({ db, clock: later })
  expect((await owner.get(Again, '/again')).earlier).toBeNull()
  expect(textOf(await owner.words())).toBe(firstHeard.join(' '))
})
