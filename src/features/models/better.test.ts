import { execFile } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { MissingProgram } from '#features/sound/sandbox/programs.ts'
import { unpack } from '#features/sound/sandbox/unpack.ts'
import { attempt, attemptVoices } from '#features/speech/engines/try-models.ts'
import { aFolder } from '#test/folder.ts'
import { modelsHost, type ModelsHost, offerModel } from '#test/fakes/models-host.ts'
import { inherited } from '#test/server.ts'
import { writeTinyModel, writeTinySpeakers } from '#test/tiny-model.ts'
import { isLong } from '#test/long.ts'
import { writeTinyWhisper } from '#test/tiny-whisper.ts'

import {
  betterRecogniser,
  type BetterOptions,
  fetchBetter,
  lookAgain,
  type Outlook,
  voicePair,
} from './better.ts'
import { catalogueAt } from './catalogue.ts'
import { chosen, installed, type Recogniser, TooBusy } from './models.ts'

let host: ModelsHost
const root = aFolder('better')
let modelsDir: string
let said: string[]
let outlooks: Outlook[]
beforeAll(async () => {
  host = await modelsHost()
  await writeTinyModel(join(root, 'made'))
})
afterAll(async () => {
  await host.close()
})
beforeEach(async () => {
  modelsDir = await mkdtemp(join(root, 'models-'))
  host.files.clear()
  host.asked.length = 0
  said = []
  outlooks = []
})

const byHand = fileURLToPath(new URL('../../../scripts/models.ts', import.meta.url))
const files = ['model.onnx', 'tokens.txt']
const offer = () =>
  offerModel(host, join(root, 'made'), { id: 'made', family: 'zipformer_ctc', files })

const MACHINE = { cores: 2, memoryBytes: 4e9 }
const how = (modelsUrl: string) =>
  ({
    modelsDir,
    baseUrl: modelsUrl,
    catalogue: (signal) => catalogueAt(modelsUrl, signal),
    needPrograms: async () => undefined,
    signal: new AbortController().signal,
    attempt: async () => null,
    unpack,
    env: {},
    onOutlook: (outlook) => outlooks.push(outlook),
    say: (line) => said.push(line),
    patience: { stallMs: 30_000, pauseMs: 1, tries: 2 },
    againMs: 20,
    lookMs: 5,
  }) satisfies Partial<BetterOptions<Recogniser>>
const begin = ({
  modelsUrl = host.url,
  machine = MACHINE,
  ...more
}: Partial<BetterOptions<Recogniser>> & { modelsUrl?: string; machine?: typeof MACHINE } = {}) =>
  fetchBetter({ ...how(modelsUrl), wanted: betterRecogniser(machine), ...more })

test('the model that suits the machine is installed, and it is told how far that is', async () => {
  await offer()
  expect(await begin()).toMatchObject({ id: 'made' })
  expect((await chosen(modelsDir)).recogniser?.id).toBe('made')
  expect(said[0]).toContain(
    'is being fetched while the server works: The model made, 1 MB (MIT, by',
  )
  const title = 'The model made'
  expect(outlooks).toContainEqual({ kind: 'fetching', title, percent: 100 })
  expect(outlooks.at(-1)).toEqual({ kind: 'fetching', title, percent: null })
})

test('a publisher out of reach is looked for again, and that is said once', async () => {
  const stop = new AbortController()
  let times = 0
  const gone = begin({
    modelsUrl: 'http://127.0.0.1:9',
    signal: stop.signal,
    onOutlook: (outlook) => {
      outlooks.push(outlook)
      if (++times === 3) stop.abort(new Error('the server stops'))
    },
  })
  await expect(gone).rejects.toThrow('the server stops')
  expect(said).toEqual([
    expect.stringMatching(
      /^There is no better recogniser yet, .*http:\/\/127\.0\.0\.1:9 cannot be reached/,
    ),
  ])
  expect(outlooks[2]).toEqual(outlooks[0])
})

test('a sign-in page in place of the archive is waited out', async () => {
  const file = await offer()
  file.page = '<!doctype html>'
  const fetching = begin({
    onOutlook: (outlook) => {
      outlooks.push(outlook)
      delete file.page
    },
  })
  expect(await fetching).toMatchObject({ id: 'made' })
  expect(said[1]).toContain('A better recogniser is being fetched')
  expect(outlooks[0]).toMatchObject({ kind: 'none', reason: expect.stringContaining('web page') })
})

