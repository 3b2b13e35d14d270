import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'

import { anApp } from '#test/app.ts'
import { isLong } from '#test/long.ts'
import { test } from '#test/database.ts'

import { KEPT_DAYS, findAsset, keepAssets } from './assets.ts'
import type { Db } from './db.ts'
import { createLog } from './log.ts'

const clientDir = fileURLToPath(new URL('../../build/client', import.meta.url))

/** A build with these files, and nothing else. */
async function aBuild(...names: string[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quoth-build-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await mkdir(join(dir, 'assets'))
  for (const name of names) await writeFile(join(dir, 'assets', name), `the code of ${name}`)
  return dir
}

const codeIn = async (db: Db, name: string) => (await findAsset(db, name, []))?.content.toString()

if (isLong)
  test('a process of another release sends a file as the process that has it', async ({
    database,
  }) => {
    const having = await anApp(database, { parts: { clientDir }, works: false })
    onTestFinished(() => having.close())
    const other = await anApp(database, { works: false })
    onTestFinished(() => other.close())

    const names = readdirSync(join(clientDir, 'assets')).filter((name) => !/\.(br|gz)$/.test(name))
    expect(names.length).toBeGreaterThan(50)
    for (const url of names.map((name) => `/assets/${name}`))
      for (const accepted of ['br, gzip', 'gzip', 'identity']) {
        const asked = { url, headers: { 'accept-encoding': accepted } }
        const [theirs, its] = [await having.inject(asked), await other.inject(asked)]
        expect(its.rawPayload.equals(theirs.rawPayload)).toBe(true)
        for (const name of ['content-type', 'cache-control', 'content-encoding', 'content-length'])
          expect([url, name, its.headers[name]]).toEqual([url, name, theirs.headers[name]])
        expect(its.headers['vary']).toMatch(/accept-encoding/i)
      }
  })

test('a file that no release has is not found, and nobody keeps that answer', async ({
  database,
}) => {
  const server = await anApp(database, { parts: { clientDir }, works: false })
  onTestFinished(() => server.close())
  const [script = ''] = readdirSync(join(clientDir, 'assets')).filter((name) =>
    name.endsWith('.br'),
  )
  for (const url of [
    '/assets/gone-0a1b2c3d.js',
    '/assets/',
    '/assets/..%2Findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    `/assets/${'long'.repeat(90)}.js`,
    `/assets/${script}`,
  ]) {
    const answer = await server.inject({ url })
    expect([url, answer.statusCode]).toEqual([url, 404])
    expect([url, answer.headers['cache-control']]).toEqual([url, 'no-store'])
  }
})

test('files of a release are kept while a process has them, and then for weeks', async ({
  database: { db },
}) => {
  const before = await aBuild('shared-1.js', 'before-1.js')
  const after = await aBuild('shared-1.js', 'after-1.js')
  await keepAssets(db, before)
  await keepAssets(db, after)
  expect(await codeIn(db, 'before-1.js')).toBe('the code of before-1.js')

  const age = (days: number) =>
    db.execute(sql`update assets set seen_at = now() - make_interval(days => ${days})`)
  await age(KEPT_DAYS - 1)
  await keepAssets(db, after)
  expect(await codeIn(db, 'before-1.js')).toBe('the code of before-1.js')
  await age(KEPT_DAYS + 1)
  await keepAssets(db, after)
  expect(await codeIn(db, 'before-1.js')).toBeUndefined()
  expect(await codeIn(db, 'shared-1.js')).toBe('the code of shared-1.js')
  expect(await codeIn(db, 'after-1.js')).toBe('the code of after-1.js')
})

test('a process whose files the database does not take serves them all the same', async ({
  database,
}) => {
  const { db } = database
  await db.execute(sql`delete from assets`)
  await db.execute(sql`
    create function refuse_assets() returns trigger language plpgsql as $$ begin
      raise exception 'no room' using errcode = '53100';
    end $$`)
  await db.execute(sql`
    create trigger refuse_assets before insert on assets execute function refuse_assets()`)
  onTestFinished(async () => void (await db.execute(sql`drop function refuse_assets cascade`)))
  const lines: string[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(line) } })
  const server = await anApp(database, { parts: { clientDir, log }, works: false })
  onTestFinished(() => server.close())
  const [name] = readdirSync(join(clientDir, 'assets'))
  expect((await server.inject(`/assets/${name}`)).statusCode).toBe(200)
  expect(lines.join('')).toContain('built files were not kept')
})
