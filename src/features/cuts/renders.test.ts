import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { z } from 'zod'

import { renders, transcriptions } from '#features/row/tables.ts'
import { measure } from '#features/sound/decode.ts'
import { turns } from '#features/text/tables.ts'
import type { Happened } from '#server/events.ts'
import { mailJob } from '#server/mail-jobs.ts'
import { NotStored } from '#server/storage.ts'
import type { TestApp } from '#test/app.ts'
import { aRecording } from '#test/api.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'

import { saidIn } from './clips.ts'
import type { CutRange, Render, Renders } from './contract.ts'
import { listOf } from './cuts.ts'
import { mailFor } from './mails.ts'
import { make, tidyUp } from './renders.ts'

const publicUrl = new URL('https://quoth.example')

const recording = await aRecording(4)
const DURATION_MS = 4_000

/** A finished transcription whose recording is there. */
async function anOwner(server: TestApp, values: object = {}) {
  const { database, storage, queue, clock, log } = server.parts
  const { db } = database
  const user = await aUser(db)
  const storageKey = crypto.randomUUID()
  const signal = AbortSignal.timeout(30_000)
  await storage.write(storageKey, Readable.from([recording]), { signal })
  const { id } = await aTranscription(db, {
    userId: user.id,
    storageKey,
    originalName: 'Interview with Ada.wav',
    mediaType: 'audio/wav',
    durationMs: DURATION_MS,
    ...values,
  })
  const call = await server.as(user)
  const heard: Happened[] = []
  const onEvent = async (_: unknown, happened: Happened) => void heard.push(happened)
  const deps = { db, storage, queue, clock, log, onEvent }
  const url = `/api/transcriptions/${id}`
  const post = (path: string, payload: object = {}) =>
    call({ method: 'POST', url: `${url}/${path}`, payload })
  return {
    db,
    heard,
    id,
    user,
    call,
    deps,
    storage,
    post,
    url,
    cut: (...cut: CutRange[]) => post('cuts', { cut }),
    order: async (payload: object = {}) => (await post('renders', payload)).json<Render>(),
    run: ({ id: renderId }: Render) => make(deps, { renderId }, { isLastAttempt: true, signal }),
    list: async () => (await call(`${url}/renders`)).json<Renders>(),
    remove: ({ id: renderId }: Render) =>
      call({ method: 'DELETE', url: `${url}/renders/${renderId}` }),
    measuredOf: async (key: string) => {
      const { path, release } = await storage.open(key)
      const measured = await measure(path, { maxDurationMs: 60_000, signal })
      await release()
      if (measured.kind !== 'audio') throw new Error(measured.reason)
      return measured
    },
    keyOf: async ({ id: renderId }: Render) => {
      const [row] = await db.select().from(renders).where(eq(renders.id, renderId))
      return row?.storageKey ?? ''
    },
  }
}

