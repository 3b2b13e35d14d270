/** An account whose recording has a name in all that is made of it, and what the server answers of it. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { eq } from 'drizzle-orm'

import { questionSources, questions } from '#features/asking/tables.ts'
import {
  idempotencyKeys,
  webhookDeliveries,
  webhookEndpoints,
} from '#features/developers/tables.ts'
import { documents } from '#features/documents/tables.ts'
import { formatNames } from '#features/exports/formats.ts'
import type { FoundWords, Hidden, HiddenList } from '#features/hiding/contract.ts'
import { make } from '#features/hiding/sound.ts'
import { uploads } from '#features/recordings/tables.ts'
import { renders, tags, transcriptionTags, transcriptions } from '#features/row/tables.ts'
import { measure } from '#features/sound/decode.ts'
import { carriedOver, edits, originalTurns, turns } from '#features/text/tables.ts'
import { stages, summaryOrders } from '#features/transcriptions/tables.ts'
import { createLog } from '#server/log.ts'

import { aRecording } from './api.ts'
import { type TestApp, anApp } from './app.ts'
import { test as base } from './database.ts'
import { aTranscription, aTranslation, aUser, anActionItem } from './factories.ts'
import { textOf } from './pdf.ts'
import { bytesIn } from './zip.ts'

const clientDir = fileURLToPath(new URL('../build/client', import.meta.url))

/** The server, and all that it logged. */
export const test = base
  .extend('lines', { scope: 'file' }, (): string[] => [])
  .extend('clock', { scope: 'file' }, () => ({ laterMs: 0 }))
  .extend('server', { scope: 'file' }, async ({ database, lines, clock }, { onCleanup }) => {
    const log = createLog({
      level: 'trace',
      destination: { write: (line) => void lines.push(line) },
    })
    const server = await anApp(database, {
      works: false,
      parts: { log, clientDir, clock: () => new Date(Date.now() + clock.laterMs) },
    })
    onCleanup(() => server.close())
    return server
  })

const recording = await aRecording(4)
export const NAME = 'Zerelda Quimby'
export const has = (text: string) => /zerelda|quimby/i.test(text)
const { signal } = new AbortController()

