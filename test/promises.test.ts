/**
 * Tests that pages promise nothing that the server lacks: a server without a language model, without
 * Google and with a recogniser that does not say how sure it is offers none of it, and one that has
 * all of it does.
 */
import { fileURLToPath } from 'node:url'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { capabilitiesOf, type EngineNames } from '#features/recordings/engines.ts'
import { transcriptions } from '#features/row/tables.ts'
import { readSite } from '#server/pages.ts'
import { unescapeHtml } from '#shared/html.ts'
import { aDeveloper, aRecording } from '#test/api.ts'
import { anApp, type TestApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { capabilities } from '#test/engine.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { everything, nothing, promisesIn } from '#test/promises.ts'

const clientDir = fileURLToPath(new URL('../build/client', import.meta.url))
const sound = await aRecording(2)
const decoder = 'unsandboxed'

const test = base
  .extend('poor', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const engine = { ...capabilities, languages: ['en', 'fr'], hasConfidence: false }
    const engines = {
      speech: 'sherpa',
      writing: 'extractive',
      decoder,
      capabilities: engine,
    } as const
    const settings = { PUBLIC_URL: 'http://quoth.example', ALLOW_HTTP: 'true' }
    const server = await anApp(database, { works: false, settings, parts: { clientDir, engines } })
    onCleanup(server.close)
    return server
  })
  .extend('rich', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const engine = { ...capabilities, takesTerms: true } as const
    const engines = { speech: 'sherpa', writing: 'llm', decoder, capabilities: engine } as const
    const settings = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    const server = await anApp(database, { works: false, settings, parts: { clientDir, engines } })
    onCleanup(server.close)
    return server
  })

const site = await readSite(clientDir, { publicUrl: new URL('http://localhost'), isLocal: true })
/** The privacy page is left out: it speaks of Google in conditions, as the law wants. */
const paths = [...(site?.prerendered.keys() ?? [])].filter((path) => path !== '/privacy')

const textOf = (html: string): string =>
  unescapeHtml(html.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gs, '')).replaceAll(/\s+/g, ' ')

test('public pages promise the abilities of this server, and nothing else', async ({
  poor,
  rich,
}) => {
  expect(paths).toContain('/pricing')
  const promised = { poor: [] as string[], rich: [] as string[] }
  for (const [name, server] of Object.entries({ poor, rich }))
    for (const path of paths) {
      const { body, statusCode } = await server.inject(path)
      expect([path, statusCode]).toEqual([path, 200])
      expect(body).not.toContain('data-where')
      // A part that is taken out is a whole element.
      for (const tag of ['span', 'li', 'tr', 'div', 'figure']) {
        const opened = body.match(new RegExp(`<${tag}[ >]`, 'g')) ?? []
        expect([path, tag, opened.length]).toEqual([path, tag, body.split(`</${tag}>`).length - 1])
      }
      promised[name as 'poor'].push(...promisesIn(textOf(body)).map((what) => `${path}: ${what}`))
    }
  expect(promised.poor).toEqual([])
  for (const capability of [
    'summaryLanguages',
    'documentsByModel',
    'translations',
    'googleDocs',
    'doubt',
    'recorder',
  ])
    expect(promised.rich.some((each) => each.includes(`: ${capability}: `))).toBe(true)
})

