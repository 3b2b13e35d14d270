import { createHash, randomBytes } from 'node:crypto'
import {
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { unpack } from '#features/sound/sandbox/unpack.ts'
import { aFolder } from '#test/folder.ts'
import { type HostedFile, modelsHost, type ModelsHost } from '#test/fakes/models-host.ts'
import { type ArchiveEntry, bzip2, tar } from '#test/tiny-archive.ts'

import { bundles, catalogue, catalogueAt, type CatalogueModel, recommended } from './catalogue.ts'
import { install, type InstallOptions, type InstallProgress } from './install.ts'
import { type Attempt, choose, chosen, filesOf, idOf, installed, remove } from './models.ts'

let host: ModelsHost
const root = aFolder('models')
let modelsDir: string
beforeAll(async () => {
  host = await modelsHost()
})
afterAll(async () => {
  await host.close()
})
beforeEach(async () => {
  told.length = 0
  modelsDir = await mkdtemp(join(root, 'models-'))
  host.files.clear()
  host.asked.length = 0
})

const PATH = 'asr-models/little.tar.bz2'
const model = randomBytes(90_000)
const whole: readonly ArchiveEntry[] = [
  { name: './little/', type: '5' },
  { name: './little/model.onnx', bytes: model },
  { name: './little/test_wavs/model.onnx', bytes: Buffer.from('another') },
  { name: './little/model.fp32.onnx', bytes: randomBytes(5000) },
  { name: './little/tokens.txt', bytes: Buffer.from('<blk> 0\n') },
]

/** An entry of the catalogue for an archive that the host has. */
async function aModel(
  entries: readonly ArchiveEntry[] | Buffer = whole,
  { sha256, ...how }: Partial<Omit<HostedFile, 'bytes'>> & { sha256?: string } = {},
): Promise<CatalogueModel> {
  const archive = Buffer.isBuffer(entries) ? entries : await bzip2(tar(entries))
  host.files.set(PATH, { bytes: archive, ...how })
  return {
    id: 'little',
    title: 'Little',
    family: 'zipformer_ctc',
    languages: ['en'],
    download: {
      path: PATH,
      bytes: archive.length,
      sha256: sha256 ?? sumOf(archive),
    },
    files: { model: 'model.onnx', tokens: 'tokens.txt' },
    keptBytes: 100_000,
    publishedWer: null,
    licence: { name: 'MIT', by: 'Nobody', url: 'https://licence.example' },
    about: 'A model for tests.',
  }
}
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const told: InstallProgress[] = []
/** As long as it would really be waited: a busy machine may take a second for what takes no time. */
const patience = { stallMs: 30_000, pauseMs: 1, tries: 3 }
const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
  modelsDir,
  baseUrl: host.url,
  signal: new AbortController().signal,
  onProgress: (progress) => told.push(progress),
  attempt: async () => null,
  unpack,
  env: {},
  patience,
  ...more,
})
/** For a host that breaks off: waits until the download has written `upTo` bytes. */
const isRead = (upTo: number) =>
  vi.waitUntil(() => told.some(({ done = 0 }) => done >= upTo), { timeout: 30_000 })

/** Nothing that anybody would take for a model. */
async function expectNothing(): Promise<void> {
  expect(await installed(modelsDir)).toEqual({ models: [], broken: [] })
  const left = await readdir(modelsDir)
  expect(left.filter((name) => name.startsWith('.installing'))).toEqual([])
}

test('a model is downloaded, checked, unpacked and in use', async () => {
  await install(await aModel(), options())
  const { recogniser } = await chosen(modelsDir)
  expect(recogniser).toMatchObject({ id: 'little', family: 'zipformer_ctc', languages: ['en'] })
  expect(await readFile(recogniser!.files['model']!)).toEqual(model)
  expect((await readdir(join(modelsDir, 'little'))).toSorted()).toEqual([
    'model.json',
    'model.onnx',
    'tokens.txt',
  ])
  expect(await readdir(join(modelsDir, '.downloads'))).toEqual([])
  await expect(install(await aModel(), options())).rejects.toThrow('installed already')
})

