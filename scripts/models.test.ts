import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { chosen, familyNames, filesOf, Manifest, speakerFamilies } from '#features/models/models.ts'
import { chatFake } from '#test/fakes/chat.ts'
import { modelsHost, type ModelsHost } from '#test/fakes/models-host.ts'
import { bzip2, tar } from '#test/tiny-archive.ts'
import { isLong } from '#test/long.ts'
import { tinyModel, tinyTokens, writeTinySpeakers } from '#test/tiny-model.ts'

import { readConfig } from '#server/config.ts'

import type { Found } from './models-writer.ts'
import { run } from './models.ts'

let host: ModelsHost
let folder: string
const path = 'asr-models/tiny.tar.bz2'

beforeAll(async () => {
  host = await modelsHost()
  const archive = await bzip2(
    tar([
      { name: 'tiny/model.onnx', bytes: tinyModel() },
      { name: 'tiny/tokens.txt', bytes: Buffer.from(tinyTokens()) },
    ]),
  )
  host.files.set(path, { bytes: archive })
  const tiny = {
    id: 'tiny',
    title: 'Tiny',
    family: 'zipformer_ctc',
    languages: 'en',
    path,
    bytes: archive.length,
    sha256: createHash('sha256').update(archive).digest('hex'),
    files: 'model.onnx tokens.txt',
    keptMB: 0.004,
    publishedWer: 7.5,
    licence: { name: 'MIT', by: 'Nobody', url: 'https://licence.example', note: 'For tests.' },
    about: 'Understands six tones.',
    recommendedFrom: { cores: 1, memoryGB: 0.1 },
  }
  const ours = new URL('../src/features/models/catalogue.jsonl', import.meta.url)
  const others = (await readFile(ours, 'utf8')).replaceAll(/,"recommendedFrom".*?\}/g, '')
  host.files.set('catalogue.jsonl', { bytes: Buffer.from(`${JSON.stringify(tiny)}\n${others}`) })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'models-cli-'))
  return () => rm(folder, { recursive: true })
})
afterAll(() => host.close())

async function command(
  args: string[],
  {
    isTTY = false,
    signal = new AbortController().signal,
    env = {},
    look,
  }: {
    isTTY?: boolean
    signal?: AbortSignal
    env?: Record<string, string>
    look?: () => Promise<Found>
  } = {},
) {
  let stdout = ''
  let stderr = ''
  const code = await run(args, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text), isTTY, columns: 100 },
    env: { DATA_DIR: folder, MODELS_URL: host.url, ...env },
    signal,
    ...(look && { look }),
  })
  return { code, stdout, stderr }
}
const modelsDir = () => join(folder, 'models')

test('a model is listed, installed, used and removed', async () => {
  const list = (await command(['list'])).stdout
  expect(list).toMatch(/^tiny +recommended here +en +1 MB +7\.5 % +MIT +Understands six tones\.$/m)
  expect(list).toMatch(/^parakeet-v3 .* 25 .* 488 MB +6\.3 % +CC-BY-4\.0/m)
  expect(list).toContain(`Models lie in ${modelsDir()}.`)

  const installing = await command(['install'])
  expect(installing).toMatchObject({ code: 0 })
  expect(installing.stdout).toContain(
    'Tiny, by Nobody. Licence: MIT, https://licence.example\nFor tests.\n',
  )
  expect(installing.stdout).toContain('transcribes with tiny from its next start on')
  expect(installing.stderr).toContain('downloading 100 %\n')
  expect((await command([])).stdout).toMatch(/^tiny +in use +en/m)
  expect((await command(['install', 'tiny'])).stdout).toContain('installed already')

  expect(await command(['use', 'tiny'])).toMatchObject({ code: 0 })
  expect((await chosen(modelsDir())).recogniser?.id).toBe('tiny')
  expect(await command(['remove', 'tiny'])).toMatchObject({ code: 0, stdout: 'tiny is removed.\n' })
  expect(await command(['remove', 'tiny'])).toMatchObject({ code: 1 })
  expect((await chosen(modelsDir())).recogniser).toBeNull()
})

if (isLong)
  test('a model that does not work is listed as broken, with the reason', async () => {
    expect(await command(['install', 'tiny'])).toMatchObject({ code: 0 })
    await writeFile(join(modelsDir(), 'tiny/model.onnx'), '<html>')
    const { stdout } = await command(['list'])
    expect(stdout).toMatch(/^tiny +broken +en/m)
    expect(stdout).toContain('tiny cannot be used and takes no jobs: model.onnx (6 bytes')
  })

const byHand = {
  version: 1,
  id: 'by-hand',
  family: 'zipformer_ctc',
  files: { model: 'own.onnx', tokens: 'words.txt' },
  beside: ['own.onnx.data'],
}
const ownFiles: Record<string, Buffer> = {
  'model.json': Buffer.from(JSON.stringify(byHand)),
  'own.onnx': tinyModel(),
  'own.onnx.data': Buffer.from('weights'),
  'words.txt': Buffer.from(tinyTokens()),
}

