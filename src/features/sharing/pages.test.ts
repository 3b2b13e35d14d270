import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { expect, onTestFinished } from 'vitest'

import * as blocking from '#features/account/blocking.ts'
import type { Render } from '#features/cuts/contract.ts'
import {
  type ExportFormatName,
  chapterFormats,
  cutFormats,
  endingOf,
  exportFormats,
  formatNames,
  honours,
} from '#features/exports/formats.ts'
import * as retention from '#features/recordings/retention.ts'
import { renders } from '#features/row/tables.ts'
import { RETENTION_DAYS } from '#shared/business.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'
import { times } from '#test/long.ts'
import { filesIn } from '#test/zip.ts'

import type { Share, Shares } from './contract.ts'

const clientDir = fileURLToPath(new URL('../../../build/client', import.meta.url))
const now = { at: new Date() }
const DAY_MS = 86_400_000
const pass = (days: number) => void (now.at = new Date(now.at.getTime() + days * DAY_MS))
const password = 'one account, one word'

const test = base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const server = await anApp(database, { works: false, parts: { clientDir, clock: () => now.at } })
  onCleanup(server.close)
  return server
})

const canaries = {
  title: 'Canarytitle',
  name: 'Canaryname',
  summary: 'Canarysummary',
  point: 'Canarypoint',
  chapter: 'Canarychapter',
  task: 'Canarytask',
  note: 'Canarynote',
  sound: 'canarysound',
  text: 'Canarytext',
}

async function shared(server: TestApp, wanted: object = {}, about: object = {}) {
  const { db } = server.parts.database
  const { id: userId, email } = await aUser(db, { password })
  const storageKey = randomUUID()
  const content = Readable.from([canaries.sound])
  await server.parts.storage.write(storageKey, content, { signal: AbortSignal.timeout(5_000) })
  const { id } = await aTranscription(db, {
    userId,
    createdAt: now.at,
    storageKey,
    sizeBytes: canaries.sound.length,
    mediaType: 'audio/mpeg',
    originalName: `${canaries.title} with ${canaries.name} Okafor.mp3`,
    turns: [
      { speaker: 0, text: `${canaries.text} is <b>said</b> here.` },
      { speaker: 1, text: 'And answered there.' },
    ],
    speakers: [
      { speaker: 0, name: `${canaries.name} Okafor` },
      { speaker: 1, name: null },
    ],
    summary: `${canaries.summary} of ${canaries.name}.`,
    keyPoints: [{ text: `${canaries.point} of ${canaries.name}`, startMs: 1_000, quote: null }],
    actionItems: [
      anActionItem({ text: `${canaries.task}: visit ${canaries.name}`, who: canaries.name }),
    ],
    topics: [`Plans of ${canaries.name}`],
    chapters: {
      by: 'own',
      list: [{ title: `${canaries.chapter} by ${canaries.name}`, startMs: 1_000 }],
    },
    summaryNote: canaries.note,
    peaks: [10, 200, 30],
    ...about,
  })
  const call = await server.as({ id: userId })
  const url = `/api/transcriptions/${id}/shares`
  const made = await call({ method: 'POST', url, payload: wanted })
  expect(made.statusCode).toBe(201)
  const share = made.json<Share>()
  return { userId, email, id, share, call, path: new URL(share.url!).pathname }
}

const forms = ['', '.txt', '.vtt', '.json', '/picture.png', '/recording'] as const

async function everything(server: TestApp, path: string) {
  const answers: Awaited<ReturnType<TestApp['inject']>>[] = []
  // One after the other, by one thread: a second one would load the same once more.
  for (const form of forms) answers.push(await server.inject(path + form))
  const address = answers.at(-1)!.headers.location
  if (address) answers.push(await server.inject(address))
  return {
    statuses: answers.map(({ statusCode }) => statusCode),
    all: answers.map(({ body }) => body).join('\n'),
  }
}

