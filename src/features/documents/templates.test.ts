import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { recordings } from '#features/transcriptions/said.ts'
import * as sample from '#features/transcriptions/sample.ts'
import { documentKinds } from '#features/writing/contract.ts'
import { extractive } from '#features/writing/writing.ts'
import { MOST_TEMPLATES, TRIALS_A_DAY } from '#shared/business.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'
import type { ChatBehaviour } from '#test/fakes/chat.ts'
import { aChatServer } from '#test/models.ts'

import type { DocumentTemplate, DocumentType, Trial, WriteTemplate } from './contract.ts'
import * as documents from './documents.ts'
import { documents as rows, documentTemplates } from './tables.ts'
import * as templates from './templates.ts'

const { chat, aModel } = await aChatServer()

const test = base.extend<{ $file: { server: TestApp } }>({
  server: [
    async ({ database }, use) => {
      const server = await aServer(database, 'obedient')
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

type Database = Parameters<typeof anApp>[0]
function aServer(database: Database, behaviour: ChatBehaviour, now?: () => Date) {
  const { baseUrl, model } = aModel(behaviour).settings
  return anApp(database, {
    settings: { LLM_BASE_URL: baseUrl, LLM_MODEL: model },
    parts: {
      engines: { speech: 'pocketsphinx', writing: 'llm', decoder: 'unsandboxed' },
      ...(now ? { clock: now } : {}),
    },
    works: false,
  })
}

const report: WriteTemplate = {
  name: 'Weekly report',
  instructions: 'For the head of the team.\r\n\r\n\r\nBegin with  what was decided.',
  length: 'short',
  parts: ['quotes', 'speakers'],
}

async function aWriter({ parts, as }: TestApp, plan: 'starter' | 'professional' = 'professional') {
  const { db } = parts.database
  const user = await aUser(db, { plan, credits: 5 })
  const call = await as(user)
  const post = async (url: string, payload: object) => call({ method: 'POST', url, payload })
  const { id } = await sample.open({ ...parts, db }, user.id)
  return { user, call, post, id, url: `/api/transcription/${id}/documents` }
}

/** Runs the job of a document with a model that behaves so. */
async function written({ parts }: TestApp, documentId: string, behaviour: ChatBehaviour) {
  const { db } = parts.database
  const { writer } = aModel(behaviour, { timeoutMs: 400 })
  await documents.write(
    { ...parts, db, writer, recordings: recordings(db) },
    { documentId, attempt: 1 },
    { isLastAttempt: true, signal: new AbortController().signal },
  )
}

const refused = (code: string) => expect.objectContaining({ code })

test('a type is there once for each name, and can be changed and deleted', async ({ server }) => {
  const { call, post } = await aWriter(server)
  const made = (await post('/api/document-templates', report)).json<DocumentTemplate>()
  expect(made).toMatchObject({
    ...report,
    instructions: 'For the head of the team.\n\nBegin with what was decided.',
  })
  const again = await post('/api/document-templates', { ...report, name: ' wéekly  REPORT' })
  expect([again.statusCode, again.json()]).toEqual([409, refused('template_exists')])

  const url = `/api/document-templates/${made.id}`
  const payload = { ...report, name: 'Weekly Report', parts: [] }
  const changed = await call({ method: 'PUT', url, payload })
  expect(changed.json()).toMatchObject({ id: made.id, name: 'Weekly Report', parts: [] })
  const other = await aWriter(server)
  for (const method of ['PUT', 'DELETE'] as const)
    expect((await other.call({ method, url, payload })).statusCode).toBe(404)
  const left = await call({ method: 'DELETE', url })
  expect(left.json()).toEqual({ templates: [], trialsLeft: TRIALS_A_DAY })
})

test.for([
  [{ ...report, name: ' ' }, 'Please give the type a name.'],
  [{ ...report, name: 'a'.repeat(61) }, 'The name has at most 60 letters.'],
  [{ ...report, instructions: '' }, 'Please say what the document is to be.'],
  [{ ...report, instructions: 'a'.repeat(2_001) }, 'The instructions have at most 2,000 letters.'],
] as const)('%j is refused, and the fault is named', async ([wrong, message], { server }) => {
  const { post } = await aWriter(server)
  const answer = await post('/api/document-templates', wrong)
  expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ message })])
})

test('an account has at most twenty, also when the last two come at once', async ({
  server,
  db,
}) => {
  const { user, post } = await aWriter(server)
  const values = Array.from({ length: MOST_TEMPLATES - 1 }, (_, n) => ({
    ...report,
    userId: user.id,
    name: `Type ${n}`,
    nameKey: `type ${n}`,
    parts: [],
  }))
  await db.insert(documentTemplates).values(values)
  const both = await Promise.all(
    ['one', 'two'].map((name) => post('/api/document-templates', { ...report, name })),
  )
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422])
})

