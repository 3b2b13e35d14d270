import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'

import type { Db } from '#server/db.ts'
import { createLog, silentLog } from '#server/log.ts'
import { test } from '#test/database.ts'
import { aFolder } from '#test/folder.ts'

import { IN_DATABASE, KeyMissing, secretKeyOf } from './secret-key.ts'

const folder = aFolder('secret-key')
const aProcess = async (db: Db, name: string, secretKey: string | null = null, log = silentLog) =>
  secretKeyOf({ db, log }, { secretKey, dataDir: join(folder, name) })

/** The words of a process that starts with this key. */
async function saidBy(db: Db, secretKey: string): Promise<string[]> {
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg)
  await aProcess(db, 'says', secretKey, createLog({ destination: { write } }))
  return lines
}

beforeEach(async ({ db }: { db: Db }) => {
  await db.execute(sql`update installation set secret_key = null, secret_key_hash = null`)
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

test('a process without SECRET_KEY, where others have one, does not start, until that is wished', async ({
  db,
}) => {
  const own = 's'.repeat(32)
  const inDatabase = await aProcess(db, 'before any had one')
  await aProcess(db, 'with one', own)
  await expect(aProcess(db, 'without')).rejects.toThrow(KeyMissing)
  await expect(aProcess(db, 'without')).rejects.toThrow(`set SECRET_KEY=${IN_DATABASE}`)
  expect(await aProcess(db, 'with one', own)).toBe(own)

  expect(await aProcess(db, 'back', IN_DATABASE)).toBe(inDatabase)
  expect(await aProcess(db, 'without')).toBe(inDatabase)
})

test('a process whose key is another than the one in use says so in one line', async ({ db }) => {
  const [own, other] = ['s'.repeat(32), 'o'.repeat(32)]
  const differs = [expect.stringContaining('SECRET_KEY differs')]
  expect(await saidBy(db, own)).toEqual([])
  expect(await saidBy(db, own)).toEqual([])
  expect(await saidBy(db, other)).toEqual(differs)
  expect(await saidBy(db, other)).toEqual([])
  expect(await saidBy(db, IN_DATABASE)).toEqual(differs)
  expect(await saidBy(db, IN_DATABASE)).toEqual([])
  expect(await saidBy(db, own)).toEqual(differs)
})
