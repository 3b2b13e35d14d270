import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { ConfigError, envExample, readConfig, type Environment } from './config.ts'

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
  expect(config.payments).toEqual({
    mode: 'test',
    seller: { name: null, address: [], taxId: null },
    stripe: null,
  })
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

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['10.0.0.0/8', '10.1.2.3'],
  ['fd00::/8, 192.168.1.1', '192.168.1.1'],
  ['loopback', '127.0.0.1'],
  ['loopback,uniquelocal, linklocal', '192.168.7.7'],
  ['10.0.0.1,', '10.0.0.1'],
])(
  'with TRUST_PROXY=%s a visitor behind %s is known by their own address',
  async (value, proxy) => {
    const { trustProxy } = readConfig({ TRUST_PROXY: value }).web
    const app = Fastify({ trustProxy: trustProxy! })
    app.get('/', async ({ ip }) => ip)
    const ask = async (remoteAddress: string) =>
      (
        await app.inject({
          url: '/',
          remoteAddress,
          headers: { 'x-forwarded-for': '198.51.100.7' },
        })
      ).body
    expect(await ask(proxy)).toBe('198.51.100.7')
    expect(await ask('203.0.113.9')).toBe('203.0.113.9')
    await app.close()
  },
)

test.each([
  'dead',
  '1',
  'true',
  '127.1',
  '10.0.0.0/0',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.1 10.0.0.2',
  '127.0.0.1,dead',
  ',',
  'proxy.example',
])('TRUST_PROXY=%s is refused with the other problems', (value) => {
  expect(problemsOf({ TRUST_PROXY: value, PORT: 'x' })).toEqual([
    expect.stringContaining('PORT must be'),
    expect.stringContaining('TRUST_PROXY must be'),
  ])
})

test('a public address with a path is refused', () => {
  expect(problemsOf({ PUBLIC_URL: 'https://example.com/quoth' })).toHaveLength(1)
})

test('a bucket has a name, and an endpoint, a region and keys where they are told', () => {
  const bucketOf = (STORAGE_URL: string) => readConfig({ STORAGE_URL }).bucket
  expect(bucketOf('s3://recordings')).toEqual({
    name: 'recordings',
    endpoint: null,
    region: 'us-east-1',
    credentials: null,
  })
  const all = 's3://me:a%2Fb%3D@recordings?endpoint=http://10.0.0.1:9000&region=eu-1'
  expect(bucketOf(all)).toEqual({
    name: 'recordings',
    endpoint: 'http://10.0.0.1:9000',
    region: 'eu-1',
    credentials: { accessKeyId: 'me', secretAccessKey: 'a/b=' },
  })
})

test.each([
  'https://bucket.example',
  's3://bucket?endpoint=10.0.0.1',
  's3://bucket?endpont=http://10.0.0.1',
  's3://bucket/folder',
  's3://key@bucket',
  's3://key:100%@bucket',
  's3://key:%ff@bucket',
])('STORAGE_URL=%s is refused', (STORAGE_URL) => {
  expect(problemsOf({ STORAGE_URL })).toEqual([
    expect.stringMatching(/^STORAGE_URL must look like s3:.*percent-encoded/),
  ])
})

