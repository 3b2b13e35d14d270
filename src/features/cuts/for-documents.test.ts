import { expect } from 'vitest'

import { recordings } from '#features/transcriptions/said.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import * as cuts from './cuts.ts'
import { recordingsAsCutInThread } from './in-thread.ts'

test('a document is written from what is left, in its times', async ({ database }) => {
  const { db } = database
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, {
    userId,
    // A word begins each 400 ms, and between two turns lie 500 ms more.
    turns: [
      { speaker: 0, text: 'We raise the price in May.' },
      { speaker: 1, text: 'Nobody knows it yet. We ask first.' },
    ],
  })
  const owned = { userId, id }
  const { signal } = new AbortController()
  const read = () => recordingsAsCutInThread(database).read(owned, signal)
  const whole = await recordings(db).read(owned, signal)
  expect(await read()).toEqual(whole)

  await cuts.change(db, { ...owned, cut: [{ start: 0, end: 4.5 }], restore: [] })
  const left = await read()
  expect(left).toMatchObject({
    durationMs: 55_500,
    turns: [{ speaker: 'Speaker B', text: 'We ask first.', startMs: 0, endMs: 1_100 }],
  })
  expect(left.hash).not.toBe(whole.hash)
  expect(await recordings(db).read(owned, signal)).toEqual(whole)
})
