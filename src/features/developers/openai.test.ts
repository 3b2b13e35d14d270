import { desc, eq, sql } from 'drizzle-orm'
import OpenAI, { toFile } from 'openai'
import { describe, expect, onTestFinished } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { stages } from '#features/transcriptions/tables.ts'
import { openThreads, tasksIn } from '#server/threads.ts'
import { systemClock } from '#shared/clock.ts'
import { Refusal, refusals } from '#shared/refusals.ts'
import { type TestApi, aDeveloper, aToken, anApi } from '#test/api.ts'
import { aUser } from '#test/factories.ts'
import { test } from '#test/served-api.ts'
import { isLong } from '#test/long.ts'
import type * as waiting from '#test/thread-tasks.ts'

import { eventsOf, modelNames, readWish, toAnswer } from './openai.ts'
import { idempotencyKeys } from './tables.ts'

const clientOf = ({ url }: TestApi, apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
const spoken = /budget meeting begins/i

test("OpenAI's own client gets answers as objects, and as text", async ({ api, recording, db }) => {
  const { user, key } = await aDeveloper(api)
  const openai = clientOf(api, key)
  const file = () => toFile(recording, 'interview.wav')
  const ask = openai.audio.transcriptions

  const { data: json, response } = await ask
    .create({ file: await file(), model: 'gpt-4o-transcribe', include: ['logprobs'] })
    .withResponse()
  expect(json.text).toMatch(spoken)
  expect(json.usage).toEqual({ type: 'duration', seconds: 4 })
  expect(json.logprobs![0]).toMatchObject({ token: expect.stringMatching(/^ /) })
  expect(json.logprobs![0]!.logprob).toBeCloseTo(Math.log(0.9), 5)
  expect(response.headers.get('x-credits-charged')).toBe('1')
  expect(response.headers.get('x-credits-remaining')).toBe('49')
  expect(await credits.balance(db, user.id)).toEqual({ available: 49, held: 0 })

  const text = await ask.create({
    file: await file(),
    model: 'whisper-1',
    response_format: 'text',
    language: 'en',
  })
  expect(text).toMatch(spoken)
  const verbose = await ask.create({
    file: await file(),
    model: 'whisper-1',
    response_format: 'verbose_json',
    timestamp_granularities: ['word', 'segment'],
  })
  expect(verbose).toMatchObject({ language: 'english', text: expect.stringMatching(spoken) })
  expect(verbose.duration).toBeCloseTo(4, 1)
  expect(verbose.words!.length).toBeGreaterThan(4)
  expect(verbose.words![0]).toEqual({
    word: expect.any(String),
    start: expect.any(Number),
    end: expect.any(Number),
  })
  expect(verbose.segments![0]).toMatchObject({
    id: 0,
    text: expect.stringMatching(/^ \S/),
    tokens: [],
    avg_logprob: expect.closeTo(Math.log(0.9), 5),
    no_speech_prob: 0,
  })
  expect(verbose.segments!.map((segment) => segment.text).join('')).toMatch(spoken)
}, 120_000)

describe('a finished transcription', () => {
  const word = { text: 'perhaps', startMs: 0, endMs: 300, confidence: 0 }
  const turn = { speaker: 0, startMs: 0, endMs: 300, text: 'perhaps', words: [word] }
  const said = {
    text: 'perhaps',
    turns: [turn],
    language: 'en',
    durationMs: 300,
    names: new Map<number, string>(),
  }
  const answer = (fields: Record<string, string[]>) =>
    toAnswer(said, readWish({ model: ['whisper-1'], ...fields }))

  test('text that was sent while the work went on is not sent again, and never taken back', () => {
    const wish = readWish({ model: ['gpt-4o-transcribe'], stream: ['True'] })
    expect(wish.isStreamed).toBe(true)
    const two = { ...said, text: 'perhaps not', turns: [turn, { ...turn, text: 'not' }] }
    const sentAfter = (sent: string) => [...eventsOf(two, wish, sent)].map(({ delta }) => delta)
    expect(sentAfter('')).toEqual(['perhaps', ' not', undefined])
    expect(sentAfter('perhaps')).toEqual([' not', undefined])
    expect(sentAfter('perhaps not')).toEqual([undefined])
    expect(sentAfter('perhaps now')).toEqual([undefined])
    expect(sentAfter('Perhaps')).toEqual([' not', undefined])
    expect([...eventsOf(two, wish, 'perhaps now')].at(-1)).toMatchObject({ text: 'perhaps not' })
  })

  test('segments may be asked for in any format, and what is not used is named', () => {
    const fields = {
      model: ['gpt-transcribe'],
      response_format: ['json'],
      timestamp_granularities: ['segment'],
      temperature: ['0.4'],
      chunking_strategy: ['auto'],
      include: ['logprobs'],
    }
    expect(modelNames).toContain('gpt-transcribe')
    expect(readWish(fields).ignored).toEqual(['temperature', 'chunking_strategy'])
    expect(readWish({ ...fields, temperature: ['0'] }).ignored).toEqual(['chunking_strategy'])
  })

  test('captions are made, and segments of speakers', () => {
    const srt = answer({ response_format: ['srt'] })
    expect(srt.body).toMatch(/^1\n00:00:00,000 --> 00:00:00,\d{3}\nperhaps\n/)
    expect(answer({ response_format: ['vtt'] }).body).toMatch(/^WEBVTT\n/)
    const diarized = answer({ response_format: ['diarized_json'] })
    expect(JSON.parse(diarized.body).segments[0]).toMatchObject({
      type: 'transcript.text.segment',
      id: 'seg_001',
      speaker: 'A',
      text: 'perhaps',
    })
    expect([srt, diarized].map(({ type }) => type)).toEqual([
      expect.stringContaining('text/plain'),
      expect.stringContaining('application/json'),
    ])
  })

  test('a word that the engine doubted has a probability too', () => {
    const { logprobs } = JSON.parse(answer({ include: ['logprobs'] }).body)
    expect(logprobs[0].logprob).toBeCloseTo(Math.log(1e-4), 5)
  })

  test('where the engine does not say how sure it was, no number is made up', () => {
    const untold = { ...said, turns: [{ ...turn, words: [{ ...word, confidence: null }] }] }
    const ask = (fields: Record<string, string[]>) =>
      JSON.parse(toAnswer(untold, readWish({ model: ['whisper-1'], ...fields })).body)
    expect(ask({ include: ['logprobs'] })).not.toHaveProperty('logprobs')
    const [segment] = ask({ response_format: ['verbose_json'] }).segments
    expect(segment).toMatchObject({ text: ' perhaps' })
    expect(segment).not.toHaveProperty('avg_logprob')
  })
})

test('the text is streamed in pieces that together are the text', async ({ api, recording }) => {
  const { key } = await aDeveloper(api)
  const stream = await clientOf(api, key).audio.transcriptions.create({
    file: await toFile(recording, 'interview.wav'),
    model: 'gpt-4o-transcribe-diarize',
    response_format: 'diarized_json',
    chunking_strategy: 'auto',
    stream: true,
  })
  const deltas: string[] = []
  const speakers: string[] = []
  let whole = ''
  for await (const event of stream) {
    if (event.type === 'transcript.text.delta') deltas.push(event.delta)
    if (event.type === 'transcript.text.segment') speakers.push(event.speaker)
    if (event.type === 'transcript.text.done') whole = event.text
  }
  expect(deltas.join('')).toBe(whole)
  expect(whole).toMatch(spoken)
  expect(speakers).toHaveLength(deltas.length)
}, 120_000)

test('a stream sends the words while they are heard', async ({ database, db, recording }) => {
  const api = await anApi(database, { works: false })
  onTestFinished(() => api.close())
  const { key } = await aDeveloper(api)
  const stream = await clientOf(api, key).audio.transcriptions.create({
    file: await toFile(recording, 'interview.wav'),
    model: 'gpt-4o-transcribe',
    stream: true,
  })
  const [{ id }] = (await db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .orderBy(desc(transcriptions.createdAt))
    .limit(1)) as [{ id: string }]
  const hears = async (group: number, text: string) => {
    const word = { text, startMs: group * 1000, endMs: group * 1000 + 900, confidence: 1 }
    const spoken = { language: 'en', words: [word], engine: 'test', hasPunctuation: true }
    const result = { ...spoken, fromMs: group * 1000, toMs: group * 1000 + 1000 }
    await db.insert(stages).values({ transcriptionId: id, name: `words:${group}`, result })
  }
  const deltas: string[] = []
  await hears(0, 'The')
  const read = async () => {
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta)
      if (deltas.length === 1) await hears(1, 'budget')
      if (deltas.length === 2) await db.delete(transcriptions).where(eq(transcriptions.id, id))
    }
  }
  await expect(read()).rejects.toThrow(refusals.not_found[1])
  expect(deltas.join('')).toBe('The budget')
})

