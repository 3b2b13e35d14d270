import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { unpack } from '#features/speech/sandbox/unpack.ts'
import { modelsHost, type ModelsHost } from '#test/fakes/models-host.ts'
import { bzip2, tar } from '#test/tiny-archive.ts'
import { tinyModel, tinyTokens } from '#test/tiny-model.ts'

import { attempt } from '../speech/engines/try-models.ts'
import { type CatalogueModel, recommended } from './catalogue.ts'
import { chosen } from './models.ts'
import { offerModel } from './offer.ts'

const machine = { cores: 2, memoryBytes: 4e9 }
let host: ModelsHost
let folder: string
let entry: CatalogueModel
beforeAll(async () => {
  host = await modelsHost()
  const archive = await bzip2(
    tar([
      { name: 'm/model.onnx', bytes: tinyModel() },
      { name: 'm/tokens.txt', bytes: Buffer.from(tinyTokens()) },
    ]),
  )
  host.files.set('asr-models/m.tar.bz2', { bytes: archive })
  entry = {
    id: recommended(machine)!.id,
    title: 'A better one',
    family: 'zipformer_ctc',
    languages: ['en'],
    download: {
      path: 'asr-models/m.tar.bz2',
      bytes: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
    },
    files: { model: 'model.onnx', tokens: 'tokens.txt' },
    keptBytes: 100,
    publishedWer: 7.5,
    licence: { name: 'MIT', by: 'Nobody', url: 'https://licence.example' },
    about: '',
  }
})
afterAll(() => host.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offer-'))
  host.asked.length = 0
  return () => rm(folder, { recursive: true })
})

/** A start of the server, at which somebody may type an answer. */
async function start({ answer = null as string | null, isTTY = true, baseUrl = host.url } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY })
  let said = ''
  const stop = new AbortController()
  const output = {
    isTTY,
    write: (text: string) => {
      said += text
      if (!text.endsWith('[y/N] ')) return
      if (answer === null) stop.abort(new Error('the server stops'))
      else input.write(`${answer}\n`)
    },
  }
  const offered = await offerModel({
    modelsDir: folder,
    baseUrl,
    machine,
    terminal: { input, output },
    signal: stop.signal,
    attempt,
    unpack,
    catalogue: [entry],
  })
  return { offered, said }
}

test('a yes installs the model that suits the machine', async () => {
  const { offered, said } = await start({ answer: 'y' })
  expect(offered).toBe('installed')
  expect(said).toContain('A better one (1 MB, English, MIT by Nobody)')
  expect(said).toContain('It is used from the next start on')
  expect((await chosen(folder)).recogniser?.id).toBe(entry.id)
})

test('a no is a no for good, and downloads nothing', async () => {
  expect(await start({ answer: '' })).toMatchObject({ offered: 'declined' })
  expect(host.asked).toEqual(['HEAD /asr-models/m.tar.bz2 whole'])
  expect(await start({ answer: 'y' })).toEqual({ offered: 'not asked', said: '' })
})

test('without a terminal, or without a network, nobody is asked', async () => {
  expect(await start({ isTTY: false })).toEqual({ offered: 'not asked', said: '' })
  expect(host.asked).toEqual([])
  const gone = await start({ answer: 'y', baseUrl: 'http://127.0.0.1:9' })
  expect(gone).toEqual({ offered: 'not asked', said: '' })
  expect(await start({ answer: 'y' })).toMatchObject({ offered: 'installed' })
})

test('a server that stops before there is an answer asks again at the next start', async () => {
  expect(await start()).toMatchObject({ offered: 'not asked' })
  expect(await start({ answer: 'n' })).toMatchObject({ offered: 'declined' })
})

test('an installation that fails is said, and the server goes on', async () => {
  host.files.get('asr-models/m.tar.bz2')!.tag = 'two'
  const right = entry.download
  entry = { ...entry, download: { ...right, sha256: '0'.repeat(64) } }
  const { offered, said } = await start({ answer: 'yes' })
  expect(offered).toBe('failed')
  expect(said).toContain('is not the file that was published')
  entry = { ...entry, download: right }
})
