import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { choose } from '#features/models/models.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { begin } from '#test/database.ts'
import { modelsHost, offerModel } from '#test/fakes/models-host.ts'
import { aFolder } from '#test/folder.ts'
import { freePort, refusalOf, startServer } from '#test/server.ts'
import { spokenTones, writeTinyModel } from '#test/tiny-model.ts'
import { writeTinyTransducer } from '#test/tiny-transducer.ts'

const dataDir = aFolder('quoth-main')
beforeAll(() => begin(dataDir))

test('a database that does not answer is said in a sentence, without its password', async () => {
  const said = await refusalOf({
    dataDir,
    settings: {
      DATABASE_URL: 'postgres://quoth:secret@127.0.0.1:1/x',
      PUBLIC_URL: 'http://localhost',
    },
  })
  expect(said).toContain('The database could not be opened')
  expect(said).not.toContain('secret')
})

test('a data folder that cannot be written to is said in a sentence', async () => {
  const file = join(dataDir, 'a-file')
  await writeFile(file, '')
  const said = await refusalOf({
    dataDir,
    settings: { DATA_DIR: join(file, 'data'), PUBLIC_URL: 'http://localhost' },
  })
  expect(said).toContain(`${file}/data cannot be written to: a part of its path is a file.`)
  expect(said).not.toContain('    at ')
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

test('a server without a model fetches one through three breaks, and takes it for the next recording', async () => {
  const host = await modelsHost()
  const answered = Promise.withResolvers<void>()
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
  const settings = { MODELS: 'auto', MODELS_URL: host.url }
  await using stack = new AsyncDisposableStack()
  stack.defer(() => host.close())
  const server = await startServer({ dataDir, port: await freePort(), settings })
  stack.defer(() => server.kill())

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
  for (const gone of ['fetching', 'brokenModels']) expect(await healthz()).not.toHaveProperty(gone)
  expect(host.asked.filter((line) => line.includes('made.tar.bz2'))).toHaveLength(4)
  expect(server.output()).toMatch(
    /is ready: [^]*is being fetched while the server works[^]*The model made works, and the next/,
  )
  const after = await transcribed({ name: 'tones.wav', bytes: tones })
  expect(after).toMatchObject({ status: 'completed', engine: 'sherpa' })
  expect(after.transcriptionText?.toLowerCase()).toContain('hello world')
  expect(await client.transcription(before.id)).toEqual(before)
})