export async function anOwner(server: TestApp, values: object = {}) {
  const { database, storage, queue, log } = server.parts
  const { db } = database
  const user = await aUser(db, { plan: 'enterprise' })
  const storageKey = crypto.randomUUID()
  await storage.write(storageKey, Readable.from([recording]), { signal })
  const row = await aTranscription(db, {
    userId: user.id,
    storageKey,
    originalName: 'talk.wav',
    mediaType: 'audio/wav',
    durationMs: 4_000,
    turns: [
      { speaker: 0, text: 'Here is Zerelda Quimby, at last.' },
      { speaker: 1, text: 'Nothing of that kind.' },
    ],
    ...values,
  })
  const { id } = row
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}`
  const post = (path: string, payload: object = {}) =>
    call({ method: 'POST', url: `${url}/${path}`, payload })
  const deps = { db, queue, storage, log, databaseUrl: database.url }
  return {
    db,
    id,
    user,
    row,
    call,
    url,
    post,
    deps,
    storage,
    storageKey,
    hide: (words: string[] = [NAME], more: object = {}) =>
      post('hidden', { words, confirmation: words[0], ...more }),
    find: async (...words: string[]) => (await post('hidden/find', { words })).json<FoundWords>(),
    list: async () => (await call(`${url}/hidden`)).json<HiddenList>().hidden,
    run: async ({ id: hidingId }: Hidden, isLastAttempt = true) =>
      make(deps, { hidingId }, { isLastAttempt, signal }),
    now: async () => {
      const [found] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
      return found!
    },
  }
}
export type Owner = Awaited<ReturnType<typeof anOwner>>

/** Puts the name into every place that keeps words of a recording. */
export async function plant({ db, id, user, row, call, url, deps }: Owner): Promise<string> {
  const { id: userId } = user
  const [first] = await db
    .select()
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(turns.position)
  const said = `They asked ${NAME} about it.`
  const point = { text: said, startMs: 0, quote: said }
  await db
    .update(transcriptions)
    .set({
      originalName: 'talkZereldaQuimby2.wav',
      summary: said,
      summaryNote: said,
      keyPoints: [point],
      topics: [NAME],
      summaryOwn: { text: said, keyPoints: [point] },
      chapters: { by: 'own', list: [{ title: `About ${NAME}`, startMs: 0 }] },
      actionItems: [anActionItem({ text: said, who: NAME, quote: said })],
      terms: [NAME],
      speakers: [
        { speaker: 0, name: 'Zerelda Quimby' },
        { speaker: 1, name: null },
      ],
      documentOrder: {
        documentType: 'article',
        includeImages: false,
        template: { name: NAME, instructions: said, length: 'short', parts: [] },
      },
      sides: { isApart: true, each: [{ leakDb: -20, floorDb: -60, title: NAME }] },
      contentHash: 'a'.repeat(64),
    })
    .where(eq(transcriptions.id, id))
  const words = [{ text: 'Quimby', startMs: 2_400, endMs: 2_700, confidence: 1 }]
  const stretch = {
    speaker: 0,
    startMs: 2_400,
    endMs: 2_700,
    text: 'Quimby',
    words,
    wordsFrom: 0,
    wordsTo: 1,
  }
  await db
    .insert(originalTurns)
    .values({ ...stretch, transcriptionId: id, id: first!.id, position: 9 })
  await db
    .insert(edits)
    .values({ transcriptionId: id, revision: 7, undo: { names: [{ speaker: 0, name: NAME }] } })
  await db.insert(carriedOver).values({
    transcriptionId: id,
    placed: 0,
    questions: [{ number: 0, decision: 'open', edit: null, kind: 'name', speaker: 0, name: NAME }],
  })
  await db.insert(stages).values({ transcriptionId: id, name: 'words', result: { said } })
  await db.insert(summaryOrders).values({
    id: crypto.randomUUID(),
    transcriptionId: id,
    language: 'en',
    length: 'short',
    outcome: 'written',
    textSince: 0,
    before: {
      summary: said,
      summaryKind: 'summary',
      summaryNote: null,
      summaryLanguage: 'en',
      keyPoints: [point],
      topics: [NAME],
      isMarked: false,
    },
  })
  const of = { userId, transcriptionId: id }
  const document = { documentType: 'article', includeImages: false, status: 'generated' } as const
  await db.insert(documents).values({
    ...of,
    ...document,
    title: said,
    content: `# ${NAME}\n\n${said}`,
    language: 'en',
    sourceHash: createHash('sha256').update(said).digest('base64url'),
    finishedAt: new Date(),
  })
  await aTranslation(db, {
    ...of,
    language: 'de',
    texts: ['Hier ist Zerelda Quimby.', `Zereldas Quimby`],
  })
  const quote = {
    transcriptionId: id,
    turnId: first!.id,
    name: NAME,
    at: 0,
    speaker: NAME,
    speakerNumber: 0,
    text: said,
    marks: [[0, 4] as [number, number]],
    isInDoubt: false,
  }
  const answer = { kind: 'answer' as const, text: said, notSaid: NAME, quotes: [quote], note: null }
  const asked = { userId, question: `Who is ${NAME}?`, answer, createdAt: new Date() }
  await db.insert(questions).values({ ...asked, transcriptionId: id })
  const [ofLibrary] = await db.insert(questions).values(asked).returning()
  await db.insert(questionSources).values({ questionId: ofLibrary!.id, transcriptionId: id })
  await db.insert(questions).values({ ...asked, answer: { ...answer, quotes: [] } })
  const [tag] = await db
    .insert(tags)
    .values({ userId, name: NAME, nameKey: 'z', colour: 1 })
    .returning()
  await db.insert(transcriptionTags).values({ transcriptionId: id, tagId: tag!.id })
  await db.insert(uploads).values({
    ...of,
    originalName: `${NAME}.wav`,
    sizeBytes: 1,
    storageKey: crypto.randomUUID(),
    storageToken: '',
    terms: [NAME],
    summaryLanguage: 'en',
  })
  const endpoint = { userId, url: 'https://example.com', types: [], secret: 'x' }
  const [hook] = await db.insert(webhookEndpoints).values(endpoint).returning()
  const body = JSON.stringify({ type: 'transcription.completed', data: { id, name: said } })
  await db
    .insert(webhookDeliveries)
    .values({ endpointId: hook!.id, messageId: 'm', type: 'x', body })
  await db.insert(idempotencyKeys).values({ userId, key: 'k', status: 200, body })
  // An action item that was added does not say of which recording it is.
  const item = JSON.stringify({ id: crypto.randomUUID(), text: said })
  await db.insert(idempotencyKeys).values({ userId, key: 'item', status: 200, body: item })
  const madeKey = crypto.randomUUID()
  await deps.storage.write(madeKey, Readable.from([NAME]), { signal })
  const times: number[] = []
  const made = { format: 'mp3', times, durationMs: 1, status: 'made' } as const
  const finishedAt = new Date()
  await db.insert(renders).values({ ...of, ...made, finishedAt, storageKey: madeKey })
  // A text from before, and a recording whose file says who speaks.
  const { id: _, nameSearch: _n, levels: _l, speakerSearch: _s, ...columns } = row
  const [earlier] = await db
    .insert(transcriptions)
    .values({
      ...columns,
      storageKey: null,
      againOf: id,
      againWhat: 'text',
      keptUntil: new Date(Date.now() + 86_400_000),
      summary: said,
    })
    .returning()
  await db.insert(turns).values({
    transcriptionId: earlier!.id,
    position: 0,
    speaker: 0,
    text: said,
    words: [],
    startMs: 0,
    endMs: 4_000,
  })
  const shared = await call({ method: 'POST', url: `${url}/shares`, payload: {} })
  return new URL(shared.json<{ url: string }>().url).pathname
}