test('the language model uses the OpenAI settings where it has none of its own', () => {
  expect(readConfig({ OPENAI_API_KEY: 'k' }).writing.llm).toEqual({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'k',
    model: 'gpt-4o-mini',
    contextTokens: 8192,
    timeoutMs: 120_000,
    patienceMs: 60_000,
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
  expect(problemsOf({ DATABASE_DIRECT_URL: 'postgres://db/quoth' })).toHaveLength(1)
})

test('the port for probes is another one than the port for everybody', () => {
  expect(problemsOf({ OPS_PORT: '3000' })).toEqual(['OPS_PORT must be another port than PORT.'])
  expect(problemsOf({ PORT: '8080', OPS_PORT: '3000' })).toEqual([])
})

test('only mail over smtp:// can be told to do without TLS, and in one way', () => {
  expect(problemsOf({ SMTP_URL: 'smtp://mail.example?tls=off' })).toEqual([])
  for (const SMTP_URL of ['smtps://mail.example?tls=off', 'smtp://mail.example?tls=no'])
    expect(problemsOf({ SMTP_URL })).toHaveLength(1)
})

test('payments are off on a public address without a key', () => {
  expect(readConfig({ PUBLIC_URL: 'https://quoth.example' }).payments.mode).toBe('off')
  expect(readConfig({ STRIPE_SECRET_KEY: 'sk' }).payments.mode).toBe('stripe')
})

test('a misspelt setting is named with the one that was meant, and other names are left alone', () => {
  const env = {
    TRANSCRIBE_MODLE: 'whisper-1',
    PROT: '8080',
    Data_Dir: '/var/lib/quoth',
    DATABASE_URI: 'postgres://db/quoth',
    STRIPE_WEBHOOKS_SECRET: 'whsec',
  }
  expect(readConfig(env).notices.map(({ text }) => text)).toEqual([
    'TRANSCRIBE_MODLE is not a setting. Did you mean TRANSCRIBE_MODEL?',
    'PROT is not a setting. Did you mean PORT?',
    'Data_Dir is not a setting. Did you mean DATA_DIR?',
    'DATABASE_URI is not a setting. Did you mean DATABASE_URL?',
    'STRIPE_WEBHOOKS_SECRET is not a setting. Did you mean STRIPE_WEBHOOK_SECRET?',
  ])
  const others =
    'HOME PATH USER HOSTNAME PWD SHELL TERM LANG MAIL LOGNAME TMPDIR NODE_ENV EDITOR PS1 TZ ' +
    'SHLVL DISPLAY XDG_DATA_DIRS SSH_TTY PGHOST PGPORT SMTP_PORT http_proxy STRIPE_API_KEY PORTX_'
  const foreign = Object.fromEntries(others.split(' ').map((name) => [name, 'x']))
  expect(readConfig({ ...foreign, WORKER: ' ' }).notices).toEqual([])
})

test('a proxy that nobody was told of is said, because its visitors share one address', () => {
  const PUBLIC_URL = 'https://quoth.example'
  const SMTP_URL = 'smtp://mail.example'
  expect(readConfig({ PUBLIC_URL, SMTP_URL }).notices).toEqual([
    { group: 'Addresses', text: expect.stringContaining('TRUST_PROXY') },
  ])
  const both = { PUBLIC_URL, SMTP_URL, TRUST_PROXY: 'loopback' }
  expect(readConfig(both).notices).toEqual([])
})

test('that mails go nowhere is said, where visitors come from elsewhere', () => {
  const elsewhere = { PUBLIC_URL: 'https://quoth.example', TRUST_PROXY: 'loopback' }
  expect(readConfig(elsewhere).notices).toEqual([
    { group: 'Mail', text: expect.stringMatching(/^SMTP_URL is not set, so mails go nowhere/) },
  ])
  // There they can be read at /dev/mail.
  expect(readConfig({}).notices).toEqual([])
})

test('.env.example with every line uncommented changes nothing', () => {
  const env = parseEnv(envExample().replace(/^#(?=[A-Z_]+=)/gm, ''))
  expect(Object.keys(env).length).toBeGreaterThan(30)
  expect(readConfig(env)).toEqual(readConfig({}))
})

test("the README's table names settings, with the defaults that they have", async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const settings = parseEnv(envExample().replace(/^#(?=[A-Z_]+=)/gm, ''))
  const inTicks = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  const rows = [...readme.matchAll(/^\| (`[A-Z_]+`.*?) \| (.*?) \| /gm)]
  expect(rows.length).toBeGreaterThan(10)
  for (const [, names, defaults] of rows)
    for (const [at, name] of inTicks(names).entries()) {
      expect(settings).toHaveProperty(name)
      if (settings[name]) expect([name, inTicks(defaults)[at]]).toEqual([name, settings[name]])
    }
})

test('.env.example lists the settings (vitest -u writes it anew)', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example')
})
