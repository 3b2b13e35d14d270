import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { choose } from '#features/models/models.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { begin } from '#test/database.ts'
import { type ModelsHost, modelsHost, offerModel } from '#test/fakes/models-host.ts'
import { freePort, type RunningServer, startServer } from '#test/server.ts'
import { spokenTones, writeTinyModel } from '#test/tiny-model.ts'
import { writeTinyTransducer } from '#test/tiny-transducer.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quoth-main-'))
  await begin(dataDir)
})

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts the server where it cannot start, and answers its output until it ended. */
async function refusal(settings: Record<string, string>, port = 0): Promise<string> {
  const attempt: unknown = await startServer({ dataDir, port, settings }).catch(
    (error: unknown) => error,
  )
  if (!(attempt instanceof Error)) throw new Error('the server started all the same')
  return attempt.message
}

test('all settings that are wrong are named before anything is started', async () => {
  const untouched = join(dataDir, 'untouched')
  const wrong = { PORT: 'x', ROLE: 'web', TRANSCRIBER: 'magic', DATA_DIR: untouched }
  const said = await refusal(wrong)
  for (const name of ['PORT', 'DATABASE_URL', 'TRANSCRIBER']) expect(said).toContain(name)
  expect(said).not.toContain('    at ')
  expect(existsSync(untouched)).toBe(false)
})

test('a database that does not answer is said in a sentence, without its password', async () => {
  const said = await refusal({
    DATABASE_URL: 'postgres://quoth:secret@127.0.0.1:1/x',
    PUBLIC_URL: 'http://localhost',
  })
  expect(said).toContain('The database could not be opened')
  expect(said).not.toContain('secret')
})

test('a data folder that cannot be written to is said in a sentence', async () => {
  const file = join(dataDir, 'a-file')
  await writeFile(file, '')
  const said = await refusal({ DATA_DIR: join(file, 'data'), PUBLIC_URL: 'http://localhost' })
  expect(said).toContain(`${file}/data cannot be written to: a part of its path is a file.`)
  expect(said).not.toContain('    at ')
})

test('a port that is taken is said in a sentence, and nothing is left running', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const said = await refusal({}, port)
  expect(said).toContain(
    `Port ${port} is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start"`,
  )
  expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  other.close()
})

test('a model that does not work takes no jobs, and that is said at the start and on /healthz', async () => {
  const models = join(dataDir, 'models')
  await writeTinyModel(join(models, 'tiny'))
  await writeTinyModel(join(models, 'damaged'), { name: 'damaged' })
  await writeFile(
    join(models, 'damaged/model.onnx'),
    'version https://git-lfs.github.com/spec/v1\n',
  )
  await choose(models, 'damaged')
  await writeTinyModel(join(models, 'halved'), { name: 'halved' })
  await rm(join(models, 'halved/tokens.txt'))
  const server = await startServer({ dataDir, port: await freePort() })
  const health = await (await fetch(`${server.url}/healthz`)).json()
  expect(health).toMatchObject({
    speech: 'sherpa',
    speechModel: 'tiny',
    brokenModels: ['halved', 'damaged'],
  })
  await expect
    .poll(server.output)
    .toMatch(/The speech model damaged .* model\.onnx \(\d+ bytes.* pointer of Git LFS/)
  expect(server.output()).toContain(
    'The speech model halved cannot be used and takes no jobs: tokens.txt is missing',
  )
  await server.stop()
  await rm(models, { recursive: true })
})

describe('a server that has no model', () => {
  let host: ModelsHost
  let server: RunningServer
  let port: number
  const answered = Promise.withResolvers<void>()

  beforeAll(async () => {
    host = await modelsHost()
    const made = join(dataDir, 'made')
    await writeTinyTransducer(made)
    const names = ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt']
    const file = await offerModel(host, made, { id: 'made', family: 'transducer', files: names })
    file.breaksOffAfter = [200, 200, 200]
    file.after = answered.promise
    // What is left of one gives way to the one that is fetched.
    const left = join(dataDir, 'models/made')
    await writeTinyTransducer(left, { name: 'made' })
    await rm(join(left, 'joiner.onnx'))
    port = await freePort()
    const models = { MODELS: 'auto', MODELS_URL: host.url }
    const settings = { ...models, LOG_LEVEL: 'debug', LOG_LEVLE: 'warn' }
    server = await startServer({ dataDir, port, settings })
    return async () => {
      await server.kill()
      await host.close()
    }
  })

  test('says at once where it is, and warns of odd settings', async () => {
    expect(server.output()).toContain(`Quoth is ready: http://localhost:${port}"`)
    expect(server.output()).toContain(`Data: ${dataDir}.`)
    const whole = server.output().slice(0, server.output().lastIndexOf('\n'))
    const lines = whole.split('\n').map((line) => JSON.parse(line) as object)
    const msg = 'LOG_LEVLE is not a setting. Did you mean LOG_LEVEL?'
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg }))
    // What went well is only said at this level.
    await expect.poll(server.output).toContain('"route":"/healthz","status":200')
  })

  test(
    'fetches one through three breaks while it works, and takes it for the next recording',
    { timeout: 180_000 },
    async () => {
      const healthz = async () => (await fetch(`${server.url}/healthz`)).json() as Promise<object>
      const client = new Client(server.url)
      await client.signUp({ email: 'first@quoth.example', dataDir })
      const tones = await spokenTones(['hello', 'world'])
      const transcribed = async (recording: { name: string; bytes: Uint8Array<ArrayBuffer> }) => {
        const { transcriptionId } = await client.upload(recording)
        await client.confirm(transcriptionId)
        return client.ended(transcriptionId)
      }
      const before = await transcribed(await shortRecording(4))
      expect(before).toMatchObject({ status: 'completed' })
      expect(await healthz()).toMatchObject({ brokenModels: ['made'] })

      answered.resolve()
      await expect.poll(healthz).toMatchObject({ speech: 'sherpa', speechModel: 'The model made' })
      for (const gone of ['fetching', 'brokenModels'])
        expect(await healthz()).not.toHaveProperty(gone)
      expect(host.asked.filter((line) => line.includes('made.tar.bz2'))).toHaveLength(4)
      expect(server.output()).toMatch(
        /is ready: [^]*is being fetched while the server works[^]*The model made works, and the next/,
      )
      const after = await transcribed({ name: 'tones.wav', bytes: tones })
      expect(after).toMatchObject({ status: 'completed', engine: 'sherpa' })
      expect(after.transcriptionText?.toLowerCase()).toContain('hello world')
      expect(await client.transcription(before.id)).toEqual(before)
    },
  )

  test('refuses a second one on its data, and stops when asked', async () => {
    expect(await refusal({}, await freePort())).toContain(`is in use by process ${server.pid}`)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await server.stop()
    expect(server.isRunning()).toBe(false)
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  })
})
