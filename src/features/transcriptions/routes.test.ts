import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, utimes } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as sessions from '#features/account/sessions.ts'
import * as credits from '#features/credits/credits.ts'
import { UploadAnswer } from '#features/recordings/contract.ts'
import { transcriptions } from '#features/row/tables.ts'
import { turns } from '#features/text/tables.ts'
import { markRestored } from '#server/file-marks.ts'
import {
  MAX_BATCH,
  BIN_HOURS,
  MAX_UPLOAD_BYTES,
  UNDELETE_MINUTES,
  tooLarge,
  unsupportedFormat,
} from '#shared/business.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { anUpload, aSession, aUser } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { pass } from '#test/passing.ts'
import { test } from '#test/served.ts'
import { isLong } from '#test/long.ts'
import { wavHead } from '#test/wav.ts'

import { Transcription, TranscriptionRow } from './contract.ts'
import { sweep, sweepInTurn } from './sweep.ts'

const sample = await readFile(path.resolve(import.meta.dirname, 'sample/sample.m4a'))
const folder = await mkdtemp(path.join(tmpdir(), 'quoth-routes-'))

async function media(name: string, ...options: string[]): Promise<Buffer> {
  const file = path.join(folder, name)
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...options, file])
  return readFile(file)
}

const filesOnDisk = async ({ dataDir }: TestApp): Promise<string[]> =>
  readdir(path.join(dataDir, 'files')).catch(() => [])

async function expectNothingLeft(server: TestApp, userId: string, available: number) {
  const mine = await server.parts.database.db
    .select({ key: transcriptions.storageKey })
    .from(transcriptions)
    .where(eq(transcriptions.userId, userId))
  expect(mine).toEqual([])
  const all = await server.parts.database.db
    .select({ key: transcriptions.storageKey })
    .from(transcriptions)
  const named = new Set(all.map(({ key }) => key))
  const unnamed = (await filesOnDisk(server)).filter((name) => !named.has(name))
  expect(unnamed.filter((name) => name !== '.installation')).toEqual([])
  expect(await credits.balance(server.parts.database.db, userId)).toEqual({ available, held: 0 })
}

test('an upload is measured and priced, waits for its confirmation, and then its terms are kept', async ({
  server,
}) => {
  const user = await aUser(server.parts.database.db, { credits: 10 })
  const asUser = await server.as(user)
  const options = {
    language: 'en',
    speakers: 'max:3',
    channels: 'mixed',
    terms: ['Kendal', 'Ampex'],
  }
  const fields = { ...options, terms: JSON.stringify(options.terms) }
  const answer = await asUser(await uploadOf([{ name: 'sample.m4a', bytes: sample }], fields))
  expect(answer.statusCode).toBe(200)
  expect((await asUser('/api/options')).json()).toEqual(options)
  const upload = UploadAnswer.parse(answer.json())
  expect(upload).toMatchObject({
    filename: 'sample.m4a',
    creditsRequired: 1,
    creditsAvailable: 10,
  })
  expect(upload.duration).toBeGreaterThan(55)

  const list = await asUser('/api/transcriptions')
  expect(list.headers['x-total-count']).toBe('1')
  expect(TranscriptionRow.array().parse(list.json())[0]).toMatchObject({
    id: upload.transcriptionId,
    status: 'uploading',
  })
  const confirmed = await asUser({
    method: 'POST',
    url: `/api/transcriptions/${upload.transcriptionId}/confirm`,
    payload: { summaryLanguage: 'en' },
  })
  expect(confirmed.json()).toEqual({ creditsDeducted: 1, creditsRemaining: 9 })
  // They fit the next recording too, although none was found yet.
  const used = options.terms.map((term) => ({ term, times: 0, lastAt: expect.any(String) }))
  expect((await asUser('/api/vocabulary')).json()).toMatchObject({ terms: options.terms, used })
})

