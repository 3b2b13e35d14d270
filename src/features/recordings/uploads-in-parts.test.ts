/** Uploads in parts: what is missing is asked for and sent, and nothing comes of it twice. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { expect, onTestFinished, vi } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import { lock } from '#server/db.ts'
import { markRestored } from '#server/file-marks.ts'
import { silentLog } from '#server/log.ts'
import { type InParts, PART_BYTES } from '#server/storage.ts'
import { MAX_BATCH, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { Refusal, refusals } from '#shared/refusals.ts'
import { aDeveloper } from '#test/api.ts'
import type { TestApp } from '#test/app.ts'
import { untilItWaits } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/served.ts'
import { wav } from '#test/wav.ts'

import type { UploadAnswer, UploadInParts } from './contract.ts'
import { sweep } from './retention.ts'
import { uploads } from './tables.ts'
import * as inParts from './uploads-in-parts.ts'

const padded = (sizeBytes: number) => wav({ soundSeconds: 1, sizeBytes })
/** A second of sound behind padding, so that there are two parts. */
const content = padded(PART_BYTES + 40_000)
const last = content.subarray(PART_BYTES)

type Call = Awaited<ReturnType<TestApp['as']>>

async function begin(
  call: Call,
  bytes = content,
  { name = 'interview.wav', ...more }: { name?: string; isSoundOfVideo?: boolean } = {},
): Promise<UploadInParts> {
  const options = {
    language: 'auto',
    speakers: '2',
    channels: 'people',
    terms: ['Kendal'],
    ...more,
  }
  const payload = { name, sizeBytes: bytes.length, summaryLanguage: 'auto', ...options }
  const answer = await call({ method: 'POST', url: '/api/uploads', payload })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const put = (call: Call, url: string, payload: Buffer) => call({ method: 'PUT', url, payload })
const complete = (call: Call, { id }: UploadInParts) =>
  call({ method: 'POST', url: `/api/uploads/${id}/complete` })

test('parts come in any order, what is missing is said, and completing twice is completing once', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { credits: 4 })
  const call = await server.as(user)
  const begun = await begin(call)
  expect(begun).toMatchObject({ name: 'interview.wav', partBytes: PART_BYTES })
  expect(begun.parts.map(({ number }) => number)).toEqual([1, 2])
  const [one, two] = begun.parts.map(({ url }) => url) as [string, string]

  expect((await put(call, two, last)).statusCode).toBe(200)
  for (const wrong of [last.subarray(1), content]) {
    const refused = await put(call, one, wrong)
    expect([refused.statusCode, refused.json().message]).toEqual(refusals.wrong_part_size)
  }
  const early = await complete(call, begun)
  expect([early.statusCode, early.json().message]).toEqual(refusals.parts_missing)
  expect((await call(`/api/uploads/${begun.id}`)).json<UploadInParts>().parts).toEqual([
    { number: 1, url: one, keptBytes: 0 },
  ])
  // Nobody else can see, fill, complete or end it.
  const stranger = await server.as(await aUser(db))
  expect((await put(stranger, one, content.subarray(0, PART_BYTES))).statusCode).toBe(404)

  expect((await put(call, `${one}?from=5`, content.subarray(5, PART_BYTES))).statusCode).toBe(400)
  expect((await put(call, one, content.subarray(0, PART_BYTES))).statusCode).toBe(200)
  const [first, second] = await Promise.all([complete(call, begun), complete(call, begun)])
  expect(first.json<UploadAnswer>()).toMatchObject({
    filename: 'interview.wav',
    duration: 1,
    creditsRequired: 1,
    creditsAvailable: 4,
  })
  expect(second.json()).toEqual(first.json())
  expect((await complete(call, begun)).json()).toEqual(first.json())
  expect((await put(call, two, last)).statusCode).toBe(409)

  const rows = await db.select().from(transcriptions).where(eq(transcriptions.userId, user.id))
  const kept = {
    spokenLanguage: null,
    askedSpeakers: '2',
    askedChannels: 'people',
    terms: ['Kendal'],
  }
  expect(rows).toMatchObject([{ status: 'uploading', summaryLanguage: 'auto', ...kept }])
  const stored = await buffer(await server.parts.storage.read(rows[0]!.storageKey!))
  expect(sha256(stored)).toBe(sha256(content))
})