test('own types are offered behind the others, and ordered like them', async ({ server, db }) => {
  const { user, call, post, url } = await aWriter(server)
  await post('/api/document-templates', report)
  const offered = (await call('/api/document-types')).json<DocumentType[]>()
  expect(offered).toHaveLength(documentKinds.length + 1)
  const own = offered.at(-1)!
  expect(own).toMatchObject({
    name: 'Weekly report',
    description: 'For the head of the team.',
    isOwn: true,
    minWords: 60,
    maxWords: 200,
  })

  const ordered = await post(url, { documentType: own.id })
  expect(ordered.json()).toMatchObject({
    documentType: own.id,
    title: 'Weekly report',
    status: 'generating',
    template: { name: 'Weekly report', length: 'short' },
  })
  expect(await credits.balance(db, user.id)).toEqual({ available: 4, held: 1 })
  // A document that was ordered is written, though its type has gone.
  await db.delete(documentTemplates).where(eq(documentTemplates.userId, user.id))
  await written(server, ordered.json<{ id: string }>().id, 'obedient')
  const [document] = (await call(url)).json<{ status: string; note: string }[]>()
  expect(document).toMatchObject({
    status: 'generated',
    template: { name: 'Weekly report' },
    note: expect.stringContaining('Written by AI'),
  })
  expect(await credits.balance(db, user.id)).toEqual({ available: 4, held: 0 })
  expect(await credits.verify(db)).toEqual([])

  const late = await post(url, { documentType: own.id })
  expect([late.statusCode, late.json()]).toEqual([422, refused('template_gone')])
})

test.for([
  ['own-lie', 'names, numbers or quotes that nobody said'],
  ['page', 'it was no document'],
  ['breaks-off', 'it was no document'],
  ['cut', 'did not keep to the length'],
  ['parrot', 'repeated the instructions'],
  ['slow', 'took too long'],
  ['down', 'could not be reached'],
] as const)(
  'a model that fails (%s) leaves no document, and its credit comes back',
  async ([behaviour, why], { server, db }) => {
    const { user, call, post, url } = await aWriter(server)
    const { id } = (await post('/api/document-templates', report)).json<DocumentTemplate>()
    const ordered = await post(url, { documentType: `template:${id}` })
    const { id: documentId } = ordered.json<{ id: string }>()
    await written(server, documentId, behaviour)
    const [document] = (await call(url)).json<{ problem: string }[]>()
    expect(document).toMatchObject({ status: 'error', content: '', isCreditReturned: true })
    expect(document?.problem).toContain(why)
    expect(await credits.balance(db, user.id)).toEqual({ available: 5, held: 0 })
    expect(await credits.verify(db)).toEqual([])
    const again = await post(`${url}/${documentId}/retry`, {})
    expect(again.json()).toEqual(refused('document_order_anew'))
  },
)

test('after five documents of own types that came to nothing the next of the hour waits', async ({
  server,
}) => {
  const { post, url } = await aWriter(server)
  const { id } = (await post('/api/document-templates', report)).json<DocumentTemplate>()
  const order = async () => post(url, { documentType: `template:${id}` })
  for (let n = 0; n < 5; n += 1)
    await written(server, (await order()).json<{ id: string }>().id, 'own-lie')
  expect((await order()).json()).toEqual(refused('too_many_unpaid_documents'))
})

test('an upload keeps a copy of the type that its document is to be of', async ({ server, db }) => {
  const { user, post } = await aWriter(server)
  const { id } = (await post('/api/document-templates', report)).json<DocumentTemplate>()
  const documentType = `template:${id}` as const
  const begin = { name: 'a.mp3', sizeBytes: 5, generateDocument: true, documentType }
  expect((await post('/api/uploads', begin)).statusCode).toBe(200)
  const order = { userId: user.id, documentType, includeImages: true }
  const kept = await documents.accept(db, order, async () => true)
  expect(kept).toMatchObject({ includeImages: false, template: { name: 'Weekly report' } })
  await templates.remove(db, { userId: user.id, id })
  expect((await post('/api/uploads', begin)).json()).toEqual(refused('template_gone'))

  const upload = await anUpload(db, { userId: user.id })
  await db
    .update(transcriptions)
    .set({ documentOrder: kept })
    .where(eq(transcriptions.id, upload.id))
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, upload.id))
  const { parts } = server
  const begun = await db.transaction((tx) =>
    documents.begin(tx, parts, { userId: user.id, id: upload.id, ...row!.documentOrder! }),
  )
  expect(begun).toMatchObject({ title: 'Weekly report', template: { length: 'short' } })
})