/** The words by which Features tells of a call of the API, by a part of its address. */
const told: readonly (readonly [address: RegExp, words: RegExp])[] = [
  [/batches/, /Several files go in one batch of up to 20/],
  [/translations/, /can be translated into any of 12 languages/],
  [/questions/, /Ask a recording, or all of them/],
  [/action-items/, /a list to tick/],
  [/chapters/, /gets chapters/],
  [/cuts|renders/, /Strike words out/],
  [/hidden/, /A name or a number can be hidden/],
  [/again/, /Transcribe a recording again/],
  [/shares/, /A link shows a transcription to somebody without an account/],
  [/tags/, /Tags of your own/],
  [/export|download|captions/, /Captions as SRT and VTT/],
  [/document/, /Ask for a document/],
  [/speakers/, /Name a voice once/],
  [/summary/, /Key points, topics and a short summary/],
  [/replace|turns|words/, /Correct what is wrong/],
  [/undelete/, /can be brought back for 5 minutes/],
  [/media|peaks/, /click it and hear it/],
  [/vocabulary/, /Your vocabulary/],
  [/webhooks/, /Webhooks tell your program/],
  [/^\/v1\//, /Programs made for OpenAI’s speech API/],
  [/upload/, /Upload audio or video/],
  [
    /transcriptions(\/delete|\/\{id\}(\/(cancel|confirm|retry))?)?$/,
    /Everything stays in one list. Search it/,
  ],
  [/credits|user|engines|options|capabilities/, /Most of what the pages do/],
]

test('Features tells of everything that the API can do', async ({ rich }) => {
  const page = textOf((await rich.inject('/features')).body)
  const { paths: calls } = (await rich.inject('/api/openapi.json')).json()
  const addresses = Object.keys(calls)
  expect(addresses.length).toBeGreaterThan(50)
  for (const address of addresses) {
    const [, words] = told.find(([part]) => part.test(address)) ?? []
    expect([address, words && words.test(page)]).toEqual([address, true])
  }
})

test('no page advises anybody to cut a recording', async ({ rich }) => {
  const advice = /\b(cut|split|divide)\b[^.]*\b(recording|file|upload)s?\b/i
  for (const path of paths)
    expect([path, advice.exec(textOf((await rich.inject(path)).body))?.[0]]).toEqual([
      path,
      undefined,
    ])
})

test('pages depend on capabilities that there are', () => {
  const marks = [...(site?.prerendered.values() ?? [])].flatMap(({ html }) =>
    [...html.matchAll(/data-where(?:-not)?="([^"]*)"/g)].map(([, name = '']) => name),
  )
  expect(new Set(marks).size).toBeGreaterThan(3)
  for (const mark of marks) expect(Object.keys(everything)).toContain(mark)
})

test('everybody is told the abilities of a server', async ({ poor, rich }) => {
  const poorly = { ...nothing, languages: ['en', 'fr'] }
  expect((await poor.inject('/api/capabilities')).json()).toEqual(poorly)
  const languages = ['en']
  expect((await rich.inject('/api/capabilities')).json()).toEqual({ ...everything, languages })
})

test('several workers have the abilities that all of them have, and silent ones have none', () => {
  const setUp = { google: false, isSecure: true }
  const one = (languages: string[] | null, more: Partial<EngineNames> = {}): EngineNames => ({
    speech: 'sherpa',
    writing: 'llm',
    capabilities: { ...capabilities, languages },
    ...more,
  })
  const all = [one(['en', 'de', 'fr']), one(null), one(['fr', 'en'], { writing: 'extractive' })]
  expect(capabilitiesOf(all, setUp)).toMatchObject({
    languages: ['en', 'fr'],
    summaryLanguages: ['auto'],
    doubt: true,
  })
  expect(capabilitiesOf([one(null)], setUp)).toMatchObject({ languages: null })
  expect(capabilitiesOf([], setUp)).toMatchObject({ doubt: false, voices: false })
})

const names = { name: 'a.wav', sizeBytes: 1_000 }

test('a language that no engine here understands is refused before it is paid for', async ({
  poor,
  db,
}) => {
  const { user, key } = await aDeveloper(poor, { credits: 10 })
  const upload = await anUpload(db, { userId: user.id })
  const failed = await aTranscription(db, {
    userId: user.id,
    status: 'error',
    errorCode: 'no_speech',
  })
  const done = await aTranscription(db, { userId: user.id })
  const doors = async (language: string) => {
    const form = await uploadOf([{ name: 'a.wav', bytes: sound }], { language })
    const openAi = await uploadOf([{ name: 'a.wav', bytes: sound }], {
      language,
      model: 'whisper-1',
    })
    const payload = { language }
    return [
      form,
      { ...form, url: '/api/transcriptions' },
      { ...openAi, url: '/v1/audio/transcriptions' },
      { method: 'POST', url: '/api/uploads', payload: { ...names, language } },
      { method: 'POST', url: '/api/batches', payload: { files: [names], language } },
      { method: 'POST', url: '/api/batches/confirm', payload: { ids: [upload.id], language } },
      { method: 'POST', url: `/api/transcriptions/${failed.id}/retry`, payload },
      { method: 'POST', url: `/api/transcriptions/${done.id}/again`, payload },
    ] as const
  }
  const message =
    'This server does not understand German, but English and French. Nothing was charged. Ask for auto, or for one of its languages.'
  for (const door of await doors('de')) {
    const headers = { ...('headers' in door ? door.headers : {}), authorization: `Bearer ${key}` }
    const answer = await poor.inject({ ...door, headers })
    const told = answer.json().error ?? answer.json()
    expect([door.url, answer.statusCode, told]).toEqual([
      door.url,
      422,
      expect.objectContaining({ code: 'language_off', message }),
    ])
  }
  expect(await credits.balance(db, user.id)).toEqual({ available: 10, held: 0 })
  const call = await poor.as(user)
  const known = await call((await doors('fr'))[0])
  expect(known.statusCode).toBe(200)
})

test('what a server makes no use of is named in the answer', async ({ poor, rich, db }) => {
  const { user, key } = await aDeveloper(poor, { credits: 10 })
  const headers = { authorization: `Bearer ${key}` }
  const file = [{ name: 'a.wav', bytes: sound }]
  const sent = async (server: TestApp, url: string, fields: Record<string, string>) => {
    const form = await uploadOf(file, fields)
    const answer = await server.inject({ ...form, url, headers: { ...form.headers, ...headers } })
    return answer.json()
  }
  const named = { terms: '["Kendal"]', langauge: 'en' }
  for (const url of ['/api/upload', '/api/transcriptions']) {
    expect(await sent(poor, url, named)).toMatchObject({ ignored: ['langauge', 'terms'] })
    expect(await sent(rich, url, { terms: '["Kendal"]' })).not.toHaveProperty('ignored')
  }
  const terms = ['Kendal']
  const upload = await anUpload(db, { userId: user.id })
  const done = await aTranscription(db, { userId: user.id })
  for (const [url, payload] of [
    ['/api/uploads', { ...names, terms }],
    ['/api/batches', { files: [names], terms }],
    ['/api/batches/confirm', { ids: [upload.id], terms }],
    [`/api/transcriptions/${done.id}/again`, { terms }],
  ] as const) {
    const answer = await poor.inject({ method: 'POST', headers, url, payload })
    expect([url, answer.json()]).toEqual([url, expect.objectContaining({ ignored: ['terms'] })])
  }
})

const refusedHere = {
  code: 'summary_language_off',
  message: expect.stringMatching(/Nothing was charged/),
}

test('a summary in a language that nobody can write is refused before it is paid for', async ({
  poor,
  rich,
  db,
}) => {
  const user = await aUser(db, { credits: 10 })
  const [first, second] = [
    await anUpload(db, { userId: user.id }),
    await anUpload(db, { userId: user.id }),
  ]
  const wanted = { summaryLanguage: 'fr' }
  const file = [{ name: 'a.wav', bytes: sound }]
  const doors = async (more: object) =>
    [
      await uploadOf(file, { ...wanted, ...more }),
      { method: 'POST', url: '/api/uploads', payload: { ...names, ...wanted, ...more } },
      { method: 'POST', url: '/api/batches', payload: { files: [names], ...wanted, ...more } },
      { method: 'POST', url: `/api/transcriptions/${first.id}/confirm`, payload: wanted },
      {
        method: 'POST',
        url: '/api/batches/confirm',
        payload: { ids: [second.id], ...wanted, ...more },
      },
    ] as const
  const call = await poor.as(user)
  for (const door of await doors({})) {
    const answer = await call(door)
    expect([door.url, answer.statusCode]).toEqual([door.url, 422])
    expect(answer.json()).toMatchObject(refusedHere)
  }
  const { key } = await aDeveloper(poor)
  const direct = await uploadOf(file, wanted)
  const headers = { ...direct.headers, authorization: `Bearer ${key}` }
  const answer = await poor.inject({ ...direct, url: '/api/transcriptions', headers })
  expect(answer.json()).toMatchObject(refusedHere)

  expect(await credits.balance(db, user.id)).toEqual({ available: 10, held: 0 })
  const rows = await db.select().from(transcriptions).where(eq(transcriptions.userId, user.id))
  expect(rows.map(({ status }) => status)).toEqual(['uploading', 'uploading'])

  // The language that is spoken can be asked for by its name, and a model writes any.
  await db
    .update(transcriptions)
    .set({ spokenLanguage: 'fr' })
    .where(eq(transcriptions.id, first.id))
  for (const door of await doors({ language: 'fr' })) {
    const taken = await call(door)
    expect([door.url, taken.statusCode, taken.body]).toEqual([door.url, 200, taken.body])
  }
  const asRich = await rich.as(user)
  const payload = { ...names, ...wanted }
  expect((await asRich({ method: 'POST', url: '/api/uploads', payload })).statusCode).toBe(200)
})
