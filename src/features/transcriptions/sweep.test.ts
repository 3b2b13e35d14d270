import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import * as documents from '#features/documents/documents.ts'
import * as bin from '#features/recordings/bin.ts'
import { keptFiles } from '#features/recordings/kept-files.ts'
import * as recordings from '#features/recordings/recordings.ts'
import * as retention from '#features/recordings/retention.ts'
import { uploads } from '#features/recordings/tables.ts'
import { eraseUploads } from '#features/recordings/uploads-in-parts.ts'
import { renders, transcriptions } from '#features/row/tables.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import * as fileMarks from '#server/file-marks.ts'
import { silentLog } from '#server/log.ts'
import { type Storage, diskStorage } from '#server/storage.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { test as base } from '#test/jobs.ts'
import { pass } from '#test/passing.ts'

import { stages } from './tables.ts'
import { sweep, sweepInTurn } from './sweep.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const now = new Date()

interface SweepFixture {
  deps: Parameters<typeof sweep>[0]
  folder: string
  storage: Storage
}

/** An empty disk, and a database that nothing was swept of. */
const test = base.extend('place', async ({ deps }, { onCleanup }): Promise<SweepFixture> => {
  const { db } = deps
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-sweep-'))
  const storage = fileMarks.keepingUnknown(db, diskStorage(folder))
  await db.execute(
    sql`update installation set files_marked_at = null, files_known_until = null, swept_at = null, swept_to = null, clock_seen_at = null`,
  )
  await fileMarks.join(db, storage, { hasRecordings: async () => false })
  onCleanup(async () => void (await db.execute(sql`truncate recordings_bin`)))
  return { deps: { ...deps, storage }, folder, storage }
})

/** A file that no row names. */
async function anOrphan(folder: string, { minutes }: { minutes: number }): Promise<string> {
  const key = randomUUID()
  const at = new Date(now.getTime() - minutes * MINUTE)
  await writeFile(path.join(folder, key), '')
  await utimes(path.join(folder, key), at, at)
  return key
}

/** The files that nobody but an operator can take back. */
const binOf = async ({ db }: SweepFixture['deps']) =>
  (await bin.list(db)).map(({ key }) => key).toSorted()

const recordingsIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !name.startsWith('.'))

test('a file that no row names is in the bin after an hour, and gone a day later', async ({
  place: { deps, folder },
}) => {
  const young = await anOrphan(folder, { minutes: 59 })
  const old = await anOrphan(folder, { minutes: 61 })
  const late = await anOrphan(folder, { minutes: 61 })
  const storageKey = await anOrphan(folder, { minutes: 61 })
  const { id: userId } = await aUser(deps.db)
  await anUpload(deps.db, { userId, storageKey })
  await sweep(deps)
  expect(await binOf(deps)).toEqual([old, late].toSorted())
  expect(await recordingsIn(folder)).toHaveLength(4)
  // One of them belonged to an upload whose row came late.
  await pass(deps.db, DAY)
  await anUpload(deps.db, { userId, storageKey: late })
  await sweep(deps)
  expect((await recordingsIn(folder)).toSorted()).toEqual([young, storageKey, late].toSorted())
})

test('the file of an upload that is still coming is no leftover', async ({
  place: { deps, folder },
}) => {
  const storageKey = await anOrphan(folder, { minutes: 61 })
  const { id: userId } = await aUser(deps.db)
  const coming = { originalName: 'interview.wav', sizeBytes: 1, storageKey, storageToken: '' }
  await deps.db.insert(uploads).values({ userId, ...coming, summaryLanguage: 'auto' })
  await sweep(deps)
  expect(await binOf(deps)).toEqual([])
})

