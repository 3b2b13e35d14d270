import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { diskStorage } from './storage.ts'
import type { Storage } from './storage.ts'

let folder: string
let storage: Storage

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quoth-storage-'))
  storage = diskStorage(join(folder, 'files'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const never = () => new AbortController().signal
const write = (key: string, text: string) =>
  storage.write(key, Readable.from([Buffer.from(text)]), { signal: never() })

test('what was written can be opened, read and read in part', async () => {
  const key = randomUUID()
  expect(await write(key, 'sound and fury')).toEqual({ sizeBytes: 14 })
  const file = await storage.open(key)
  expect(await readFile(file.path, 'utf8')).toBe('sound and fury')
  await file.release()
  expect(String(await buffer(storage.read(key)))).toBe('sound and fury')
  expect(String(await buffer(storage.read(key, { start: 6, end: 8 })))).toBe('and')
})

test('of marks that are written at once, one stays, and nothing else', async () => {
  const marks = Array.from({ length: 10 }, (_, at) => `mark ${at}`)
  await Promise.all(marks.map((mark) => storage.setMark(mark)))
  expect(marks).toContain(await storage.mark())
  expect(await readdir(join(folder, 'files'))).toEqual(['.installation'])
})

test('an aborted write leaves nothing', async () => {
  const key = randomUUID()
  const abort = new AbortController()
  const content = new PassThrough()
  const written = storage.write(key, content, { signal: abort.signal })
  content.write('the first half')
  await expect.poll(() => readdir(join(folder, 'files')), { timeout: 10_000 }).toHaveLength(1)
  abort.abort()
  await expect(written).rejects.toThrow('aborted')
  expect(await readdir(join(folder, 'files'))).toEqual([])
  await expect(storage.open(key)).rejects.toThrow('ENOENT')
})

test('a write whose sender goes away leaves nothing', async () => {
  const content = new PassThrough()
  const written = storage.write(randomUUID(), content, { signal: never() })
  content.write('the first half')
  content.destroy(new Error('connection reset'))
  await expect(written).rejects.toThrow('connection reset')
  expect(await readdir(join(folder, 'files'))).toEqual([])
})

test('a file is not there before it is complete', async () => {
  const key = randomUUID()
  const content = new PassThrough()
  const written = storage.write(key, content, { signal: never() })
  content.write('the first half')
  await expect(storage.open(key)).rejects.toThrow('ENOENT')
  content.end()
  await written
  await storage.open(key)
})

test('two writes to one key cannot mix', async () => {
  const key = randomUUID()
  const content = new PassThrough()
  const first = storage.write(key, content, { signal: never() })
  content.write('first')
  await expect.poll(() => readdir(join(folder, 'files')), { timeout: 10_000 }).toHaveLength(1)
  await expect(write(key, 'second')).rejects.toThrow('EEXIST')
  content.end()
  await first
  expect(String(await buffer(storage.read(key)))).toBe('first')
})

test('removing is repeatable and takes what was never finished along', async () => {
  const key = randomUUID()
  await write(key, 'x')
  await writeFile(join(folder, 'files', `${key}.part`), 'half')
  await storage.remove(key)
  await storage.remove(key)
  expect(await readdir(join(folder, 'files'))).toEqual([])
})

test('every key is listed, also of what was never finished', async () => {
  const [whole, half] = [randomUUID(), randomUUID()]
  await write(whole, 'x')
  await writeFile(join(folder, 'files', `${half}.part`), 'half')
  await writeFile(join(folder, 'files', 'README'), 'not ours')
  const keys: string[] = []
  for await (const page of storage.list()) keys.push(...page.map(({ key }) => key))
  expect(keys.sort()).toEqual([whole, half].sort())
})

test('the space that is left is that of the disk below', async () => {
  const { freeBytes, totalBytes } = await storage.space()
  expect(freeBytes).toBeGreaterThan(0)
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
})

test.each(['../secret', 'a/b', '', 'name.mp3'])('%j is not a key', async (key) => {
  await expect(write(key, 'x')).rejects.toThrow('must be a UUID')
  await expect(storage.open(key)).rejects.toThrow('must be a UUID')
})

test('the mark beside the files is no recording', async () => {
  expect(await storage.mark()).toBe(null)
  await storage.setMark('one')
  await storage.setMark('two')
  expect(await storage.mark()).toBe('two')
  for await (const page of storage.list()) expect.fail(`${page.length} recordings`)
})