const refused: [
  what: string,
  name: string,
  bytes: () => Promise<Buffer>,
  code: string,
  status: number,
][] = [
  ['an empty file', 'empty.wav', async () => Buffer.alloc(0), 'empty_file', 422],
  [
    'a text with the name of a recording',
    'song.mp3',
    async () => Buffer.from('la la la\n'.repeat(400)),
    'not_media',
    422,
  ],
  [
    'an MP4 whose end is missing',
    'cut.mp4',
    async () => {
      const whole = await media('whole.mp4', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=20')
      return whole.subarray(0, Math.floor(whole.length * 0.6))
    },
    'cut_off',
    422,
  ],
  [
    'a video without sound',
    'silent.mp4',
    () =>
      media(
        'silent.mp4',
        '-f',
        'lavfi',
        '-i',
        'testsrc=duration=2:size=64x64:rate=5',
        '-pix_fmt',
        'yuv420p',
      ),
    'no_audio',
    422,
  ],
  [
    'a kind of file that is not promised',
    'notes.pdf',
    async () => Buffer.from('%PDF-1.7'),
    'unsupported_format',
    415,
  ],
  [
    'a playlist with the name of a recording',
    'list.mp3',
    async () =>
      Buffer.from(
        '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n',
      ),
    'not_media',
    422,
  ],
]

for (const [what, name, bytes, code, status] of refused)
  test(`${what} is refused, costs nothing and leaves nothing`, async ({ server }) => {
    const user = await aUser(server.parts.database.db, { credits: 4 })
    const asUser = await server.as(user)
    const answer = await asUser(await uploadOf([{ name, bytes: await bytes() }]))
    expect(answer.json()).toMatchObject({ code })
    expect(answer.statusCode).toBe(status)
    if (code === 'unsupported_format') expect(answer.json().message).toBe(unsupportedFormat)
    else expect(answer.json().message).toContain('Nothing was charged')
    await expectNothingLeft(server, user.id, 4)
  })

test('a form without a file, with two files, or with a strange language is refused', async ({
  server,
}) => {
  const user = await aUser(server.parts.database.db, { credits: 4 })
  const asUser = await server.as(user)
  const file = { name: 'a.m4a', bytes: sample }
  for (const [form, code] of [
    [await uploadOf([]), 'no_file'],
    [await uploadOf([file, file]), 'invalid_request'],
    [await uploadOf([file], { summaryLanguage: 'tlh' }), 'invalid_request'],
    [await uploadOf([file], { generateDocument: 'true' }), 'documents_need_plan'],
  ] as const) {
    const answer = await asUser(form)
    expect(answer.json()).toMatchObject({ code })
  }
  await expectNothingLeft(server, user.id, 4)
})

test('an upload is refused before its body on an empty balance, and as the twenty-first unconfirmed', async ({
  server,
}) => {
  const { db } = server.parts.database
  const poor = await server.as(await aUser(db))
  const file = { name: 'a.m4a', bytes: sample }
  const answer = await poor(await uploadOf([file]))
  expect([answer.statusCode, answer.json().message]).toEqual([402, 'Insufficient credits'])

  const user = await aUser(db, { credits: 30 })
  for (let index = 0; index < MAX_BATCH; index++) await anUpload(db, { userId: user.id })
  const more = await (await server.as(user))(await uploadOf([file]))
  expect([more.statusCode, more.json().code]).toEqual([429, 'too_many_unconfirmed'])
})

test('files that cost more than there are credits wait together, until some are bought', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db, { credits: 4 })
  for (let index = 4; index < MAX_BATCH; index++) await anUpload(db, { userId: user.id })
  const asUser = await server.as(user)
  const tone = await media('tone.wav', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=2')
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => asUser(await uploadOf([{ name: 'a.wav', bytes: tone }]))),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 429, 429])
})

/** Sends a body over a real connection, piece by piece; answers null when the client hung up. */
async function send(
  server: TestApp,
  cookie: string,
  {
    parts,
    hangUpAfter,
    contentLength,
    keepsOpen = false,
    leavesAfterMs,
  }: {
    parts: Iterable<Buffer>
    hangUpAfter?: number
    contentLength?: number
    /** Does not end the request before the answer came. */
    keepsOpen?: boolean
    /** How long after the last byte it goes away, without waiting for the answer. */
    leavesAfterMs?: number
  },
): Promise<{ status: number; body: string } | null> {
  const { port } = server.app.server.address() as AddressInfo
  const request = httpRequest({
    port,
    method: 'POST',
    path: '/api/upload',
    headers: {
      host: 'localhost',
      origin: 'http://localhost',
      'sec-fetch-site': 'same-origin',
      cookie,
      'content-type': 'multipart/form-data; boundary=xxx',
      ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
    },
  })
  const answered = once(request, 'response').catch(() => null)
  let sent = 0
  for (const part of parts) {
    if (request.destroyed) break
    if (!request.write(part)) await Promise.race([once(request, 'drain'), answered, sleep(2_000)])
    sent += part.length
    if (hangUpAfter !== undefined && sent >= hangUpAfter) {
      request.destroy()
      return null
    }
  }
  if (!keepsOpen) request.end()
  if (leavesAfterMs !== undefined) {
    await sleep(leavesAfterMs)
    request.destroy()
    return null
  }
  const response = await answered
  if (keepsOpen) request.destroy()
  if (!response) return null
  let body = ''
  for await (const chunk of response[0]) body += String(chunk)
  return { status: response[0].statusCode, body }
}