test('a file that was made of a recording is no leftover, and is copied as recordings are', async ({
  place: { deps, folder },
}) => {
  const storageKey = await anOrphan(folder, { minutes: 61 })
  const { id: userId } = await aUser(deps.db)
  const { id: transcriptionId } = await aTranscription(deps.db, { userId })
  const made = { status: 'made', finishedAt: now, storageKey, sizeBytes: 4711 } as const
  await deps.db
    .insert(renders)
    .values({ userId, transcriptionId, format: 'wav', times: [], durationMs: 1, ...made })
  await sweep(deps)
  expect(await binOf(deps)).toEqual([])
  expect(await keptFiles(deps.db)).toContainEqual({ key: storageKey, sizeBytes: 4711 })
})

test('an old recording goes with what its job had read, but not while it is tried again', async ({
  place: { deps, folder },
}) => {
  const { db } = deps
  const { id: userId } = await aUser(db)
  const createdAt = new Date(now.getTime() - 31 * DAY)
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
  // The second one is tried again while the sweep waits for its row.
  let swept = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx
      .update(transcriptions)
      .set({ status: 'processing', finishedAt: null })
      .where(eq(transcriptions.id, second.id))
    swept = retention.sweep(deps, {})
    await isWaitedFor(tx)
  })
  await swept
  expect(await binOf(deps)).toEqual([first.storageKey])
  // It fails again, so that its job is not looked for; its recording is there.
  await db
    .update(transcriptions)
    .set({ status: 'error', finishedAt: now, createdAt: now })
    .where(eq(transcriptions.id, second.id))
  await sweep(deps)
  expect(await db.select().from(stages)).toMatchObject([{ transcriptionId: second.id }])
})

/** Until somebody waits for a row that this transaction has locked. */
async function isWaitedFor(tx: { execute: SweepFixture['deps']['db']['execute'] }): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await tx.execute(
        sql`select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`,
      )
      return rows.length
    })
    .toBeGreaterThan(0)
}