test('a link shows all that was chosen, in every form, and may not be found or framed', async ({
  server,
}) => {
  const { path } = await shared(server)
  const { statuses, all } = await everything(server, path)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 302, 200])
  for (const canary of Object.values(canaries)) expect(all).toContain(canary)
  const page = await server.inject(path)
  expect(page.headers).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  expect(page.headers['set-cookie']).toBeUndefined()
  expect(page.body).toContain(`${canaries.text} is &lt;b&gt;said&lt;/b&gt; here.`)
  expect(page.body).not.toMatch(/\[\[|x-part/)
  expect(page.body).toContain('Shared by Ada Example')
  for (const said of [canaries.summary, canaries.point, canaries.task, canaries.note])
    expect(page.body).toContain(said)
  for (const ending of ['.txt', '.vtt', '.json', '.docx', '.pdf', '.chapters.vtt'])
    expect(page.body).toContain(`href="${path}${ending}"`)
  expect([...page.body.matchAll(/<script[^>]*\ssrc="([^"]*)"/g)].map(([, src]) => src)).toEqual([
    expect.stringMatching(/^\/assets\/share-player-[\w-]+\.js$/),
  ])
  expect(page.body.match(/https?:\/\/(?!localhost|www\.w3\.org)[^"\s]*/g)).toBeNull()
  const part = await server.inject({
    url: (await server.inject(`${path}/recording`)).headers.location as string,
    headers: { range: 'bytes=0-5' },
  })
  expect([part.statusCode, part.body]).toEqual([206, 'canary'])
})

test('no answer holds a part that its owner did not choose', async ({ server }) => {
  const { path, share } = await shared(server, { includes: [] })
  const { statuses, all } = await everything(server, path)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404])
  expect(all).toContain(canaries.text)
  for (const hidden of [
    canaries.name,
    canaries.summary,
    canaries.point,
    canaries.chapter,
    canaries.task,
    canaries.note,
    canaries.sound,
  ])
    expect(all).not.toContain(hidden)
  expect(all).toContain(`${canaries.title} with Speaker A.mp3`)
  expect(all).not.toContain('data-peaks')
  expect(share.includes).toEqual([])
})

/** Half a minute of the recording is out, and with it the first word. */
async function asCut(server: TestApp, wanted: object = {}, about: object = {}) {
  const made = await shared(server, wanted, about)
  const { call, id } = made
  const cut = [{ start: 0, end: 0.35 }]
  await call({ method: 'POST', url: `/api/transcriptions/${id}/cuts`, payload: { cut } })
  const { db } = server.parts.database
  const ordered = () => db.select().from(renders).where(eq(renders.transcriptionId, id))
  return { ...made, db, ordered }
}

test('a link shows the recording as it is cut, in every form, also where it is cut later', async ({
  server,
}) => {
  const { path } = await asCut(server)
  const { statuses, all } = await everything(server, path)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404])
  expect(all).not.toContain(canaries.text)
  expect(all).not.toContain(canaries.sound)
  for (const ending of ['', '.txt', '.json'])
    expect((await server.inject(path + ending)).body).toMatch(/is (<b>|&lt;b&gt;)said/)
  const data = (await server.inject(`${path}.json`)).json<object>()
  expect(data).toMatchObject({ duration: 59.65, chapters: [{ start: 0.65 }] })
  expect((await server.inject(path)).body).toMatch(/data-at="0.65"[^>]*>.*?0:00/s)
  for (const format of cutFormats)
    expect((await server.inject(`${path}.${endingOf(format)}`)).statusCode).toBe(404)
})

test('a link as cut has no sentence that is cut in its summary, and no point of it', async ({
  server,
}) => {
  const said = `${canaries.text} is said here.`
  const left = 'And answered there.'
  const { path } = await asCut(
    server,
    {},
    {
      summaryKind: 'sentences',
      summary: `${said} ${left}`,
      keyPoints: [said, left].map((text) => ({ text, startMs: 0, quote: null })),
      actionItems: [said, left].map((text) => anActionItem({ text, isSentence: true })),
    },
  )
  const { all } = await everything(server, path)
  expect(all).not.toContain(canaries.text)
  const point = expect.objectContaining({ text: left }) as unknown
  expect((await server.inject(`${path}.json`)).json()).toMatchObject({
    summary: { text: left, keyPoints: [point], actionItems: [point] },
  })

  const byModel = { keyPoints: [{ text: canaries.point, startMs: 100, quote: null }] }
  const { path: other } = await asCut(server, {}, byModel)
  expect((await everything(server, other)).all).not.toContain(canaries.point)
})