test('a server without a model offers no own types, and says why', async ({
  database,
  db,
  server,
}) => {
  const bare = await anApp(database, { works: false })
  const { user, call, post, url } = await aWriter(bare)
  const ownRow = { ...report, userId: user.id, nameKey: 'weekly report' }
  const [row] = await db.insert(documentTemplates).values(ownRow).returning()
  expect((await call('/api/document-types')).json()).toHaveLength(documentKinds.length)
  const documentType = `template:${row!.id}`
  for (const [path, body] of [
    ['/api/document-templates', { ...report, name: 'Another' }],
    ['/api/document-templates/try', report],
    [url, { documentType }],
    ['/api/uploads', { name: 'a.mp3', sizeBytes: 5, generateDocument: true, documentType }],
  ] as const) {
    const answer = await post(path, body)
    expect([path, answer.statusCode, answer.json()]).toEqual([path, 422, refused('templates_off')])
  }
  expect(await credits.balance(db, user.id)).toEqual({ available: 5, held: 0 })
  // A model that is gone between order and job is told of, too.
  const there = await server.as(user)
  const ordered = await there({ method: 'POST', url, payload: { documentType } })
  const { id: documentId } = ordered.json<{ id: string }>()
  await documents.write(
    { ...server.parts, db, writer: extractive, recordings: recordings(db) },
    { documentId, attempt: 1 },
    { isLastAttempt: true, signal: new AbortController().signal },
  )
  const [document] = (await there(url)).json<{ problem: string }[]>()
  expect(document?.problem).toContain('has no language model')
  expect(await credits.balance(db, user.id)).toEqual({ available: 5, held: 0 })
  await bare.close()
})

test('a plan without documents has no types of its own', async ({ server }) => {
  const { post } = await aWriter(server, 'starter')
  for (const path of ['/api/document-templates', '/api/document-templates/try'])
    expect((await post(path, report)).json()).toEqual(refused('documents_need_plan'))
})

const path = '/api/document-templates/try'

test('a trial is written of the sample, costs nothing and stores nothing', async ({
  server,
  db,
}) => {
  const { user, call, post, url } = await aWriter(server)
  const { name: _, ...nameless } = report
  const answer = await post(path, nameless)
  expect(answer.json<Trial>()).toMatchObject({ title: 'What was said', trialsLeft: 9 })
  expect(chat.asked.at(-1)?.prompt).toContain('Last month we decided to raise the price')
  expect(await credits.balance(db, user.id)).toEqual({ available: 5, held: 0 })
  expect((await call(url)).json()).toEqual([])
  expect((await call('/api/document-templates')).json()).toEqual({ templates: [], trialsLeft: 9 })
})

test('ten trials a day are written for an account, and the next on the day after', async ({
  database,
  server,
}) => {
  const { user } = await aWriter(server)
  const time = { now: new Date() }
  const timed = await aServer(database, 'obedient', () => time.now)
  const call = await timed.as(user)
  const ask = async () => call({ method: 'POST', url: path, payload: report })
  for (let n = 0; n < TRIALS_A_DAY; n += 1) expect((await ask()).statusCode).toBe(200)
  const over = await ask()
  expect([over.statusCode, over.json()]).toEqual([429, refused('too_many_template_trials')])
  expect((await call('/api/document-templates')).json()).toMatchObject({ trialsLeft: 0 })
  time.now = new Date(time.now.getTime() + 25 * 3_600_000)
  const later = await timed.as(user)
  expect((await later({ method: 'POST', url: path, payload: report })).statusCode).toBe(200)
  await timed.close()
})

test('a trial that the model fails says why', async ({ database, server }) => {
  const { user } = await aWriter(server)
  const lying = await aServer(database, 'own-lie')
  const call = await lying.as(user)
  const failed = await call({ method: 'POST', url: path, payload: report })
  expect(failed.statusCode).toBe(502)
  expect(failed.json()).toMatchObject({
    code: 'template_trial_failed',
    message: expect.stringMatching(/that nobody said\. Nothing was charged\.$/),
  })
  await lying.close()
})

test('one trial of an account is written at a time, and a user who leaves ends theirs', async ({
  server,
  db,
}) => {
  const { user } = await aWriter(server)
  const { writer, asked } = aModel('slow', { timeoutMs: 60_000 })
  const deps = {
    db,
    clock: server.parts.clock,
    writer,
    sample: sample.said,
  }
  const stop = new AbortController()
  const wanted = { ...report, userId: user.id }
  const first = templates.tryOut(deps, wanted, stop.signal)
  await expect.poll(asked).toHaveLength(1)
  const second = templates.tryOut(deps, wanted, stop.signal)
  await expect(second).rejects.toMatchObject({ code: 'template_trial_under_way' })
  stop.abort(new Error('the page was left'))
  await expect(first).rejects.toThrow('the page was left')
  // The place is free again.
  const third = templates.tryOut(deps, wanted, AbortSignal.abort(new Error('gone')))
  await expect(third).rejects.toThrow('gone')
})

test('own types are in a copy of all data, and end with the account', async ({ server, db }) => {
  const { user, post } = await aWriter(server)
  await post('/api/document-templates', report)
  const exporter = templates.templatesExporter(db)
  for await (const { path: file, content } of exporter.exportFor(user.id)) {
    expect(file).toBe('document-types.json')
    expect(JSON.parse(String(content))).toMatchObject([{ name: 'Weekly report' }])
  }
  expect(await exporter.sizeFor(user.id)).toMatchObject({ files: 1 })
  const { counts } = await db.transaction((tx) => documents.eraseDocuments(tx, user.id))
  expect(counts).toMatchObject({ documentTypes: 1 })
  expect(await exporter.sizeFor(user.id)).toEqual({ files: 0, sizeBytes: 0 })
  expect(await db.$count(rows, eq(rows.userId, user.id))).toBe(0)
})