test('an upload that arrives whole while it is given up leaves nothing, until it is confirmed', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const arrived = async () => {
    const begun = await begin(call, padded(40_000))
    await put(call, begun.parts[0]!.url, padded(40_000))
    const { transcriptionId } = (await complete(call, begun)).json<UploadAnswer>()
    return { id: begun.id, url: `/api/transcriptions/${transcriptionId}` }
  }
  const giveUp = async ({ id, url }: { id: string; url: string }) => {
    const [{ storageKey } = { storageKey: null }] = await db
      .select({ storageKey: uploads.storageKey })
      .from(uploads)
      .where(eq(uploads.id, id))
    expect((await call({ method: 'DELETE', url: `/api/uploads/${id}` })).statusCode).toBe(200)
    const isKept = await server.parts.storage.read(storageKey!).then(
      (stream) => stream.destroy() && true,
      () => false,
    )
    return { status: (await call(url)).statusCode, isKept }
  }
  expect(await giveUp(await arrived())).toEqual({ status: 404, isKept: false })
  const paid = await arrived()
  expect((await call({ method: 'POST', url: `${paid.url}/confirm` })).statusCode).toBe(200)
  expect(await giveUp(paid)).toEqual({ status: 200, isKept: true })
})

test('the sound of a video is known as one whose picture was left out', async ({ server, db }) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const begun = await begin(call, padded(40_000), { name: 'film.wav', isSoundOfVideo: true })
  await put(call, begun.parts[0]!.url, padded(40_000))
  const { transcriptionId } = (await complete(call, begun)).json<UploadAnswer>()
  expect((await call(`/api/transcriptions/${transcriptionId}`)).json()).toMatchObject({
    mediaType: 'audio/wav',
    picture: 'left_out',
  })
})

test('every reason to refuse a whole upload refuses one in parts before the first part', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const payload = { name: 'interview.wav', sizeBytes: 5 }
  for (const [wrong, code] of [
    [{ sizeBytes: MAX_UPLOAD_BYTES + 1 }, 'too_large'],
    [{ sizeBytes: 0 }, 'empty_file'],
    [{ name: 'letter.txt' }, 'unsupported_format'],
    [{ generateDocument: true, documentType: 'article' }, 'documents_need_plan'],
  ] as const) {
    const url = '/api/uploads'
    const refused = await call({ method: 'POST', url, payload: { ...payload, ...wrong } })
    expect(refused.json()).toMatchObject({ code })
  }
  for (let number = 0; number < MAX_BATCH; number++) await begin(call, last)
  const refused = await call({ method: 'POST', url: '/api/uploads', payload })
  expect([refused.statusCode, refused.json().message]).toEqual(refusals.too_many_uploads)
})

test('uploads of one user that begin at once in two processes are counted one after the other', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { credits: 4 })
  const call = await server.as(user)
  for (let number = 1; number < MAX_BATCH; number++) await begin(call, last)
  const payload = { name: 'interview.wav', sizeBytes: 5 }
  let beginning: ReturnType<Call> | undefined
  await db.transaction(async (tx) => {
    // As the other process does it.
    await lock(tx, `uploads:${user.id}`)
    const theirs = { userId: user.id, storageKey: randomUUID(), storageToken: '' }
    const about = { originalName: 'a.wav', sizeBytes: 1, summaryLanguage: 'en' }
    await tx.insert(uploads).values({ ...theirs, ...about })
    beginning = call({ method: 'POST', url: '/api/uploads', payload })
    await untilItWaits(db, beginning)
  })
  const refused = await beginning!
  expect([refused.statusCode, refused.json().message]).toEqual(refusals.too_many_uploads)
})

test('a file that is no recording is refused, leaves nothing, and stays refused', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { credits: 4 })
  const call = await server.as(user)
  const before = await readdir(path.join(server.dataDir, 'files'))
  const begun = await begin(call, Buffer.from('a letter'))
  await put(call, begun.parts[0]!.url, Buffer.from('a letter'))
  for (let time = 0; time < 2; time++)
    expect((await complete(call, begun)).json()).toMatchObject({ code: 'not_media' })
  expect(await readdir(path.join(server.dataDir, 'files'))).toEqual(before)
})

