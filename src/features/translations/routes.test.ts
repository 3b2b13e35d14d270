/** Translations by the door, with the real queue and a stand-in for the model. */
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { capabilities } from '#test/engine.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aChatServer } from '#test/models.ts'

import type { Translation, TranslationText } from './contract.ts'
import { type WorkDeps, sourceOf, translationJob } from './translations.ts'

const { aModel } = await aChatServer()

const turns = [
  { speaker: 0, text: 'The harbour bridge will be closed for repairs until October.' },
  { speaker: 1, text: 'The ferry runs every 15 minutes while the bridge is closed.' },
]

const test = base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const engines = {
    speech: 'pocketsphinx',
    writing: 'llm',
    decoder: 'unsandboxed',
    capabilities,
  } as const
  const server = await anApp(database, { parts: { engines } })
  const { queue, clock, log } = server.parts
  const work: WorkDeps = {
    db: database.db,
    queue,
    clock,
    log,
    writer: aModel('obedient').writer,
    read: (asked) => sourceOf(database.db, asked),
  }
  const stop = await translationJob.start(work)
  onCleanup(async () => {
    stop()
    await server.close()
  })
  return server
})

test('a language is ordered, made by a worker, read, told of and deleted', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { credits: 3 })
  const { id } = await aTranscription(db, { userId: user.id, turns })
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}/translations`
  const order = (language: string) => call({ method: 'POST', url, payload: { language } })
  const ordered = await order('fr')
  expect(ordered.statusCode).toBe(202)
  expect(ordered.json()).toMatchObject({
    language: 'fr',
    status: 'translating',
    creditsReserved: 1,
  })
  const first = async () => (await call(url)).json<Translation[]>()[0]
  await expect.poll(async () => (await first())?.status).toBe('translated')
  expect(await credits.balance(db, user.id)).toEqual({ available: 2, held: 0 })
  const text = (await call(`${url}/fr`)).json<TranslationText>()
  expect(text.turns).toHaveLength(2)
  expect(text.turns[1]!.text).toContain('15')
  expect(text.note).toMatch(/^Translated into French by a language model/)

  expect((await order('en')).json()).toMatchObject({ code: 'same_language' })
  expect((await order('xx')).statusCode).toBe(400)
  expect((await call(`${url}/de`)).statusCode).toBe(404)
  const history = (await call('/api/credits')).json<{ lines: { title: string; what: string }[] }>()
  expect(history.lines[0]).toMatchObject({ title: 'Translation', what: 'Taken' })

  expect((await call({ method: 'DELETE', url: `${url}/fr` })).statusCode).toBe(200)
  expect(await first()).toBeUndefined()
  // The deleted translation had been paid for.
  expect(await credits.balance(db, user.id)).toEqual({ available: 2, held: 0 })
})
