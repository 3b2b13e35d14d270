import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import type { KeptAction } from '#features/row/kept.ts'
import { transcriptions } from '#features/row/tables.ts'
import { back, insertRun } from '#features/text/earlier.ts'
import * as naming from '#features/text/naming.ts'
import * as laterSummary from '#features/transcriptions/later-summary.ts'
import { labelOf } from '#features/transcriptions/results.ts'
import * as room from '#features/transcriptions/transcriptions.ts'
import type { ActionItem as Found } from '#features/writing/contract.ts'
import type { Db } from '#server/db.ts'
import { MOST_ACTIONS, UNDELETE_MINUTES } from '#shared/business.ts'
import { systemClock } from '#shared/clock.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'

import * as items from './action-items.ts'

const turns = [
  { speaker: 0, text: 'I will send the list.' },
  { speaker: 1, text: 'Can you call Margaret?' },
]

async function anOwner(db: Db, actionItems: KeptAction[], others = {}) {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId, turns, actionItems, ...others })
  return { userId, id }
}

const deps = (db: Db, now = systemClock) => ({ db, clock: now })
const listOf = async (db: Db, owned: { userId: string; id: string }) =>
  (await room.get({ db }, owned)).actionItems

test('of twenty ticks at once none is lost', async ({ db }) => {
  const all = Array.from({ length: 20 }, (_, n) => anActionItem({ text: `Task ${n}`, startMs: n }))
  const owned = await anOwner(db, all)
  await Promise.all(
    all.map(({ id: itemId }) => items.set(deps(db), { ...owned, itemId, isDone: true })),
  )
  expect((await listOf(db, owned)).map(({ isDone }) => isDone)).toEqual(all.map(() => true))
})

test('who speaks is known by name, and a name that nobody has is kept as it is', async ({ db }) => {
  const owned = await anOwner(db, [anActionItem({ speaker: 1 })])
  const first = { ...owned, itemId: (await listOf(db, owned))[0]!.id }
  expect(await listOf(db, owned)).toMatchObject([{ who: 'Speaker B', speaker: 1 }])
  await naming.rename(deps(db), { ...owned, speaker: 1, name: 'Ben Okafor' })
  expect(await listOf(db, owned)).toMatchObject([{ who: 'Ben Okafor', speaker: 1 }])
  const toAda = await items.set(deps(db), { ...first, who: 'speaker a' })
  expect(toAda).toMatchObject({ who: 'Speaker A', speaker: 0 })
  const toMargaret = await items.set(deps(db), { ...first, who: '  Margaret\n' })
  expect(toMargaret).toMatchObject({ who: 'Margaret', speaker: null })
  expect(await items.set(deps(db), { ...first, who: '' })).toMatchObject({ who: null })
})

test('an action item has a text that can be seen', async ({ db }) => {
  const owned = await anOwner(db, [anActionItem()])
  const hidden = { text: '\u202e \u2066', who: null, dueDate: null }
  await expect(items.add(deps(db), { ...owned, ...hidden })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const [first] = await listOf(db, owned)
  await expect(
    items.set(deps(db), { ...owned, itemId: first!.id, text: hidden.text }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await listOf(db, owned)).toEqual([first])
})

test('two speakers who are made one have the tasks of both', async ({ db }) => {
  const owned = await anOwner(db, [anActionItem({ speaker: 0 }), anActionItem({ speaker: 1 })])
  await naming.rename(deps(db), { ...owned, speaker: 0, name: 'Ada' })
  await naming.rename(deps(db), { ...owned, speaker: 1, name: 'Ada' })
  expect((await listOf(db, owned)).map(({ who }) => who)).toEqual(['Ada', 'Ada'])
})

test('a day of one’s own takes the place of what was said, and only that is a change', async ({
  db,
}) => {
  const owned = await anOwner(db, [anActionItem({ due: 'by Friday', dueDate: '2026-11-27' })])
  const itemId = (await listOf(db, owned))[0]!.id
  const same = { text: 'Send the list.', dueDate: '2026-11-27' }
  expect(await items.set(deps(db), { ...owned, itemId, ...same })).toMatchObject({
    due: 'by Friday',
  })
  const moved = await items.set(deps(db), { ...owned, itemId, dueDate: '2026-12-01' })
  expect(moved).toMatchObject({ due: null, dueDate: '2026-12-01' })
})

test('what is deleted comes back for five minutes, and then no more', async ({ db }) => {
  const owned = await anOwner(db, [anActionItem({ text: 'First' })])
  const added = await items.add(deps(db), { ...owned, text: 'Mine', who: null, dueDate: null })
  const itemId = added.id
  await items.remove(deps(db), { ...owned, itemId })
  expect(await listOf(db, owned)).toMatchObject([{ text: 'First' }])
  const notThere = items.set(deps(db), { ...owned, itemId, isDone: true })
  await expect(notThere).rejects.toMatchObject({ code: 'not_found' })
  expect(await items.bringBack(deps(db), { ...owned, itemId })).toEqual(added)

  await items.remove(deps(db), { ...owned, itemId })
  const later = () => new Date(Date.now() + (UNDELETE_MINUTES + 1) * 60_000)
  const tooLate = items.bringBack(deps(db, later), { ...owned, itemId })
  await expect(tooLate).rejects.toMatchObject({ code: 'not_found' })
  await items.add(deps(db, later), { ...owned, text: 'Another', who: null, dueDate: null })
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, owned.id))
  expect(row?.actionItems?.map(({ text }) => text)).toEqual(['First', 'Another'])
})