test('a link as cut plays a file without the cuts and nothing before it is made', async ({
  server,
}) => {
  const { path, db, ordered } = await asCut(server)
  expect((await server.inject(path)).body).toContain('The recording is being made ready.')
  const [order] = await ordered()
  expect(order).toMatchObject({ format: 'm4a', status: 'making', times: [0, 350] })
  const storageKey = randomUUID()
  const content = Readable.from(['without it'])
  await server.parts.storage.write(storageKey, content, { signal: AbortSignal.timeout(5_000) })
  const made = { status: 'made', storageKey, sizeBytes: 10, finishedAt: now.at } as const
  await db.update(renders).set(made).where(eq(renders.id, order!.id))
  expect((await server.inject(path)).body).toContain('data-peaks')
  const { location = '' } = (await server.inject(`${path}/recording`)).headers
  expect((await server.inject(location)).body).toBe('without it')
  expect(await ordered()).toHaveLength(1)
})

test('a link may show the whole, also what is cut', async ({ server }) => {
  const { path, share, call, ordered } = await asCut(server, { cuts: 'ignored' })
  expect(share.cuts).toBe('ignored')
  const { all } = await everything(server, path)
  expect(all).toContain(canaries.text)
  expect(all).toContain(canaries.sound)
  expect(await ordered()).toEqual([])
  const { location = '' } = (await server.inject(`${path}/recording`)).headers
  await call({ method: 'PATCH', url: `/api/shares/${share.id}`, payload: { cuts: 'applied' } })
  expect((await server.inject(location)).statusCode).toBe(404)
  expect(await ordered()).toMatchObject([{ times: [0, 350] }])
})

test('a link whose recording is not made without the cuts says that it is not here', async ({
  server,
}) => {
  const { path, ordered } = await asCut(server, {}, { durationMs: 350 })
  expect((await server.inject(path)).body).toContain('The recording is not here at the moment.')
  expect(await ordered()).toEqual([])
})

/** A file of 59.65 s is made, and shared alone. */
async function fileShared(server: TestApp, wanted: object = {}) {
  const { id, call, db } = await asCut(server)
  const ordering = { method: 'POST', url: `/api/transcriptions/${id}/renders` } as const
  const { id: render } = (await call({ ...ordering, payload: { format: 'm4a' } })).json<Render>()
  const storageKey = randomUUID()
  const content = Readable.from(['without it'])
  await server.parts.storage.write(storageKey, content, { signal: AbortSignal.timeout(5_000) })
  const keptUntil = new Date(now.at.getTime() + 5 * DAY_MS)
  const made = { status: 'made', storageKey, sizeBytes: 10, finishedAt: now.at, keptUntil } as const
  const url = `/api/transcriptions/${id}/shares`
  const early = await call({ method: 'POST', url, payload: { render } })
  await db.update(renders).set(made).where(eq(renders.id, render))
  const answer = await call({ method: 'POST', url, payload: { render, ...wanted } })
  const share = answer.json<Share>()
  return { id, call, early, share, render, keptUntil, path: new URL(share.url!).pathname }
}

test('a link to a made file shows that file, to be heard and saved, and nothing beside it', async ({
  server,
}) => {
  const { path, share, early, render, keptUntil } = await fileShared(server, { days: 30 })
  expect(early.json()).toMatchObject({ code: 'render_not_made' })
  expect(share).toMatchObject({ render: { id: render, format: 'm4a' }, includes: ['names'] })
  expect(share.endsAt).toBe(keptUntil.toISOString())
  const page = await server.inject(path)
  expect(page.body).toContain(`${canaries.title} with ${canaries.name} Okafor (cut).m4a`)
  expect(page.body).not.toMatch(/\[\[|x-part/)
  const saved = await server.inject(`${path}/recording?save=1`)
  const file = await server.inject(saved.headers.location as string)
  expect(file.body).toBe('without it')
  expect(file.headers['content-disposition']).toContain('(cut).m4a')
  const { title: _title, name: _name, ...inside } = canaries
  const picture = await server.inject(`${path}/picture.png`)
  const answers = [page, picture]
  for (const format of formatNames) answers.push(await server.inject(`${path}.${endingOf(format)}`))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    200,
    200,
    ...formatNames.map(() => 404),
  ])
  for (const canary of Object.values(inside))
    expect(answers.some(({ body }) => body.includes(canary))).toBe(false)
})

