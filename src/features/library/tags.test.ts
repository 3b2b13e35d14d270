import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions, tags as tagRows, transcriptionTags } from '#features/row/tables.ts'
import type { ExportFile } from '#server/personal-data.ts'
import { MOST_TAGS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'
import { test, untilItWaits } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'

import * as deleting from './deleting.ts'
import * as library from './library.ts'
import * as tags from './tags.ts'
import { tagsExporter } from './your-data.ts'

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

test('tags are made as they are given, one for each name, however it is spelled', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  await tags.set(db, { userId, id, names: ['Field  Notes', 'field notes', 'Café'] })
  await tags.set(db, { userId, id, names: ['FIELD NOTES', 'cafe', 'To publish'] })
  const row = await library.row({ db }, { userId, id })
  expect(row.tags.map(({ name, colour }) => [name, colour])).toEqual([
    ['Café', 1],
    ['Field Notes', 0],
    ['To publish', 2],
  ])
  await tags.set(db, { userId, id, names: [] })
  expect((await library.row({ db }, { userId, id })).tags).toEqual([])
  expect(await tags.list(db, userId)).toMatchObject({ all: 1, none: 1 })
})

test('an account has fifty tags, also when they are made at once', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const names = Array.from({ length: MOST_TAGS - 1 }, (_, index) => `tag ${index}`)
  const { id } = await aTranscription(db, { userId })
  await tags.set(db, { userId, id, names })
  const both = ['one', 'two'].map((name) => refusalOf(tags.create(db, { userId, name })))
  expect((await Promise.all(both)).toSorted()).toEqual(['no refusal', 'too_many_tags'])
  const { tags: all } = await tags.list(db, userId)
  expect(all).toHaveLength(MOST_TAGS)
  expect(new Set(all.map(({ colour }) => colour)).size).toBe(8)
})

test('a tag is not renamed to another, and goes alone', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  await tags.set(db, { userId, id, names: ['Kendal', 'Interviews'] })
  const [interviews, kendal] = (await tags.list(db, userId)).tags
  const rename = (name: string) => tags.rename(db, { userId, id: kendal!.id, name })
  expect(await refusalOf(rename('INTERVIEWS'))).toBe('tag_exists')
  expect((await rename('KENDAL')).tags.map(({ name }) => name)).toEqual(['Interviews', 'KENDAL'])
  expect(await refusalOf(tags.create(db, { userId, name: 'kendal' }))).toBe('tag_exists')
  expect((await tags.remove(db, { userId, id: interviews!.id })).tags).toMatchObject([
    { name: 'KENDAL', count: 1 },
  ])
  expect((await library.list({ db }, { userId, limit: 5 })).rows).toHaveLength(1)
})

test('many get a tag, or none of them where one is not there', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id: other } = await aUser(db)
  const mine = await Promise.all([1, 2, 3].map(() => aTranscription(db, { userId })))
  const theirs = await aTranscription(db, { userId: other })
  const ids = mine.map(({ id }) => id)
  const change = (some: string[], add: string[], remove: string[] = []) =>
    tags.change(db, { userId, ids: some, add, remove })
  expect(await refusalOf(change([...ids, theirs.id], ['Mine']))).toBe('not_found')
  expect((await tags.list(db, userId)).tags).toEqual([])
  await change(ids, ['A', 'B'])
  expect(await change([ids[0]!, ids[0]!, ids[1]!], ['C'], ['a', 'unknown'])).toMatchObject({
    tags: [
      { name: 'A', count: 1 },
      { name: 'B', count: 3 },
      { name: 'C', count: 2 },
    ],
    all: 3,
    none: 0,
  })
})

test('the list is filtered by tags: all of them, or none', async ({ db }) => {
  const { id: userId } = await aUser(db)
  for (const [originalName, names] of [
    ['a', ['Kendal', 'Field Notes']],
    ['b', ['Kendal']],
    ['c', []],
  ] as const) {
    const { id } = await aTranscription(db, { userId, originalName })
    await tags.set(db, { userId, id, names })
  }
  const found = async (tag: string | string[]) =>
    (await library.list({ db }, { userId, limit: 9, tag })).rows.map((row) => row.originalName)
  expect(await found('kendal')).toEqual(['b', 'a'])
  expect(await found(['Kendal', 'field notes'])).toEqual(['a'])
  expect(await found('none')).toEqual(['c'])
  expect(await found('Unknown')).toEqual([])
  const { id: other } = await aUser(db)
  expect((await library.list({ db }, { userId: other, limit: 9, tag: 'kendal' })).rows).toEqual([])
  const { rows, total } = await library.idsOf({ db }, { userId, tag: 'kendal' })
  expect([rows.length, total]).toEqual([2, 2])
})

