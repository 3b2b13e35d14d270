import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import * as documents from '#features/documents/documents.ts'
import * as recordings from '#features/recordings/recordings.ts'
import * as retention from '#features/recordings/retention.ts'
import { transcriptions, uploads } from '#features/recordings/tables.ts'
import * as fileMarks from '#server/file-marks.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { type Storage, diskStorage } from '#server/storage.ts'
import { test as base } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'

import { transcriptionQueues } from './jobs.ts'
import { sweep, sweepInTurn } from './sweep.ts'
import { stages } from './tables.ts'

const MINUTE = 60_000
const now = new Date()

interface Place {
  deps: Parameters<typeof sweep>[0]
  folder: string
  storage: Storage
}

const test = base.extend<{ place: Place }>({
  place: [
    async ({ database }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'quoth-sweep-'))
      const storage = fileMarks.keepingUnknown(database.db, diskStorage(folder))
      const queue = await openQueue(database, { log: silentLog, queues: transcriptionQueues })
      await database.db.execute(
        sql`update installation set files_marked_at = null, files_known_until = null, swept_at = null, swept_to = null`,
      )
      await fileMarks.join(database.db, storage, { hasRecordings: async () => false })
      const workRoot = path.join(folder, 'no-work')
      const deps = { db: database.db, queue, storage, clock: () => now, log: silentLog, workRoot }
      await use({ deps, folder, storage })
      await queue.stop()
    },
    { scope: 'test' },
  ],
})

/** A file that no row names. */
async function anOrphan(folder: string, { minutes }: { minutes: number }): Promise<string> {
  const key = randomUUID()
  const at = new Date(now.getTime() - minutes * MINUTE)
  await writeFile(path.join(folder, key), '')
  await utimes(path.join(folder, key), at, at)
  return key
}

const recordingsIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !name.startsWith('.'))

test('a file that no row names is removed after an hour, and not before', async ({
  place: { deps, folder },
}) => {
  const young = await anOrphan(folder, { minutes: 59 })
  await anOrphan(folder, { minutes: 61 })
  const storageKey = await anOrphan(folder, { minutes: 61 })
  await anUpload(deps.db, { userId: (await aUser(deps.db)).id, storageKey })
  await sweep(deps)
  expect((await recordingsIn(folder)).toSorted()).toEqual([young, storageKey].toSorted())
})

test('an old recording goes with what its job had read, but not when it is tried again just then', async ({
  place: { deps, folder },
}) => {
  const { db } = deps
  const { id: userId } = await aUser(db)
  const createdAt = new Date(now.getTime() - 31 * 24 * 60 * MINUTE)
  const old = async () =>
    aTranscription(db, {
      userId,
      status: 'error',
      createdAt,
      storageKey: await anOrphan(folder, { minutes: 1 }),
    })
  const [first, second] = [await old(), await old()]
  const readOf = ({ id: transcriptionId }: typeof first) => ({
    transcriptionId,
    name: 'words:0',
    result: {},
  })
  await db.insert(stages).values([readOf(first), readOf(second)])
  // Whichever is removed first, the other one is tried again at that moment.
  const remove = async (key: string) => {
    await deps.storage.remove(key)
    const other = key === first.storageKey ? second : first
    await db
      .update(transcriptions)
      .set({ status: 'processing', finishedAt: null })
      .where(eq(transcriptions.id, other.id))
  }
  await retention.sweep({ ...deps, storage: { ...deps.storage, remove } }, {})
  expect(await recordingsIn(folder)).toHaveLength(1)
  // It fails again, so that its job is not looked for; its recording is there.
  const [kept] = await db
    .update(transcriptions)
    .set({ status: 'error', finishedAt: now, createdAt: now })
    .where(eq(transcriptions.status, 'processing'))
    .returning()
  await sweep(deps)
  expect(await db.select().from(stages)).toMatchObject([{ transcriptionId: kept?.id }])
})

test('what is deleted goes with its documents, and what they held comes back', async ({
  place: { deps },
}) => {
  const { db } = deps
  const { id: userId } = await aUser(db, { credits: 1 })
  const { id } = await aTranscription(db, {
    userId,
    deletedAt: new Date(now.getTime() - 6 * MINUTE),
  })
  await db.transaction((tx) =>
    documents.begin(
      tx,
      { queue: { ...deps.queue, add: async () => 'kept' }, clock: deps.clock },
      { userId, id, documentType: 'article', includeImages: false },
    ),
  )
  expect(await credits.balance(db, userId)).toEqual({ available: 0, held: 1 })
  await sweep(deps)
  expect(await db.$count(transcriptions, eq(transcriptions.id, id))).toBe(0)
  expect(await credits.balance(db, userId)).toEqual({ available: 1, held: 0 })
})