test('a link to a made file has captions where they are included, without names where those are not', async ({
  server,
}) => {
  const { path, share } = await fileShared(server, { includes: ['captions'] })
  expect(share.includes).toEqual(['captions'])
  const captions = await server.inject(`${path}.vtt`)
  expect(captions.body).toContain('here.')
  expect(captions.body).not.toContain(canaries.text)
  expect((await server.inject(`${path}.txt`)).statusCode).toBe(404)
  expect((await server.inject(path)).body).toContain(`${canaries.title} with Speaker A (cut).m4a`)
})

test('a link to a made file ends when that is taken away', async ({ server }) => {
  const { path, id, call, render } = await fileShared(server)
  expect((await server.inject(path)).statusCode).toBe(200)
  await call({ method: 'DELETE', url: `/api/transcriptions/${id}/renders/${render}` })
  const { statuses } = await everything(server, path)
  expect(statuses).toEqual([410, 410, 410, 410, 404, 404])
  const { shares } = (await call('/api/shares')).json<Shares>()
  expect(shares.map((each) => each.render)).toEqual([null])
})

test('names are hidden in the summary too', async ({ server }) => {
  const { path } = await shared(server, { includes: ['summary', 'recording'] })
  const { all } = await everything(server, path)
  expect(all).toContain(`${canaries.summary} of Speaker A.`)
  expect(all).toContain(`${canaries.chapter} by Speaker A`)
  expect(all).toContain(`${canaries.task}: visit Speaker A`)
  expect(all).not.toContain(canaries.name)
})

test('chapters are a table of contents that plays, in texts too', async ({ server }) => {
  const { path } = await shared(server)
  const page = (await server.inject(path)).body
  expect(page).toMatch(/href="#turn-1" data-at="1"[^>]*>.*?Canarychapter by Canaryname.*?0:01/s)
  expect((await server.inject(`${path}.txt`)).body).toContain(
    '--- Canarychapter by Canaryname (0:01) ---\n',
  )
  expect((await server.inject(`${path}.json`)).json()).toMatchObject({
    chapters: [{ title: 'Canarychapter by Canaryname', start: 1 }],
  })
})

test('a summary without a text has the heading of what it has, once', async ({ server }) => {
  const about = { summary: '', summaryKind: 'sentences', chapters: null } as const
  const { path } = await shared(server, {}, about)
  const page = (await server.inject(path)).body
  expect(page.match(/>Key points<\/h2>/g)).toHaveLength(1)
  expect(page).not.toContain('Key sentences')
})

/** A list of cuts says what was cut, which is its owner's. */
const shownFormats = formatNames.filter((format) => !cutFormats.includes(format))

/** Every format of a link: how it is answered, and what is in it as far as that can be read. */
async function filesOf(server: TestApp, path: string) {
  const found = new Map<ExportFormatName, { status: number; type: string; body: string }>()
  for (const format of shownFormats) {
    const answer = await server.inject(`${path}.${endingOf(format)}`)
    const body =
      format === 'docx' && answer.statusCode === 200
        ? filesIn(answer.rawPayload).get('word/document.xml')!
        : answer.body
    const type = String(answer.headers['content-type'])
    found.set(format, { status: answer.statusCode, type, body })
  }
  return found
}

const three = {
  by: 'own',
  list: [1_000, 20_000, 40_000].map((startMs) => ({
    title: `${canaries.chapter} of ${canaries.name}`,
    startMs,
  })),
} as const

