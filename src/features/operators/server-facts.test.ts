import { expect, test as pure } from 'vitest'

import { envExample, readConfig } from '#server/config.ts'
import { smtpMailer } from '#server/mail.ts'
import { anApp } from '#test/app.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { chatFake } from '#test/fakes/chat.ts'
import { smtpFake } from '#test/fakes/smtp.ts'
import { freePort } from '#test/server.ts'
import { OPERATOR, test } from '#test/served.ts'

import { type MailTried, type ModelTried, type ServerFacts, SettingGroup } from './contract.ts'
import { tryMail } from './server-facts.ts'

pure('no secret of the settings is shown, and every setting is there', () => {
  const secrets = {
    DATABASE_URL: 'postgres://quoth:canary@db:5432/quoth',
    DATABASE_DIRECT_URL: 'postgres://quoth:canary@db:5432/quoth',
    STORAGE_URL: 's3://canary:canary@bucket?region=eu-1',
    SMTP_URL: 'smtps://quoth:canary@mail.example:465',
    SECRET_KEY: 'canary'.repeat(8),
    METRICS_TOKEN: 'canary'.repeat(4),
    OPENAI_API_KEY: 'canary',
    LLM_API_KEY: 'canary',
    OIDC_ISSUER: 'https://id.example/realms/staff',
    OIDC_CLIENT_ID: 'quoth',
    OIDC_CLIENT_SECRET: 'canary',
    GOOGLE_CLIENT_ID: 'quoth',
    GOOGLE_CLIENT_SECRET: 'canary',
    STRIPE_SECRET_KEY: 'canary',
    STRIPE_WEBHOOK_SECRET: 'canary',
    OPENAI_BASE_URL: 'https://me:canary@models.example/v1',
    LLM_BASE_URL: 'https://me:canary@models.example/v1',
    LLM_MODEL: 'one',
  }
  const { shown } = readConfig({ ...secrets, PORT: '4000' })
  expect(JSON.stringify(shown)).not.toContain('canary')
  const of = (name: string) => shown.find((each) => each.name === name)
  expect(of('SMTP_URL')).toMatchObject({ isSet: true, value: null })
  expect(of('OPENAI_BASE_URL')).toMatchObject({ value: 'https://…@models.example/v1' })
  expect(of('PORT')).toMatchObject({ isSet: true, value: '4000' })
  expect(of('HOST')).toMatchObject({ isSet: false, value: '127.0.0.1' })
  expect(of('PAYMENTS')).toMatchObject({ isSet: false, value: 'stripe' })
  expect(of('SUMMARIZER')).toMatchObject({ group: 'Summaries', value: 'auto, so llm' })
  expect(of('ADMIN_EMAILS')).toMatchObject({
    value: 'Not set',
    about: expect.stringMatching(/\. Unset: nobody has it; .*\.$/),
  })
  expect([...new Set(shown.map(({ group }) => group))]).toEqual(SettingGroup.options)
  const names = [...envExample().matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(shown.map(({ name }) => name)).toEqual(names)
})

test('operators read the engines, models and settings of the server', async ({ server }) => {
  const { db } = server.parts.database
  const call = await server.as(await aUser(db, { email: OPERATOR }))
  const facts = (await call('/api/admin/server')).json<ServerFacts>()
  expect(facts.engines).toMatchObject([{ speech: 'pocketsphinx', writing: 'extractive' }])
  expect(facts.languageModel).toBeNull()
  const noModel = await call({ method: 'POST', url: '/api/admin/try-model', payload: {} })
  expect(noModel.json<ModelTried>()).toMatchObject({
    isAccepted: false,
    said: 'This process has no language model.',
  })
  expect(facts.mailServer).toBeNull()
  expect(facts.settings.find(({ name }) => name === 'ADMIN_EMAILS')).toMatchObject({
    value: OPERATOR,
  })
  const tried = await call({ method: 'POST', url: '/api/admin/test-mail', payload: {} })
  expect(tried.json<MailTried>()).toEqual({
    isSent: false,
    said: 'This process sends no mail.',
  })
})

test('what to look at says when it happened, why, and what was done', async ({ server }) => {
  const { database } = server.parts
  const { db } = database
  const email = 'otto@quoth.example'
  const [user, smtpUrl] = [await aUser(db, { email }), `smtp://127.0.0.1:${await freePort()}`]
  const summaryNote =
    'Sentences taken from this transcript. The language model of this server gave no usable answer.'
  const now = new Date()
  await aTranscription(db, { userId: user.id, summaryNote, finishedAt: now })
  const before = new Date(now.getTime() - 60_000)
  await aTranscription(db, { userId: user.id, status: 'error', finishedAt: before })
  const mailer = smtpMailer(smtpUrl, 'Quoth <quoth@quoth.example>')
  const settings = { ADMIN_EMAILS: email, SMTP_URL: smtpUrl, PROT: '80' }
  const app = await anApp(database, { settings, works: false, parts: { mailer } })
  try {
    const call = await app.as(user)
    await mailer.check()
    const { looks } = (await call('/api/admin/server')).json<ServerFacts>()
    const of = (group: string) => looks.find((look) => look.group === group)
    expect(of('Summaries')).toEqual({
      group: 'Summaries',
      isFailing: false,
      what: '1 of 1 with a note today.',
      at: now.toISOString(),
      why: summaryNote,
    })
    expect(of('Speech')).toMatchObject({
      at: before.toISOString(),
      why: expect.stringContaining('Its owner paid nothing'),
    })
    expect(of('Mail')).toMatchObject({
      isFailing: true,
      at: expect.any(String),
      why: expect.stringContaining('nothing listens there'),
    })
    expect(of('Addresses')).toMatchObject({
      what: 'PROT is not a setting.',
      why: 'Did you mean PORT?',
    })
  } finally {
    await app.close()
    mailer.close()
  }
})

pure('a test mail says what the mail server answered', async () => {
  const smtp = await smtpFake()
  const to = 'olga@quoth.example'
  const through = async (smtpUrl: string) => {
    const mailer = smtpMailer(smtpUrl, 'Quoth <quoth@quoth.example>')
    try {
      return await tryMail({ mailer, mail: { smtpUrl } }, to)
    } finally {
      mailer.close()
    }
  }
  const host = new URL(smtp.url).host
  expect(await through(smtp.url)).toEqual({
    isSent: true,
    said: `${host} has taken it for ${to}. If it does not arrive, look among spam.`,
  })
  expect(smtp.received).toHaveLength(1)
  smtp.refuseWith(550)
  expect((await through(smtp.url)).said).toBe(`${host} refuses mail for ${to} for good (550).`)
  smtp.refuseWith(450)
  expect(await through(smtp.url)).toMatchObject({
    isSent: false,
    said: expect.stringMatching(/does not take the sender or the recipient.* It said: 450 refused/),
  })
  await smtp.close()
  expect((await through(`smtp://127.0.0.1:${await freePort()}`)).said).toContain(
    'nothing listens there',
  )
})

test('the language model is tried by operators, one trial at a time and ten an hour', async ({
  server,
}) => {
  const chat = await chatFake({ contextTokens: 4_096 })
  const email = 'olga@quoth.example'
  const settings = { ADMIN_EMAILS: email, LLM_BASE_URL: chat.url, LLM_MODEL: 'held' }
  const app = await anApp(server.parts.database, { settings, works: false })
  try {
    const call = await app.as(await aUser(server.parts.database.db, { email }))
    expect((await call('/api/admin/server')).json<ServerFacts>().languageModel).toEqual({
      host: new URL(chat.url).host,
      name: 'held',
      isUsed: true,
    })
    const ask = () => call({ method: 'POST', url: '/api/admin/try-model', payload: {} })
    const first = ask()
    await expect.poll(() => chat.asked.length).toBe(1)
    expect((await ask()).json()).toMatchObject({ code: 'trial_under_way' })
    chat.release()
    const tried = (await first).json<ModelTried>()
    expect(tried).toMatchObject({
      isAccepted: true,
      said: 'It works: this answer would be shown.',
      answer: expect.stringMatching(/^They talk about/),
      facts: expect.stringMatching(/ s · English · 100 tokens read, 20 written · asked once$/),
      hints: [expect.stringMatching(/^Ollama reads 4,096 tokens .* LLM_CONTEXT_TOKENS says 8,192/)],
    })
    for (let n = 2; n <= 10; n++) expect((await ask()).statusCode).toBe(200)
    expect((await ask()).json()).toMatchObject({ code: 'too_many_trials' })
    expect(chat.asked).toHaveLength(10)
  } finally {
    await app.close()
    await chat.close()
  }
})