test('a deleted transcription goes with its documents, and the credits that they held come back', async ({
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
  for (let count = 0; count < 2_500; count++) await anOrphan(folder, { minutes: 61 })
  await sweep(deps)
  expect(await binOf(deps)).toHaveLength(2_000)
  const passed = '00000000-0000-4000-8000-000000000000'
  await writeFile(path.join(folder, passed), '')
  const round: retention.Round = {}
  await sweep(deps, round)
  expect(await binOf(deps)).toHaveLength(2_500)
  const at = new Date(now.getTime() - 61 * MINUTE)
  await utimes(path.join(folder, passed), at, at)
  // After the last file the sweep begins again at the first.
  await sweep(deps, round)
  expect(await binOf(deps)).toContain(passed)
})

test('of all processes one sweeps in a minute', async ({ place: { deps, folder } }) => {
  const first = await anOrphan(folder, { minutes: 61 })
  await sweepInTurn(deps, {})
  const second = await anOrphan(folder, { minutes: 61 })
  await Promise.all([sweepInTurn(deps, {}), sweepInTurn(deps, {})])
  expect(await binOf(deps)).toEqual([first])

  await deps.db.execute(sql`update installation set swept_at = now() - interval '56 seconds'`)
  await sweepInTurn(deps, {})
  expect(await binOf(deps)).toEqual([first, second].toSorted())
})

/** Everything that is deleted by time, and is over; and a recording that is not. */
async function overdue({ db }: SweepFixture['deps'], folder: string) {
  const { id: userId } = await aUser(db)
  const key = () => anOrphan(folder, { minutes: 61 })
  const keys = {
    old: await key(),
    young: await key(),
    upload: await key(),
    unconfirmed: await key(),
  }
  const at = (ms: number) => new Date(now.getTime() - ms)
  const finished = { userId, status: 'completed' }
  const old = await aTranscription(db, {
    ...finished,
    storageKey: keys.old,
    createdAt: at(31 * DAY),
  })
  await aTranscription(db, { ...finished, storageKey: keys.young, createdAt: at(DAY) })
  const unconfirmed = { userId, storageKey: keys.unconfirmed, createdAt: at(61 * MINUTE) }
  const { id: unconfirmedId } = await anUpload(db, unconfirmed)
  const parts = { originalName: 'a.wav', sizeBytes: 1, storageToken: '', summaryLanguage: 'en' }
  const upload = { ...parts, userId, storageKey: keys.upload, createdAt: at(25 * 60 * MINUTE) }
  await db.insert(uploads).values(upload)
  return { userId, keys, id: old.id, unconfirmedId, leftover: await key() }
}
const rowOf = async ({ db }: SweepFixture['deps'], id: string) => {
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  return row
}

test('a worker whose clock is 40 days ahead, or behind, deletes nothing; one whose clock is right does', async ({
  place: { deps, folder },
}) => {
  const { keys, leftover, id } = await overdue(deps, folder)
  for (const days of [40, -40, 1 / 200]) {
    const wrong = { ...deps, clock: () => new Date(Date.now() + days * DAY) }
    await sweepInTurn(wrong, {})
    await sweep(wrong)
    expect(await binOf(deps)).toEqual([])
    expect((await rowOf(deps, id))?.storageKey).toBe(keys.old)
    expect(await deletionClock.look(wrong)).toMatchObject({ problem: 'clocks_apart' })
  }
  // It did not take the turn of the others.
  await sweepInTurn(deps, {})
  const { young, ...over } = keys
  expect(await binOf(deps)).toEqual([...Object.values(over), leftover].toSorted())
  expect(await recordingsIn(folder)).toHaveLength(5)
  expect(await rowOf(deps, id)).toMatchObject({ storageKey: null })
  // The bin is emptied after a day.
  await pass(deps.db, DAY)
  await sweep(deps)
  expect(await recordingsIn(folder)).toEqual([young])
})

test('where the clock of the database leaps, nobody deletes until it is back or trusted', async ({
  place: { deps, folder },
}) => {
  await overdue(deps, folder)
  const { db } = deps
  const said: unknown[] = []
  const error = (...line: unknown[]) => void said.push(line)
  const log = { ...silentLog, error } as typeof silentLog
  const clocks = deletionClock.watch({ db, clock: deps.clock, log })
  const seen = (ago: string) =>
    db.execute(sql`update installation set clock_seen_at = now() - ${ago}::interval`)
  for (const ago of ['73 hours', '-6 minutes']) {
    await seen(ago)
    await sweepInTurn(deps, {})
    await clocks.look()
    expect(await binOf(deps)).toEqual([])
    expect(await deletionClock.look(deps)).toMatchObject({ problem: 'clock_leapt' })
  }
  expect(said).toEqual([
    [
      { problem: 'clock_leapt', database: expect.any(Date), process: expect.any(Date) },
      expect.stringContaining('trust-clock'),
    ],
  ])
  clocks.stop()
  // Off for a weekend, or back: it goes on by itself. Else somebody says that it is right.
  await seen('60 hours')
  expect(await deletionClock.time(deps)).not.toBe(null)
  await seen('73 hours')
  await deletionClock.trust(db)
  await sweep(deps)
  expect(await binOf(deps)).toHaveLength(4)
})

test('a file that was put into the bin before its time goes back by itself', async ({
  place: { deps, folder },
}) => {
  const { keys, id, unconfirmedId } = await overdue(deps, folder)
  const before = [await rowOf(deps, id), await rowOf(deps, unconfirmedId)]
  await sweep(deps)
  expect(await rowOf(deps, unconfirmedId)).toBe(undefined)
  // The clock was 40 days ahead.
  const early = deps.clock().getTime() - 40 * DAY
  await retention.sweep({ ...deps, clock: () => new Date(early) }, {})
  expect([await rowOf(deps, id), await rowOf(deps, unconfirmedId)]).toEqual(before)
  expect(await deps.db.$count(uploads, eq(uploads.storageKey, keys.upload))).toBe(1)
})

test('files that cannot be put back do not keep those after them in the bin', async ({
  place: { deps, folder },
}) => {
  const { keys, id, userId } = await overdue(deps, folder)
  await sweep(deps)
  const lost = Array.from({ length: 500 }, (_, number) => ({
    storageKey: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    kind: 'recording' as const,
    userId,
    transcriptionId: id,
    createdAt: now,
  }))
  await bin.put(deps.db, lost, now)
  const early = { ...deps, clock: () => new Date(deps.clock().getTime() - 40 * DAY) }
  const round: retention.Round = {}
  await retention.sweep(early, round)
  await retention.sweep(early, round)
  expect((await rowOf(deps, id))?.storageKey).toBe(keys.old)
})

test('an operator takes a recording out of the bin, and it is there for a day', async ({
  place: { deps, folder },
}) => {
  const { keys, id, leftover, unconfirmedId } = await overdue(deps, folder)
  await sweep(deps)
  await bin.takeBack(deps, id)
  await bin.takeBack(deps, keys.unconfirmed)
  await sweep(deps)
  expect(await rowOf(deps, id)).toMatchObject({ storageKey: keys.old, recordingDeletedAt: null })
  expect(await rowOf(deps, unconfirmedId)).toMatchObject({ status: 'uploading' })
  for (const key of [leftover, randomUUID(), id])
    await expect(bin.takeBack(deps, key)).rejects.toMatchObject({ code: 'not_found' })
  await pass(deps.db, DAY)
  await sweep(deps)
  expect(await binOf(deps)).toContain(keys.old)
  await pass(deps.db, DAY)
  await sweep(deps)
  expect(await recordingsIn(folder)).not.toContain(keys.old)
})

test('a recording that a user deletes is gone at once, also where it lies in the bin', async ({
  place: { deps, folder },
}) => {
  const { db } = deps
  const { userId, keys, id } = await overdue(deps, folder)
  const { id: other } = await aTranscription(db, {
    userId,
    storageKey: await anOrphan(folder, { minutes: 1 }),
    createdAt: new Date(now.getTime() - 31 * DAY),
  })
  await sweep(deps)
  await recordings.deleteRecording(deps, { userId, id })
  expect(await recordingsIn(folder)).not.toContain(keys.old)
  await db
    .update(transcriptions)
    .set({ deletedAt: new Date(now.getTime() - 6 * MINUTE) })
    .where(eq(transcriptions.id, other))
  await sweep(deps)
  expect((await bin.list(db)).map(({ transcriptionId }) => transcriptionId)).not.toContain(other)
  const { afterwards } = await db.transaction((tx) => eraseUploads(deps)(tx, userId))
  await afterwards?.()
  expect((await bin.list(db)).filter((file) => file.userId === userId)).toEqual([])
  expect(await recordingsIn(folder)).toHaveLength(2)
})

test('a database that was restored removes no recording, until somebody says so', async ({
  place: { deps, folder, storage },
}) => {
  const { db } = deps
  const errors: unknown[] = []
  const log = { ...silentLog, error: (line: unknown) => void errors.push(line) } as typeof silentLog
  const watched = { ...deps, log }
  await sweep(watched)
  const { rows: backup } = await db.execute<{ until: string }>(
    sql`select files_known_until as until from installation`,
  )
  await sweep(watched)
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
  for (const _ of [1, 2, 3]) await sweep(watched, round)
  expect((await recordingsIn(folder)).toSorted()).toEqual(kept)
  expect(await db.$count(transcriptions, eq(transcriptions.id, deletedId))).toBe(1)
  expect(await fileMarks.whyNotAbreast(db, storage)).toBe('newer than the database')
  expect(errors).toHaveLength(1)
  expect(String(errors[0])).toContain('restored from a backup')

  // As the log says.
  expect(String(errors[0])).toContain('keep only the first line of files/.installation')
  await storage.setMark(`${(await storage.mark())!.split('\n')[0]}\n`)
  await sweep(watched)
  expect(await recordingsIn(folder)).toHaveLength(5)
  await pass(db, DAY)
  await sweep(watched)
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
  expect(await binOf(deps)).toEqual([key])
  expect(await fileMarks.whyNotAbreast(deps.db, storage)).toBe(null)
})
