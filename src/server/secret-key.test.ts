import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'

import type { Db } from '#server/db.ts'
import { test } from '#test/database.ts'
import { aFolder } from '#test/folder.ts'

import { secretKeyOf } from './secret-key.ts'

const folder = aFolder('secret-key')
const aProcess = async (db: Db, name: string, secretKey: string | null = null) =>
  secretKeyOf(db, { secretKey, dataDir: join(folder, name) })

beforeEach(async ({ db }: { db: Db }) => {
  await db.execute(sql`update installation set secret_key = null`)
})

test('processes that start at the same moment, each with a folder of its own, have one key', async ({
  db,
}) => {
  const names = Array.from({ length: 8 }, (_, index) => `new-${index}`)
  const keys = await Promise.all(names.map((name) => aProcess(db, name)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(await aProcess(db, 'another day')).toBe(keys[0])
})

test('the key that an older release kept in a file is taken over, and stays when the file has gone', async ({
  db,
}) => {
  const kept = 'ab'.repeat(32)
  await mkdir(join(folder, 'older'))
  await writeFile(join(folder, 'older', 'secret-key'), kept)
  expect(await aProcess(db, 'older')).toBe(kept)
  expect(await aProcess(db, 'elsewhere')).toBe(kept)
  // Another file of that time comes too late.
  await mkdir(join(folder, 'late'))
  await writeFile(join(folder, 'late', 'secret-key'), 'cd'.repeat(32))
  expect(await aProcess(db, 'late')).toBe(kept)
})

test('SECRET_KEY takes the place of the one in the database, and is not written there', async ({
  db,
}) => {
  const own = 's'.repeat(32)
  expect(await aProcess(db, 'own', own)).toBe(own)
  const { rows } = await db.execute(sql`select secret_key as key from installation`)
  expect(rows).toEqual([{ key: null }])
})