/** Every answer that this recording is in: of calls, of files in every format, and of its link. */
export async function answersOf(
  { call: ask, url, id }: Owner,
  link: string,
  clock: { laterMs: number },
): Promise<[string, string][]> {
  const documentsUrl = `/api/transcription/${id}/documents`
  // Nobody may ask for so many files in a minute.
  const call = (path: string) => {
    clock.laterMs += 3_000
    return ask(path)
  }
  const calls = [
    url,
    ...[
      'words',
      'cuts',
      'renders',
      'hidden',
      'shares',
      'translations',
      'translations/de',
      'questions',
      'again',
      'download/transcription',
      'download/summary',
      'action-items.ics',
      'captions',
    ].map((path) => `${url}/${path}`),
    documentsUrl,
    '/api/transcriptions',
    '/api/transcriptions?q=zerelda',
    '/api/questions',
    '/api/tags',
    '/api/speakers',
    '/api/shares',
    ...formatNames.flatMap((format) => [
      `${url}/export?format=${format}`,
      `${url}/export?format=${format}&language=de`,
    ]),
    ...['', '.txt', '.srt', '.md', '.pdf', '.docx', '/picture.png'].map((form) => `${link}${form}`),
  ]
  const answers: [string, string][] = []
  for (const each of calls) {
    const answer = await call(each)
    answers.push([each, shownIn(answer.rawPayload) + JSON.stringify(answer.headers)])
  }
  const [document] = (await call(documentsUrl)).json<{ id: string }[]>()
  for (const format of ['txt', 'md', 'docx', 'pdf']) {
    const answer = await call(`${documentsUrl}/${document!.id}/export?format=${format}`)
    answers.push([`document ${format}`, shownIn(answer.rawPayload)])
  }
  for (const format of ['txt', 'pdf', 'docx']) {
    const payload = { ids: [id], format }
    const answer = await ask({ method: 'POST', url: '/api/exports', payload })
    answers.push([`archive ${format}`, shownIn(answer.rawPayload)])
  }
  const all = await call('/api/account/export')
  answers.push(['the copy of all', shownIn(all.rawPayload)])
  return answers
}

/** What a file says, packed or not: of a PDF what is read on its pages, of an archive each entry. */
export function shownIn(bytes: Buffer): string {
  const beginning = bytes.toString('latin1', 0, 4)
  if (beginning === '%PDF') return textOf(bytes)
  if (!beginning.startsWith('PK')) return bytes.toString('utf8')
  return [...bytesIn(bytes)].map(([name, content]) => `${name}\n${shownIn(content)}`).join('\n')
}

/** A file as it is decoded. */
export async function heard(path: string) {
  const pcm: Buffer[] = []
  const measured = await measure(path, {
    maxDurationMs: 60_000,
    signal,
    onPcm: (block) => void pcm.push(Buffer.from(block)),
  })
  return { measured, samples: new Int16Array(Buffer.concat(pcm).buffer) }
}

/** How much of a stretch is no tone of 1 kHz, as a share of its power. */
export function besideTone(samples: Int16Array, [fromMs, toMs]: [number, number]): number {
  const tone = Float64Array.from(samples.subarray(16 * fromMs, 16 * toMs))
  const other = tone.map(
    (sample, at) =>
      sample - 2 * Math.cos((2 * Math.PI) / 16) * (tone[at - 1] ?? 0) + (tone[at - 2] ?? 0),
  )
  const power = (of: Float64Array) => of.slice(2).reduce((sum, each) => sum + each * each, 0)
  return power(other) / power(tone)
}