test('a model that is here already is installed from its archive, or from its folder', async () => {
  const entries = Object.entries(ownFiles).map(([name, bytes]) => ({ name: `own/${name}`, bytes }))
  await writeFile(join(folder, 'own.tar.bz2'), await bzip2(tar(entries)))
  const env = { INIT_CWD: folder }
  const archive = await command(['install', './own.tar.bz2'], { env })
  expect(archive).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('by-hand is installed'),
  })
  expect((await chosen(modelsDir())).recogniser?.id).toBe('by-hand')
  const kept = (await readdir(join(modelsDir(), 'by-hand'))).toSorted()
  expect(kept).toEqual(Object.keys(ownFiles).toSorted())
  expect(await command(['install', 'own.tar.bz2'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('by-hand is installed already'),
  })

  await command(['remove', 'by-hand'])
  await mkdir(join(folder, 'own'))
  for (const [name, bytes] of Object.entries(ownFiles))
    await writeFile(join(folder, 'own', name), bytes)
  expect(await command(['install', './own'], { env })).toMatchObject({ code: 0 })
  expect((await chosen(modelsDir())).recogniser?.id).toBe('by-hand')
})

test('a file of the list is known by its name, and must be the one that was published', async () => {
  const { bytes } = host.files.get(path)!
  const carried = join(folder, 'tiny.tar.bz2')
  await writeFile(carried, Buffer.concat([bytes, Buffer.from('x')]))
  expect((await command(['install', carried])).stderr).toContain(
    'is not the file that was published',
  )
  await writeFile(carried, bytes)
  const before = host.asked.length
  expect(await command(['install', carried])).toMatchObject({ code: 0 })
  expect(host.asked.slice(before)).toEqual(['GET /catalogue.jsonl whole'])
  expect(await readFile(carried)).toEqual(bytes)

  await command(['remove', 'tiny'])
  const unpacked = join(folder, 'tiny')
  await mkdir(unpacked)
  await writeFile(join(unpacked, 'model.onnx'), tinyModel())
  expect((await command(['install', unpacked])).stderr).toContain('tokens.txt is missing in')
  await writeFile(join(unpacked, 'tokens.txt'), tinyTokens())
  expect(await command(['install', unpacked])).toMatchObject({ code: 0 })
})

