import { expect } from 'vitest'

import { test } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'

import { sameAs, sameOf, withSame } from './same.ts'

const hash = (letter: string) => letter.repeat(64)

test('a file is known again by its bytes, and an older one by name, size and length; never across accounts', async ({
  db,
}) => {
  const [{ id: userId }, stranger] = await Promise.all([aUser(db), aUser(db)])
  const facts = { userId, originalName: 'talk.wav', sizeBytes: 1_000, durationMs: 60_000 }
  const renamed = await aTranscription(db, {
    ...facts,
    originalName: 'other.wav',
    contentHash: hash('a'),
  })
  // It has no text that could be opened.
  await aTranscription(db, { ...facts, contentHash: hash('a'), status: 'error' })
  const older = await aTranscription(db, { ...facts, originalName: 'older.wav' })
  await aTranscription(db, { ...facts, userId: stranger.id, contentHash: hash('b') })
  const waits = (given: Parameters<typeof aTranscription>[1]) =>
    aTranscription(db, { ...given, status: 'uploading' })

  const again = await waits({ ...facts, contentHash: hash('a') })
  const named = await waits({ ...facts, originalName: 'older.wav', contentHash: hash('c') })
  const longer = await waits({ ...facts, originalName: 'older.wav', durationMs: 61_000 })
  // The same name, size and length, and another sound: a recorder with a fixed length.
  const alike = await waits({ ...facts, originalName: 'other.wav', contentHash: hash('d') })
  const theirs = await waits({ ...facts, contentHash: hash('b') })
  const same = await sameOf(
    db,
    [again, named, longer, alike, theirs].map(({ id }) => id),
  )
  expect([...same].map(([of, { id }]) => [of, id])).toEqual(
    expect.arrayContaining([
      [again.id, renamed.id],
      [named.id, older.id],
    ]),
  )
  expect([again, named].map(({ id }) => same.get(id)?.hasSameBytes)).toEqual([true, false])
  expect(same.size).toBe(2)

  const rows = await withSame(db, [
    { id: again.id, status: 'uploading' },
    { id: older.id, status: 'completed' },
  ])
  expect(rows.map((row) => row.sameAs?.id ?? null)).toEqual([renamed.id, null])
})

test('a file that is not sent yet is known by its name and size, or by its hash where that is told', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const [known, older] = await Promise.all([
    aTranscription(db, { userId, originalName: 'new.wav', contentHash: hash('a') }),
    aTranscription(db, { userId, originalName: 'old.wav' }),
  ])
  await anUpload(db, { userId, originalName: 'waits.wav' })
  const idOf = async (name: string, told?: string, sizeBytes = 1_000) =>
    (await sameAs(db, { userId, name, sizeBytes, hash: told }))?.id ?? null
  expect(await idOf('new.wav')).toBe(known.id)
  expect(await idOf('new.wav', undefined, 1_001)).toBeNull()
  expect(await idOf('renamed.wav', hash('a'))).toBe(known.id)
  expect(await idOf('new.wav', hash('b'))).toBeNull()
  expect(await idOf('old.wav', hash('b'))).toBe(older.id)
  expect(await idOf('waits.wav')).toBeNull()
})
