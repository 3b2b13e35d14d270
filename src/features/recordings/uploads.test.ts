/** Uploads when there is no room for them: on the disk, in the database, or for this user. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect } from 'vitest'

import * as sessions from '#features/account/sessions.ts'
import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Database, Db } from '#server/db.ts'
import { s3Storage } from '#server/s3.ts'
import { type Storage, diskStorage } from '#server/storage.ts'
import { MAX_BATCH, MAX_UPLOADS_AT_ONCE } from '#shared/business.ts'
import { refusals } from '#shared/refusals.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test, untilItWaits } from '#test/database.ts'
import { aSession, aUser, anUpload, type User } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'

import * as uploads from './uploads.ts'

const bytes = await readFile(
  path.resolve(import.meta.dirname, '../transcriptions/sample/sample.m4a'),
)
const recording = { name: 'interview.m4a', bytes }
const openSample = { method: 'POST', url: '/api/transcriptions/sample' } as const

let folder: string
let disk: Storage
let server: TestApp | undefined

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quoth-full-'))
  disk = diskStorage(folder)
})

afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

async function aServer(database: Database, storage: Storage): Promise<TestApp> {
  server = await anApp(database, { works: false, parts: { storage } })
  return server
}

async function expectNothingHappened({ db }: Database, { id }: User, available: number) {
  expect(await readdir(folder)).toEqual([])
  expect(await db.select().from(transcriptions).where(eq(transcriptions.userId, id))).toEqual([])
  expect(await credits.balance(db, id)).toEqual({ available, held: 0 })
  // The grant that the user began with.
  expect(await credits.entries(db, { userId: id })).toHaveLength(1)
}

test('while the bucket cannot be reached, an upload is put off and leaves nothing', async ({
  database,
}) => {
  const user = await aUser(database.db, { credits: 4 })
  const bucket = { name: 'recordings', endpoint: 'http://127.0.0.1:1', region: 'eu-1' }
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const away = s3Storage({ ...bucket, credentials }, { scratchDir: folder })
  const { as } = await aServer(database, away)
  const answer = await (await as(user))(await uploadOf([recording]))
  expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  expect(answer.json()).toMatchObject({ code: 'storage_away' })
  await expectNothingHappened(database, user, 4)
})

const GB = 1024 ** 3
const disks = [
  ['a small disk keeps a twentieth free', 10 * GB, 0.5 * GB],
  ['a large disk keeps 2 GB free', 1000 * GB, 2 * GB],
] as const

for (const [what, totalBytes, reservedBytes] of disks)
  test(`${what}, and an upload that would take of it is refused before its body`, async ({
    database,
  }) => {
    const user = await aUser(database.db, { credits: 4 })
    const upload = await uploadOf([recording])
    let freeBytes = reservedBytes + upload.payload.length - 1
    let wasRead = false
    const { as } = await aServer(database, {
      ...disk,
      space: async () => ({ freeBytes, totalBytes }),
      write: (...file) => {
        wasRead = true
        return disk.write(...file)
      },
    })
    const asUser = await as(user)
    const refused = await asUser(upload)
    expect([refused.statusCode, refused.json().message]).toEqual(refusals.no_space)
    expect(wasRead).toBe(false)
    await expectNothingHappened(database, user, 4)

    freeBytes += 1
    expect((await asUser(upload)).statusCode).toBe(200)
  })

test('a client that does not say how much it sends gets no further than one that says the most', async ({
  database,
}) => {
  const user = await aUser(database.db, { credits: 4 })
  const { as } = await aServer(database, {
    ...disk,
    space: async () => ({ freeBytes: 2.09 * GB, totalBytes: 1000 * GB }),
  })
  const { payload, ...upload } = await uploadOf([recording])
  const refused = await (await as(user))({ ...upload, payload: Readable.from([payload]) })
  expect([refused.statusCode, refused.json().code]).toEqual([507, 'no_space'])
  await expectNothingHappened(database, user, 4)
})

test('uploads of one user that end at once in two processes are counted one after the other', async ({
  database,
}) => {
  const { db } = database
  const user = await aUser(db, { credits: 3 })
  const userId = user.id
  for (let n = 1; n < MAX_BATCH; n++) await anUpload(db, { userId })
  const { as } = await aServer(database, disk)
  const send = await as(user)
  const upload = await uploadOf([recording])
  let sending: ReturnType<typeof send> | undefined
  await db.transaction(async (tx) => {
    // As the other process does it.
    const name = `uploads:${userId}`
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    await anUpload(tx, { userId })
    sending = send(upload)
    await untilItWaits(db, sending)
  })
  const refused = await sending!
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_unconfirmed'])
  expect(await readdir(folder)).toEqual([])
})

/** The recording, let in and taken as a whole upload is. */
function received(
  parts: { db: Db; storage: Storage },
  userId: string,
  signal: AbortSignal,
  { isTruncated = (): boolean => false } = {},
) {
  const engines = { speech: 'test', writing: 'test' }
  const deps = { ...parts, clock: () => new Date(), engines }
  const file = { name: recording.name, stream: Readable.from([bytes]), isTruncated }
  const recorded = { recordedAt: null, timeZone: null }
  const wish = { summaryLanguage: 'en', options: {}, recorded, document: null } as const
  return uploads.receiving(deps)({ userId, bytes: bytes.length }, async (store) => {
    const arrived = await store(file, signal)
    return uploads.take(deps, { userId, arrived, ...wish }, signal)
  })
}