test.each([
  ['nowhere.tar.bz2', null, 'nowhere.tar.bz2 is not there'],
  ['other.tar.bz2', [{ name: 'o/o.onnx', bytes: Buffer.from('o') }], 'docs/models.md says how'],
  ['odd.tar.bz2', [{ name: 'o/model.json', bytes: Buffer.from('{}') }], 'cannot be read: '],
])('of %s it is said why it is no model', async (name, entries, sentence) => {
  const file = join(folder, name)
  if (entries) await writeFile(file, await bzip2(tar(entries)))
  expect(await command(['install', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(sentence),
  })
})

test('an embedding is chosen like a recogniser, and brings its own idea of one voice', async () => {
  await writeTinySpeakers(modelsDir())
  await writeTinySpeakers(modelsDir(), { suffix: '-2', sameVoice: 0.7 })
  expect((await chosen(modelsDir())).speakers?.embedding).toMatchObject({ sameVoice: 0.4 })
  expect((await command(['use', 'tiny-embedding-2'])).stdout).toContain(
    'tells speakers apart with tiny-embedding-2',
  )
  expect((await chosen(modelsDir())).speakers).toMatchObject({
    segmentation: { id: 'tiny-segmentation' },
    embedding: { id: 'tiny-embedding-2', sameVoice: 0.7 },
  })
})

test('the page about models names every family with its files, and its example can be read', async () => {
  const page = await readFile(new URL('../docs/models.md', import.meta.url), 'utf8')
  const rows = new Map<string, string[]>()
  for (const [, families = '', files = ''] of page.matchAll(/^\| (`.*?) \| (`.*?) \|$/gm))
    for (const [, family = ''] of families.matchAll(/`(\w+)`/g))
      rows.set(
        family,
        [...files.matchAll(/`(\w+)`/g)].map(([, file = '']) => file),
      )
  for (const family of [...familyNames, ...speakerFamilies])
    expect(rows.get(family), family).toEqual(filesOf(family))
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  expect(Manifest.parse(JSON.parse(example)).id).toBe('parakeet-ja')
})

test('on a terminal the progress is one line with a bar', async () => {
  const { stderr } = await command(['install', 'tiny'], { isTTY: true })
  expect(stderr).toContain('\r\u001B[Kdownloading ████████████████████████ 100 %, 1 of 1 MB')
  expect(stderr).not.toContain('\n')
})

test('Ctrl+C stops a download, and the same command goes on', async () => {
  const file = host.files.get(path)!
  file.breaksOffAfter = [500]
  const stop = new AbortController()
  const waiting = command(['install', 'tiny'], { signal: stop.signal })
  const before = host.asked.length
  await expect.poll(() => host.asked.length).toBeGreaterThan(before)
  stop.abort(new Error('Ctrl+C'))
  expect(await waiting).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on') })
  delete file.breaksOffAfter
  expect(await command(['install', 'tiny'])).toMatchObject({ code: 0 })
})

test.each([
  [['install', 'parakit'], 1, 'There is no model parakit. Did you mean parakeet-110m-en, '],
  [['use', 'whisper-tiny'], 1, 'npm run models -- install whisper-tiny installs it'],
  [['use', 'nothing'], 1, 'There is no model nothing.'],
  [['use'], 2, 'Say which model: npm run models -- use NAME'],
  [['sing'], 2, 'sing is not known.'],
  [['install', 'tiny', '--accept', 'abc'], 2, '64 digits'],
  [['install', 'speakers', '--accept', 'a'.repeat(64)], 2, 'name it in place of the pair'],
  [['install', 'parakeet-v3'], 1, 'is not there any more (404)'],
  [['--loud'], 2, "Unknown option '--loud'"],
])('%j is said plainly', async (args, code, sentence) => {
  const said = await command(args)
  expect(said.code).toBe(code)
  expect(said.stderr).toContain(sentence)
})

test('help tells every command', async () => {
  const { code, stdout } = await command(['--help'])
  expect(code).toBe(0)
  for (const verb of ['list', 'install', 'use', 'remove', 'writer'])
    expect(stdout).toContain(`-- ${verb}`)
})

const middling: Found = {
  cores: 8,
  memoryGB: 16.4,
  freeDiskGB: 120,
  gpu: null,
  ollama: null,
  llamaCpp: null,
}
const looking = (more: Partial<Found> = {}) => ({ look: async () => ({ ...middling, ...more }) })

test('how to set up a language model is printed with settings that the server takes', async () => {
  const before = host.asked.length
  const { code, stdout } = await command(['writer'], looking())
  expect(code).toBe(0)
  expect(stdout).toContain('This machine: 8 cores, 16 GB of memory, 120 GB free on the disk; no')
  expect(stdout).toContain('Set up at present: none.')
  expect(stdout).toContain('What suits it: Ministral 3 8B Instruct')
  expect(stdout).toMatch(/^ {2}ollama pull ministral-3:8b$/m)
  expect(stdout).toContain(String.raw`'FROM ministral-3:8b\nPARAMETER num_ctx 8192\n'`)
  expect(stdout).toMatch(/^ {2}llama-server -hf \S+ --ctx-size 8192 /m)
  expect(stdout).toMatch(/ {2}its summary takes about \d+ to \d+ minutes$/m)
  expect(stdout).toMatch(/^ {2}qwen3:4b-instruct +2\.5 GB +\d+ to \d+ minutes for an hour/m)

  const blocks = stdout.match(/(?:^ {2}LLM_\w+=\S+\n)+/gm) ?? []
  const read = blocks.map((block) => {
    const lines = block.trim().split('\n')
    return readConfig(Object.fromEntries(lines.map((line) => line.trim().split('=')))).writing.llm
  })
  expect(read).toMatchObject([
    { baseUrl: 'http://127.0.0.1:11434/v1', model: 'quoth-writer', contextTokens: 8_192 },
    { baseUrl: 'http://127.0.0.1:8080/v1', model: 'quoth-writer', contextTokens: 8_192 },
    { baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o-mini', apiKey: 'YOUR_KEY' },
  ])
  expect(stdout).toContain('ADMIN_EMAILS')
  expect(read[0]?.timeoutMs).toBeGreaterThan(120_000)
  expect(host.asked.slice(before)).toEqual([])
})

test('a model that is set up or downloaded already is named and not fetched again', async () => {
  const ollama = [{ name: 'ministral-3:8b', bytes: 6_000_000_000 }]
  // Nothing listens there.
  const env = { LLM_BASE_URL: 'http://me:canary@127.0.0.1:9/v1', LLM_MODEL: 'one' }
  const { stdout } = await command(['writer'], { ...looking({ ollama, llamaCpp: 4_096 }), env })
  expect(stdout).toContain('Set up at present: one at 127.0.0.1:9.')
  expect(stdout).toMatch(/^Asked now for .*: The connection broke/m)
  expect(stdout).not.toContain('canary')
  expect(stdout).toContain('has ministral-3:8b (6 GB)')
  expect(stdout).not.toContain('ollama pull')
  expect(stdout).toContain('http://127.0.0.1:8080 and reads 4,096 tokens at once')
})

test('a machine that is too small for a language model is told so, and no settings', async () => {
  const { code, stdout } = await command(['writer'], looking({ cores: 2, memoryGB: 8 }))
  expect(code).toBe(0)
  expect(stdout).toContain('too small for a language model. Even with the smallest')
  expect(stdout).toContain('What works without one: ')
  expect(stdout).toContain('LLM_API_KEY')
  expect(stdout).not.toMatch(/ollama pull|llama-server/)
})

test('a model that is set up is tried, and its answer printed', async () => {
  const chat = await chatFake()
  const env = { LLM_BASE_URL: chat.url, LLM_MODEL: 'obedient' }
  const { stdout } = await command(['writer'], { ...looking(), env })
  expect(stdout).toContain('its answer would be shown.\n  They talk')
  expect(stdout).toMatch(/^ {2}\(\d+\.\d s · English · .* asked once\)$/m)
  await chat.close()
})
