import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { creditEntries } from '#features/credits/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import { type TestApi, aDeveloper, aRecording, aToken, anApi } from '#test/api.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { test } from '#test/served-api.ts'

import { Started } from './contract.ts'

const formOf = (
  bytes: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
  name = 'interview.wav',
) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([bytes]), name)
  return form
}

const post = (
  { url }: TestApi,
  { token, body, key }: { token: string; body: FormData; key?: string },
) =>
  fetch(`${url}/api/transcriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, ...(key ? { 'Idempotency-Key': key } : {}) },
    body,
  })

const held = (api: TestApi, userId: string) =>
  api.parts.database.db
    .select()
    .from(creditEntries)
    .where(eq(creditEntries.userId, userId))
    .then((rows) => rows.filter(({ kind }) => kind === 'hold'))

test('one call uploads, prices and starts; polling it ends with the text', async ({
  api,
  recording,
  db,
}) => {
  const { user, key } = await aDeveloper(api)
  const fields = {
    language: 'en',
    speakers: '1',
    channels: 'mixed',
    summaryLanguage: 'auto',
    somethingNew: '1',
  }
  const answer = await post(api, { token: key, body: formOf(recording, fields) })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('x-credits-charged')).toBe('1')
  expect(answer.headers.get('x-credits-remaining')).toBe('49')
  expect(answer.headers.get('ratelimit-limit')).toBe('2000')
  const started = Started.parse(await answer.json())
  expect(started).toMatchObject({
    status: 'processing',
    summaryLanguage: 'auto',
    creditsDeducted: 1,
    creditsRemaining: 49,
    duration: 4,
  })
  expect(answer.headers.get('location')).toBe(`/api/transcriptions/${started.id}`)
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, started.id))
  expect(row).toMatchObject({
    spokenLanguage: 'en',
    askedSpeakers: '1',
    askedChannels: 'mixed',
    terms: null,
  })

  const headers = { Authorization: `Bearer ${key}` }
  await expect
    .poll(
      async () => (await fetch(`${api.url}/api/transcriptions/${started.id}`, { headers })).json(),
      { timeout: 60_000, interval: 300 },
    )
    .toMatchObject({
      status: 'completed',
      transcriptionText: expect.stringMatching(/budget meeting/i),
      speakers: expect.any(Array),
      language: 'en',
    })
  expect(await credits.balance(db, user.id)).toEqual({ available: 49, held: 0 })
})

test('too few credits: 402 with what is missing, and nothing stays behind', async ({ api, db }) => {
  const user = await aUser(db, { credits: 1 })
  const token = await aToken(api, user.id)
  const long = await aRecording(80) // under two minutes it costs one credit, so a document is added
  await db.execute(`update users set plan_type = 'professional' where id = '${user.id}'`)
  const fields = { generateDocument: 'true', documentType: 'article' }
  const answer = await post(api, { token, body: formOf(long, fields) })
  expect(answer.status).toBe(402)
  expect(await answer.json()).toEqual({
    message: 'Insufficient credits. You need 1 more credits to process this file.',
    code: 'insufficient_credits',
    creditsRequired: 2,
    creditsAvailable: 1,
    creditsMissing: 1,
  })
  expect(await db.$count(transcriptions, eq(transcriptions.userId, user.id))).toBe(0)
  const keys: string[] = []
  for await (const page of api.parts.storage.list()) keys.push(...page.map(({ key }) => key))
  const known = await db.select({ key: transcriptions.storageKey }).from(transcriptions)
  expect(new Set(keys)).toEqual(new Set(known.map(({ key }) => key)))
})

test('the same call fifty times at once is one transcription and one charge', async ({
  api,
  recording,
  database,
}) => {
  const { user, key: token } = await aDeveloper(api)
  const key = 'backup-2026-11-21'
  const ask = (to = api) => post(to, { token, key, body: formOf(recording, { language: 'en' }) })
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(bodies).size).toBe(1)

  const restarted = await anApi(database, { works: false })
  const later = await ask(restarted)
  expect(await later.text()).toBe(bodies[0])
  expect(later.headers.get('x-credits-charged')).toBe('1')
  const other = await post(restarted, { token, key, body: formOf(recording, { language: 'de' }) })
  expect(other.status).toBe(422)
  expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' })
  await restarted.close()

  expect(await held(api, user.id)).toHaveLength(1)
  const { db } = database
  expect(await db.$count(transcriptions, eq(transcriptions.userId, user.id))).toBe(1)
})

test('a request that was refused may come again under its key', async ({ api, recording }) => {
  const { user, key: token } = await aDeveloper(api, { credits: 0 })
  const ask = () => post(api, { token, key: 'again', body: formOf(recording) })
  expect((await ask()).status).toBe(402)
  const { db } = api.parts.database
  await db.transaction((tx) =>
    credits.grant(tx, { userId: user.id, cause: `more:${user.id}`, credits: 5 }),
  )
  expect((await ask()).status).toBe(201)
  expect((await ask()).status).toBe(201)
  expect(await held(api, user.id)).toHaveLength(1)
})

test('a charge by JSON is made once per key as well', async ({ api, db }) => {
  const user = await aUser(db, { plan: 'professional', credits: 9 })
  const { id } = await aTranscription(db, {
    userId: user.id,
    turns: [{ speaker: 0, text: 'We decided to move the launch to the first week of March.' }],
  })
  const call = await api.as(user)
  const order = (documentType: string, key = 'order-1') =>
    call({
      method: 'POST',
      url: `/api/transcription/${id}/documents`,
      headers: { 'idempotency-key': key },
      payload: { documentType },
    })
  const answers = await Promise.all(Array.from({ length: 50 }, () => order('article')))
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(answers[0]!.statusCode).toBe(200)
  expect((await order('marketing-brief')).json()).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await held(api, user.id)).toHaveLength(1)
  expect((await order('article', 'with a space')).json()).toMatchObject({
    code: 'bad_idempotency_key',
  })
})

test('bad forms are refused with a sentence, and leave nothing', async ({ api, recording }) => {
  const { user, key: token } = await aDeveloper(api)
  const two = formOf(recording)
  two.append('file', new Blob([recording]), 'second.wav')
  const cases: [FormData, number, string][] = [
    [new FormData(), 400, 'no_file'],
    [formOf(recording, { language: 'klingon!' }), 400, 'invalid_request'],
    [formOf(recording, { speakers: 'max:0' }), 400, 'invalid_request'],
    [formOf(recording, { terms: '["a", 7]' }), 400, 'invalid_request'],
    [formOf(recording, { summaryLanguage: 'xx' }), 400, 'invalid_request'],
    [formOf(recording, { generateDocument: 'true' }), 400, 'invalid_request'],
    [formOf(recording, {}, 'notes.exe'), 415, 'unsupported_format'],
    [formOf(new Uint8Array([1, 2, 3])), 422, 'not_media'],
    [formOf(new Uint8Array()), 422, 'empty_file'],
  ]
  cases[0]![0].set('language', 'en')
  for (const [body, status, code] of cases) {
    const answer = await post(api, { token, body })
    expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
  }
  expect((await post(api, { token, body: two })).status).toBeGreaterThanOrEqual(400)
  expect(await held(api, user.id)).toEqual([])
})

test('the list since a moment, page by page, with the total and the next cursor', async ({
  api,
  db,
}) => {
  const { user, key } = await aDeveloper(api)
  const days = [1, 2, 3, 4, 5].map((day) => new Date(`2026-11-0${day}T12:00:00Z`))
  for (const createdAt of days) await aTranscription(db, { userId: user.id, createdAt })
  const list = async (query: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    const answer = await fetch(`${api.url}/api/transcriptions?${query}`, { headers })
    return { answer, rows: (await answer.json()) as { createdAt: string }[] }
  }
  const since = 'since=2026-11-02T12:00:00Z'
  const first = await list(`${since}&limit=3`)
  expect(first.answer.headers.get('x-total-count')).toBe('4')
  expect(first.rows.map(({ createdAt }) => createdAt.slice(8, 10))).toEqual(['05', '04', '03'])
  const cursor = first.answer.headers.get('x-next-cursor')
  expect(first.answer.headers.get('link')).toContain(`cursor=${cursor}`)
  const second = await list(`${since}&limit=3&cursor=${cursor}`)
  expect(second.rows.map(({ createdAt }) => createdAt.slice(8, 10))).toEqual(['02'])
  expect(second.answer.headers.get('x-next-cursor')).toBeNull()
  expect((await list('since=yesterday')).answer.status).toBe(400)
  const zoned = await list('since=2026-11-05T14:00:00%2B02:00')
  expect(zoned.rows).toHaveLength(1)
})