function* aWavOf(bytes: number): Generator<Buffer> {
  yield Buffer.from(
    '--xxx\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\n\r\n',
  )
  yield wavHead({ dataBytes: bytes - 44, rateHz: 44_100, channels: 2 })
  const block = Buffer.alloc(1 << 20)
  for (let left = bytes - 44; left > 0; left -= block.length)
    yield left < block.length ? block.subarray(0, left) : block
  yield Buffer.from('\r\n--xxx--\r\n')
}

if (isLong)
  test('exactly 100 MB are accepted, one byte more is refused, and an aborted upload leaves nothing', async ({
    server,
  }) => {
    const { db } = server.parts.database
    await server.app.listen({ port: 0 })
    const cookieOf = async ({ id: userId }: { id: string }) => {
      const { token } = await aSession(db, { userId })
      return `${sessions.cookieFor(server.parts.config.web.publicUrl).name}=${token}`
    }

    const over = await aUser(db, { credits: 50 })
    const refusedUpload = await send(server, await cookieOf(over), {
      parts: aWavOf(MAX_UPLOAD_BYTES + 1),
    })
    expect(refusedUpload?.status).toBe(413)
    expect(JSON.parse(refusedUpload!.body)).toEqual({ message: tooLarge, code: 'too_large' })
    await expectNothingLeft(server, over.id, 50)

    // The announced size alone is refused: the answer comes before a byte of the body was sent.
    const liar = await send(server, await cookieOf(over), {
      parts: [Buffer.from('--xxx')],
      contentLength: MAX_UPLOAD_BYTES * 3,
      keepsOpen: true,
    })
    expect(liar?.status).toBe(413)

    await send(server, await cookieOf(over), {
      parts: aWavOf(MAX_UPLOAD_BYTES),
      hangUpAfter: 5 << 20,
    })
    // The file exists from the first byte on. It is removed, unless a row names it.
    const leftNothing = () =>
      expect
        .poll(async () => expectNothingLeft(server, over.id, 50).then(() => 'nothing left'))
        .toBe('nothing left')
    await leftNothing()

    // The client goes away after the last byte, while the file is measured, so nobody can confirm it.
    await send(server, await cookieOf(over), { parts: aWavOf(MAX_UPLOAD_BYTES), leavesAfterMs: 50 })
    await leftNothing()

    const exact = await send(server, await cookieOf(over), { parts: aWavOf(MAX_UPLOAD_BYTES) })
    expect(exact?.status).toBe(200)
    expect(UploadAnswer.parse(JSON.parse(exact!.body))).toMatchObject({
      duration: Math.floor((MAX_UPLOAD_BYTES - 44) / 176_400),
      creditsRequired: 3,
    })
  }, 120_000)

const hostileNames = [
  '../../etc/passwd.mp3',
  'say "hello" & <b>bye</b>.mp3',
  'inter\r\nX-Evil: 1\r\nview.mp3',
  '🎙 Gespräch – Übung №7.mp3',
  '\u202egpj.exe.mp3',
  `${'long name '.repeat(40)}.mp3`,
]