test('of those that were added and deleted, the last can be brought back, as many as there is room for', async ({
  db,
}) => {
  const minute = (at: number) => new Date(Date.now() - 60_000 - at).toISOString()
  const gone = Array.from({ length: MOST_ACTIONS + 10 }, (_, at) =>
    anActionItem({ isOwn: true, startMs: null, deletedAt: minute(at) }),
  )
  const owned = await anOwner(db, gone)
  await items.add(deps(db), { ...owned, text: 'Mine', who: null, dueDate: null })
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, owned.id))
  const ids = row?.actionItems?.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : id))
  expect(ids).toEqual(gone.slice(0, MOST_ACTIONS).map(({ id }) => id))
})

test('there is room for so many, and a deleted one takes none', async ({ db }) => {
  const many = Array.from({ length: MOST_ACTIONS }, () => anActionItem())
  const owned = await anOwner(db, many)
  const mine = { ...owned, text: 'One more', who: null, dueDate: null }
  await expect(items.add(deps(db), mine)).rejects.toMatchObject({ code: 'too_many_action_items' })
  await items.remove(deps(db), { ...owned, itemId: many[0]!.id })
  await items.add(deps(db), mine)
  const full = items.bringBack(deps(db), { ...owned, itemId: many[0]!.id })
  await expect(full).rejects.toMatchObject({ code: 'too_many_action_items' })
})

const found = (given: Partial<Found>): Found => ({
  text: 'Send the list to Margaret',
  who: 'Speaker A',
  due: null,
  dueDate: null,
  quote: 'send the list',
  startMs: 900,
  isSentence: false,
  ...given,
})

const summaryWith = (actionItems: Found[]) => ({
  text: 'They plan.',
  keyPoints: [],
  topics: [],
  actionItems,
  language: 'en',
  engine: 'llm' as const,
  note: 'Written by AI.',
})

test('a better summary finds them anew, and loses none that somebody touched', async ({ db }) => {
  const before = [
    anActionItem({ text: 'I will send the list.', isDone: true, isSentence: true }),
    anActionItem({ text: 'Untouched', quote: 'nothing of this', startMs: 20_000 }),
    anActionItem({ text: 'Ticked and gone', isDone: true, quote: 'not found', startMs: 30_000 }),
    anActionItem({
      text: 'Call Mr Oakes',
      isChanged: true,
      quote: 'call Margaret',
      startMs: 40_000,
    }),
    anActionItem({
      text: 'Deleted',
      quote: 'a deleted task',
      startMs: 50_000,
      deletedAt: '2026-11-22',
    }),
    anActionItem({ text: 'Mine', isOwn: true, startMs: null, quote: null }),
  ]
  const pending = crypto.randomUUID()
  const owned = await anOwner(db, before, { summaryPending: pending })
  const better = summaryWith([
    found({}),
    found({ text: 'Call Margaret', quote: 'Call Margaret', startMs: 39_900 }),
    found({ text: 'A deleted one, in other words', quote: 'a deleted task', startMs: 50_000 }),
    found({ text: 'New', quote: 'something new', startMs: 60_000 }),
  ])
  await laterSummary.end({ db, log: null! }, { transcriptionId: owned.id, pending }, better)
  const now = await listOf(db, owned)
  expect(now.map(({ text, isDone, who }) => ({ text, isDone, who }))).toEqual([
    { text: 'Send the list to Margaret', isDone: true, who: 'Speaker A' },
    { text: 'Ticked and gone', isDone: true, who: null },
    { text: 'Call Mr Oakes', isDone: false, who: null },
    { text: 'New', isDone: false, who: 'Speaker A' },
    { text: 'Mine', isDone: false, who: null },
  ])
  // Calendars and programs know by its id what they have already.
  expect(now[0]?.id).toBe(before[0]!.id)
})

