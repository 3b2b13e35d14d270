import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { activity } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Happened } from '#server/events.ts'
import { looksInto, test as base } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import { ChangeShare, MakeShare } from './contract.ts'
import { tidyUp } from './jobs.ts'
import * as sharing from './sharing.ts'
import { shares } from './tables.ts'
import { sharesExporter } from './your-data.ts'

const DAY_MS = 86_400_000

const test = base
  .extend('clock', () => ({ now: new Date('2026-11-20T10:00:00Z') }))
  .extend('heard', (): Happened[] => [])
  .extend('deps', ({ db, clock, heard }): sharing.Deps => ({
    db,
    clock: () => clock.now,
    publicUrl: new URL('https://quoth.example'),
    secretKey: 'k'.repeat(32),
    onEvent: async (_, happened) => void heard.push(happened),
  }))

const said = [
  { speaker: 0, text: 'welcome back' },
  { speaker: 1, text: 'thank you' },
]
const wish = (wanted: object = {}) => MakeShare.parse(wanted)
const tokenIn = (url: string | null) => url!.split('/s/')[1]!

test('a link is made, told again, changed and ended, and each is told as an event', async ({
  db,
  deps,
  clock,
  heard,
}) => {
  const { id: userId } = await aUser(db)
  const { id: transcriptionId } = await aTranscription(db, { userId, turns: said })
  const made = await sharing.make(deps, { userId, transcriptionId, ...wish() })
  expect(made).toMatchObject({
    transcriptionId,
    name: 'interview.m4a',
    includes: ['recording', 'summary', 'names'],
    hasPassword: false,
    openings: 0,
    endsAt: '2026-11-27T10:00:00.000Z',
  })
  const token = tokenIn(made.url)
  expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  const [kept] = await db.select().from(shares).where(eq(shares.id, made.id))
  expect(JSON.stringify(kept)).not.toContain(token)

  clock.now = new Date(clock.now.getTime() + DAY_MS)
  const asked = ChangeShare.parse({ includes: ['sound'], days: 30, password: 'dairy-reels-54' })
  const changed = await sharing.change(deps, { userId, id: made.id, ...asked })
  expect(changed).toMatchObject({
    url: made.url,
    includes: ['sound'],
    hasPassword: true,
    endsAt: '2026-12-21T10:00:00.000Z',
  })
  expect(await sharing.listOf(deps, { userId, transcriptionId })).toEqual([changed])
  expect(await sharing.listAll(deps, userId)).toEqual([changed])
  // Another key does not know the address, and the link goes on.
  const elsewhere = { ...deps, secretKey: 'l'.repeat(32) }
  expect(await sharing.listAll(elsewhere, userId)).toMatchObject([{ url: null }])
  expect(await sharing.find(elsewhere, token)).toMatchObject({ sharedBy: 'Ada Example' })

  await sharing.end(deps, { userId, id: made.id })
  expect(await sharing.find(deps, token)).toBe('ended')
  expect(await sharing.listAll(deps, userId)).toEqual([])
  await expect(sharing.end(deps, { userId, id: made.id })).rejects.toThrow('Not found.')
  expect(heard).toEqual([
    { userId, type: 'share.created', data: { id: made.id, transcriptionId } },
    { userId, type: 'share.ended', data: { id: made.id, transcriptionId, by: 'owner' } },
  ])
  const noted = await db.select().from(activity).where(eq(activity.userId, userId))
  expect(noted.map(({ kind }) => kind)).toEqual(['share_made', 'share_ended'])
})

