/**
 * Every route of the router: whom it is for, a thing it can be asked about, and a body it takes. Rules
 * for all routes are tested by going through this table.
 *
 * Promise: every route says who may call it (test/access.test.ts, test/bad-requests.test.ts).
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { eq } from 'drizzle-orm'

import { invitations } from '#features/account/tables.ts'
import { apiKeys, webhookDeliveries, webhookEndpoints } from '#features/developers/tables.ts'
import { questions } from '#features/asking/tables.ts'
import { documents, documentTemplates } from '#features/documents/tables.ts'
import { batches, hidings, renders, tags, transcriptions } from '#features/row/tables.ts'
import { shares } from '#features/sharing/tables.ts'
import { contactMessages } from '#features/site/tables.ts'
import { carriedOver, turns } from '#features/text/tables.ts'
import { stages } from '#features/transcriptions/tables.ts'
import { translatedTurns, translations } from '#features/translations/tables.ts'
import type { TestApp } from '#test/app.ts'
import { aSession, anActionItem, anUpload } from '#test/factories.ts'

/** A word of the owner's that no answer to anybody else may hold. */
export const CANARY = 'canaryofaccess'

export type Params = Record<string, string>
type Thing = (server: TestApp, userId: string) => Promise<Params>

export type Line = (
  | /** Answers everybody, and nothing in its address names a thing of somebody's. */
    { for: 'everybody' }
  /** Answers a user who is signed in, about themselves. */
  | { for: 'signed-in' }
  /** Its address names a thing, which is there for its owner and for nobody else. */
  | { for: 'owner'; of: Thing; query?: string }
  /** Answers everybody who knows an address that cannot be guessed. */
  | { for: 'who-knows' }
  /** Is there for operators only; its address may name a thing of a user. */
  | { for: 'operators'; of?: Thing }
) & {
  /** A body it takes, where it takes JSON. */
  body?: (params: Params) => object
  /** The status for an owner on the starter plan, where it differs from that of other owners. */
  starter?: number
}

const everybody: Line = { for: 'everybody' }
const signedIn: Line = { for: 'signed-in' }
const taking = (line: Line, body: object): Line => ({ ...line, body: () => body })
const owner = (of: Thing, body?: (params: Params) => object, query?: string): Line => ({
  for: 'owner',
  of,
  ...(body ? { body } : {}),
  ...(query ? { query } : {}),
})

const operators = (of?: Thing, body?: (params: Params) => object): Line => ({
  for: 'operators',
  ...(of ? { of } : {}),
  ...(body ? { body } : {}),
})

const upload: Thing = async ({ parts }, userId) => {
  const originalName = `${CANARY}.m4a`
  return { id: (await anUpload(parts.database.db, { userId, originalName })).id }
}

const batch: Thing = async ({ parts }, userId) => {
  const { db } = parts.database
  const [{ id } = { id: '' }] = await db.insert(batches).values({ userId }).returning()
  const { id: file } = await anUpload(db, { userId, originalName: `${CANARY}.m4a` })
  await db.update(transcriptions).set({ batchId: id }).where(eq(transcriptions.id, file))
  return { id }
}

const inParts: Thing = async (server, userId) => {
  const call = await server.as({ id: userId })
  const payload = { name: `${CANARY}.m4a`, sizeBytes: 5 }
  const begun = await call({ method: 'POST', url: '/api/uploads', payload })
  return { id: begun.json<{ id: string }>().id, number: '1' }
}

async function ended(server: TestApp, userId: string, set: object): Promise<Params> {
  const { db } = server.parts.database
  const storageKey = randomUUID()
  const content = Readable.from([CANARY])
  await server.parts.storage.write(storageKey, content, { signal: AbortSignal.timeout(5_000) })
  const originalName = `${CANARY}.m4a`
  const { id } = await anUpload(db, { userId, storageKey, originalName })
  const change = { finishedAt: new Date(), attempt: 1, mediaType: 'audio/mp4', ...set }
  await db.update(transcriptions).set(change).where(eq(transcriptions.id, id))
  const said = [0, 1].map((position) => ({
    id: randomUUID(),
    transcriptionId: id,
    position,
    speaker: position,
    startMs: position * 1000,
    endMs: position * 1000 + 900,
    text: `${CANARY} again`,
    words: [CANARY, 'again'].map((text, n) => ({
      text,
      startMs: position * 1000 + n * 400,
      endMs: position * 1000 + n * 400 + 300,
      confidence: 0.2,
    })),
  }))
  await db.insert(turns).values(said)
  return { id, turnId: said[1]!.id, previousId: said[0]!.id, speaker: '0' }
}

