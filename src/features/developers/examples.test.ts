/** The programs of the reference page, each run as a reader would, against a running server. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import { type TestApi, aDeveloper, aRecording } from '#test/api.ts'
import { aTranscription, aUser, anyProof } from '#test/factories.ts'
import { isLong } from '#test/long.ts'
import { test as base } from '#test/served-api.ts'
import { freePort } from '#test/server.ts'

import {
  AN_ID,
  type LanguageId,
  PUBLIC_URL,
  examples,
  languages,
  verifying,
} from './ui/examples.ts'
import * as webhooks from './webhooks.ts'

const root = path.resolve(import.meta.dirname, '../../..')
// oxlint-disable-next-line node/no-process-env -- programs are found where the tests' own are
const { PATH, HOME } = process.env
const run = promisify(execFile)

const test = base.extend<{ $file: { folder: string } }>({
  folder: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
    async ({}, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'quoth-examples-'))
      await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
      await writeFile(path.join(folder, 'interview.m4a'), await aRecording())
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'file' },
  ],
})

const programs: Record<LanguageId, { name: string; command: (name: string) => string[] }> = {
  curl: { name: 'example.sh', command: (name) => ['bash', '-e', name] },
  javascript: { name: 'example.mjs', command: (name) => [process.execPath, name] },
  python: { name: 'example.py', command: (name) => ['python3', name] },
}

/** Puts real addresses and ids in the place of those of an example. */
function real(code: string, { url }: TestApi, id: string): string {
  return code
    .replaceAll(PUBLIC_URL, url)
    .replaceAll(AN_ID, id)
    .replaceAll('https://hooks.example/quoth', 'http://127.0.0.1:65009/quoth')
}

async function replay(
  {
    api,
    folder,
    id,
    env,
  }: { api: TestApi; folder: string; id: string; env: Record<string, string> },
  language: LanguageId,
  code: string,
): Promise<string> {
  const { name, command } = programs[language]
  await writeFile(path.join(folder, name), real(code, api, id))
  const [program = '', ...args] = command(name)
  const { stdout } = await run(program, args, {
    cwd: folder,
    env: { PATH, HOME, ...env },
  })
  return stdout
}

/** The output of a good run, with the words that each language has for true, null and quotes. */
const expected: Record<keyof typeof examples, RegExp> = {
  signIn: /[\w-]{43}/,
  createTranscription: /creditsDeducted['"]?: ?1\b/,
  listTranscriptions: /interview\.m4a/,
  getTranscription: /we meet on monday/i,
  deleteTranscription: /The transcription is deleted\./,
  exportTranscription: /^/,
  getMedia: /^/,
  getUser: /planType['"]?: ?['"]enterprise/,
  createWebhook: /whsec_[\w+/=]{40,}/,
  createSpeechTranscription: /budget/i,
}

/** Every example in every language; in `npm test` each in one of them, in turn. */
const inLanguages = Object.keys(examples).flatMap((name, index) => {
  const spoken = isLong ? languages : [languages[index % languages.length]!]
  return spoken.map(({ id }) => [name, id] as const)
})

test.for(inLanguages)(
  '%s in %s does what it says',
  async ([name, language], { api, folder, db }) => {
    const key = name as keyof typeof examples
    const { user, key: QUOTH_API_KEY } = await aDeveloper(api)
    const storageKey = crypto.randomUUID()
    const { storage } = api.parts
    const { signal } = new AbortController()
    await storage.write(storageKey, Readable.from(['the sound']), { signal })
    const { id } = await aTranscription(db, {
      userId: user.id,
      storageKey,
      sizeBytes: 'the sound'.length,
      turns: [{ speaker: 0, text: 'We meet on Monday.' }],
    })
    const password = 'correct horse battery staple'
    const { email } = await aUser(db, { password })
    const env = { QUOTH_API_KEY, QUOTH_EMAIL: email, QUOTH_PASSWORD: password }
    const written = await replay({ api, folder, id, env }, language, examples[key][language])
    expect(written).toMatch(expected[key])
    if (key === 'exportTranscription')
      expect(await readFile(path.join(folder, 'interview.srt'), 'utf8')).toContain('We meet')
    if (key === 'getMedia')
      expect(await readFile(path.join(folder, 'recording.m4a'), 'utf8')).toBe('the sound')
  },
)

test('one upload in three languages under one key is one charge', async ({ api, folder, db }) => {
  const { user, key } = await aDeveloper(api)
  const env = { QUOTH_API_KEY: key }
  for (const { id } of languages)
    await replay({ api, folder, id: '', env }, id, examples.createTranscription[id])
  expect(await db.$count(transcriptions, eq(transcriptions.userId, user.id))).toBe(1)
})

test('the receiver on the page verifies what is sent', async ({ api, folder }) => {
  const { user } = await aDeveloper(api)
  const { database, queue, clock } = api.parts
  const deps = { db: database.db, queue, clock, webhookAllow: ['127.0.0.1'] }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = await webhooks.make(deps, { userId: user.id, proof: anyProof, url })
  await writeFile(path.join(folder, 'receiver.mjs'), verifying)
  const receiver: ChildProcess = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { PATH, PORT: String(port), QUOTH_WEBHOOK_SECRET: secret },
  })
  let output = ''
  receiver.stdout?.on('data', (text: Buffer) => (output += text.toString()))
  try {
    const isUp = () =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status,
        () => null,
      )
    // A message without a signature is refused.
    await expect.poll(isUp).toBe(400)
    await webhooks.test(deps, { userId: user.id, id })
    await expect.poll(() => output).toContain('webhook.test')
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})