test('what its owner has moved stays there, whatever else is changed, and in a better summary too', async ({
  db,
}) => {
  const quotes = ['send the list', 'call Margaret', 'book the room']
  const before = quotes.map((quote, at) => anActionItem({ text: quote, quote, startMs: at * 1e4 }))
  const [list, call, room] = before.map(({ id }) => id)
  const pending = crypto.randomUUID()
  const owned = await anOwner(db, before, { summaryPending: pending })
  const texts = async () => (await listOf(db, owned)).map(({ text }) => text)
  const move = (itemId: string, next: string | null) =>
    items.set(deps(db), { ...owned, itemId, before: next })
  await move(room!, list!)
  expect(await texts()).toEqual(['book the room', 'send the list', 'call Margaret'])
  await move(list!, null)
  // The same twice is one change.
  await move(list!, null)
  await items.set(deps(db), { ...owned, itemId: call!, isDone: true })
  const moved = ['book the room', 'call Margaret', 'send the list']
  expect(await texts()).toEqual(moved)
  await items.remove(deps(db), { ...owned, itemId: call! })
  await items.bringBack(deps(db), { ...owned, itemId: call! })
  expect(await texts()).toEqual(moved)
  await expect(move(room!, crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' })

  const better = summaryWith([
    ...quotes.map((quote, at) => found({ text: quote, quote, startMs: at * 1e4 })),
    found({ text: 'New', quote: 'something new', startMs: 5_000 }),
  ])
  await laterSummary.end({ db, log: null! }, { transcriptionId: owned.id, pending }, better)
  expect(await texts()).toEqual([...moved, 'New'])
})

test('a better summary counts from the day that its owner has said meanwhile', async ({ db }) => {
  const pending = crypto.randomUUID()
  const said = { language: 'en', recordedAt: '2024-03-04', summaryPending: pending }
  const owned = await anOwner(db, [], said)
  const better = summaryWith([found({ due: 'by Friday', dueDate: '2024-09-06' })])
  const job = { transcriptionId: owned.id, pending }
  await laterSummary.end({ db, log: null! }, job, better, { recordedOn: '2024-09-03' })
  expect(await listOf(db, owned)).toMatchObject([{ due: 'by Friday', dueDate: '2024-03-08' }])
})

test('a voice that was not told apart is nobody who is to do something', async ({ db }) => {
  const pending = crypto.randomUUID()
  const owned = await anOwner(db, [], { summaryPending: pending })
  const unknown = summaryWith([found({ who: labelOf(null) })])
  await laterSummary.end({ db, log: null! }, { transcriptionId: owned.id, pending }, unknown)
  expect(await listOf(db, owned)).toMatchObject([{ who: null, speaker: null }])
})

test('whichever text takes over, ticks go along, and speakers are known by their names', async ({
  db,
}) => {
  const ofEarlier = [
    anActionItem({ speaker: 0 }),
    anActionItem({ text: 'Of the first', startMs: 9_000, quote: null }),
  ]
  const ofNow = [
    anActionItem({ speaker: 1, isDone: true }),
    anActionItem({ text: 'Mine', isOwn: true, startMs: null, quote: null, speaker: 1 }),
  ]
  const speakers = [{ speaker: 1, name: 'Ada' }]
  const owned = await anOwner(db, ofNow, { speakers })
  const keptUntil = new Date(Date.now() + 3_600_000)
  const [now] = await db.select().from(transcriptions).where(eq(transcriptions.id, owned.id))
  await db.transaction((tx) =>
    insertRun(tx, now!, {
      actionItems: ofEarlier,
      speakers: [{ speaker: 0, name: 'Ada' }],
      status: 'completed',
      finishedAt: new Date(),
      againWhat: 'text',
      creditsRequired: 0,
      keptUntil,
    }),
  )
  await back(deps(db), owned)
  expect(await listOf(db, owned)).toMatchObject([
    { text: 'Send the list.', isDone: true, who: 'Ada', speaker: 0 },
    { text: 'Of the first', isDone: false },
    { text: 'Mine', who: 'Ada', speaker: 0 },
  ])
})