const completed = {
  status: 'completed',
  transcriptionText: `${CANARY} again`,
  summary: CANARY,
  keyPoints: [],
  topics: [CANARY],
  language: 'en',
  wordCount: 4,
  speakerCount: 2,
}
const result: Thing = (server, userId) => ended(server, userId, completed)
const action: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const item = anActionItem({ text: CANARY })
  await server.parts.database.db
    .update(transcriptions)
    .set({ actionItems: [item] })
    .where(eq(transcriptions.id, params['id']!))
  return { ...params, itemId: item.id }
}
const share: Thing = async (server, userId) => {
  const { id: transcriptionId } = await result(server, userId)
  const { db } = server.parts.database
  const tokenHash = randomUUID()
  const [row] = await db
    .insert(shares)
    .values({
      userId,
      transcriptionId: transcriptionId!,
      tokenHash,
      recording: 'picture',
      withSummary: true,
      withNames: true,
    })
    .returning()
  return { id: row!.id }
}
const running: Thing = async (server, userId) => {
  const params = await upload(server, userId)
  const { db } = server.parts.database
  const transcriptionId = params['id']!
  const words = [{ text: CANARY, startMs: 0, endMs: 300, confidence: 1 }]
  const group = { engine: 'test', fromMs: 0, toMs: 400, language: 'en', words }
  await db
    .update(transcriptions)
    .set({ status: 'processing chunk 1/4' })
    .where(eq(transcriptions.id, transcriptionId))
  await db.insert(stages).values({ transcriptionId, name: 'words:0', result: group })
  return params
}
const failed: Thing = (server, userId) => ended(server, userId, { status: 'error' })
const deleted: Thing = (server, userId) =>
  ended(server, userId, { ...completed, deletedAt: new Date() })

const edited: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const call = await server.as({ id: userId })
  const url = `/api/transcriptions/${params['id']}/turns/${params['turnId']}`
  const answer = await call({ method: 'PATCH', url, payload: edit() })
  return { ...params, edit: String(answer.json<{ undo: number }>().undo) }
}

/** A text that took the place of another, with a correction that found no place in it. */
const taken: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const { db } = server.parts.database
  const earlier = await anUpload(db, { userId, originalName: `${CANARY}.m4a` })
  const kept = { againOf: params['id']!, againWhat: 'text' as const, storageKey: null }
  const until = { finishedAt: new Date(), keptUntil: new Date(Date.now() + 60_000) }
  await db
    .update(transcriptions)
    .set({ ...completed, ...kept, ...until })
    .where(eq(transcriptions.id, earlier.id))
  const lost = { kind: 'text' as const, startMs: 0, endMs: 300, was: 'x', mine: CANARY, now: 'x' }
  const questions = [{ ...lost, number: 0, decision: 'open' as const, edit: null }]
  await db.insert(carriedOver).values({ transcriptionId: params['id']!, placed: 0, questions })
  return params
}

const tag: Thing = async ({ parts }, userId) => {
  const values = { userId, name: CANARY, nameKey: CANARY, colour: 0 }
  const [row] = await parts.database.db.insert(tags).values(values).returning()
  return { id: row!.id }
}

const question: Thing = async (server, userId) => {
  const { id: transcriptionId } = await result(server, userId)
  const answer = { kind: 'passages' as const, text: null, notSaid: null, quotes: [], note: null }
  const values = { userId, transcriptionId, question: CANARY, answer, createdAt: new Date() }
  const [row] = await server.parts.database.db.insert(questions).values(values).returning()
  return { id: row!.id }
}

const session: Thing = async ({ parts }, userId) => {
  return { id: (await aSession(parts.database.db, { userId })).id }
}