test('a model that does not work is not installed, and a pair is tried when it is whole', async () => {
  const tried: string[] = []
  const attempt: Attempt = async (model) => {
    tried.push(idOf(model))
    return 'model.onnx (9 bytes) is empty'
  }
  await expect(install(await aModel(), options({ attempt }))).rejects.toThrow(
    'little does not work on this machine, and nothing was installed. model.onnx (9 bytes) is empty',
  )
  await expectNothing()
  const family = { segmentation: 'segmentation', embedding: 'embedding' } as const
  const one = await aModel()
  await install({ ...one, id: 'ears', family: family.segmentation }, options({ attempt }))
  const other = install({ ...one, id: 'voices', family: family.embedding }, options({ attempt }))
  await expect(other).rejects.toThrow('ears with voices does not work')
  expect(tried).toEqual(['little', 'ears with voices'])
})

test('a download that breaks off goes on where it was', async () => {
  await install(await aModel(whole, { breaksOffAfter: [30_000, 20_000], isRead }), options())
  const parts = host.asked.map((line) => line.split(' ')[2])
  expect(parts[0]).toBe('whole')
  expect(parts).toHaveLength(3)
  for (const part of parts.slice(1)) expect(part).toMatch(/^bytes=[1-9]\d*-$/)
  expect(told.filter(({ step }) => step.startsWith('interrupted'))).toHaveLength(2)
  const done = told.flatMap(({ step, done }) => (step === 'downloading' ? [done ?? 0] : []))
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('a download that was given up goes on when it is asked for again', async () => {
  const entry = await aModel(whole, { breaksOffAfter: [30_000], isRead })
  const stop = new AbortController()
  const cut = install(
    entry,
    options({
      signal: stop.signal,
      onProgress: (progress) => {
        told.push(progress)
        if (progress.step.startsWith('interrupted')) stop.abort(new Error('Ctrl+C'))
      },
    }),
  )
  await expect(cut).rejects.toThrow('Ctrl+C')
  await expectNothing()
  await install(entry, options())
  expect(host.asked.at(-1)).toMatch(/bytes=[1-9]\d*-$/)
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('two versions of a file are never joined', async () => {
  const old = await aModel(whole, { breaksOffAfter: [30_000, 0, 0, 0], isRead })
  await expect(install(old, options())).rejects.toThrow('goes on from there')
  const renewed = await aModel([...whole].toReversed(), { tag: 'two' })
  await install(renewed, options())
  expect(await readFile((await chosen(modelsDir)).recogniser!.files['model']!)).toEqual(model)
})

/** As a download leaves it that was ended before it was checked. */
async function aPart(bytes: Buffer): Promise<void> {
  const part = join(modelsDir, '.downloads', 'little.tar.bz2.part')
  await mkdir(join(modelsDir, '.downloads'))
  await writeFile(part, bytes)
  await writeFile(`${part}.json`, JSON.stringify({ url: `${host.url}/${PATH}`, version: '"one"' }))
}

test('a whole download of unknown size is not asked for again', async () => {
  const entry = await aModel()
  const { bytes } = host.files.get(PATH)!
  await aPart(bytes)
  await install({ ...entry, download: { ...entry.download, bytes: null } }, options())
  expect(host.asked).toEqual([`GET /${PATH} bytes=${bytes.length}-`])
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('a download that is longer than the file begins anew', async () => {
  const entry = await aModel()
  const { bytes } = host.files.get(PATH)!
  await aPart(Buffer.concat([bytes, Buffer.from('too much')]))
  await install(entry, options())
  expect(host.asked.map((line) => line.split(' ')[2])).toEqual([
    `bytes=${bytes.length + 8}-`,
    'whole',
  ])
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('a server that cannot resume is asked for the whole', async () => {
  const entry = await aModel(whole, { breaksOffAfter: [30_000], isRead, ignoresRanges: true })
  await install(entry, options())
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('a part from elsewhere in the file is not joined to the bytes before it', async () => {
  const entry = await aModel(whole, { breaksOffAfter: [30_000], isRead, sendsOtherParts: 1 })
  await install(entry, options())
  expect(host.asked).toHaveLength(3)
  expect(await readFile((await chosen(modelsDir)).recogniser!.files['model']!)).toEqual(model)
})

test('a server that hangs or is overloaded for a while is asked again', async () => {
  const entry = await aModel(whole, { hangs: 1, statuses: [503] })
  await install(entry, options({ patience: { ...patience, stallMs: 1000 } }))
  expect(host.asked).toHaveLength(3)
})

test.each<
  [string, (entry: CatalogueModel) => CatalogueModel, Partial<Omit<HostedFile, 'bytes'>>, string]
>([
  ['is longer than published', (entry) => entry, { claimsBytes: 200_000 }, '200000 bytes, and'],
  ['is shorter than published', (entry) => entry, { claimsBytes: 9000 }, '9000 bytes, and'],
  [
    'is not the one that was published',
    (entry) => ({ ...entry, download: { ...entry.download, sha256: 'f'.repeat(64) } }),
    {},
    `expected sha256 ${'f'.repeat(64)}`,
  ],
  ['is gone', (entry) => entry, { statuses: [404] }, 'MODELS_URL can name a copy'],
  ['is forbidden', (entry) => entry, { statuses: [403] }, 'the server answered 403'],
  ['is a sign-in page', (entry) => entry, { page: '<p>Sign in' }, 'was answered with a web page'],
])('a file that %s is refused, and nothing is installed', async (_what, change, how, said) => {
  await expect(install(change(await aModel(whole, how)), options())).rejects.toThrow(said)
  await expectNothing()
})

test('a web page that says it is a file is not downloaded', async () => {
  const page = await aModel(Buffer.from(`\n<!DOCTYPE html>${' '.repeat(90_000)}`))
  await expect(install(page, options())).rejects.toThrow('was answered with a web page')
  expect(host.asked).toHaveLength(1)
  await expectNothing()
})

test('a disk that fills up is said, and the download is not tried again', async () => {
  await mkdir(join(modelsDir, '.downloads'))
  await symlink('/dev/full', join(modelsDir, '.downloads/little.tar.bz2.part'))
  await expect(install(await aModel(), options())).rejects.toThrow('The disk is full')
  expect(host.asked).toHaveLength(1)
  const huge = { ...(await aModel()), keptBytes: 1e15 }
  await expect(install(huge, options())).rejects.toThrow('MB of disk while it is installed')
  await expectNothing()
})

test('a file that was published anew can be accepted, knowingly', async () => {
  const entry = await aModel(whole, { sha256: 'f'.repeat(64) })
  const found = sumOf(host.files.get(PATH)!.bytes)
  await expect(install(entry, options())).rejects.toThrow(`install little --accept ${found}`)
  const resized = { ...entry, download: { ...entry.download, bytes: 7 } }
  await expect(install(resized, options())).rejects.toThrow('7 were published')
  await install(resized, options({ acceptSha256: found }))
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

const wanted = whole.slice(1)
test.each<[string, readonly ArchiveEntry[], string]>([
  ['a path upwards', [{ name: 'little/../../evil', bytes: model }, ...wanted], 'leads out'],
  ['a path from the root', [{ name: '/etc/evil', bytes: model }, ...wanted], 'leads out'],
  [
    'a link in the place of a file',
    [{ name: 'little/tokens.txt', type: '2', target: '/etc/passwd' }, ...wanted],
    'not a plain file',
  ],
  [
    'a hard link in the place of a file',
    [{ name: 'little/tokens.txt', type: '1', target: '../in-use.json' }, ...wanted],
    'not a plain file',
  ],
  ['a file missing', wanted.slice(0, 1), 'does not hold tokens.txt'],
  ['a size that is not true', [{ name: 'little/model.onnx', size: 150_000 }], 'Truncated input'],
  ['entries without end', Array.from({ length: 10_001 }, () => ({ name: 'x' })), 'more than 10000'],
  ['a size beyond all reason', [{ name: 'little/model.onnx', size: 8e9 }], 'it holds more than'],
  ['an unreasonable name', [{ name: 'x', type: 'L', size: 9e8 }], 'Truncated input'],
])('an archive with %s is refused, and nothing is installed', async (_what, entries, said) => {
  await expect(install(await aModel(entries), options())).rejects.toThrow(said)
  await expectNothing()
  expect(await readdir(root)).not.toContain('evil')
})

test('an archive that is damaged, or grows without end, is refused', async () => {
  const archive = await bzip2(tar(whole))
  archive.fill(0, 40_000, 40_200)
  await expect(install(await aModel(archive), options())).rejects.toThrow('damaged')
  const text = await bzip2(Buffer.from('not a tar archive at all\n'.repeat(100)))
  await expect(install(await aModel(text), options())).rejects.toThrow('no tar archive')
  // What is packed in pieces is read as one: packing all of it at once would take seconds.
  const nothing = await bzip2(Buffer.alloc(10_000_000))
  const bomb = Buffer.concat([await bzip2(tar(wanted)), ...Array(30).fill(nothing)])
  await expect(install(await aModel(bomb), options())).rejects.toThrow('it holds more than')
  await expectNothing()
})

test('a link that nobody wants is passed over, and a long name is read', async () => {
  const long = `little/${'n'.repeat(120)}/model.onnx`
  const entry = await aModel([
    { name: 'little/test_wavs', type: '2', target: '/' },
    { name: '././@LongLink', type: 'L', bytes: Buffer.from(`${long}\0`) },
    { name: long.slice(0, 99), bytes: Buffer.from('too deep') },
    ...wanted,
  ])
  await install(entry, options())
  expect(await readFile((await chosen(modelsDir)).recogniser!.files['model']!)).toEqual(model)
})

test('a single file needs no unpacking', async () => {
  const path = 'speaker-models/voice.onnx'
  host.files.set(path, { bytes: model })
  const entry: CatalogueModel = {
    ...(await aModel()),
    family: 'embedding',
    download: { path, bytes: model.length, sha256: sumOf(model) },
    files: { model: 'voice.onnx' },
  }
  await install(entry, options())
  const { models } = await installed(modelsDir)
  expect(models).toMatchObject([{ id: 'little', family: 'embedding', sizeBytes: model.length }])
  expect(await chosen(modelsDir)).toEqual({ recogniser: null, speakers: null })
})

test('two installations do not meet, and one that died is no hindrance', async () => {
  const lock = join(modelsDir, '.installing')
  await symlink(String(process.ppid), lock)
  await expect(install(await aModel(), options())).rejects.toThrow('Another installation')
  await rm(lock)
  await symlink('999999999', lock)
  await install(await aModel(), options())
  expect(await readdir(modelsDir)).not.toContain('.installing')
})

test('the lock of another machine on the same folder counts while it is renewed', async () => {
  const lock = join(modelsDir, '.installing')
  await symlink('1 of elsewhere', lock)
  await expect(install(await aModel(), options())).rejects.toThrow('process 1 of elsewhere')
  await lutimes(lock, 0, 0)
  await install(await aModel(), options())
  expect(await readdir(modelsDir)).not.toContain('.installing')
})

test('of two installations that one process begins, one is carried out', async () => {
  const entry = await aModel()
  const both = await Promise.allSettled([install(entry, options()), install(entry, options())])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('Another installation') },
  })
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('a process that died under the number this one has is no hindrance', async () => {
  await symlink(`${process.pid} of ${hostname()}`, join(modelsDir, '.installing'))
  await install(await aModel(), options())
  expect((await chosen(modelsDir)).recogniser?.id).toBe('little')
})

test('the model that was chosen is used, else the one that came last, and a removed one is gone', async () => {
  const first = await aModel()
  await install({ ...first, id: 'first' }, options())
  await install({ ...first, id: 'second' }, options())
  expect((await chosen(modelsDir)).recogniser?.id).toBe('second')
  expect(await choose(modelsDir, 'first')).toMatchObject({ id: 'first' })
  expect((await chosen(modelsDir)).recogniser?.id).toBe('first')
  expect(await choose(modelsDir, 'third')).toBeNull()
  expect(await remove(modelsDir, 'first')).toBe(true)
  expect((await chosen(modelsDir)).recogniser?.id).toBe('second')
  expect(await remove(modelsDir, 'first')).toBe(false)
  expect(await remove(modelsDir, '../models')).toBe(false)
})

test('a folder that is no model is named with the reason, and never used', async () => {
  await install(await aModel(), options())
  await rm(join(modelsDir, 'little/tokens.txt'))
  await mkdir(join(modelsDir, 'holiday'))
  await writeFile(join(modelsDir, 'holiday/model.json'), '{}')
  expect((await installed(modelsDir)).broken).toEqual([
    { folder: 'holiday', reason: 'its model.json cannot be read' },
    { folder: 'little', reason: 'tokens.txt is missing' },
  ])
  expect((await chosen(modelsDir)).recogniser).toBeNull()
})

test('every model of the catalogue can be loaded from its kept files', () => {
  for (const { id, family, files, download, keptBytes, languages } of catalogue) {
    expect(Object.keys(files).toSorted(), id).toEqual([...filesOf(family)].toSorted())
    expect(download.sha256, id).toMatch(/^[0-9a-f]{64}$/)
    expect(keptBytes, id).toBeGreaterThan(1_000_000)
    for (const code of languages ?? []) expect(code, id).toMatch(/^[a-z]{2,3}$/)
  }
  const ids = catalogue.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(Object.values(bundles).flat()))
})

test('the model to begin with is the best for which the machine has room', () => {
  const onA = (cores: number, memoryGB: number) =>
    recommended({ cores, memoryBytes: memoryGB * 1e9 })?.id
  expect(onA(8, 32)).toBe('parakeet-v3')
  expect(onA(2, 8)).toBe('parakeet-v3')
  expect(onA(1, 8)).toBe('parakeet-110m-en')
  expect(onA(4, 4)).toBe('parakeet-110m-en')
  expect(onA(2, 1)).toBeUndefined()
})

test('a mirror offers its own list where it has one, and ours where it has none', async () => {
  const { signal } = new AbortController()
  expect(await catalogueAt(host.url, signal)).toBe(catalogue)
  const { family, languages, files } = catalogue[0]!
  const line = {
    id: 'ours',
    title: 'Ours',
    family,
    languages: languages?.join(' ') ?? null,
    path: 'ours.tar.bz2',
    bytes: 9,
    sha256: 'f'.repeat(64),
    files: Object.values(files).join(' '),
    keptMB: 1,
    publishedWer: null,
    licence: { name: 'MIT', by: 'Us', url: 'https://licence.example' },
    about: '',
  }
  host.files.set('catalogue.jsonl', { bytes: Buffer.from(`${JSON.stringify(line)}\n`) })
  const [ours, ...others] = await catalogueAt(host.url, signal)
  expect(others).toEqual([])
  expect(ours).toMatchObject({ id: 'ours', files, licence: { by: 'Us' } })
  host.files.set('catalogue.jsonl', { bytes: Buffer.from('<html>') })
  await expect(catalogueAt(host.url, signal)).rejects.toThrow('was answered with a web page')
  // A name is a path on this machine, where a folder of that name gives way.
  for (const wrong of [{}, { ...line, id: '..' }, { ...line, files: `../x ${line.files}` }]) {
    host.files.set('catalogue.jsonl', { bytes: Buffer.from(JSON.stringify(wrong)) })
    await expect(catalogueAt(host.url, signal)).rejects.toThrow('is no list of models')
  }
  await expect(catalogueAt('http://127.0.0.1:9', signal)).rejects.toThrow(
    'http://127.0.0.1:9 cannot be reached',
  )
})