test("errors have OpenAI's shape", async ({ api, recording, db }) => {
  const poor = await aUser(db)
  const short = clientOf(api, await aToken(api, poor.id))
  const create = async (openai: OpenAI, more: object = {}, bytes = recording) =>
    openai.audio.transcriptions
      .create({ file: await toFile(bytes, 'interview.wav'), model: 'whisper-1', ...more })
      .catch((error: unknown) => error)
  const is = (status: number, error: object) => ({ status, error })

  expect(await create(short)).toMatchObject(
    is(402, { code: 'insufficient_credits', type: 'insufficient_quota', param: null }),
  )
  const unknown = await create(clientOf(api, 'sk-unknown'))
  expect(unknown).toBeInstanceOf(OpenAI.AuthenticationError)
  expect(unknown).toMatchObject(is(401, { code: 'invalid_api_key', type: 'authentication_error' }))

  const { key } = await aDeveloper(api)
  const openai = clientOf(api, key)
  expect(await create(openai, { response_format: 'xml' })).toMatchObject(
    is(400, { param: 'response_format', type: 'invalid_request_error' }),
  )
  expect(await create(openai, { timestamp_granularities: ['word'] })).toMatchObject(
    is(400, { param: 'timestamp_granularities' }),
  )
  expect(await create(openai, {}, new Uint8Array([1, 2, 3]))).toMatchObject(
    is(422, { code: 'not_media', param: null }),
  )
})