const document: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const documentId = randomUUID()
  await server.parts.database.db.insert(documents).values({
    id: documentId,
    userId,
    transcriptionId: params['id']!,
    documentType: 'article',
    includeImages: false,
    status: 'generated',
    finishedAt: new Date(),
    title: CANARY,
    content: CANARY,
  })
  return { ...params, documentId }
}

const render: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const { db } = server.parts.database
  const transcriptionId = params['id']!
  const [{ storageKey } = { storageKey: null }] = await db
    .select({ storageKey: transcriptions.storageKey })
    .from(transcriptions)
    .where(eq(transcriptions.id, transcriptionId))
  const made = { status: 'made', storageKey, sizeBytes: 5, finishedAt: new Date() } as const
  const [row] = await db
    .insert(renders)
    .values({ userId, transcriptionId, format: 'm4a', times: [], durationMs: 1000, ...made })
    .returning()
  return { ...params, renderId: row!.id }
}

const hiddenThing: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const [row] = await server.parts.database.db
    .insert(hidings)
    .values({
      userId,
      transcriptionId: params['id']!,
      scope: 'others',
      words: [CANARY],
      mark: 'bar',
      muteWith: 'tone',
      times: [],
      places: 1,
      status: 'made',
      finishedAt: new Date(),
    })
    .returning()
  return { ...params, hiddenId: row!.id }
}

const template: Thing = async ({ parts }, userId) => {
  const values = { ...aTemplate, userId, name: CANARY, nameKey: CANARY, parts: [] }
  const [row] = await parts.database.db.insert(documentTemplates).values(values).returning()
  return { id: row!.id }
}

const translation: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const { db } = server.parts.database
  const transcriptionId = params['id']!
  const done = { status: 'translated', finishedAt: new Date() } as const
  const values = { userId, transcriptionId, language: 'de', ...done }
  const [row] = await db.insert(translations).values(values).returning()
  await db.insert(translatedTurns).values({
    translationId: row!.id,
    transcriptionId,
    turnId: params['turnId']!,
    sourceHash: 'x',
    parts: [{ text: CANARY, letters: 5 }],
    isDelivered: true,
  })
  return { ...params, language: 'de' }
}

const key: Thing = async ({ parts }, userId) => {
  const values = { userId, name: CANARY, prefix: 'x', keyHash: randomUUID(), scopes: ['read'] }
  const [row] = await parts.database.db.insert(apiKeys).values(values).returning()
  return { id: row!.id }
}

const webhook: Thing = async ({ parts }, userId) => {
  const { db } = parts.database
  const endpoint = { userId, url: `https://${CANARY}.example`, types: [], secret: CANARY }
  const [row] = await db.insert(webhookEndpoints).values(endpoint).returning()
  const sent = { endpointId: row!.id, messageId: CANARY, type: 'ping', body: CANARY }
  const [delivery] = await db.insert(webhookDeliveries).values(sent).returning()
  return { id: row!.id, deliveryId: delivery!.id }
}

const user: Thing = async (_server, id) => ({ id })

/** A job that is worked on. */
const job: Thing = async (server, userId) => {
  const { id = '' } = await upload(server, userId)
  await server.parts.database.db
    .update(transcriptions)
    .set({ status: 'processing', attempt: 1 })
    .where(eq(transcriptions.id, id))
  return { id }
}

const invitation: Thing = async ({ parts }) => {
  const id = randomUUID()
  const email = `${id}@example.com`
  const expiresAt = new Date(Date.now() + 60_000)
  const values = { id, email, emailKey: email, createdAt: new Date(), expiresAt }
  await parts.database.db.insert(invitations).values(values)
  return { id }
}

const letter: Thing = async ({ parts }, userId) => {
  const values = { userId, name: 'Ada', email, type: 'general', message: 'Hello.' } as const
  const [row] = await parts.database.db.insert(contactMessages).values(values).returning()
  return { id: row!.id }
}