test('of two processes that measure one upload, the second changes nothing', async ({
  server,
  db,
}) => {
  const { storage } = server.parts
  /** Completes an upload that something happens to while it is measured. */
  const completing = async (bytes: Buffer, meanwhile: (row: Whose) => Promise<unknown>) => {
    const user = await aUser(db, { credits: 4 })
    const call = await server.as(user)
    const begun = await begin(call, bytes)
    await put(call, begun.parts[0]!.url, bytes)
    const open = async (storageKey: string) => {
      await meanwhile({ userId: user.id, storageKey })
      return storage.open(storageKey)
    }
    const deps = { ...server.parts, db, storage: { ...storage, open } }
    const owned = { userId: user.id, id: begun.id }
    return { user, answer: inParts.complete(deps, owned, new AbortController().signal) }
  }
  type Whose = { userId: string; storageKey: string }
  const isOf = ({ storageKey }: Whose) => eq(uploads.storageKey, storageKey)

  // Refused after the other made a transcription of it.
  let taken: Awaited<ReturnType<typeof anUpload>> | undefined
  const late = await completing(Buffer.from('a letter'), async (whose) => {
    taken = await anUpload(db, whose)
    await db.update(uploads).set({ transcriptionId: taken.id }).where(isOf(whose))
  })
  expect(await late.answer).toMatchObject({ transcriptionId: taken!.id })
  expect(await buffer(await storage.read(taken!.storageKey!))).toHaveLength(8)

  // Put anew, while the other made a transcription of it as it was, or of its own file put anew.
  const aac = await rawAac()
  const files = path.join(server.dataDir, 'files')
  for (const isMoved of [false, true]) {
    let row: Awaited<ReturnType<typeof anUpload>> | undefined
    const before = await readdir(files)
    const second = await completing(aac, async (whose) => {
      row = await anUpload(db, { ...whose, ...(isMoved ? { storageKey: randomUUID() } : {}) })
      await db.update(uploads).set({ transcriptionId: row.id }).where(isOf(whose))
      if (isMoved)
        await rename(path.join(files, whose.storageKey), path.join(files, row.storageKey!))
    })
    expect(await second.answer).toMatchObject({ transcriptionId: row!.id })
    const known = new Set([...before, '.work'])
    const left = (await readdir(files)).filter((name) => !known.has(name))
    expect(left).toEqual([row!.storageKey])
    expect(await buffer(await storage.read(row!.storageKey!))).toEqual(aac)
  }

  // Joined, or asked for, at the moment at which the other has put it anew.
  for (const asks of ['joinParts', 'keptParts'] as const) {
    const user = await aUser(db, { credits: 4 })
    const call = await server.as(user)
    const begun = await begin(call, aac)
    await put(call, begun.parts[0]!.url, aac)
    const row = await anUpload(db, { userId: user.id })
    const moved = async (file: InParts) => {
      const own = { userId: user.id, storageKey: file.key }
      await db.update(uploads).set({ transcriptionId: row.id }).where(isOf(own))
      await storage.remove(file.key)
      return storage[asks](file)
    }
    const deps = { ...server.parts, db, storage: { ...storage, [asks]: moved } }
    const owned = { userId: user.id, id: begun.id }
    if (asks === 'keptParts') expect((await inParts.find(deps, owned)).parts).toEqual([])
    else
      expect(await inParts.complete(deps, owned, new AbortController().signal)).toMatchObject({
        transcriptionId: row.id,
      })
  }

  // Measured after the other refused it.
  const good = await completing(padded(40_000), (whose) =>
    db.update(uploads).set({ refusal: 'not_media' }).where(isOf(whose)),
  )
  await expect(good.answer).rejects.toMatchObject({ code: 'not_media' })
  expect(await db.$count(transcriptions, eq(transcriptions.userId, good.user.id))).toBe(0)

  // A decoder that hung is no reason to remove what came.
  let kept = ''
  const hung = await completing(padded(40_000), async ({ storageKey }) => {
    kept = storageKey
    throw new Refusal('reading_stalled')
  })
  await expect(hung.answer).rejects.toMatchObject({ code: 'reading_stalled' })
  expect(await buffer(await storage.read(kept))).toHaveLength(40_000)
})