const sound = new Blob(['not much'])
test.for([
  [
    'no model',
    [['file', sound, 'a.wav']],
    'The field model is missing: it takes a text. Nothing was changed or charged.',
    'model',
  ],
  [
    'two files',
    [
      ['model', 'whisper-1'],
      ['file', sound, 'a.wav'],
      ['file', sound, 'b.wav'],
    ],
    /the only file/,
    null,
  ],
  [
    'a file without a name',
    [
      ['model', 'whisper-1'],
      ['file', sound, ''],
    ],
    /has no name/,
    null,
  ],
  [
    'no language of that code',
    [
      ['model', 'whisper-1'],
      ['language', 'xx'],
      ['file', sound, 'a.wav'],
    ],
    /language/,
    'language',
  ],
  [
    'a list by its places',
    [
      ['model', 'whisper-1'],
      ['timestamp_granularities[0]', 'word'],
      ['file', sound, 'a.wav'],
    ],
    /needs response_format verbose_json/,
    'timestamp_granularities',
  ],
] as const)(
  'a form with %s is refused by the name of what is wrong',
  async ([, parts, message, param], { api }) => {
    const { key } = await aDeveloper(api)
    const body = new FormData()
    for (const [name, value, file] of parts)
      if (value instanceof Blob) body.append(name, value, file)
      else body.append(name, value)
    const headers = { Authorization: `Bearer ${key}` }
    const url = `${api.url}/v1/audio/transcriptions`
    const answer = await fetch(url, { method: 'POST', headers, body })
    const { error } = (await answer.json()) as { error: { message: string } }
    expect(answer.status).toBe(400)
    expect(error).toEqual({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      type: 'invalid_request_error',
      param,
      code: 'invalid_request',
    })
  },
)