const email = 'somebody@example.com'
const password = 'a long passphrase'
const token = 'made-up'
const names = { firstName: 'Ada', lastName: 'Lovett' }
const message = { name: 'Ada', email, subject: 'Hello', type: 'general', message: 'Hello.' }
const aTemplate = {
  name: 'Report',
  instructions: 'Be short.',
  length: 'short' as const,
  parts: ['quotes'],
}
const googleDoc = { token, title: 'Notes', content: 'Text', documentType: 'article' }
const edit = () => ({ text: 'changed', revision: 0 })
const revision = () => ({ revision: 0 })
const anAct = () => ({ id: randomUUID() })

export const lines: Record<string, Line> = {
  'GET /': everybody,
  'GET /*': everybody,
  'GET /healthz': everybody,
  'GET /livez': everybody,
  'GET /readyz': everybody,
  'GET /dev/mail': everybody,
  'GET /dev/mail/:name': { for: 'who-knows' },
  'GET /dev/checkout/:id': { for: 'who-knows' },
  'POST /dev/checkout/:id/:act': { for: 'who-knows' },

  'GET /api/user': signedIn,
  'POST /api/register': taking(everybody, { email, password, ...names }),
  'POST /api/verify-email': taking(everybody, { token }),
  'POST /api/resend-verification': taking(everybody, { email }),
  'POST /api/login': taking(everybody, { email, password, token: true }),
  'POST /api/forgot-password': taking(everybody, { email }),
  'POST /api/reset-password': taking(everybody, { token, password }),
  'POST /api/confirm-email-change': taking(everybody, { token }),
  'POST /mails-off': { for: 'who-knows' },
  'POST /share-target': everybody,
  'POST /api/logout': everybody,
  'GET /api/logout': everybody,
  'GET /api/auth/options': everybody,
  'GET /api/capabilities': everybody,
  'GET /api/auth/google': everybody,
  'GET /api/auth/google/callback': everybody,
  'GET /api/auth/oidc': everybody,
  'GET /api/auth/oidc/callback': everybody,
  'POST /api/auth/ticket': taking(signedIn, { ticket: token }),
  'GET /api/account': signedIn,
  'PATCH /api/account': taking(signedIn, names),
  'DELETE /api/account': taking(signedIn, { confirmation: email, password }),
  'PUT /api/account/ready-mail': taking(signedIn, { isOn: true }),
  'GET /api/account/picture': signedIn,
  'POST /api/account/password': taking(signedIn, { password, newPassword: password }),
  'POST /api/account/email': taking(signedIn, { email, password }),
  'DELETE /api/account/email': signedIn,
  'POST /api/account/google': taking(signedIn, { password }),
  'DELETE /api/account/google': signedIn,
  'POST /api/account/oidc': taking(signedIn, { password }),
  'DELETE /api/account/oidc': signedIn,
  'GET /api/account/sessions': signedIn,
  'DELETE /api/account/sessions': signedIn,
  'DELETE /api/account/sessions/:id': owner(session),
  'GET /api/account/activity': signedIn,
  'GET /api/account/data': signedIn,
  'GET /api/account/export': signedIn,

  'POST /api/contact': taking(everybody, message),

  'GET /api/credits': signedIn,
  'GET /api/credits.csv': signedIn,
  'PUT /api/credits/alert': taking(signedIn, { below: 5 }),
  'GET /api/billing': signedIn,
  'GET /api/billing/receipts/:id': signedIn,
  'POST /api/billing/preview': taking(signedIn, { planId: 'starter' }),
  'POST /api/billing/portal': signedIn,
  'POST /api/billing/change': taking(signedIn, { planId: 'starter', amountNow: 9.99 }),
  'POST /api/billing/cancel': signedIn,
  'POST /api/billing/resume': signedIn,
  'POST /api/create-payment-intent': taking(signedIn, { planId: 'starter', amount: 9.99 }),
  'POST /api/subscription-success': taking(signedIn, { planId: 'starter', sessionId: 'none' }),
  // Signed by the provider, and refused without its signature.
  'POST /api/stripe/webhook': everybody,
  'POST /api/payments/webhook': everybody,

  'GET /api/accuracy': signedIn,
  'GET /api/vocabulary': signedIn,
  'PUT /api/vocabulary': taking(signedIn, {
    revision: 0,
    terms: ['Okafor'],
    heardAs: [{ term: 'Okafor', as: ['Okafer'] }],
    replacements: [{ from: 'field notes', to: 'Field Notes', matchCase: true, wholeWord: true }],
  }),
  'GET /api/document-types': { ...signedIn, starter: 403 },
  'GET /api/document-templates': signedIn,
  'POST /api/document-templates': taking(signedIn, aTemplate),
  'POST /api/document-templates/try': taking(signedIn, aTemplate),
  'PUT /api/document-templates/:id': owner(template, () => aTemplate),
  'DELETE /api/document-templates/:id': owner(template),
  'GET /api/transcription/:id/documents': owner(document),
  'POST /api/transcription/:id/documents': {
    ...owner(result, () => ({ documentType: 'article' })),
    starter: 403,
  },
  'POST /api/transcription/:id/documents/:documentId/retry': owner(document),
  'GET /api/transcription/:id/documents/:documentId/export': owner(
    document,
    undefined,
    '?format=txt',
  ),
  'GET /api/transcriptions/:id/translations': owner(translation),
  'POST /api/transcriptions/:id/translations': owner(translation, () => ({ language: 'de' })),
  'GET /api/transcriptions/:id/translations/:language': owner(translation),
  'POST /api/transcriptions/:id/translations/:language/again': owner(translation),
  'DELETE /api/transcriptions/:id/translations/:language': owner(translation),
  'GET /api/google/auth-url': signedIn,
  'GET /api/google/callback': everybody,
  'POST /api/google/create-doc': taking(signedIn, googleDoc),

  'GET /api/keys': signedIn,
  'POST /api/keys': taking(signedIn, { name: 'a', scopes: ['read'] }),
  'DELETE /api/keys/:id': owner(key),
  'GET /api/webhooks': signedIn,
  'POST /api/webhooks': taking(signedIn, { url: 'https://93.184.215.14/', types: ['credits.low'] }),
  'PATCH /api/webhooks/:id': owner(webhook, () => ({ isPaused: true })),
  'DELETE /api/webhooks/:id': owner(webhook),
  'POST /api/webhooks/:id/secret': owner(webhook),
  'POST /api/webhooks/:id/test': owner(webhook),
  'GET /api/webhooks/:id/deliveries': owner(webhook),
  'POST /api/webhooks/:id/deliveries/:deliveryId/resend': owner(webhook),
  'POST /api/webhooks/:id/resend': owner(webhook, () => ({
    from: new Date(0).toISOString(),
    to: new Date().toISOString(),
  })),
  'GET /api/admin': operators(),
  'GET /api/admin/server': operators(),
  'POST /api/admin/test-mail': operators(),
  'POST /api/admin/try-model': operators(),
  'GET /api/admin/jobs': operators(),
  'POST /api/admin/jobs/:id/stop': operators(job, anAct),
  'POST /api/admin/jobs/:id/run-again': operators(failed, anAct),
  'GET /api/admin/users': operators(),
  'GET /api/admin/users/:id': operators(user),
  'GET /api/admin/users/:id/credits': operators(user),
  'POST /api/admin/users/:id/credits': operators(user, () => ({
    ...anAct(),
    credits: 5,
    reason: 'Goodwill',
  })),
  'POST /api/admin/users/:id/block': operators(user, () => ({ ...anAct(), reason: 'Abuse' })),
  'POST /api/admin/users/:id/unblock': operators(user, anAct),
  'PUT /api/admin/users/:id/limits': operators(user, () => ({
    ...anAct(),
    callsPerHour: 600,
    unconfirmedUploads: null,
    reason: 'Moving in',
  })),
  'GET /api/admin/letters': operators(),
  'POST /api/admin/letters/:id/answered': operators(letter, anAct),
  'GET /api/admin/invitations': operators(),
  'POST /api/admin/invitations': operators(undefined, () => ({
    ...anAct(),
    email: `${randomUUID()}@example.com`,
  })),
  'POST /api/admin/invitations/:id/withdraw': operators(invitation, anAct),
  'GET /api/admin/log': operators(),

  'GET /api/shares': signedIn,
  'POST /api/transcriptions/:id/shares': owner(result, () => ({ includes: ['names'], days: 7 })),
  'GET /api/transcriptions/:id/shares': owner(result),
  'PATCH /api/shares/:id': owner(share, () => ({ includes: ['summary'] })),
  'DELETE /api/shares/:id': owner(share),
  'POST /api/transcriptions/:id/questions': owner(result, () => ({ question: 'What was said?' })),
  'GET /api/transcriptions/:id/questions': owner(result),
  'POST /api/questions': taking(signedIn, { question: 'What was said?' }),
  'GET /api/questions': signedIn,
  'DELETE /api/questions/:id': owner(question),
  'GET /s/:name': { for: 'who-knows' },
  'POST /s/:name': { for: 'who-knows' },
  'GET /s/:name/picture.png': { for: 'who-knows' },
  'GET /s/:name/recording': { for: 'who-knows' },
  'GET /s/:name/recording/:signature': { for: 'who-knows' },

  'GET /api/openapi.json': everybody,
  'POST /api/transcriptions': signedIn,
  'GET /v1/models': signedIn,
  'GET /v1/models/:model': signedIn,
  'POST /v1/audio/transcriptions': signedIn,

  'GET /api/engines': signedIn,
  'GET /api/options': signedIn,
  'GET /api/recordings/same': signedIn,
  'POST /api/upload': signedIn,
  'POST /api/uploads': taking(signedIn, { name: 'interview.m4a', sizeBytes: 5 }),
  'POST /api/batches': taking(signedIn, { files: [{ name: 'interview.m4a', sizeBytes: 5 }] }),
  'POST /api/batches/confirm': owner(upload, ({ id }) => ({ ids: [id] })),
  'GET /api/batches/:id': owner(batch),
  'GET /api/uploads/:id': owner(inParts),
  'PUT /api/uploads/:id/parts/:number': owner(inParts),
  'POST /api/uploads/:id/complete': owner(inParts),
  'DELETE /api/uploads/:id': owner(inParts),
  'GET /api/transcriptions': signedIn,
  'GET /api/transcriptions/ids': signedIn,
  'POST /api/transcriptions/tags': taking(signedIn, { ids: [randomUUID()], add: ['Interviews'] }),
  'POST /api/transcriptions/delete': taking(signedIn, { ids: [randomUUID()] }),
  'POST /api/transcriptions/undelete': taking(signedIn, { ids: [randomUUID()] }),
  'PUT /api/transcriptions/:id/tags': owner(result, () => ({ tags: ['Interviews'] })),
  'GET /api/tags': signedIn,
  'POST /api/tags': taking(signedIn, { name: 'Interviews' }),
  'PATCH /api/tags/:id': owner(tag, () => ({ name: 'Renamed' })),
  'DELETE /api/tags/:id': owner(tag),
  'GET /api/speakers': signedIn,
  'POST /api/transcriptions/sample': signedIn,
  'GET /api/transcriptions/:id': owner(result),
  'PATCH /api/transcriptions/:id': owner(result, () => ({ name: 'renamed' })),
  'DELETE /api/transcriptions/:id': owner(result),
  'POST /api/transcriptions/:id/undelete': owner(deleted),
  'POST /api/transcriptions/:id/confirm': owner(upload, () => ({ summaryLanguage: 'en' })),
  'POST /api/transcriptions/:id/retry': owner(failed, () => ({})),
  'DELETE /api/transcriptions/:id/cancel': owner(upload),
  'DELETE /api/transcriptions/:id/recording': owner(result),
  'POST /api/transcriptions/:id/again': owner(result, () => ({ speakers: '2' })),
  'POST /api/transcriptions/:id/speakers': owner(result, () => ({ speakers: '2' })),
  'GET /api/transcriptions/:id/again': owner(taken),
  'POST /api/transcriptions/:id/again/decision': owner(taken, () => ({
    number: 0,
    decision: 'put',
  })),
  'POST /api/transcriptions/:id/again/back': owner(taken),
  'DELETE /api/transcriptions/:id/again/earlier': owner(taken),
  'PUT /api/transcriptions/:id/chapters': owner(result, () => ({
    chapters: [{ title: 'The beginning', start: 0 }],
  })),
  'POST /api/transcriptions/:id/chapters/find': owner(result),
  'GET /api/transcriptions/:id/cuts': owner(result),
  'POST /api/transcriptions/:id/cuts': owner(result, () => ({ cut: [{ start: 0, end: 0.5 }] })),
  'POST /api/transcriptions/:id/cuts/undo': owner(result),
  'GET /api/transcriptions/:id/hidden': owner(result),
  'POST /api/transcriptions/:id/hidden': owner(result, () => ({
    words: [CANARY],
    confirmation: CANARY,
  })),
  'DELETE /api/transcriptions/:id/hidden/:hiddenId': owner(hiddenThing),
  'POST /api/transcriptions/:id/hidden/find': owner(result, () => ({ words: [CANARY] })),
  'GET /api/transcriptions/:id/renders': owner(render),
  'POST /api/transcriptions/:id/renders': owner(result, () => ({ format: 'm4a' })),
  'GET /api/transcriptions/:id/renders/:renderId': owner(render),
  'DELETE /api/transcriptions/:id/renders/:renderId': owner(render),
  'GET /api/transcriptions/:id/renders/:renderId/file': owner(render),
  'GET /api/transcriptions/:id/download/transcription': owner(result),
  'POST /api/transcriptions/:id/summary': owner(result, () => ({ length: 'short' })),
  'PATCH /api/transcriptions/:id/summary': owner(result, () => ({ summary: 'Another one.' })),
  'POST /api/transcriptions/:id/summary/back': owner(result),
  'GET /api/transcriptions/:id/download/summary': owner(result),
  'GET /api/transcriptions/:id/captions': owner(result),
  'POST /api/exports': taking(signedIn, { ids: [randomUUID()], format: 'txt' }),
  'GET /api/transcriptions/:id/export': owner(result, undefined, '?format=txt'),
  'GET /api/transcriptions/:id/export/sound': owner(result),
  'GET /api/transcriptions/:id/action-items.ics': owner(action),
  'POST /api/transcriptions/:id/action-items': owner(action, () => ({ text: 'Send the list' })),
  'PATCH /api/transcriptions/:id/action-items/:itemId': owner(action, () => ({ isDone: true })),
  'DELETE /api/transcriptions/:id/action-items/:itemId': owner(action),
  'POST /api/transcriptions/:id/action-items/:itemId/undelete': owner(action),
  'GET /api/transcriptions/:id/media': owner(result),
  'GET /api/transcriptions/:id/peaks': owner(result),
  'GET /api/transcriptions/:id/words': owner(result),
  'GET /api/transcriptions/:id/so-far': owner(running),
  'PATCH /api/transcriptions/:id/turns/:turnId': owner(result, edit),
  'POST /api/transcriptions/:id/turns/:turnId/split': owner(result, () => ({ at: 3, revision: 0 })),
  'POST /api/transcriptions/:id/turns/:turnId/merge': owner(result, ({ previousId }) => ({
    revision: 0,
    previous: { id: previousId, revision: 0 },
  })),
  'PUT /api/transcriptions/:id/turns/:turnId/times': owner(result, () => ({
    start: 0.1,
    end: 1,
    revision: 0,
  })),
  'POST /api/transcriptions/:id/turns/:turnId/accept': owner(result, () => ({
    revision: 0,
    words: [0],
  })),
  'POST /api/transcriptions/:id/turns/:turnId/restore': owner(result, revision),
  'PUT /api/transcriptions/:id/turns/:turnId/speaker': owner(result, () => ({ speaker: 0 })),
  'PATCH /api/transcriptions/:id/speakers/:speaker': owner(result, () => ({ name: 'Renamed' })),
  'POST /api/transcriptions/:id/replace': owner(result, ({ turnId }) => ({
    find: 'again',
    replaceWith: 'changed',
    turns: [{ id: turnId, revision: 0, at: [15] }],
  })),
  'POST /api/transcriptions/:id/restore': owner(result, revision),
  'POST /api/transcriptions/:id/checked': owner(result),
  'POST /api/transcriptions/:id/undo': owner(edited, ({ edit }) => ({ edit: Number(edit) || 1 })),
}

export const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
