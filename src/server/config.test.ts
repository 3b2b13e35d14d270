import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import { ConfigError, envExample, readConfig } from './config.ts'
import type { Environment } from './config.ts'

const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('with no setting at all, everything is set up for one machine', () => {
  const config = readConfig({})
  expect(config.role).toBe('all')
  expect(config.web).toMatchObject({ port: 3000, host: '127.0.0.1', isLocal: true })
  expect(config.web.publicUrl.href).toBe('http://localhost:3000/')
  expect(config.dataDir).toBe(resolve('data'))
  expect(config.databaseUrl).toBeNull()
  expect(config.workers).toBeGreaterThanOrEqual(1)
  expect(config.writing.llm).toBeNull()
  expect(config.google).toBeNull()
  expect(config.payments).toEqual({ mode: 'test', stripe: null })
  expect(config.mail.smtpUrl).toBeNull()
})

test('an empty setting counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', TRUST_PROXY: '' })).toEqual(readConfig({}))
})

test('all problems are reported together, each with its name', () => {
  const env = { PORT: 'abc', ROLE: 'boss', WORKERS: '0', SMTP_URL: 'mail.example' }
  expect(problemsOf(env)).toHaveLength(4)
  expect(() => readConfig(env)).toThrow(/4 settings are wrong:\n {2}PORT must.*\n {2}ROLE must/)
})

test('a wrong value is never repeated, because it may be a secret', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2')
})

test.each(['web', 'worker'])('ROLE=%s without DATABASE_URL is refused', (role) => {
  expect(problemsOf({ ROLE: role }).join()).toContain('needs DATABASE_URL')
  expect(problemsOf({ ROLE: role, DATABASE_URL: 'postgres://db/quoth' })).toEqual([])
})

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:3000', true],
  ['https://localhost', true],
  ['https://quoth.example', false],
  ['https://localhost.example', false],
])('%s is local: %s', (url, isLocal) => {
  expect(readConfig({ PUBLIC_URL: url }).web.isLocal).toBe(isLocal)
})

test('plain http beyond localhost is refused unless it is allowed', () => {
  expect(problemsOf({ PUBLIC_URL: 'http://quoth.example' }).join()).toContain('https://')
  expect(problemsOf({ PUBLIC_URL: 'http://quoth.example', ALLOW_HTTP: '1' })).toEqual([])
})

test('a public address with a path is refused', () => {
  expect(problemsOf({ PUBLIC_URL: 'https://example.com/quoth' })).toHaveLength(1)
})

test('storage on S3 is refused in plain words', () => {
  expect(problemsOf({ STORAGE_URL: 's3://bucket?region=eu' })).toEqual([
    'STORAGE_URL: S3 storage is not part of this version yet.',
  ])
})

test('the language model uses the OpenAI settings where it has none of its own', () => {
  expect(readConfig({ OPENAI_API_KEY: 'k' }).writing.llm).toEqual({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'k',
    model: 'gpt-4o-mini',
  })
  // A transcription server need not offer chat, so its address alone makes no language model.
  expect(readConfig({ OPENAI_BASE_URL: 'http://localhost:8000/v1' }).writing.llm).toBeNull()
})

test('settings that need each other are refused alone', () => {
  expect(problemsOf({ TRANSCRIBER: 'openai' })).toHaveLength(1)
  expect(problemsOf({ SUMMARIZER: 'llm' })).toHaveLength(1)
  expect(problemsOf({ LLM_BASE_URL: 'http://localhost:11434/v1' })).toHaveLength(1)
  expect(problemsOf({ GOOGLE_CLIENT_ID: 'id' })).toHaveLength(1)
  expect(problemsOf({ PAYMENTS: 'stripe' })).toHaveLength(1)
  expect(problemsOf({ PORT: '0' })).toHaveLength(1)
})

test('payments are off on a public address without a key', () => {
  expect(readConfig({ PUBLIC_URL: 'https://quoth.example' }).payments.mode).toBe('off')
  expect(readConfig({ STRIPE_SECRET_KEY: 'sk' }).payments.mode).toBe('stripe')
})

test('.env.example says what the settings are (vitest -u writes it anew)', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example')
})