test('a file that was cut at the largest size is refused and leaves nothing', async ({
  database,
}) => {
  const { db } = database
  const user = await aUser(db, { credits: 4 })
  const { signal } = new AbortController()
  const isTruncated = () => true
  const upload = received({ db, storage: disk }, user.id, signal, { isTruncated })
  await expect(upload).rejects.toMatchObject({ code: 'too_large' })
  await expectNothingHappened(database, user, 4)
})

test('an upload whose client goes away as it is measured becomes nothing', async ({ database }) => {
  const { db } = database
  const user = await aUser(db, { credits: 4 })
  const client = new AbortController()
  const { signal } = client
  const open: Storage['open'] = async (key) => {
    const file = await disk.open(key)
    return { ...file, release: async () => client.abort(new Error('the client went away')) }
  }
  const upload = received({ db, storage: { ...disk, open } }, user.id, signal)
  await expect(upload).rejects.toThrow('the client went away')
  await expectNothingHappened(database, user, 4)
})

test('a file stays whose row was stored as the connection to the database ended', async ({
  database,
}) => {
  const { db } = database
  const { id: userId } = await aUser(db, { credits: 4 })
  const transaction: typeof db.transaction = async (work) => {
    await db.transaction(work)
    throw new Error('the connection ended')
  }
  const broken: typeof db = Object.assign(Object.create(db), { transaction })
  const upload = received({ db: broken, storage: disk }, userId, new AbortController().signal)
  await expect(upload).rejects.toThrow('the connection ended')
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.userId, userId))
  expect(await readdir(folder)).toEqual([row!.storageKey])
})

test('on a full disk the sample is refused too', async ({ database }) => {
  const user = await aUser(database.db, { credits: 4 })
  const space = async () => ({ freeBytes: 1 * GB, totalBytes: 1000 * GB })
  const { as } = await aServer(database, { ...disk, space })
  const refused = await (await as(user))(openSample)
  expect([refused.statusCode, refused.json().code]).toEqual([507, 'no_space'])
  await expectNothingHappened(database, user, 4)
})

const noSpace = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** A disk on which so many bytes of a file find room, and not one more. */
function fullAfter(roomBytes: number): Storage['write'] {
  async function* written(content: Readable) {
    let left = roomBytes
    for await (const chunk of content) {
      if (chunk.length > left) {
        yield chunk.subarray(0, left)
        throw noSpace()
      }
      left -= chunk.length
      yield chunk
    }
  }
  return (key, content, options) => disk.write(key, Readable.from(written(content)), options)
}

test('a disk that fills up while a file comes in leaves no part of it, wherever that happens', async ({
  database,
}) => {
  const user = await aUser(database.db, { credits: 4 })
  let roomBytes = 0
  const { as } = await aServer(database, {
    ...disk,
    write: (...file) => fullAfter(roomBytes)(...file),
  })
  const asUser = await as(user)
  const upload = await uploadOf([recording])
  const points = Array.from({ length: 20 }, (_, index) => Math.floor((bytes.length * index) / 20))
  for (roomBytes of [...points, bytes.length - 1])
    for (const request of [upload, openSample]) {
      const answer = await asUser(request)
      expect([answer.statusCode, answer.json().message]).toEqual(refusals.no_space)
      await expectNothingHappened(database, user, 4)
    }
})

test('a disk that is full when the file has come and is measured leaves nothing', async ({
  database,
}) => {
  const user = await aUser(database.db, { credits: 4 })
  const open = () => Promise.reject(noSpace())
  const { as } = await aServer(database, { ...disk, open })
  const answer = await (await as(user))(await uploadOf([recording]))
  expect([answer.statusCode, answer.json().code]).toEqual([507, 'no_space'])
  await expectNothingHappened(database, user, 4)
})