test('a disk without room is waited out', async () => {
  await offer()
  let tries = 0
  const model = await begin({
    catalogue: async (signal) => {
      const list = await catalogueAt(host.url, signal)
      tries += 1
      return tries === 1 ? list.map((each) => ({ ...each, keptBytes: 1e15 })) : list
    },
    unpack: async (...given) => {
      if (tries > 2) return unpack(...given)
      throw Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' })
    },
  })
  expect(model).toMatchObject({ id: 'made' })
  expect(said[0]).toMatch(
    /^There is no better recogniser yet, .*needs 1000000\d{3} MB of disk while it is installed, and \d+ MB are free/,
  )
  expect(outlooks).toContainEqual({
    kind: 'none',
    reason: expect.stringContaining('What was downloaded is kept'),
  })
})

test('a machine that is too busy to try the model is waited out, and nothing is downloaded twice', async () => {
  await offer()
  let tries = 0
  const model = await begin({
    attempt: async () => {
      tries += 1
      if (tries < 3) throw new TooBusy('This machine is too busy.')
      return null
    },
  })
  expect(model).toMatchObject({ id: 'made' })
  expect(tries).toBe(3)
  expect(said.filter((line) => line.includes('too busy'))).toEqual([
    'There is no better recogniser yet, and everything is as before. This machine is too busy. It is tried again from time to time.',
  ])
  expect(host.asked.filter((line) => line.includes('made.tar.bz2'))).toHaveLength(1)
})

test('installed models that a busy machine left no time for are looked at again, five times at most', async () => {
  const untried = (...ids: string[]) => ({
    broken: ids.map((id) => ({ id, reason: 'no time', isUntried: true as const })),
  })
  const { signal } = new AbortController()
  const found: object[] = []
  const again = (looks: ReturnType<typeof untried>[]) =>
    lookAgain(
      looks.shift()!,
      async () => looks.shift()!,
      (next) => found.push(next),
      {
        signal,
        againMs: 1,
      },
    )
  const looks = [untried('a', 'b'), untried('a', 'b'), untried('b'), untried()]
  await again(looks)
  expect(found).toEqual([untried('b'), untried()])

  found.length = 0
  const never = Array.from({ length: 9 }, () => untried('hangs'))
  await again(never)
  expect(never).toHaveLength(3)
  expect(found).toEqual([])
})

test('a file that is not the published one is refused, and not downloaded again at the next start', async () => {
  const file = await offer()
  file.bytes = Buffer.from(file.bytes).fill(0, 100, 110)
  expect(await begin()).toBeNull()
  expect(said.at(-1)).toMatch(
    /^There is no better recogniser, .* is not the file that was published/,
  )
  host.asked.length = 0
  expect(await begin()).toBeNull()
  expect(host.asked).toEqual(['GET /catalogue.jsonl whole'])
  expect(said.at(-1)).toContain('or now with: npm run models -- install made')
  expect((await chosen(modelsDir)).recogniser).toBeNull()
})

test.each<[string, Parameters<typeof begin>[0], RegExp]>([
  [
    'too little memory',
    { machine: { cores: 1, memoryBytes: 5e7 } },
    /0\.1 GB of memory, which is too/,
  ],
  [
    'a program that is missing',
    {
      needPrograms: async () => {
        throw new MissingProgram(['bzip2'])
      },
    },
    /bzip2 was not found on this machine/,
  ],
  [
    'a model that does not work here',
    { attempt: async () => 'model.onnx (9 bytes) is empty' },
    /made does not work on this machine.*9 bytes/,
  ],
])('%s is said once, and everything is as before', async (_what, how, reason) => {
  await offer()
  expect(await begin(how)).toBeNull()
  expect(said.at(-1)).toMatch(reason)
  expect(outlooks.at(-1)).toMatchObject({ kind: 'none' })
  expect((await chosen(modelsDir)).recogniser).toBeNull()
})

