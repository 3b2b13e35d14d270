import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { tinyModel, writeTinyModel, writeTinySpeakers } from '#test/tiny-model.ts'
import { isLong } from '#test/long.ts'
import { writeTinyWhisper } from '#test/tiny-whisper.ts'

import { type Attempt, chosen, idOf, inUse, TooBusy } from '#features/models/models.ts'

import { attempt } from './try-models.ts'

const signal = new AbortController().signal
const root = aFolder('try')

/** A model in a folder of its own, with something done to its files. */
async function tried(
  write: (folder: string) => Promise<void>,
  limits: { processorS?: number; waitMs?: number } = {},
) {
  const modelsDir = await mkdtemp(join(root, 'models-'))
  await write(join(modelsDir, 'tiny'))
  const { recogniser } = await chosen(modelsDir)
  return attempt(recogniser!, { signal, ...limits })
}
const tinyWith = (name: string, bytes: Buffer | string) => async (folder: string) => {
  await writeTinyModel(folder)
  await writeFile(join(folder, name), bytes)
}

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 652184281\n`

test('a model that works is told from one that does not', async () => {
  expect(await tried((folder) => writeTinyModel(folder))).toBeNull()
  expect(await tried((folder) => writeTinyWhisper(folder, { name: 'tiny' }))).toBeNull()
})

test.each<[string, string, Buffer | string, RegExp]>([
  [
    'a pointer of Git LFS',
    'model.onnx',
    pointer,
    /^model\.onnx \(\d+ bytes, begins with "version https:\/\/git-lfs.*"\) is a pointer of Git LFS/,
  ],
  ['a web page', 'model.onnx', '\n<!DOCTYPE html><title>Sign in</title>', /\) is a web page/],
  ['an empty file', 'tokens.txt', '', /^tokens\.txt \(0 bytes\) is empty/],
  [
    'a file that is cut off',
    'model.onnx',
    tinyModel().subarray(0, 900),
    /failed: .*\(model\.onnx \(900 bytes, begins with 0808/,
  ],
  ['a network of another kind', 'model.onnx', Buffer.from('0800', 'hex'), /model\.onnx \(2 bytes/],
  [
    'a vocabulary that is none',
    'tokens.txt',
    'nothing\n',
    /ended the process it ran in \(code 255\)/,
  ],
  [
    'a network that wants gigabytes',
    'model.onnx',
    tinyModel({ fillsBytes: 2.5e9 }),
    /model\.onnx \(\d+ bytes/,
  ],
])('%s is said, with file, size and first bytes', async (_what, name, bytes, reason) => {
  expect(await tried(tinyWith(name, bytes))).toMatch(reason)
})

test('a decoder of another model, whose failure the engine keeps to itself, is found out', async () => {
  const reason = await tried(async (folder) => {
    await writeTinyWhisper(folder, { name: 'tiny' })
    await writeFile(join(folder, 'decoder.onnx'), tinyModel())
  })
  expect(reason).toContain('decoder.onnx')
})

if (isLong)
  test('a model that takes too much processor time is broken', async () => {
    const reason = await tried(tinyWith('model.onnx', tinyModel({ isSlow: true })), {
      processorS: 1,
      waitMs: 100_000,
    })
    expect(reason).toContain('did not answer within 1 s of processor time.')
  })

test('of a model that answers late, and got little processor time, nothing is known', async () => {
  const late = tried((folder) => writeTinyModel(folder), { waitMs: 1 })
  await expect(late).rejects.toThrow(TooBusy)
  await expect(late).rejects.toThrow(
    /too busy: tiny did not answer within 1 s, and took less than \d+ s of processor time/,
  )
})

test('a model that the machine was too busy for gives way to the next, and is no broken one', async () => {
  const modelsDir = await mkdtemp(join(root, 'models-'))
  const installedAt = { large: '2026-02-01T00:00:00Z', small: '2026-01-01T00:00:00Z' }
  for (const [name, at] of Object.entries(installedAt))
    await writeTinyModel(join(modelsDir, name), { name, installedAt: at })
  const tryOut: Attempt = async (model) => {
    if (idOf(model) === 'large') throw new TooBusy('no time')
    return null
  }
  const { recogniser, broken } = await inUse(modelsDir, tryOut, { signal })
  expect(recogniser?.id).toBe('small')
  expect(broken).toEqual([{ id: 'large', reason: 'no time', isUntried: true }])
})

test('a pair for speakers is tried as a pair', async () => {
  const modelsDir = await mkdtemp(join(root, 'models-'))
  await writeTinySpeakers(modelsDir)
  const whole = (await chosen(modelsDir)).speakers!
  expect(await attempt(whole, { signal })).toBeNull()
  await writeFile(join(modelsDir, 'tiny-embedding/model.onnx'), Buffer.alloc(900, 9))
  expect(await attempt(whole, { signal })).toMatch(
    /tiny-embedding\/model\.onnx \(900 bytes, begins with 0909/,
  )
})

if (isLong)
  test('of models for speakers, each is tried once, and it is told which of them are broken', async () => {
    const modelsDir = await mkdtemp(join(root, 'models-'))
    for (const suffix of ['', '-2', '-3']) await writeTinySpeakers(modelsDir, { suffix })
    const damage = (name: string) =>
      writeFile(join(modelsDir, name, 'model.onnx'), Buffer.alloc(900, 9))
    for (const name of ['tiny-embedding', 'tiny-embedding-2', 'tiny-segmentation'])
      await damage(name)
    const tries: string[] = []
    const tryOut: Attempt = (model, options) => {
      tries.push(idOf(model))
      return attempt(model, options)
    }
    const { speakers, broken } = await inUse(modelsDir, tryOut, { signal })
    expect(broken.map(({ id }) => id)).toEqual([
      'tiny-embedding',
      'tiny-embedding-2',
      'tiny-segmentation',
    ])
    expect(speakers).toMatchObject({
      segmentation: { id: 'tiny-segmentation-2' },
      embedding: { id: 'tiny-embedding-3' },
    })
    expect(tries).toHaveLength(5)
  })