test('a sweep looks at two thousand files, and the next goes on after them, wherever it runs', async ({
  place: { deps, folder },
}) => {
  for (let count = 0; count < 2_500; count++) await writeFile(path.join(folder, randomUUID()), '')
  const later = { ...deps, clock: () => new Date(Date.now() + 61 * MINUTE) }
  await sweep(later)
  expect(await recordingsIn(folder)).toHaveLength(500)
  const passed = '00000000-0000-4000-8000-000000000000'
  await writeFile(path.join(folder, passed), '')
  const round: retention.Round = {}
  await sweep(later, round)
  // After the last file the sweep begins again at the first.
  expect(await recordingsIn(folder)).toEqual([passed])
  await sweep(later, round)
  expect(await recordingsIn(folder)).toEqual([])
})

test('of all processes one sweeps in a minute', async ({ place: { deps, folder } }) => {
  await anOrphan(folder, { minutes: 61 })
  await sweepInTurn(deps, {})
  const second = await anOrphan(folder, { minutes: 61 })
  await Promise.all([sweepInTurn(deps, {}), sweepInTurn(deps, {})])
  expect(await recordingsIn(folder)).toEqual([second])

  await deps.db.execute(sql`update installation set swept_at = now() - interval '56 seconds'`)
  await sweepInTurn(deps, {})
  expect(await recordingsIn(folder)).toEqual([])
})

test('a database that was restored removes no recording, until somebody says so', async ({
  place: { deps, folder, storage },
}) => {
  const { db } = deps
  const errors: unknown[] = []
  const log = { ...silentLog, error: (line: unknown) => void errors.push(line) } as typeof silentLog
  const at = (minutes: number) => ({
    ...deps,
    log,
    clock: () => new Date(now.getTime() + minutes * MINUTE),
  })
  await sweep(at(0))
  const { rows: backup } = await db.execute<{ until: string }>(
    sql`select files_known_until as until from installation`,
  )
  await sweep(at(1))
  const aKey = () => anOrphan(folder, { minutes: 61 })
  const [unconfirmed, unfinished, old] = [await aKey(), await aKey(), await aKey()]
  const [deleted, unwanted] = [await aKey(), await aKey()]
  const kept = [await aKey(), unconfirmed, unfinished, old, deleted, unwanted].toSorted()
  // As the backup has them; they may have been paid for, tried again or brought back since.
  const { id: userId } = await aUser(db)
  const createdAt = new Date(now.getTime() - 25 * 60 * MINUTE)
  await anUpload(db, { userId, storageKey: unconfirmed, createdAt })
  const monthAgo = new Date(now.getTime() - 31 * 24 * 60 * MINUTE)
  await aTranscription(db, { userId, storageKey: old, createdAt: monthAgo })
  const deletedAt = new Date(now.getTime() - 6 * MINUTE)
  const { id: deletedId } = await aTranscription(db, { userId, storageKey: deleted, deletedAt })
  const { id: unwantedId } = await aTranscription(db, { userId, storageKey: unwanted })
  const upload = { originalName: 'a.wav', sizeBytes: 1, storageToken: '', summaryLanguage: 'en' }
  await db.insert(uploads).values({ ...upload, userId, storageKey: unfinished, createdAt })
  await db.execute(sql`update installation set files_known_until = ${backup[0]!.until}`)

  // Nor what a user removes now: the file is a leftover that waits for the decision.
  await recordings.deleteRecording(deps, { userId, id: unwantedId })
  const round: retention.Round = {}
  for (const minutes of [2, 3, 200]) await sweep(at(minutes), round)
  expect((await recordingsIn(folder)).toSorted()).toEqual(kept)
  expect(await db.$count(transcriptions, eq(transcriptions.id, deletedId))).toBe(1)
  expect(await fileMarks.whyNotAbreast(db, storage)).toBe('newer than the database')
  expect(errors).toHaveLength(1)
  expect(String(errors[0])).toContain('restored from a backup')

  // As the log says.
  expect(String(errors[0])).toContain('keep only the first line of files/.installation')
  await storage.setMark(`${(await storage.mark())!.split('\n')[0]}\n`)
  await sweep(at(201))
  expect(await recordingsIn(folder)).toEqual([])
  expect(await fileMarks.whyNotAbreast(db, storage)).toBe(null)
})

test('while the mark of the files is gone, no file is removed, and that is said once', async ({
  place: { deps, folder, storage },
}) => {
  const errors: unknown[] = []
  const log = { ...silentLog, error: (line: unknown) => void errors.push(line) } as typeof silentLog
  const round: retention.Round = {}
  await sweep({ ...deps, log }, round)
  const key = await anOrphan(folder, { minutes: 61 })
  const mark = (await storage.mark())!

  await rm(path.join(folder, '.installation'))
  for (const _ of [1, 2]) await sweep({ ...deps, log }, round)
  await storage.setMark('another\n')
  await sweep({ ...deps, log }, round)
  expect(await recordingsIn(folder)).toEqual([key])
  expect(await fileMarks.whyNotAbreast(deps.db, storage)).toBe(
    'not marked as those of the database',
  )
  expect(errors).toEqual([expect.stringContaining('files/.installation is gone')])

  await storage.setMark(mark)
  await sweep({ ...deps, log }, round)
  expect(await recordingsIn(folder)).toEqual([])
  expect(await fileMarks.whyNotAbreast(deps.db, storage)).toBe(null)
})