for (const name of hostileNames)
  test(`the name ${JSON.stringify(name).slice(0, 40)} is taken as text, and is downloadable`, async ({
    server,
  }) => {
    const { db } = server.parts.database
    const user = await aUser(db, { credits: 4 })
    const asUser = await server.as(user)
    const tone = await media('name.mp3', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=2')
    const answer = await asUser(await uploadOf([{ name, bytes: tone }]))
    expect(answer.statusCode).toBe(200)
    const { transcriptionId: id, filename } = UploadAnswer.parse(answer.json())
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(filename).not.toMatch(/[\u0000-\u001f/\\\u202e]/)
    expect(filename.endsWith('.mp3')).toBe(true)

    await db
      .update(transcriptions)
      .set({
        status: 'completed',
        finishedAt: new Date(),
        transcriptionText: 'Hello.',
        summary: 'Hi.',
        speakerCount: 1,
      })
      .where(eq(transcriptions.id, id))
    await db.insert(turns).values({
      transcriptionId: id,
      position: 0,
      speaker: 0,
      startMs: 0,
      endMs: 900,
      text: 'Hello.',
      words: [],
    })
    for (const [kind, text] of [
      ['transcription', 'Hello.'],
      ['summary', 'Hi.'],
    ] as const) {
      const file = await asUser(`/api/transcriptions/${id}/download/${kind}`)
      expect(file.statusCode).toBe(200)
      expect(file.body).toContain(text)
      const disposition = String(file.headers['content-disposition'])
      expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''\S+$/)
      expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toMatch(
        new RegExp(`^${kind}-.*\\.txt$`),
      )
      expect(file.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(file.headers['x-content-type-options']).toBe('nosniff')
      expect(file.headers['x-evil']).toBeUndefined()
    }
  })

test('a server without a recogniser takes no recording and sets no credits aside', async ({
  database,
}) => {
  const engines = { speech: 'none', writing: 'extractive', decoder: 'sandboxed' } as const
  const server = await anApp(database, { works: false, parts: { engines } })
  try {
    const user = await aUser(database.db, { credits: 4 })
    const { id } = await anUpload(database.db, { userId: user.id })
    const asUser = await server.as(user)

    for (const call of [
      await uploadOf([{ name: 'talk.m4a', bytes: sample }]),
      { method: 'POST', url: `/api/transcriptions/${id}/confirm`, payload: {} },
      { method: 'POST', url: `/api/transcriptions/${id}/retry` },
    ] as const) {
      const answer = await asUser(call)
      expect(answer).toMatchObject({ statusCode: 503 })
      expect(answer.json()).toMatchObject({ code: 'not_set_up' })
    }
    expect(await filesOnDisk(server)).toEqual([])
    expect(await credits.balance(database.db, user.id)).toEqual({ available: 4, held: 0 })
    expect((await asUser('/api/engines')).json()).toMatchObject({
      speech: { name: 'none', languages: [], note: expect.stringContaining('No recognizer') },
    })
  } finally {
    await server.close()
  }
})

test('a page in sight that shows how far the work is counts as somebody who looks', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  const { id } = await anUpload(db, { userId: user.id })
  const mine = eq(transcriptions.id, id)
  const call = await server.as(user)
  const stranger = await server.as(await aUser(db))
  const lookedAt = async () => {
    const [row] = await db.select().from(transcriptions).where(mine)
    return row!.watchedAt
  }
  for (const url of [`/api/transcriptions/${id}`, '/api/transcriptions?status=open']) {
    await db.update(transcriptions).set({ status: 'processing', watchedAt: null }).where(mine)
    await call({ url, headers: { 'x-page': 'hidden' } })
    await stranger(url)
    expect(await lookedAt(), url).toBeNull()
    await call(url)
    const first = await lookedAt()
    expect(first, url).not.toBeNull()
    // Pages ask every two seconds: not each time is written down.
    await call(url)
    expect(await lookedAt(), url).toEqual(first)
  }
})

test('the list hands out its next page', async ({ server }) => {
  const { db } = server.parts.database
  const user = await aUser(db)
  for (let index = 0; index < 3; index++)
    await anUpload(db, { userId: user.id, createdAt: new Date(Date.UTC(2026, 0, index + 1)) })
  const asUser = await server.as(user)
  const first = await asUser('/api/transcriptions?limit=2')
  expect(first.json()).toHaveLength(2)
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1]
  const second = await asUser(next!)
  expect(second.json()).toHaveLength(1)
  expect(second.headers['link']).toBeUndefined()
  expect((await asUser('/api/transcriptions?cursor=nonsense')).statusCode).toBe(400)
})