test('a link has every format of exports, with what it shows and nothing else', async ({
  server,
}) => {
  const { path } = await shared(server, {}, { chapters: three, mediaType: null })
  for (const [format, { status, type, body }] of await filesOf(server, path)) {
    expect([format, status, type]).toEqual([format, 200, exportFormats[format].type])
    if (format === 'pdf') continue // Its words are drawn.
    const isOfChapters = chapterFormats.includes(format)
    expect([format, body.includes(isOfChapters ? canaries.chapter : canaries.text)]).toEqual([
      format,
      true,
    ])
    if (honours(format, 'summary'))
      expect([format, body]).toEqual([format, expect.stringContaining(canaries.summary)])
    // The owner did not choose to show which recogniser it was, or how sure it was.
    expect([format, /in doubt|written by|pocketsphinx/.test(body)]).toEqual([format, false])
  }
  const page = (await server.inject(path)).body
  expect(page).toContain(`href="${path}.chapters.json"`)

  const hidden = await shared(server, { includes: ['summary'] }, { chapters: three })
  for (const { body } of (await filesOf(server, hidden.path)).values())
    expect(body).not.toContain(canaries.name)

  const bare = await shared(server, { includes: [] }, { chapters: three })
  expect((await server.inject(bare.path)).body).not.toContain('.chapters.')
  for (const [format, { status, body }] of await filesOf(server, bare.path)) {
    expect([format, status]).toEqual([format, chapterFormats.includes(format) ? 404 : 200])
    for (const what of ['name', 'summary', 'point', 'chapter', 'task', 'note'] as const)
      expect([format, body.includes(canaries[what])]).toEqual([format, false])
  }
  for (const ending of ['m4a', 'mp3'])
    expect((await server.inject(`${path}.${ending}`)).statusCode).toBe(404)
})

const noSummary = { summary: null, keyPoints: null, actionItems: null, summaryNote: null }

test('chapters are shown without a summary too, and not beside a summary that may name somebody', async ({
  server,
}) => {
  const { path } = await shared(server, {}, noSummary)
  const page = (await server.inject(path)).body
  expect(page).toMatch(/<h2[^>]*>Chapters<\/h2>.*?href="#turn-1" data-at="1"/s)
  expect(page.match(/>Chapters<\/h2>/g)).toHaveLength(1)
  expect(page).not.toContain('>Summary<')
  expect((await server.inject(`${path}.json`)).json()).toMatchObject({ chapters: [{ start: 1 }] })
  expect((await server.inject(`${path}.txt`)).body).toContain(
    '--- Canarychapter by Canaryname (0:01) ---',
  )

  const hidden = await shared(server, { includes: ['summary'] }, noSummary)
  expect((await everything(server, hidden.path)).all).toContain('Canarychapter by Speaker A')
  const unsure = { summary: `The ${canaries.name}s came.` }
  const left = await shared(server, { includes: ['summary'] }, unsure)
  const unchosen = await shared(server, { includes: [] }, noSummary)
  for (const made of [left, unchosen])
    expect((await everything(server, made.path)).all).not.toContain('Canarychapter')
})

type Made = Awaited<ReturnType<typeof shared>>

test('nothing is left of a link that ended, however it did, nor of one that never was', async ({
  server,
  db,
}) => {
  // A link whose account is deleted is not known any more.
  const endings: [how: string, status: number, end: (made: Made) => Promise<unknown>][] = [
    [
      'by its owner',
      410,
      ({ call, share }) => call({ method: 'DELETE', url: `/api/shares/${share.id}` }),
    ],
    [
      'with its transcription',
      410,
      ({ call, id }) => call({ method: 'DELETE', url: `/api/transcriptions/${id}` }),
    ],
    [
      'with a block',
      410,
      ({ userId }) => db.transaction((tx) => blocking.block(tx, { userId, now: now.at })),
    ],
    [
      'with its account',
      404,
      ({ call, email }) =>
        call({ method: 'DELETE', url: '/api/account', payload: { confirmation: email, password } }),
    ],
    ['by its time', 410, async () => pass(7)],
  ]
  const nobody = await server.inject('/s/AAAAAAAAAAAAAAAAAAAAAA')
  expect(nobody.statusCode).toBe(404)
  expect(nobody.body).toContain('This link has ended')
  for (const [how, status, end] of endings) {
    const made = await shared(server)
    const before = await server.inject(`${made.path}/recording`)
    await end(made)
    const { statuses, all } = await everything(server, made.path)
    expect([how, ...statuses]).toEqual([how, status, status, status, status, 404, 404])
    for (const canary of Object.values(canaries)) expect(all).not.toContain(canary)
    const old = await server.inject(before.headers.location as string)
    expect([how, old.statusCode, old.body]).toEqual([how, status, 'This link has ended.\n'])
    expect((await server.inject(made.path)).body).toBe(nobody.body)
  }
})