test('a file in another container takes the place of the one that was sent', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { credits: 4 })
  const call = await server.as(user)
  const files = path.join(server.dataDir, 'files')
  const before = await readdir(files)
  const aac = await rawAac()
  const begun = await begin(call, aac, { name: 'raw.m4a' })
  await put(call, begun.parts[0]!.url, aac)
  const first = await complete(call, begun)
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.userId, user.id))
  const known = new Set([...before, '.work'])
  expect((await readdir(files)).filter((name) => !known.has(name))).toEqual([row!.storageKey])
  const stored = await buffer(await server.parts.storage.read(row!.storageKey!))
  expect(stored).toHaveLength(row!.sizeBytes)
  expect(stored.equals(aac)).toBe(false)
  expect((await complete(call, begun)).json()).toEqual(first.json())
})

test('while three uploads of a user are completed, their other changes go on', async ({
  server,
  db,
}) => {
  const call = await server.as(await aUser(db, { credits: 4 }))
  const { storage } = server.parts
  const joined = storage.joinParts.bind(storage)
  const measured = Promise.withResolvers<void>()
  let asked = 0
  const joinParts = vi.spyOn(storage, 'joinParts').mockImplementation(async (file) => {
    asked += 1
    await measured.promise
    return joined(file)
  })
  onTestFinished(() => joinParts.mockRestore())
  const begun = [await begin(call), await begin(call), await begin(call)]
  const all = begun.map((each) => complete(call, each))
  await expect.poll(() => asked).toBe(3)
  const payload = { terms: ['Okafor'] }
  const changed = await call({ method: 'PUT', url: '/api/vocabulary', payload })
  expect(changed.statusCode).toBe(200)
  measured.resolve()
  expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual([409, 409, 409])
})

test('a key that may only read gets no address to write to', async ({ server }) => {
  const signed = 'https://bucket/signed'
  const address = vi.spyOn(server.parts.storage, 'partAddress').mockResolvedValue(signed)
  onTestFinished(() => address.mockRestore())
  const { user, key } = await aDeveloper(server, { scopes: ['read'] })
  const call = await server.as(user)
  const { id } = await begin(call)
  const url = `/api/uploads/${id}`
  const urlsIn = (answer: Awaited<ReturnType<Call>>) =>
    answer.json<UploadInParts>().parts.map((part) => part.url)
  expect(urlsIn(await call(url))).toEqual([signed, signed])
  const read = await server.inject({ url, headers: { authorization: `Bearer ${key}` } })
  expect(urlsIn(read)).toEqual([`${url}/parts/1`, `${url}/parts/2`])
})

test('the uploads of one user wait behind the first of another', async ({ server, db }) => {
  const added: (number | undefined)[] = []
  const deps = {
    ...server.parts,
    db,
    // As a bucket: parts have addresses elsewhere, and a worker measures.
    storage: { ...server.parts.storage, partAddress: async () => 'https://bucket' },
    queue: {
      add: async (...[, , , options]: Parameters<typeof server.parts.queue.add>) => {
        added.push(options?.priority)
        return 'job'
      },
    },
  }
  const bytes = padded(40_000)
  for (const uploadsOfOne of [2, 1]) {
    const user = await aUser(db, { credits: 4 })
    const call = await server.as(user)
    for (let count = 0; count < uploadsOfOne; count++) {
      const begun = await begin(call, bytes)
      await put(call, begun.parts[0]!.url, bytes)
      // It does not wait for the worker, which is none.
      const owned = { userId: user.id, id: begun.id }
      await expect(inParts.complete(deps, owned, AbortSignal.abort())).rejects.toThrow('abort')
    }
  }
  expect(added).toEqual([-1, -2, -1])
})