test('an upload has an hour to be confirmed, a recording its 30 days, and a text stays', async ({
  server,
}) => {
  const { db } = server.parts.database
  await markRestored(db, server.parts.storage)
  const sweepAfter = async (minutes: number) => {
    await pass(db, minutes * 60_000)
    await sweep({ ...server.parts, db, workRoot: path.join(server.dataDir, 'work', randomUUID()) })
  }
  const user = await aUser(db, { credits: 4 })
  const asUser = await server.as(user)
  const tone = await media('late.wav', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=2')
  const upload = await uploadOf([{ name: 'late.wav', bytes: tone }])
  await asUser(upload)
  await sweepAfter(59)
  expect((await asUser('/api/transcriptions')).json()).toHaveLength(1)
  await sweepAfter(2)
  expect((await asUser('/api/transcriptions')).json()).toEqual([])
  // Its file lies in the bin for a day.
  await sweepAfter(BIN_HOURS * 60)
  await expectNothingLeft(server, user.id, 4)

  const { transcriptionId: id } = UploadAnswer.parse((await asUser(upload)).json())
  await db
    .update(transcriptions)
    .set({ status: 'completed', finishedAt: new Date(), transcriptionText: 'Hello.' })
    .where(eq(transcriptions.id, id))
  const shown = async () => Transcription.parse((await asUser(`/api/transcriptions/${id}`)).json())
  const before = (await filesOnDisk(server)).length
  await sweepAfter((30 * 24 - 1) * 60)
  expect(await filesOnDisk(server)).toHaveLength(before)
  expect((await shown()).recordingKeptUntil).not.toBeNull()
  await sweepAfter(120)
  expect((await asUser(`/api/transcriptions/${id}/media`)).statusCode).toBe(410)
  expect(await filesOnDisk(server)).toHaveLength(before)
  await sweepAfter(BIN_HOURS * 60)
  expect((await filesOnDisk(server)).length).toBeLessThan(before)
  const after = await shown()
  expect(after).toMatchObject({ transcriptionText: 'Hello.', recordingKeptUntil: null })
  expect(after.recordingDeletedAt).not.toBeNull()
})

test('a recording can be deleted before its time, and the transcription with it', async ({
  server,
}) => {
  const { db } = server.parts.database
  const user = await aUser(db, { credits: 4 })
  const asUser = await server.as(user)
  const tone = await media('mine.wav', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=2')
  const uploaded = await asUser(await uploadOf([{ name: 'mine.wav', bytes: tone }]))
  const { transcriptionId: id } = UploadAnswer.parse(uploaded.json())
  const remove = (url: string) => asUser({ method: 'DELETE', url })

  expect((await remove(`/api/transcriptions/${id}/recording`)).json().code).toBe('still_processing')
  expect((await remove(`/api/transcriptions/${id}`)).json().code).toBe('still_processing')
  await db
    .update(transcriptions)
    .set({ status: 'error', finishedAt: new Date() })
    .where(eq(transcriptions.id, id))
  expect((await remove(`/api/transcriptions/${id}/recording`)).statusCode).toBe(200)
  const after = Transcription.parse((await asUser(`/api/transcriptions/${id}`)).json())
  expect(after).toMatchObject({ canRetry: false, recordingKeptUntil: null })
  expect((await remove(`/api/transcriptions/${id}`)).statusCode).toBe(200)
  expect((await asUser(`/api/transcriptions/${id}`)).statusCode).toBe(404)
  // Until then it could have been brought back.
  await pass(db, UNDELETE_MINUTES * 60_000)
  await sweep({ ...server.parts, db, workRoot: path.join(server.dataDir, 'work') })
  await expectNothingLeft(server, user.id, 4)
})

test('a sound that a process which died has left is removed after a day', async ({ server }) => {
  const workRoot = await mkdtemp(path.join(server.dataDir, 'left-'))
  const names = ['sounds-old', 'sounds-new']
  for (const name of names) await mkdir(path.join(workRoot, name))
  const before = Date.now() / 1000 - 25 * 60 * 60
  await utimes(path.join(workRoot, 'sounds-old'), before, before)
  await sweepInTurn({ ...server.parts, db: server.parts.database.db, workRoot }, {})
  expect(await readdir(workRoot)).toEqual(['sounds-new'])
})
