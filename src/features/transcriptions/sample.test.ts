import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { measure } from '#features/sound/decode.ts'
import { turns } from '#features/text/tables.ts'
import { checkBelowOf, isInDoubt, percentOf } from '#features/text/words-in-doubt.ts'
import { aUser } from '#test/factories.ts'
import { test } from '#test/served.ts'

import { Transcription, TranscriptionRow } from './contract.ts'

const folder = path.resolve(import.meta.dirname, 'sample')
const open = { method: 'POST', url: '/api/transcriptions/sample' } as const

const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const doubtful = <Said extends { confidence: number | null }>(words: readonly Said[]) =>
  words.filter(({ confidence }) => isInDoubt(percentOf(confidence), checkBelowOf('sherpa')))

test('the sample is a finished transcription of our own recording, and costs nothing', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const asUser = await server.as(user)
  const { id } = (await asUser(open)).json()
  const sample = Transcription.parse((await asUser(`/api/transcriptions/${id}`)).json())
  expect(sample).toMatchObject({
    status: 'completed',
    isSample: true,
    originalName: 'sample.m4a',
    creditsRequired: 0,
    language: 'en',
    speakers: ['Speaker A', 'Speaker B'],
    summaryNote: 'Written by hand, for our own sample recording. The text is as it was heard.',
    recordingDeletedAt: null,
  })
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  const stored = await server.parts.storage.open(row!.storageKey!)
  expect(await readFile(stored.path)).toEqual(await readFile(path.join(folder, 'sample.m4a')))
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  expect(await credits.entries(db, { userId: user.id })).toEqual([])
})

test('the sample says what was heard, doubts included, and every word has its place in the sound', async ({
  server,
}) => {
  const { db } = server.parts.database
  const asUser = await server.as(await aUser(db))
  const { id } = (await asUser(open)).json()
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  const said = await db
    .select()
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(turns.position)
  const lines = (await readFile(path.join(folder, 'sample.txt'), 'utf8')).trim().split('\n')
  const labels = ['Ada', 'Ben']
  expect(said.map(({ speaker }) => labels[speaker!])).toEqual(
    lines.map((line) => line.split(':')[0]),
  )

  const { signal } = new AbortController()
  const recording = path.join(folder, 'sample.m4a')
  expect(await measure(recording, { signal, maxDurationMs: 600_000 })).toMatchObject({
    durationMs: row!.durationMs,
  })
  const words = said.flatMap((turn) => {
    expect(turn.words.map(({ text }) => text).join(' ')).toBe(turn.text)
    expect(turn.words[0]!.startMs).toBeGreaterThanOrEqual(turn.startMs)
    expect(turn.words.at(-1)!.endMs).toBeLessThanOrEqual(turn.endMs)
    return turn.words
  })
  expect(words).toHaveLength(row!.wordCount!)
  const heard = new Set(words.map(({ text }) => plain(text)))
  const spoken = lines.flatMap((line) => line.split(' ').slice(1)).map(plain)
  expect(spoken.filter((word) => !heard.has(word)).length).toBeLessThan(spoken.length / 20)
  expect(words.every(({ isAligned }) => isAligned)).toBe(true)
  expect(row).toMatchObject({ engine: 'sherpa', wordsInDoubt: doubtful(words).length })
  expect(row!.peaks).toHaveLength(1_000)
  // Where it heard something else, it was not sure.
  expect(doubtful(words).map(({ text }) => text)).toEqual(
    expect.arrayContaining(['be', 'right', 'at', 'down?']),
  )
  for (const [index, { startMs, endMs }] of words.entries()) {
    expect(endMs).toBeGreaterThan(startMs)
    expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0)
  }
  for (const { startMs, quote } of row!.keyPoints!) {
    const turn = said.findLast((turn) => turn.startMs <= startMs!)
    expect(turn!.text).toContain(quote)
  }
})

test('the sample is opened once, however often and however fast it is asked for', async ({
  server,
}) => {
  const asUser = await server.as(await aUser(server.parts.database.db))
  const files = path.join(server.dataDir, 'files')
  const before = await readdir(files).catch(() => [])
  const answers = await Promise.all(Array.from({ length: 8 }, () => asUser(open)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect(TranscriptionRow.array().parse((await asUser('/api/transcriptions')).json())).toHaveLength(
    1,
  )
  expect(await readdir(files)).toHaveLength(before.length + 1)
})

test('the sample waits for no confirmation', async ({ server }) => {
  const asUser = await server.as(await aUser(server.parts.database.db, { credits: 1 }))
  const { id } = (await asUser(open)).json()
  const answer = await asUser({ method: 'POST', url: `/api/transcriptions/${id}/confirm` })
  expect(answer.statusCode).toBe(409)
  expect(answer.json()).toMatchObject({ code: 'not_waiting' })
})

test('the sample can be deleted, its recording before it, and opened anew', async ({ server }) => {
  const asUser = await server.as(await aUser(server.parts.database.db))
  const before = await readdir(path.join(server.dataDir, 'files'))
  const { id } = (await asUser(open)).json()
  await asUser({ method: 'DELETE', url: `/api/transcriptions/${id}/recording` })
  expect((await asUser(open)).json()).toEqual({ id })
  const [row] = TranscriptionRow.array().parse((await asUser('/api/transcriptions')).json())
  expect(row).toMatchObject({ isSample: true, recordingKeptUntil: null })
  expect(row!.recordingDeletedAt).not.toBeNull()

  await asUser({ method: 'DELETE', url: `/api/transcriptions/${id}` })
  expect((await asUser('/api/transcriptions')).json()).toEqual([])
  expect(await readdir(path.join(server.dataDir, 'files'))).toEqual(before)
  expect((await asUser(open)).json().id).not.toBe(id)
})

test('the sample is for those who are signed in, and each has their own', async ({ server }) => {
  const { db } = server.parts.database
  expect((await server.inject(open)).statusCode).toBe(401)
  const [ada, ben] = [await server.as(await aUser(db)), await server.as(await aUser(db))]
  const { id } = (await ada(open)).json()
  expect((await ben(open)).json().id).not.toBe(id)
  expect((await ben(`/api/transcriptions/${id}`)).statusCode).toBe(404)
})