test('many are deleted and brought back together; what runs is left and named', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const done = await Promise.all([1, 2].map(() => aTranscription(db, { userId })))
  const running = await aTranscription(db, { userId, status: 'processing' })
  const waiting = await anUpload(db, { userId })
  const again = await aTranscription(db, { userId })
  await aTranscription(db, {
    userId,
    status: 'transcribing',
    againOf: again.id,
    againWhat: 'text',
    storageKey: null,
  })
  const { id: other } = await aUser(db)
  const theirs = await aTranscription(db, { userId: other })
  const ids = [...done, running, waiting, again, theirs].map(({ id }) => id)
  await tags.change(db, { userId, ids: [done[0]!.id], add: ['Kept'], remove: [] })
  const deps = { db, clock: () => new Date() }
  const { deleted, left } = await deleting.remove(deps, { userId, ids })
  expect(deleted.toSorted()).toEqual(done.map(({ id }) => id).toSorted())
  expect(left.toSorted()).toEqual([running.id, waiting.id, again.id].toSorted())
  expect(await tags.list(db, userId)).toMatchObject({ tags: [{ count: 0 }], all: 3, none: 3 })
  expect(await refusalOf(deleting.remove(deps, { userId, ids: left }))).toBe('still_processing')
  expect(await refusalOf(deleting.remove(deps, { userId, ids: deleted }))).toBe('not_found')
  expect(await refusalOf(deleting.bringBack(deps, { userId: other, ids: deleted }))).toBe(
    'not_found',
  )
  expect(await deleting.bringBack(deps, { userId, ids: deleted })).toHaveLength(2)
  expect(await tags.list(db, userId)).toMatchObject({ tags: [{ count: 1 }], all: 5 })
})

test('a change of many waits for the first of them and holds no other', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const deps = { db, clock: () => new Date() }
  // Stored from the last to the first. A small table is read as it is stored, once that is known.
  const ids = Array.from({ length: 4 }, () => crypto.randomUUID()).toSorted()
  for (const id of ids.toReversed()) await aTranscription(db, { userId, id })
  await db.execute(sql`analyze transcriptions`)
  const held = (id: string) => eq(transcriptions.id, id)
  for (const work of [
    () => tags.change(db, { userId, ids, add: ['A'], remove: [] }),
    () => deleting.remove(deps, { userId, ids }),
    () => deleting.bringBack(deps, { userId, ids }),
  ]) {
    const done = await db.transaction(async (tx) => {
      await tx.select().from(transcriptions).where(held(ids[0]!)).for('update')
      const working = work()
      await untilItWaits(db, working)
      for (const id of ids.slice(1))
        await tx.select().from(transcriptions).where(held(id)).for('update', { noWait: true })
      return { working }
    })
    await done.working
  }
})

test('an earlier text is not brought back without its transcription', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  const kept = { againOf: id, againWhat: 'text' as const, storageKey: null }
  const earlier = await aTranscription(db, { userId, ...kept, keptUntil: new Date() })
  const deps = { db, clock: () => new Date() }
  await deleting.remove(deps, { userId, ids: [id] })
  expect(await refusalOf(deleting.bringBack(deps, { userId, ids: [earlier.id] }))).toBe('not_found')
  expect(await deleting.bringBack(deps, { userId, ids: [id] })).toEqual([id])
})

test('a copy of all data has the tags, with the recordings of each', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const exporter = tagsExporter(db)
  expect(await exporter.sizeFor(userId)).toEqual({ files: 0, sizeBytes: 0 })
  const { id, originalName: name } = await aTranscription(db, { userId })
  const gone = await aTranscription(db, { userId, deletedAt: new Date() })
  const ids = [id, gone.id]
  await tags.create(db, { userId, name: 'Unused' })
  await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(tagRows)
      .values({ userId, name: 'Field Notes', nameKey: 'field notes', colour: 3 })
      .returning()
    const given = ids.map((transcriptionId) => ({ transcriptionId, tagId: made!.id }))
    await tx.insert(transcriptionTags).values(given)
  })
  const files: ExportFile[] = []
  for await (const file of exporter.exportFor(userId)) files.push(file)
  expect(files.map(({ path }) => path)).toEqual(['tags.json'])
  expect(JSON.parse(String(files[0]!.content))).toEqual([
    { name: 'Field Notes', colour: 3, recordings: [{ id, name }] },
    { name: 'Unused', colour: 0, recordings: [] },
  ])
  const sizeBytes = Buffer.byteLength(String(files[0]!.content))
  expect(await exporter.sizeFor(userId)).toEqual({ files: 1, sizeBytes })
})
