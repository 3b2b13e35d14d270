import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { sql } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'

import { test } from '#test/database.ts'

import * as fileMarks from './file-marks.ts'
import { diskStorage } from './storage.ts'

const aFolder = async () => diskStorage(await mkdtemp(path.join(tmpdir(), 'quoth-marks-')))
const none = { hasRecordings: async () => false }
const some = { hasRecordings: async () => true }

beforeEach<{ database: { db: Parameters<typeof fileMarks.join>[0] } }>(({ database: { db } }) =>
  db.execute(sql`update installation set files_marked_at = null`),
)

test('the first process marks its files, and those with the same files join', async ({
  database: { db },
}) => {
  const storage = await aFolder()
  for (let process = 0; process < 3; process++)
    expect(await fileMarks.join(db, storage, none)).toEqual({ kind: 'joined' })
})

test('of two first processes with a folder each, one is turned away', async ({
  database: { db },
}) => {
  const folders = [await aFolder(), await aFolder()]
  const joined = await Promise.all(folders.map((storage) => fileMarks.join(db, storage, none)))
  expect(joined.map(({ kind }) => kind).toSorted()).toEqual(['elsewhere', 'joined'])
})

test('an empty folder does not join a database whose recordings lie elsewhere', async ({
  database: { db },
}) => {
  // Not even when its files were not marked yet.
  const empty = await aFolder()
  expect(await fileMarks.join(db, empty, some)).toMatchObject({ kind: 'elsewhere' })
  expect(await empty.mark()).toBe(null)
})

test('a folder whose recordings are lost is taken once it is marked by hand', async ({
  database: { db },
}) => {
  const empty = await aFolder()
  const refused = await fileMarks.join(db, empty, some)
  if (refused.kind === 'joined') throw new Error('it was joined')
  await empty.setMark(`${refused.installationId}\n`)
  expect(await fileMarks.join(db, empty, some)).toEqual({ kind: 'joined' })
})

test('files of one database are not taken by a server on another', async ({ database: { db } }) => {
  const storage = await aFolder()
  await storage.setMark('another\n')
  expect(await fileMarks.join(db, storage, none)).toMatchObject({ kind: 'foreign' })
  expect(await storage.mark()).toBe('another\n')
})