test('a recording is not played any more when its 30 days are over, and the text stays', async ({
  server,
}) => {
  const { path } = await shared(server, { days: null })
  pass(RETENTION_DAYS - 1)
  const { location } = (await server.inject(`${path}/recording`)).headers
  expect((await server.inject(location as string)).body).toBe(canaries.sound)
  pass(1)
  const before = await server.inject(`${path}/recording`)
  pass(0.1)
  await retention.sweep({ ...server.parts, db: server.parts.database.db }, {})
  const { statuses, all } = await everything(server, path)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 302, 410])
  expect(all).toContain('The recording is no longer here. The text stays.')
  const { sound, ...staying } = canaries
  for (const canary of Object.values(staying)) expect(all).toContain(canary)
  expect(all).not.toContain(sound)
  expect(all).not.toMatch(/data-(peaks|media|words)|"recording"/)
  expect((await server.inject(before.headers.location as string)).statusCode).toBe(410)
})

test('a page or file made before its link changed or ended is not sent', async ({ server }) => {
  const { threads } = server.parts
  const { run } = threads
  const { path, share, call } = await shared(server)
  const url = `/api/shares/${share.id}`
  const meanwhile = async (path: string, change: InjectOptions) => {
    threads.run = async (...asked) => {
      const made = await run(...asked)
      await call({ url, ...change })
      return made
    }
    const answer = await server.inject(path)
    threads.run = run
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([303, path, ''])
    return server.inject(path)
  }
  const hidden = await meanwhile(path, { method: 'PATCH', payload: { includes: [] } })
  expect(hidden.body).not.toContain(canaries.name)
  const payload = { password: 'dairy-reels-54' }
  const closed = await meanwhile(`${path}.txt`, { method: 'PATCH', payload })
  expect(closed.statusCode).toBe(401)
  await call({ method: 'PATCH', url, payload: { password: null } })
  const ended = await meanwhile(path, { method: 'DELETE' })
  expect(ended.statusCode).toBe(410)
})

test('the address of a recording plays no longer once its owner took the recording off', async ({
  server,
}) => {
  const { path, share, call } = await shared(server)
  const url = (await server.inject(`${path}/recording`)).headers.location as string
  expect((await server.inject(url)).body).toBe(canaries.sound)
  const payload = { includes: ['summary', 'names'] }
  await call({ method: 'PATCH', url: `/api/shares/${share.id}`, payload })
  const { statusCode, body } = await server.inject(url)
  expect([statusCode, body]).toEqual([404, 'This link has ended.\n'])
})

