import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import type { TestApp } from '#test/app.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'

import { type CutRange, type Cuts, MOST_CUTS, MOST_IN_AN_ACT } from './contract.ts'
import { cutLists } from './tables.ts'

async function aRecording(server: TestApp) {
  const { db } = server.parts.database
  const user = await aUser(db)
  const { id } = await aTranscription(db, { userId: user.id, durationMs: 60_000 })
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}/cuts`
  const act = (payload: { cut?: CutRange[]; restore?: CutRange[] }) =>
    call({ method: 'POST', url, payload })
  return {
    db,
    id,
    act,
    cut: async (...cut: CutRange[]) => (await act({ cut })).json<Cuts>(),
    restore: async (...restore: CutRange[]) => (await act({ restore })).json<Cuts>(),
    undo: async () => (await call({ method: 'POST', url: `${url}/undo` })).json<Cuts>(),
    read: async () => (await call(url)).json<Cuts>(),
    call,
    url,
  }
}

const none: Cuts = { cuts: [], remaining: 60, canUndo: false, act: null, files: 0 }

test('cuts are kept in order and apart, as far as the recording goes', async ({ server }) => {
  const { cut, read } = await aRecording(server)
  expect(await read()).toEqual(none)
  const now = await cut(
    { start: 50, end: 500 },
    { start: 3.0004, end: 4 },
    { start: 1, end: 2.5 },
    { start: 2, end: 3 },
    { start: 70, end: 80 },
    { start: 9, end: 9 },
  )
  const cuts = [
    { start: 1, end: 4 },
    { start: 50, end: 60 },
  ]
  expect(now).toMatchObject({ cuts, remaining: 47, canUndo: true, files: 0 })
  expect(await read()).toEqual(now)
})

test('a part of a cut is put back', async ({ server }) => {
  const { cut, restore } = await aRecording(server)
  await cut({ start: 10, end: 20 })
  const { cuts } = await restore({ start: 12, end: 13.5 }, { start: 40, end: 50 })
  expect(cuts).toEqual([
    { start: 10, end: 12 },
    { start: 13.5, end: 20 },
  ])
})

test('acts are undone one after the other, to the first', async ({ server }) => {
  const { cut, undo, restore } = await aRecording(server)
  const first = await cut({ start: 1, end: 2 })
  const second = await cut({ start: 5, end: 6 }, { start: 8, end: 9 })
  await restore({ start: 0, end: 60 })
  expect(await undo()).toEqual(second)
  expect(await undo()).toEqual(first)
  expect(await undo()).toEqual(none)
  expect(await undo()).toEqual(none)
})

test('who names an act undoes no other, also where its number has come again', async ({
  server,
}) => {
  const { cut, undo, call, url, read } = await aRecording(server)
  const { act } = await cut({ start: 1, end: 2 })
  const undoNamed = (name: string | null) =>
    call({ method: 'POST', url: `${url}/undo?act=${name}` })
  await undo()
  const other = await cut({ start: 5, end: 6 })
  const refused = await undoNamed(act)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'cut_elsewhere' })
  expect(await read()).toEqual(other)
  expect((await undoNamed(other.act)).json()).toEqual(none)
})

test('an act that changes nothing is none that could be undone', async ({ server }) => {
  const { cut, undo } = await aRecording(server)
  const first = await cut({ start: 1, end: 2 })
  expect(await cut({ start: 1.5, end: 2 }, { start: 100, end: 200 })).toEqual(first)
  expect(await undo()).toEqual(none)
})

test('two acts at once are both done', async ({ server }) => {
  const { cut, read } = await aRecording(server)
  const starts = Array.from({ length: 8 }, (_, at) => 2 * at)
  await Promise.all(starts.map((start) => cut({ start, end: start + 1 })))
  expect((await read()).cuts).toEqual(starts.map((start) => ({ start, end: start + 1 })))
})

test('fifty acts can be undone, however many there were', async ({ server }) => {
  const { cut, undo, db, id } = await aRecording(server)
  for (let start = 0; start < 55; start += 1) await cut({ start, end: start + 0.5 })
  expect(await db.$count(cutLists, eq(cutLists.transcriptionId, id))).toBe(51)
  let last: Cuts = none
  for (let times = 0; times < 50; times += 1) {
    last = await undo()
    expect(last.canUndo).toBe(times < 49)
  }
  expect((await undo()).cuts).toEqual(last.cuts)
  expect(last.cuts).toHaveLength(5)
})

test('more cuts than a recording can have are refused, and nothing is cut', async ({ server }) => {
  const { act, cut, read } = await aRecording(server)
  const many = (from: number) =>
    Array.from({ length: MOST_IN_AN_ACT }, (_, at) => ({
      start: (from + 4 * at) / 1000,
      end: (from + 4 * at + 1) / 1000,
    }))
  const full = await cut(...many(0))
  expect(full.cuts).toHaveLength(MOST_CUTS)
  const more = await act({ cut: many(2) })
  expect(more.statusCode).toBe(422)
  expect(more.json()).toMatchObject({ code: 'too_many_cuts' })
  expect(await read()).toEqual(full)
  // One over all of them makes one of them.
  expect((await cut({ start: 0, end: 60 })).cuts).toEqual([{ start: 0, end: 60 }])
})

test('nothing more is cut of a recording that was deleted, but what was cut can be put back', async ({
  server,
}) => {
  const { db, id, act, cut, restore } = await aRecording(server)
  await cut({ start: 1, end: 2 })
  await db.update(transcriptions).set({ storageKey: null }).where(eq(transcriptions.id, id))
  expect((await act({ cut: [{ start: 5, end: 6 }] })).json()).toMatchObject({
    code: 'recording_gone',
  })
  expect((await restore({ start: 0, end: 60 })).cuts).toEqual([])
})

test('a stretch that ends before it begins is refused', async ({ server }) => {
  const { act, read } = await aRecording(server)
  expect((await act({ cut: [{ start: 2, end: 1 }] })).statusCode).toBe(400)
  expect(await read()).toEqual(none)
})