test('each try of a worker is added to what measuring took, and its wait is not', async ({
  server,
  db,
}) => {
  const { storage } = server.parts
  const user = await aUser(db, { credits: 4 })
  const bytes = padded(40_000)
  const call = await server.as(user)
  const begun = await begin(call, bytes)
  await put(call, begun.parts[0]!.url, bytes)
  let hours = 0
  const clock = () => new Date(Date.now() + hours * 3_600_000)
  const open = async () => {
    throw new Refusal('reading_stalled')
  }
  const deps = { ...server.parts, db, clock, storage: { ...storage, open } }
  const isIt = eq(uploads.id, begun.id)
  const tryFrom = async (measuredMs: number) => {
    await db.update(uploads).set({ refusal: null, measuredMs }).where(isIt)
    await inParts.measureForUpload(deps, begun.id, new AbortController().signal)
    const [row] = await db.select().from(uploads).where(isIt)
    return row
  }
  await tryFrom(0)
  expect((await tryFrom(5_000))!.measuredMs).toBeGreaterThanOrEqual(5_000)
  hours = 2
  const anew = await tryFrom(600_000)
  expect(anew!.measuredMs).toBeLessThan(600_000)
  // No free time is left: a try that gets no place costs none.
  const refused = await tryFrom(600_000)
  expect(refused).toMatchObject({ refusal: 'too_much_measuring', measuredMs: 600_000 })
})

test('a worker that gets a job twice leaves what the first time has made', async ({
  server,
  db,
}) => {
  const { storage } = server.parts
  const user = await aUser(db, { credits: 4 })
  const bytes = padded(40_000)
  const call = await server.as(user)
  const begun = await begin(call, bytes)
  await put(call, begun.parts[0]!.url, bytes)
  const isIt = eq(uploads.id, begun.id)
  const [{ storageKey, storageToken: token, sizeBytes }] = (await db
    .select()
    .from(uploads)
    .where(isIt)) as [typeof uploads.$inferSelect]
  await storage.joinParts({ key: storageKey, token, sizeBytes })
  const open = async () => {
    const { id: transcriptionId } = await anUpload(db, { userId: user.id, storageKey })
    await db.update(uploads).set({ transcriptionId }).where(isIt)
    throw new Refusal('not_media')
  }
  const deps = { ...server.parts, db, storage: { ...storage, open } }
  await inParts.measureForUpload(deps, begun.id, new AbortController().signal)
  await inParts.giveUpMeasuring(deps, begun.id)
  expect(await buffer(await storage.read(storageKey))).toEqual(bytes)
  expect((await complete(call, begun)).statusCode).toBe(200)
})

test('parts that nobody completes are kept for a day, or until they are given up', async ({
  server,
  db,
}) => {
  const { storage, clock } = server.parts
  const call = await server.as(await aUser(db, { credits: 4 }))
  const [left, given] = [await begin(call), await begin(call)]
  await put(call, left.parts[1]!.url, last)
  expect((await call({ method: 'DELETE', url: `/api/uploads/${given.id}` })).statusCode).toBe(200)
  expect((await call(`/api/uploads/${given.id}`)).statusCode).toBe(404)
  await markRestored(db, storage)
  const deps = { db, storage, log: silentLog }
  const hours = (count: number) => () => new Date(clock().getTime() + count * 3_600_000)
  await sweep({ ...deps, clock: hours(23) }, {})
  expect((await call(`/api/uploads/${left.id}`)).json<UploadInParts>().parts).toHaveLength(1)
  await sweep({ ...deps, clock: hours(25) }, {})
  expect((await call(`/api/uploads/${left.id}`)).statusCode).toBe(404)
  // They lie in the bin for a day.
  await sweep({ ...deps, clock: hours(50) }, {})
  const files = await readdir(path.join(server.dataDir, 'files'))
  expect(files.filter((name) => /\.parts?$/.test(name))).toEqual([])
})

/** No player finds its way in it, so it is put anew. */
async function rawAac(): Promise<Buffer> {
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac', '-f', 'adts', 'pipe:1']
  const { stdout } = await promisify(execFile)('ffmpeg', tone, { encoding: 'buffer' })
  return stdout
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