const form = (password: string) => ({
  method: 'POST' as const,
  payload: new URLSearchParams({ password }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** An MP4 file of a second, with its picture. */
async function aVideo(): Promise<Buffer> {
  const picture = ['-f', 'lavfi', '-i', 'color=s=16x16:r=1:d=1']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=1', '-c:v', 'mpeg4', '-c:a', 'aac']
  // So that it can be written without going back.
  const inPieces = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1']
  const args = ['-v', 'error', ...picture, ...sound, ...inPieces]
  return (await promisify(execFile)('ffmpeg', args, { encoding: 'buffer' })).stdout
}

test('a link to the sound of a video sends nothing of its picture', async ({ server }) => {
  const video = await aVideo()
  const storageKey = randomUUID()
  const signal = AbortSignal.timeout(5_000)
  await server.parts.storage.write(storageKey, Readable.from([video]), { signal })
  const about = { storageKey, sizeBytes: video.length, mediaType: 'video/mp4' }
  const played = async (includes: string[]) => {
    const { path } = await shared(server, { includes }, about)
    const { location } = (await server.inject(`${path}/recording`)).headers
    return server.inject(location as string)
  }
  const whole = await played(['recording'])
  expect(whole.headers['content-type']).toBe('video/mp4')
  // The name of a track of pictures in such a file.
  expect(whole.rawPayload.includes('vide')).toBe(true)
  const sound = await played(['sound'])
  expect([sound.statusCode, sound.headers['content-type']]).toEqual([200, 'audio/mp4'])
  expect(sound.rawPayload.includes('vide')).toBe(false)
})

test('a password opens a link for one browser, and a new one closes it for all', async ({
  server,
}) => {
  const { path, share, call } = await shared(server, { password: 'dairy-reels-54' })
  const browser = server.aBrowser()
  const asked = await browser(path)
  expect(asked.body).toContain('This page has a password')
  expect(asked.body).toContain('Ada Example shares a transcription with you here.')
  const { statuses, all } = await everything(server, path)
  // No word can be looked for in a picture.
  expect(statuses).toEqual([200, 401, 401, 401, 404, 404])
  for (const canary of Object.values(canaries)) expect(all).not.toContain(canary)

  const wrong = await browser({ url: path, ...form('dairy-reels-55') })
  expect([wrong.statusCode, wrong.body]).toEqual([
    403,
    expect.stringContaining('That is not the password.'),
  ])
  const right = await browser({ url: path, ...form('dairy-reels-54') })
  expect([right.statusCode, right.headers.location]).toEqual([303, path])
  expect((await browser(path)).body).toContain(canaries.text)
  expect((await browser(`${path}.json`)).body).toContain(canaries.text)
  const { location } = (await browser(`${path}/recording`)).headers
  expect((await browser(location as string)).statusCode).toBe(200)

  const payload = { password: 'another-one-99' }
  await call({ method: 'PATCH', url: `/api/shares/${share.id}`, payload })
  expect((await browser(path)).body).toContain('This page has a password')
  expect((await browser(location as string)).statusCode).toBe(404)
})

test('guesses of passwords and of addresses let nobody in, and shut no reader out', async ({
  server,
}) => {
  const { path } = await shared(server, { password: 'dairy-reels-54' })
  const open = await shared(server)
  const answers = new Map<number, number>()
  const note = (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1)
  for (let guess = 0; guess < times(100, 500); guess += 1) {
    note((await server.inject({ url: path, ...form(`dairy-reels-${guess + 100}`) })).statusCode)
    note((await server.inject(`/s/${randomUUID().slice(0, 22)}`)).statusCode)
  }
  expect([...answers.keys()].toSorted()).toEqual([403, 404, 429])
  expect(answers.get(403)).toBe(5)
  expect(answers.get(404)).toBeLessThanOrEqual(60)
  const refused = await server.inject('/s/AAAAAAAAAAAAAAAAAAAAAA')
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect(refused.body).toContain('This link has ended')
  const late = await server.inject({ url: path, ...form('dairy-reels-54') })
  expect(late.body).toMatch(/Too many tries. Try again in \d+ minutes?\./)
  expect((await server.inject(open.path)).statusCode).toBe(200)
  const from = async (remoteAddress: string, password: string) =>
    (await server.inject({ url: path, ...form(password), remoteAddress })).statusCode
  expect(await from('203.0.113.9', 'dairy-reels-54')).toBe(303)
  // Capital letters are other letters; and a network of many addresses is one guesser.
  for (let n = 1; n <= 5; n += 1) expect(await from(`2001:db8::${n}`, 'Dairy-Reels-54')).toBe(403)
  expect(await from('2001:db8::6', 'dairy-reels-54')).toBe(429)
})

test('while a link is guessed at from many networks, a hundred guesses are tried, and one of each newcomer', async ({
  server,
}) => {
  const { path } = await shared(server, { password: 'dairy-reels-54' })
  const tries = async (network: number, password: string) => {
    const remoteAddress = `203.0.113.${network}`
    return (await server.inject({ url: path, ...form(password), remoteAddress })).statusCode
  }
  const heard: number[] = []
  for (let network = 0; network < 25; network += 1)
    for (let guess = 0; guess < 4; guess += 1) heard.push(await tries(network, `a guess ${guess}`))
  expect(heard).toEqual(Array(100).fill(403))
  expect(await tries(0, 'a fifth guess')).toBe(429)
  expect([await tries(100, 'a guess'), await tries(100, 'another')]).toEqual([403, 429])
  expect(await tries(101, 'dairy-reels-54')).toBe(303)
  pass(1 / 23)
  expect(await tries(0, 'a guess')).toBe(403)
})

test('a link made by one process is told and opened by another with a folder of its own', async ({
  database,
  server,
}) => {
  const another = await anApp(database, {
    works: false,
    parts: { clientDir, clock: () => now.at, storage: server.parts.storage },
  })
  onTestFinished(another.close)
  const { userId, path, share } = await shared(server, { password: 'dairy-reels-54' })
  const call = await another.as({ id: userId })
  expect((await call('/api/shares')).json()).toMatchObject({ shares: [{ url: share.url }] })
  const browser = server.aBrowser()
  await browser({ url: path, ...form('dairy-reels-54') })
  const cookie = [...browser.jar].map((pair) => pair.join('=')).join('; ')
  expect((await another.inject({ url: path, headers: { cookie } })).body).toContain(canaries.text)
})

test("a recording's signature opens no page, and the cookie of a page plays no recording", async ({
  server,
}) => {
  const { path } = await shared(server, { password: 'dairy-reels-54', days: null })
  const browser = server.aBrowser()
  const { cookies } = await browser({ url: path, ...form('dairy-reels-54') })
  const [opened] = cookies as { name: string; value: string }[]
  const { location } = (await browser(`${path}/recording`)).headers
  const signature = String(location).split('/').at(-1)!
  const openedBy = (value: string) =>
    server.inject({ url: path, headers: { cookie: `${opened!.name}=${value}` } })
  expect((await openedBy(opened!.value)).body).toContain(canaries.text)
  expect((await openedBy(signature)).body).toContain('This page has a password')
  expect((await server.inject(String(location))).statusCode).toBe(200)
  expect((await server.inject(`${path}/recording/${opened!.value}`)).statusCode).toBe(404)
  // The one is good for six hours, the other for a week.
  pass(6.1 / 24)
  expect((await server.inject(String(location))).statusCode).toBe(404)
  expect((await openedBy(opened!.value)).body).toContain(canaries.text)
  pass(7)
  expect((await openedBy(opened!.value)).body).toContain('This page has a password')
})

test('from one network no more openings than 60 a day are counted', async ({ server }) => {
  const { path, call } = await shared(server)
  const opens = (n: number, remoteAddress: string) =>
    server.inject({ url: path, remoteAddress, headers: { 'user-agent': `made up ${n}` } })
  for (let n = 0; n < 62; n += 1) await opens(n, '198.51.100.7')
  const counted = async () => (await call('/api/shares')).json<{ shares: Share[] }>().shares[0]
  expect(await counted()).toMatchObject({ openings: 60 })
  await opens(1, '198.51.100.8')
  expect(await counted()).toMatchObject({ openings: 61 })
})

test('each browser is counted once a day, and the owner never', async ({ server }) => {
  const { path, call } = await shared(server)
  const from = (agent: string) => server.inject({ url: path, headers: { 'user-agent': agent } })
  await from('Firefox')
  await from('Firefox')
  await from('Safari')
  await from('WhatsApp/2.0')
  await call(path)
  const counted = async () => (await call('/api/shares')).json<{ shares: Share[] }>().shares[0]
  expect(await counted()).toMatchObject({ openings: 2 })
  pass(1)
  await from('Firefox')
  expect(await counted()).toMatchObject({ openings: 3 })
})