test('a file is made without the cuts, and can be heard and saved', async ({ server }) => {
  const { cut, order, run, list, call, url, keyOf, measuredOf, heard, id, user } =
    await anOwner(server)
  await cut({ start: 0.5, end: 1.25 }, { start: 3, end: 3.5 })
  const waiting = await order()
  expect(waiting).toMatchObject({ status: 'making', format: 'wav', duration: 2.75, ahead: 0 })
  const file = `${url}/renders/${waiting.id}/file`
  expect((await call(file)).json()).toMatchObject({ code: 'render_not_made' })
  await run(waiting)
  const [made] = (await list()).renders
  expect(made).toMatchObject({ status: 'made', progress: 100, isAsCut: true, problem: null })
  expect(made?.name).toBe('Interview with Ada (cut).wav')
  const data = { id: waiting.id, transcriptionId: id, format: 'wav' }
  expect(heard).toEqual([{ userId: user.id, type: 'render.completed', data }])
  const answer = await call({ url: file, headers: { range: 'bytes=0-3' } })
  expect(answer.statusCode).toBe(206)
  expect(answer.headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': '4' })
  expect(answer.body).toBe('RIFF')
  const saved = await call(`${file}?download=1`)
  expect(saved.headers['content-disposition']).toContain('Interview with Ada (cut).wav')
  expect(saved.rawPayload.length).toBe(made?.sizeBytes)
  const measured = await measuredOf(await keyOf(waiting))
  expect(Math.abs(measured.durationMs - 2_750)).toBeLessThanOrEqual(20)
})

test('chapters of a file begin at the words that are left of them', async ({ server }) => {
  const list = [
    { title: 'The beginning', startMs: 0 },
    { title: 'Nothing of this', startMs: 1_000 },
    { title: 'The end', startMs: 2_000 },
  ]
  const { cut, order, run, keyOf, measuredOf } = await anOwner(server, {
    chapters: { by: 'own', list },
    // A word each 0.4 s: the first that is left of the end begins at 2.8 s.
    turns: [{ speaker: 0, text: 'one two three four five six seven eight' }],
  })
  await cut({ start: 0.5, end: 2.6 })
  const made = await order({ format: 'm4a' })
  await run(made)
  expect((await measuredOf(await keyOf(made))).chapters).toEqual([
    { title: 'The beginning', startMs: 0 },
    { title: 'The end', startMs: 700 },
  ])
})

test('the same file of the same cuts is made once', async ({ server }) => {
  const { cut, order, run, list } = await anOwner(server)
  await cut({ start: 0, end: 1 })
  const first = await order()
  expect((await order()).id).toBe(first.id)
  await run(first)
  expect(await order({ format: 'wav' })).toMatchObject({ id: first.id, status: 'made' })
  await cut({ start: 2, end: 3 })
  const second = await order()
  expect(second).toMatchObject({ status: 'making', isAsCut: true })
  expect((await list()).renders.map(({ id, isAsCut }) => [id, isAsCut])).toEqual([
    [second.id, true],
    [first.id, false],
  ])
})

test('nothing is made of nothing, of a sound as a film, or of a recording that is gone', async ({
  server,
}) => {
  const { cut, post, db, id } = await anOwner(server)
  const code = async (payload: object = {}) => (await post('renders', payload)).json().code
  expect(await code({ format: 'mp4' })).toBe('no_film')
  await cut({ start: 0, end: 4 })
  expect(await code()).toBe('nothing_left')
  await db.update(transcriptions).set({ storageKey: null }).where(eq(transcriptions.id, id))
  expect(await code()).toBe('recording_gone')
})

const HOUR_MS = 3_600_000

test('an account has files made of so many minutes of recordings within 24 hours', async ({
  server,
}) => {
  const { cut, order, post, db, remove, list, id } = await anOwner(server, { durationMs: HOUR_MS })
  await cut({ start: 10, end: 3_600 })
  const first = await order()
  // The recording is gone through, however little is left of it.
  expect((await list()).secondsLeft).toBe(3_600)
  const second = await order({ format: 'mp3' })
  const refused = await post('renders', { format: 'flac' })
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'too_much_rendered' })
  expect(refused.json().message).toContain('120 minutes of recordings made within 24 hours')
  // One that no worker had begun gives its minutes back, one that was begun does not.
  await remove(second)
  expect((await list()).secondsLeft).toBe(3_600)
  await db.update(renders).set({ begunAt: new Date() }).where(eq(renders.id, first.id))
  await remove(first)
  expect(await list()).toMatchObject({ secondsLeft: 3_600, renders: [] })
  await db
    .update(renders)
    .set({ createdAt: new Date(Date.now() - 25 * HOUR_MS) })
    .where(eq(renders.transcriptionId, id))
  expect((await list()).secondsLeft).toBe(7_200)
})