test('a database without room for the row leaves no file', async ({ database }) => {
  const { db } = database
  const user = await aUser(db, { credits: 4 })
  const { as } = await aServer(database, disk)
  const asUser = await as(user)
  // What PostgreSQL says when it cannot make a table longer.
  await db.execute(sql`
    create function is_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
  for (const table of ['transcriptions', 'turns']) {
    const trigger = sql.raw(`full_disk before insert on ${table}`)
    await db.execute(sql`create trigger ${trigger} for each row execute function is_full()`)
    for (const request of table === 'turns'
      ? [openSample]
      : [await uploadOf([recording]), openSample]) {
      const answer = await asUser(request)
      expect([answer.statusCode, answer.json().code]).toEqual([507, 'no_space'])
      await expectNothingHappened(database, user, 4)
    }
    await db.execute(sql.raw(`drop trigger full_disk on ${table}`))
  }
  expect((await asUser(await uploadOf([recording]))).statusCode).toBe(200)
})

test('a user sends ten files at once and not eleven, which hinders nobody else', async ({
  database,
}) => {
  const { db } = database
  const [user, other] = [await aUser(db, { credits: 3 }), await aUser(db, { credits: 4 })]
  const go = Promise.withResolvers<void>()
  let waiting = 0
  const { as } = await aServer(database, {
    ...disk,
    write: async (...file) => {
      waiting += 1
      await go.promise
      return disk.write(...file)
    },
  })
  const [asUser, asOther] = [await as(user), await as(other)]
  const upload = await uploadOf([recording])
  const ten = Array.from({ length: MAX_UPLOADS_AT_ONCE }, () => asUser(upload))
  await expect.poll(() => waiting).toBe(MAX_UPLOADS_AT_ONCE)

  const eleventh = await asUser(upload)
  expect([eleventh.statusCode, eleventh.json().message]).toEqual(refusals.too_many_uploads)
  const others = asOther(upload)
  await expect.poll(() => waiting).toBe(MAX_UPLOADS_AT_ONCE + 1)

  go.resolve()
  expect((await others).statusCode).toBe(200)
  const taken = (await Promise.all(ten)).filter(({ statusCode }) => statusCode === 200)
  expect(taken).toHaveLength(MAX_UPLOADS_AT_ONCE)
}, 60_000)

test('uploads that were begun and broken off make room for the next', async ({ database }) => {
  const { db } = database
  const user = await aUser(db, { credits: 4 })
  let letIn = 0
  const { app, as, parts } = await aServer(database, {
    ...disk,
    space() {
      letIn += 1
      return disk.space()
    },
  })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const { token } = await aSession(db, { userId: user.id })
  const cookie = `${sessions.cookieFor(parts.config.web.publicUrl).name}=${token}`

  /** Begins one upload more than there are slots, then breaks all off; says how many were refused. */
  async function refusedOf(beginning: string): Promise<number> {
    const sockets: Socket[] = []
    let refused = 0
    letIn = 0
    for (let count = 0; count <= MAX_UPLOADS_AT_ONCE; count++) {
      const socket = connect(port, '127.0.0.1')
      socket.on(
        'data',
        (answer) => (refused += Number(String(answer).includes('too_many_uploads'))),
      )
      socket.write(
        'POST /api/upload HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n' +
          `Sec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\nContent-Length: 1000000\r\n` +
          `Content-Type: multipart/form-data; boundary=xxx\r\n\r\n${beginning}`,
      )
      sockets.push(socket)
    }
    const decided = expect.poll(() => refused + letIn)
    await decided.toBe(MAX_UPLOADS_AT_ONCE + 1)
    for (const socket of sockets) socket.destroy()
    return refused
  }

  for (const beginning of [
    '',
    '--xxx\r\nContent-Disposition: form-data; name="summaryLanguage"\r\n\r\nen',
    '--xxx\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF',
    '',
  ]) {
    await expect.poll(() => refusedOf(beginning)).toBe(1)
  }
  await expect.poll(() => readdir(folder)).toEqual([])
  await expectNothingHappened(database, user, 4)
  expect((await (await as(user))(await uploadOf([recording]))).statusCode).toBe(200)
}, 60_000)

test('files of one user are decoded one after the other, and those of others beside them', async ({
  database,
}) => {
  const [many, one] = [
    await aUser(database.db, { credits: 4 }),
    await aUser(database.db, { credits: 4 }),
  ]
  const isOpened = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let opened = 0
  const { as } = await aServer(database, {
    ...disk,
    async open(key) {
      opened += 1
      if (opened === 1) {
        isOpened.resolve()
        await goOn.promise
      }
      return disk.open(key)
    },
  })
  const [asMany, asOne] = [await as(many), await as(one)]
  const upload = await uploadOf([recording])
  const uploads = Array.from({ length: 3 }, () => asMany(upload))
  await isOpened.promise
  await expect.poll(() => readdir(folder)).toHaveLength(3)
  expect((await asOne(upload)).statusCode).toBe(200)
  expect(opened).toBe(2)
  goOn.resolve()
  for (const answer of await Promise.all(uploads)) expect(answer.statusCode).toBe(200)
})
