/**
 * The built files with hashed names, kept in the database for every web process. Two releases stand
 * behind one proxy while one replaces the other, and a page of one asks the other for its files. Pages
 * that were opened before an upgrade ask for theirs later. So each web process keeps its own files
 * before it answers anybody, and looks here for those that it does not have. One whose files the
 * database does not take answers all the same.
 *
 * What no web process has had for `KEPT_DAYS` is removed. Only names are looked up here, never paths.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'

import type { Queryable } from './db.ts'
import type { Encoding } from './pages.ts'
import { semaphore } from './semaphore.ts'
import { assets } from './tables.ts'

export const KEPT_DAYS = 30
const suffixes = { br: '.br', gzip: '.gz' }

/** Keeps the files of a build, says of those kept before that they are still in use, and tidies up. */
export async function keepAssets(db: Queryable, clientDir: string): Promise<void> {
  const dir = join(clientDir, 'assets')
  const names = (await readdir(dir)).toSorted()
  // In one order: two processes that begin at once wait for each other, and not in a circle.
  const { rows } = await db.execute<{ name: string }>(sql`
    with mine as (
      select name from assets where name = any(${sql.param(names)}::text[]) order by name for update
    )
    update assets set seen_at = now() from mine where assets.name = mine.name returning mine.name`)
  const kept = new Set(rows.map(({ name }) => name))
  for (const name of names.filter((one) => !kept.has(one))) {
    const content = await readFile(join(dir, name))
    await db
      .insert(assets)
      .values({ name, content })
      .onConflictDoUpdate({ target: assets.name, set: { seenAt: sql`now()` } })
  }
  await db.execute(sql`
    delete from assets where name in (
      select name from assets where seen_at < now() - make_interval(days => ${KEPT_DAYS})
      for update skip locked
    )`)
}

export interface Asset {
  type: string
  encoding: Encoding | null
  content: Buffer
}

/** By the ending of a name; a file of another kind is no asset. */
const types: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff: 'font/woff',
  woff2: 'font/woff2',
  m4a: 'audio/mp4',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** Everybody may ask for files, whatever their names: the others wait without a connection. */
const AT_ONCE = 2
const places = semaphore(AT_ONCE)

/** A file of any release that was kept, in the first of these encodings that there is of it. */
export async function findAsset(
  db: Queryable,
  name: string,
  encodings: readonly Encoding[],
): Promise<Asset | null> {
  const type = types[/^[\w.-]{1,200}\.(\w+)$/.exec(name)?.[1] ?? '']
  if (!type) return null
  await using _ = await places.take(undefined, { lane: Symbol(name) })
  const names = [...encodings.map((encoding) => name + suffixes[encoding]), name]
  const { rows } = await db.execute<{ name: string; content: Buffer }>(sql`
    select name, content from assets where name = any(${sql.param(names)}::text[])
    order by array_position(${sql.param(names)}::text[], name) limit 1`)
  const [found] = rows
  if (!found) return null
  const encoding = encodings.find((one) => found.name === name + suffixes[one]) ?? null
  return { type, encoding, content: found.content }
}
