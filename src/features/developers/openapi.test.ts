import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'vitest'

import { aDeveloper, aRecording } from '#test/api.ts'
import { isLong } from '#test/long.ts'
import { test as base } from '#test/served-api.ts'

import { operations } from './ui/api-document.ts'
import { PUBLIC_URL } from './ui/examples.ts'

const root = path.resolve(import.meta.dirname, '../../..')
// oxlint-disable-next-line node/no-process-env -- programs are found where the tests' own are
const { PATH } = process.env
const run = promisify(execFile)

/** A folder with types that openapi-typescript made from the document, and a program that uses them. */
const test = base.extend<{ $file: { client: string } }>({
  client: [
    async ({ api }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'quoth-openapi-'))
      const write = (name: string, text: string) => writeFile(path.join(folder, name), text)
      await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
      await write('openapi.json', await (await fetch(`${api.url}/api/openapi.json`)).text())
      const maker = path.join(
        root,
        'vendor/openapi-types/node_modules/openapi-typescript/bin/cli.js',
      )
      await run(process.execPath, [maker, 'openapi.json', '-o', 'api.d.ts'], { cwd: folder })
      await write('main.ts', program)
      await write('package.json', '{ "type": "module" }')
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'file' },
  ],
})

test('a published validator finds the document good, and it says where the server is', async ({
  api,
}) => {
  const answer = await fetch(`${api.url}/api/openapi.json`)
  expect(answer.status).toBe(200)
  const document = (await answer.json()) as { openapi: string; servers: { url: string }[] }
  const { valid, errors } = await new Validator().validate(document)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers[0]!.url).toBe(api.parts.config.web.publicUrl.origin)
})

test('every list is described by one schema, as makers of clients need it', async ({ api }) => {
  const document: unknown = await (await fetch(`${api.url}/api/openapi.json`)).json()
  const lists: unknown[] = []
  JSON.stringify(document, (_key, value: { type?: unknown } | null) => {
    if (value?.type === 'array') lists.push(value)
    return value
  })
  expect(lists.length).toBeGreaterThan(50)
  const isReadable = (list: object) =>
    'items' in list && typeof list.items === 'object' && !('prefixItems' in list)
  expect(lists.filter((list) => !isReadable(list as object))).toEqual([])
})

test('every call has an id of its own', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the reference page is drawn from the document that the server answers', async ({ api }) => {
  const text = await (await fetch(`${api.url}/api/openapi.json`)).text()
  const { origin } = api.parts.config.web.publicUrl
  const document: unknown = JSON.parse(text.replaceAll(origin, PUBLIC_URL))
  // The server sends it on one line. The file has a line for each key, so that a change can be read.
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('ui/openapi.json')
})

/** The main job, by a client that was made from the document alone. */
const program = `
import { openAsBlob } from 'node:fs'
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({
  baseUrl: process.env['QUOTH_URL'] ?? '',
  headers: { Authorization: \`Bearer \${process.env['QUOTH_API_KEY']}\` },
})
const recording = await openAsBlob('recording.wav')
const started = await client.POST('/api/transcriptions', {
  params: { header: { 'Idempotency-Key': 'made-from-the-document' } },
  body: { file: 'recording.wav', language: 'en', summaryLanguage: 'en' },
  bodySerializer({ file, ...fields }) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
    form.set('file', recording, file)
    return form
  },
})
if (!started.data) throw new Error(started.error.message)
const path = { id: started.data.id }
let text: string | null = null
while (text === null) {
  const { data, error } = await client.GET('/api/transcriptions/{id}', { params: { path } })
  if (!data) throw new Error(error.message)
  if (data.status === 'error') throw new Error(data.errorMessage ?? 'it failed')
  if (data.status === 'completed') text = data.transcriptionText
  else await new Promise((resolve) => setTimeout(resolve, 300))
}
const list = await client.GET('/api/transcriptions', { params: { query: { limit: 5, q: 'budget' } } })
const user = await client.GET('/api/user')
const srt = await client.GET('/api/transcriptions/{id}/export', {
  params: { path, query: { format: 'srt' } },
  parseAs: 'text',
})
const gone = await client.DELETE('/api/transcriptions/{id}', { params: { path } })
const missing = await client.GET('/api/transcriptions/{id}', { params: { path } })
console.log(
  JSON.stringify({
    charged: started.data.creditsDeducted,
    text,
    found: list.data?.length,
    total: list.response.headers.get('X-Total-Count'),
    credits: user.data?.credits,
    srt: srt.data,
    gone: gone.data?.message,
    missing: missing.error?.code,
  }),
)
`

test('a client made from the document compiles', async ({ client }) => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: ['node'],
    allowImportingTsExtensions: true,
  }
  const config = JSON.stringify({ compilerOptions, files: ['main.ts'] })
  await writeFile(path.join(client, 'tsconfig.json'), config)
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const compiled = await run(tsc, ['-p', '.'], { cwd: client }).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
})

if (isLong)
  test('a client made from the document does the main job', async ({ api, client }) => {
    const { key } = await aDeveloper(api)
    await writeFile(path.join(client, 'recording.wav'), await aRecording())
    const { stdout } = await run(process.execPath, ['main.ts'], {
      cwd: client,
      env: { PATH, QUOTH_URL: api.url, QUOTH_API_KEY: key },
    })
    expect(JSON.parse(stdout)).toEqual({
      charged: 1,
      text: expect.stringMatching(/budget meeting/i),
      found: 1,
      total: '1',
      credits: 49,
      srt: expect.stringMatching(/^1\n00:00:/),
      gone: 'The transcription is deleted.',
      missing: 'not_found',
    })
  }, 180_000)