test('addresses that are not there are refused as OpenAI refuses them', async ({ api }) => {
  const { key } = await aDeveloper(api)
  for (const [method, path, status] of [
    ['POST', '/v1/audio/translations', 404],
    ['GET', '/v1/files', 404],
    ['POST', '/v1/audio/transcriptions/', 404],
    ['GET', '/v1/audio/transcriptions', 405],
  ] as const) {
    const headers = { Authorization: `Bearer ${key}` }
    const answer = await fetch(api.url + path, { method, headers })
    expect([path, answer.status]).toEqual([path, status])
    expect(await answer.json()).toEqual({
      error: {
        message: expect.stringContaining('POST /v1/audio/transcriptions'),
        type: 'invalid_request_error',
        param: null,
        code: 'unknown_url',
      },
    })
  }
})

test('a recording without speech fails with its reason, and its credits come back', async ({
  api,
  db,
}) => {
  const { user, key } = await aDeveloper(api)
  const silence = new Uint8Array(44 + 16_000 * 4)
  const view = new DataView(silence.buffer)
  const ascii = (at: number, text: string) => silence.set(Buffer.from(text), at)
  ascii(0, 'RIFF')
  view.setUint32(4, silence.length - 8, true)
  ascii(8, 'WAVEfmt ')
  for (const [at, value] of [
    [16, 16],
    [24, 16_000],
    [28, 32_000],
    [40, silence.length - 44],
  ] as const)
    view.setUint32(at, value, true)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    view.setUint16(at, value, true)
  ascii(36, 'data')
  const failed = await clientOf(api, key)
    .audio.transcriptions.create({ file: await toFile(silence, 'silence.wav'), model: 'whisper-1' })
    .catch((error: unknown) => error)
  expect(failed).toMatchObject({
    status: 422,
    error: {
      code: 'unusable_recording',
      message: 'No speech was found in this recording. Your credits were returned.',
    },
  })
  expect(await credits.balance(db, user.id)).toEqual({ available: 50, held: 0 })
})

if (isLong)
  test('a paid answer waits for its turn, and is not refused for the work before it', async ({
    api,
    recording,
    db,
    database,
  }) => {
    const { threads } = api.parts
    const { run: runsHere } = threads
    const { run, close } = openThreads({
      databaseUrl: database.url,
      clock: systemClock,
      count: 2,
    })
    const { user, key } = await aDeveloper(api)
    const openai = clientOf(api, key)
    const shared = new Int32Array(new SharedArrayBuffer(4))
    const waits = tasksIn<typeof waiting>(new URL('../../../test/thread-tasks.ts', import.meta.url))
    const limits = { limitMs: 60_000 }
    const held = ['x', 'y'].map((owner) =>
      run(waits('wait'), shared, { owner, kind: 'any', ...limits }),
    )
    const full = ['read', 'answer'].flatMap((kind) =>
      Array.from({ length: 60 }, () => run(waits('refuse'), 1, { owner: user.id, kind, most: 60 })),
    )
    const settled = Promise.allSettled(full)
    const asked = Promise.withResolvers<void>()
    const lanes: string[] = []
    threads.run = (work, input, options) => {
      lanes.push(`${options.kind}:${options.owner}`)
      asked.resolve()
      return run(work, input, options)
    }
    onTestFinished(async () => {
      threads.run = runsHere
      await close()
    })
    const answer = openai.audio.transcriptions.create({
      file: await toFile(recording, 'interview.wav'),
      model: 'whisper-1',
    })
    await asked.promise
    expect(await credits.balance(db, user.id)).toEqual({ available: 49, held: 0 })
    Atomics.store(shared, 0, 1)
    Atomics.notify(shared, 0)
    expect((await answer).text).toMatch(spoken)
    // Read in a thread, and written in one: nothing of it on the event loop.
    expect(lanes).toEqual(Array(2).fill(`answer:${user.id}`))
    await Promise.all([...held, settled])
  }, 60_000)