test('a link whose time is over has ended at once, and is told of when that is noticed', async ({
  db,
  deps,
  clock,
  heard,
}) => {
  const { id: userId } = await aUser(db)
  const { id: transcriptionId } = await aTranscription(db, { userId, turns: said })
  const made = await sharing.make(deps, { userId, transcriptionId, ...wish({ days: 1 }) })
  await sharing.make(deps, { userId, transcriptionId, ...wish({ days: null }) })
  heard.length = 0
  clock.now = new Date(clock.now.getTime() + DAY_MS)
  expect(await sharing.find(deps, tokenIn(made.url))).toBe('ended')
  expect(await sharing.listAll(deps, userId)).toHaveLength(1)
  await tidyUp(deps)
  await tidyUp(deps)
  const data = { id: made.id, transcriptionId, by: 'time' }
  expect(heard).toEqual([{ userId, type: 'share.ended', data }])
  clock.now = new Date(clock.now.getTime() + 89 * DAY_MS)
  await tidyUp(deps)
  expect(await sharing.find(deps, tokenIn(made.url))).toBe('ended')
  clock.now = new Date(clock.now.getTime() + 2 * DAY_MS)
  await tidyUp(deps)
  expect(await sharing.find(deps, tokenIn(made.url))).toBe('unknown')
})

test('links whose time is over are found without reading all links, each minute', async ({
  db,
  deps,
}) => {
  for (const index of ['shares_ending', 'shares_ended']) {
    const looks = await looksInto(db, index, (tx) => tidyUp({ ...deps, db: tx }))
    expect([index, looks > 0]).toEqual([index, true])
  }
})

test('only finished transcriptions are shared, and at most 20 links to one are open', async ({
  db,
  deps,
}) => {
  const { id: userId } = await aUser(db)
  const running = await aTranscription(db, { userId, status: 'processing' })
  const unfinished = { userId, transcriptionId: running.id, ...wish() }
  await expect(sharing.make(deps, unfinished)).rejects.toThrow('not finished')

  const { id: transcriptionId } = await aTranscription(db, { userId, turns: said })
  const wanted = { userId, transcriptionId, ...wish() }
  const all = await Promise.allSettled(Array.from({ length: 22 }, () => sharing.make(deps, wanted)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  const [one] = await sharing.listAll(deps, userId)
  await sharing.end(deps, { userId, id: one!.id })
  expect(await sharing.make(deps, wanted)).toHaveProperty('url')
})

test('its owner is told when a summary is left out, because names in it cannot be hidden', async ({
  db,
  deps,
}) => {
  const { id: userId } = await aUser(db)
  const { id: transcriptionId } = await aTranscription(db, {
    userId,
    turns: said,
    speakers: [
      { speaker: 0, name: 'Ada Lovett' },
      { speaker: 1, name: 'Ben Okafor' },
    ],
    summary: 'Ben Okafor tells Ada of his tapes.',
    keyPoints: [],
    topics: [],
  })
  const hidden = wish({ includes: ['summary'] })
  const made = await sharing.make(deps, { userId, transcriptionId, ...hidden })
  expect(made.summaryLeftOut).toBe(false)
  await db
    .update(transcriptions)
    .set({ summary: 'The Okafors keep tapes.' })
    .where(eq(transcriptions.id, transcriptionId))
  expect(await sharing.listAll(deps, userId)).toMatchObject([{ summaryLeftOut: true }])
  const includes = ChangeShare.parse({ includes: ['summary', 'names'] })
  const changed = await sharing.change(deps, { userId, id: made.id, ...includes })
  expect(changed.summaryLeftOut).toBe(false)
})

test('the copy of all data lists the links, and holds nothing that opens one', async ({
  db,
  deps,
}) => {
  const { id: userId } = await aUser(db)
  const { id: transcriptionId } = await aTranscription(db, { userId, turns: said })
  const asked = wish({ password: 'dairy-reels-54' })
  const { id } = await sharing.make(deps, { userId, transcriptionId, ...asked })
  const [row] = await db.select().from(shares).where(eq(shares.id, id))
  const files = []
  for await (const { content } of sharesExporter(db).exportFor(userId)) files.push(String(content))
  expect(files.map((content) => JSON.parse(content))).toMatchObject([[{ id, hasPassword: true }]])
  for (const secret of [row!.tokenHash, row!.passwordHash!])
    expect(files.join('')).not.toContain(secret)
})