test('orders that come at once, for several recordings, are bounded together', async ({
  server,
}) => {
  const one = await anOwner(server, { durationMs: HOUR_MS })
  const others = await Promise.all(
    [1, 2, 3].map(() =>
      aTranscription(one.db, {
        userId: one.user.id,
        storageKey: crypto.randomUUID(),
        durationMs: HOUR_MS,
      }),
    ),
  )
  const answers = await Promise.all(
    [one, ...others].map(({ id }) =>
      one.call({ method: 'POST', url: `/api/transcriptions/${id}/renders`, payload: {} }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 429, 429])
})

test('a recording that is longer than all minutes is made where nothing else was', async ({
  server,
}) => {
  const { order, post } = await anOwner(server, { durationMs: 3 * HOUR_MS })
  expect((await order()).status).toBe('making')
  expect((await post('renders', { format: 'mp3' })).statusCode).toBe(429)
})

test('a file that failed takes no minutes, and a few may fail', async ({ server }) => {
  const { order, post, db, list, remove, id } = await anOwner(server, { durationMs: HOUR_MS })
  const ofIt = eq(renders.transcriptionId, id)
  for (const format of ['wav', 'mp3', 'm4a', 'flac', 'ogg']) {
    const made = await order({ format })
    const failed = { status: 'failed', finishedAt: new Date() } as const
    await db.update(renders).set(failed).where(ofIt)
    expect((await list()).secondsLeft).toBe(7_200)
    await remove(made)
  }
  expect(await list()).toMatchObject({ secondsLeft: 7_200, renders: [] })
  const refused = await post('renders', { format: 'opus' })
  expect(refused.json().message).toContain('5 files of this account could not be made')
})

test('a made file that has gone from storage is made anew', async ({ server }) => {
  const { order, run, storage, keyOf } = await anOwner(server)
  const first = await order()
  await run(first)
  await storage.remove(await keyOf(first))
  expect((await order()).id).not.toBe(first.id)
})

test('a file that came out shorter than it is to be is not called made', async ({ server }) => {
  const { order, run, list } = await anOwner(server, { durationMs: 2 * DURATION_MS })
  await run(await order())
  expect((await list()).renders).toMatchObject([{ status: 'failed' }])
})

test('a file goes when it is taken away, and with its recording', async ({ server }) => {
  const { cut, order, run, remove, list, storage, keyOf, call, url, id, db } = await anOwner(server)
  const first = await order()
  await run(first)
  const firstKey = await keyOf(first)
  await storage.require(firstKey)
  expect((await remove(first)).statusCode).toBe(200)
  await expect(storage.require(firstKey)).rejects.toThrow(NotStored)
  expect((await remove(first)).statusCode).toBe(404)
  await cut({ start: 0, end: 1 })
  const second = await order()
  await run(second)
  const secondKey = await keyOf(second)
  await call({ method: 'DELETE', url: `${url}/recording` })
  await expect(storage.require(secondKey)).rejects.toThrow(NotStored)
  expect((await list()).renders).toEqual([])
  expect(await db.$count(renders, eq(renders.transcriptionId, id))).toBe(0)
})

test('one that was taken away while it waited is not made', async ({ server }) => {
  const { order, run, remove, list } = await anOwner(server)
  const waiting = await order()
  await remove(waiting)
  expect(await run(waiting)).toBeUndefined()
  expect((await list()).renders).toEqual([])
})

test('a file is kept for seven days, and no longer than its recording', async ({ server }) => {
  const { order, run, list, db, id, deps, storage, keyOf } = await anOwner(server)
  const first = await order()
  await run(first)
  const DAY = 86_400_000
  const daysLeft = async () =>
    (Date.parse((await list()).renders[0]?.keptUntil ?? '') - Date.now()) / DAY
  expect(await daysLeft()).toBeCloseTo(7, 2)
  const createdAt = new Date(Date.now() - 28 * DAY)
  await db.update(transcriptions).set({ createdAt }).where(eq(transcriptions.id, id))
  const second = await order({ format: 'flac' })
  await run(second)
  expect(await daysLeft()).toBeCloseTo(2, 2)
  const key = await keyOf(second)
  await tidyUp(deps)
  await storage.require(key)
  await db
    .update(renders)
    .set({ keptUntil: sql`now() - interval '1 second'` })
    .where(eq(renders.id, second.id))
  await tidyUp(deps)
  await expect(storage.require(key)).rejects.toThrow(NotStored)
  expect((await list()).renders.map((each) => each.id)).toEqual([first.id])
})

test('what a worker that died has left of a file goes when another makes it', async ({
  server,
}) => {
  const { order, run, list, storage } = await anOwner(server)
  const made = await order()
  const left = await storage.workFolder(made.id)
  await writeFile(join(left, 'half.wav'), 'half')
  await run(made)
  expect((await list()).renders).toMatchObject([{ status: 'made' }])
  expect(await readdir(left).catch(() => null)).toBeNull()
})

test('a file whose job is gone has failed, and can be ordered anew', async ({ server }) => {
  const { order, list, db, deps } = await anOwner(server)
  const first = await order()
  await db.execute(sql`delete from pgboss.job where id = ${first.id}`)
  await tidyUp(deps)
  expect((await list()).renders).toMatchObject([{ id: first.id, status: 'failed' }])
  expect((await order()).id).not.toBe(first.id)
})

test('a recording that is no media fails, and says so', async ({ server }) => {
  const { order, run, list, db, id, storage, heard } = await anOwner(server)
  const storageKey = crypto.randomUUID()
  const signal = AbortSignal.timeout(5_000)
  await storage.write(storageKey, Readable.from(['no sound at all']), { signal })
  await db.update(transcriptions).set({ storageKey }).where(eq(transcriptions.id, id))
  await run(await order())
  const [failed] = (await list()).renders
  expect(failed).toMatchObject({ status: 'failed' })
  expect(failed?.problem).toContain('could not be written')
  expect(heard).toMatchObject([{ type: 'render.failed', data: { id: failed?.id } }])
})

test('its owner is told by mail of a file that took long, unless somebody looked', async ({
  server,
}) => {
  const { order, run, list, db, deps, user, id } = await anOwner(server)
  const tookLong = { createdAt: new Date(Date.now() - 180_000) }
  const mails = async () => {
    const told = await deps.queue.unfinished(db, { ...mailJob, data: z.looseObject({}) })
    return told.filter(({ renderId }) => [first.id, second.id].includes(String(renderId)))
  }
  const first = await order()
  const second = await order({ format: 'flac' })
  await db.update(renders).set(tookLong).where(eq(renders.transcriptionId, id))
  await run(first)
  await list()
  await run(second)
  expect(await mails()).toEqual([{ kind: 'render-ready', renderId: first.id }])
  const mail = await mailFor(db, { renderId: first.id }, { publicUrl })
  expect(mail).toMatchObject({ to: user.email, subject: 'Your cut file is ready' })
  expect(mail?.text).toContain('“Interview with Ada.wav” is there without its cuts.')
  expect(mail?.text).toContain(`https://quoth.example/dashboard?t=${id}`)
})

/** Six words of 300 ms, one every 400 ms, and who says them. */
const spoken = { turns: [{ speaker: 0, text: 'one two three four five six' }] }

const ffmpeg = promisify(execFile)
/** The brightest grey of the lines of a film between two shares of its height, a second after its beginning. */
async function brightestIn(path: string, [from, to]: [number, number]): Promise<number> {
  const crop = `crop=iw:ih*${to - from}:0:ih*${from}`
  const raw = ['-frames:v', '1', '-vf', crop, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const { stdout } = await ffmpeg('ffmpeg', ['-v', 'error', '-ss', '1', '-i', path, ...raw], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 ** 2,
  })
  return stdout.reduce((most, grey) => Math.max(most, grey), 0)
}

test('a clip of a sound is a film of its passage, with its words in the picture', async ({
  server,
}) => {
  const { order, run, list, keyOf, measuredOf, storage } = await anOwner(server, spoken)
  const clip = { start: 0.4, end: 2.3, shape: 'square' }
  const waiting = await order({ clip })
  expect(waiting).toMatchObject({ format: 'mp4', duration: 1.9, clip: { ...clip, names: true } })
  expect(waiting.name).toBe('Interview with Ada (clip 0-00).mp4')
  await run(waiting)
  expect((await list()).renders).toMatchObject([
    { status: 'made', isAsCut: true, isAsWritten: true },
  ])
  const key = await keyOf(waiting)
  expect(Math.abs((await measuredOf(key)).durationMs - 1_900)).toBeLessThanOrEqual(60)
  const { path, release } = await storage.open(key)
  expect(await brightestIn(path, [0.64, 0.72])).toBeGreaterThan(180)
  expect(await brightestIn(path, [0.8, 0.95])).toBeLessThan(60)
  await release()
})

test('a word that is cut is neither heard nor read in a clip', async ({ server }) => {
  const { cut, order, run, keyOf, measuredOf, db, id } = await anOwner(server, spoken)
  await cut({ start: 0.75, end: 1.15 })
  const made = await order({ clip: { start: 0.4, end: 2.3, shape: 'sound' } })
  expect(made).toMatchObject({ format: 'wav', duration: 1.5 })
  await run(made)
  expect(Math.abs((await measuredOf(await keyOf(made))).durationMs - 1_500)).toBeLessThanOrEqual(20)
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  const [kept] = await db.select().from(renders).where(eq(renders.id, made.id))
  const { words } = await saidIn(db, row!, { clip: kept!.clip!, cuts: listOf(kept!.times) })
  expect(words.map(({ text, startMs }) => [text, startMs])).toEqual([
    ['two', 0],
    ['four', 400],
    ['five', 800],
    ['six', 1_200],
  ])
})

test('a clip says that its text has changed since, and is then made anew', async ({ server }) => {
  const { order, run, list, db, id } = await anOwner(server, spoken)
  const payload = { clip: { start: 0.4, end: 2.3, shape: 'wide' } }
  const first = await order(payload)
  await run(first)
  expect((await order(payload)).id).toBe(first.id)
  expect((await order({ clip: { ...payload.clip, captions: 'none' } })).id).not.toBe(first.id)
  const [turn] = await db.select().from(turns).where(eq(turns.transcriptionId, id))
  const words = turn!.words.map((word) => ({ ...word, text: word.text.replace('two', 'too') }))
  await db.update(turns).set({ words }).where(eq(turns.transcriptionId, id))
  const changed = (await list()).renders.find((each) => each.id === first.id)
  expect(changed).toMatchObject({ isAsCut: true, isAsWritten: false })
  expect((await order(payload)).id).not.toBe(first.id)
})

test('a clip has three minutes at most, and takes a minute of a day at least', async ({
  server,
}) => {
  const { cut, order, post, list } = await anOwner(server, { durationMs: HOUR_MS })
  const clip = { start: 100, end: 281 }
  expect((await post('renders', { clip })).json()).toMatchObject({ code: 'clip_too_long' })
  expect((await post('renders', { clip: { start: 5, end: 5 } })).statusCode).toBe(400)
  await cut({ start: 110, end: 111 })
  expect(await order({ clip })).toMatchObject({ duration: 180 })
  await order({ clip: { start: 5, end: 8 } })
  expect((await list()).secondsLeft).toBe(7_200 - 180 - 60)
  await cut({ start: 0, end: 50 })
  expect((await post('renders', { clip: { start: 5, end: 8 } })).json().code).toBe('nothing_left')
})