test('an answer that cannot be written says that its transcription is charged, and where it is', async ({
  api,
  recording,
  db,
}) => {
  const { threads } = api.parts
  const { run } = threads
  threads.run = () => Promise.reject(new Refusal('too_much_work'))
  onTestFinished(() => void (threads.run = run))
  const { user, key } = await aDeveloper(api)
  const ask = async (stream: boolean) => {
    const form = new FormData()
    form.set('file', new Blob([recording]), `${stream}.wav`)
    form.set('model', 'gpt-4o-transcribe')
    form.set('stream', String(stream))
    const headers = { Authorization: `Bearer ${key}` }
    const url = `${api.url}/v1/audio/transcriptions`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    const body = await answer.text()
    return { status: answer.status, id: answer.headers.get('x-transcription-id'), body }
  }
  const refused = await ask(false)
  expect(refused.status).toBe(503)
  expect(refused.id).toMatch(/-/)
  expect(refused.body).toContain(refusals.answer_not_written[1])
  expect((await ask(true)).body).toContain(refusals.answer_not_written[1])
  expect(await credits.balance(db, user.id)).toEqual({ available: 48, held: 0 })
}, 60_000)

test('the models are listed', async ({ api }) => {
  const { key } = await aDeveloper(api)
  const openai = clientOf(api, key)
  const ids = []
  for await (const { id } of openai.models.list()) ids.push(id)
  expect(ids).toContain('whisper-1')
  expect(await openai.models.retrieve('whisper-1')).toMatchObject({ object: 'model' })
  await expect(openai.models.retrieve('gpt-9')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
})

test('a call sent again under its key waits for the same transcription', async ({
  api,
  recording,
  db,
}) => {
  const { user, key } = await aDeveloper(api)
  const headers = { 'Idempotency-Key': 'long-recording' }
  const ask = async () =>
    clientOf(api, key).audio.transcriptions.create(
      { file: await toFile(recording, 'interview.wav'), model: 'whisper-1' },
      { headers },
    )
  const answers = await Promise.all([ask(), ask(), ask()])
  answers.push(await ask())
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await credits.balance(db, user.id)).toEqual({ available: 49, held: 0 })
})

test('a call sent again without a key is charged once, until ten minutes after its answer', async ({
  api,
  recording,
  db,
}) => {
  // For one such call and no more: the repeats must not be refused for want of credits.
  const { user, key } = await aDeveloper(api, { credits: 1 })
  const ask = async (more: object = {}, headers: Record<string, string> = {}) => {
    const file = await toFile(recording, 'interview.wav')
    const { response } = await clientOf(api, key)
      .audio.transcriptions.create({ file, model: 'whisper-1', ...more }, { headers })
      .withResponse()
    return response.headers.get('x-transcription-id')
  }
  // The client hangs up, as one does whose time is over, and sends the same again.
  const impatient = new AbortController()
  const form = new FormData()
  form.set('file', new Blob([recording]), 'interview.wav')
  form.set('model', 'whisper-1')
  const hungUp = fetch(`${api.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: form,
    signal: impatient.signal,
  }).catch((error: unknown) => error)
  const available = async () => (await credits.balance(db, user.id)).available
  await expect.poll(available).toBe(0)
  impatient.abort()
  await hungUp
  const ids = await Promise.all([ask(), ask(), ask()])
  ids.push(await ask())
  expect(new Set(ids).size).toBe(1)
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })

  await db.transaction((tx) =>
    credits.grant(tx, { userId: user.id, credits: 10, cause: `more:${user.id}` }),
  )
  expect(await ask()).toBe(ids[0])
  const others = [await ask({ response_format: 'text' }), await ask({}, { 'Idempotency-Key': 'x' })]
  expect(new Set([...ids, ...others]).size).toBe(3)

  const call = await api.as(user)
  await call({ method: 'DELETE', url: `/api/transcriptions/${ids[0]}` })
  const afterDeletion = await ask()
  expect(afterDeletion).not.toBe(ids[0])

  const minutesPass = (minutes: number) =>
    db
      .update(idempotencyKeys)
      .set({
        leaseUntil: sql`${idempotencyKeys.leaseUntil} - make_interval(mins => ${minutes})`,
      })
      .where(eq(idempotencyKeys.userId, user.id))
  await minutesPass(9)
  expect(await ask()).toBe(afterDeletion)
  await minutesPass(11)
  expect(await ask()).not.toBe(afterDeletion)
  expect(await credits.balance(db, user.id)).toEqual({ available: 6, held: 0 })
}, 120_000)