if (isLong)
  test('while another process installs a model this one waits, and both use the one that was fetched', async () => {
    const file = await offer()
    const gate = Promise.withResolvers<void>()
    file.after = gate.promise
    const dataDir = join(modelsDir, 'shared')
    const env = { ...inherited, DATA_DIR: dataDir, MODELS_URL: host.url }
    const other = promisify(execFile)(process.execPath, [byHand, 'install'], { env })
    await expect.poll(() => host.asked, { timeout: 30_000 }).toHaveLength(2)
    const waits = Promise.withResolvers<void>()
    const one = begin({ modelsDir: join(dataDir, 'models'), onOutlook: () => waits.resolve() })
    await waits.promise
    gate.resolve()
    expect((await other).stdout).toContain('made is installed.')
    expect(await one).toMatchObject({ id: 'made' })
    expect(host.asked.filter((line) => line.includes('made.tar.bz2'))).toHaveLength(1)
    expect((await readdir(join(dataDir, 'models'))).toSorted()).toEqual(['.downloads', 'made'])
  })

test('a model that another process has just put in place is tried, and not downloaded again', async () => {
  await offer()
  await begin()
  host.asked.length = 0
  let tried = 0
  expect(await begin({ attempt: async () => (tried++, null) })).toMatchObject({ id: 'made' })
  expect(tried).toBe(1)
  expect(await begin({ attempt: async () => 'model.onnx is of another machine' })).toBeNull()
  expect(said.at(-1)).toMatch(/made is installed and does not work here: model\.onnx is of another/)
  expect(host.asked.filter((line) => line.includes('made.tar.bz2'))).toEqual([])
})

test('a Whisper that a mirror recommends comes as any model does, and is tried', async () => {
  await writeTinyWhisper(join(modelsDir, 'made'), { name: 'made' })
  await offerModel(host, join(modelsDir, 'made'), {
    id: 'whispers',
    family: 'whisper',
    files: ['encoder.onnx', 'decoder.onnx', 'tokens.txt'],
  })
  const there = { modelsDir: join(modelsDir, 'there'), attempt }
  expect(await begin(there)).toMatchObject({ id: 'whispers', family: 'whisper' })
})

const offerPair = async () => {
  await writeTinySpeakers(join(root, 'pair'))
  for (const [id, family] of [
    ['pyannote-segmentation-3', 'segmentation'],
    ['campplus-zh-en', 'embedding'],
  ] as const)
    await offerModel(host, join(root, `pair/tiny-${family}`), { id, family, files: ['model.onnx'] })
}

test('the pair that tells voices apart comes by itself as well, one model after the other', async () => {
  await offerPair()
  const pair = await fetchBetter({ ...how(host.url), wanted: voicePair, attempt })
  expect(pair).toMatchObject({
    segmentation: { id: 'pyannote-segmentation-3' },
    embedding: { id: 'campplus-zh-en' },
  })
  expect((await chosen(modelsDir)).speakers).toEqual(pair)
  const line =
    'A pair of models that tells voices apart is being fetched while the server works: The model'
  expect(said.filter((each) => each.startsWith(line))).toHaveLength(2)

  // At the next start it is there, and only tried.
  host.asked.length = 0
  expect(await fetchBetter({ ...how(host.url), wanted: voicePair, attempt })).toEqual(pair)
  expect(host.asked).toEqual(['GET /catalogue.jsonl whole'])
})

test('of a pair that does not work here no half stays', async () => {
  await offerPair()
  const broken = async () => 'model.onnx (9 bytes) is empty'
  expect(await fetchBetter({ ...how(host.url), wanted: voicePair, attempt: broken })).toBeNull()
  expect((await installed(modelsDir)).models).toEqual([])
})

test('a pair that does not hear the two voices of our sample is not used, and that is said once', async () => {
  await offerPair()
  const fetched = await fetchBetter({ ...how(host.url), wanted: voicePair, attempt: attemptVoices })
  expect(fetched).toBeNull()
  expect((await chosen(modelsDir)).speakers).toBeNull()
  expect(said.at(-1)).toMatch(
    /^There is no pair of models that tells voices apart, and everything is as before\. .*Of two voices it heard 0/,
  )
})

test('a mirror without the pair is said once', async () => {
  await offer()
  expect(await fetchBetter({ ...how(host.url), wanted: voicePair })).toBeNull()
  expect(said).toEqual([expect.stringMatching(/does not have pyannote-segmentation-3/)])
})
