import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

import { CreateMultipartUploadCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { contentDisposition } from '#shared/file-names.ts'
import { type S3Server, startS3 } from '#test/s3.ts'

import { s3Storage } from './s3.ts'
import {
  type InParts,
  NotStored,
  PART_BYTES,
  PartsMissing,
  type Storage,
  StorageAway,
  WrongSize,
  diskStorage,
  isKey,
} from './storage.ts'

let folder: string
let server: S3Server | null
const made: Partial<Record<'disk' | 's3', Storage>> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quoth-storage-'))
  made.disk = diskStorage(join(folder, 'files'))
  server = await startS3()
  if (server) made.s3 = s3Storage(server.bucket, { scratchDir: join(folder, 'scratch') })
})

afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const never = () => new AbortController().signal

describe.each(['disk', 's3'] as const)('%s', (kind) => {
  let storage: Storage

  beforeEach(({ skip }) => {
    const found = made[kind]
    if (!found) return skip('Swift is not installed: sudo apt install python3-swift')
    storage = found
  })

  const write = (key: string, content: string | Buffer) =>
    storage.write(key, Readable.from([Buffer.from(content)]), { signal: never() })
  const read = async (key: string, range?: { start: number; end: number }) =>
    String(await buffer(await storage.read(key, range)))
  const listed = async (after?: string) => {
    const keys: string[] = []
    for await (const page of storage.list(after)) keys.push(...page.map((stored) => stored.key))
    return keys
  }

  test('a file that was written can be opened, read and read in part', async () => {
    const key = randomUUID()
    expect(await write(key, 'sound and fury')).toEqual({ sizeBytes: 14 })
    const file = await storage.open(key)
    expect(await readFile(file.path, 'utf8')).toBe('sound and fury')
    await file.release()
    expect(await read(key)).toBe('sound and fury')
    expect(await read(key, { start: 6, end: 8 })).toBe('and')
    await storage.require(key)
  })

  test('many pieces make one file, and an empty one is a file too', async () => {
    const [large, empty] = [randomUUID(), randomUUID()]
    const piece = Buffer.alloc(64 * 1024, 'quoth ')
    // More than two parts of a bucket.
    const pieces = Array.from({ length: 300 }, () => piece)
    const sizeBytes = pieces.length * piece.length
    const { signal } = new AbortController()
    expect(await storage.write(large, Readable.from(pieces), { signal })).toEqual({ sizeBytes })
    const file = await storage.open(large)
    expect((await readFile(file.path)).equals(Buffer.concat(pieces))).toBe(true)
    await file.release()
    expect(await write(empty, '')).toEqual({ sizeBytes: 0 })
    expect(await read(empty)).toBe('')
  })

  test('a file that is not there is said to be not there', async () => {
    const key = randomUUID()
    await expect(storage.open(key)).rejects.toThrow(NotStored)
    await expect(storage.read(key)).rejects.toThrow(NotStored)
    await expect(storage.require(key)).rejects.toThrow(NotStored)
  })

  test('an aborted write leaves nothing', async () => {
    const key = randomUUID()
    const abort = new AbortController()
    const content = new PassThrough()
    const written = storage.write(key, content, { signal: abort.signal })
    content.write(Buffer.alloc(9 * 1024 ** 2))
    await expect.poll(() => listed()).toContain(key)
    await expect(storage.open(key)).rejects.toThrow(NotStored)
    abort.abort()
    await expect(written).rejects.toThrow('aborted')
    expect(await listed()).not.toContain(key)
    await expect(storage.open(key)).rejects.toThrow(NotStored)
  })

  test('a write whose sender goes away leaves nothing', async () => {
    const key = randomUUID()
    const content = new PassThrough()
    const written = storage.write(key, content, { signal: never() })
    content.write(Buffer.alloc(9 * 1024 ** 2))
    await expect.poll(() => listed()).toContain(key)
    content.destroy(new Error('connection reset'))
    await expect(written).rejects.toThrow('connection reset')
    expect(await listed()).not.toContain(key)
  })

  test('a sender may go away before its first byte is read', async () => {
    const key = randomUUID()
    const gone = () => new PassThrough().destroy(new Error('connection reset'))
    await expect(storage.write(key, gone(), { signal: never() })).rejects.toThrow(
      'connection reset',
    )
    expect(await listed()).not.toContain(key)
    const file = { key, sizeBytes: 5, token: await storage.beginParts(key, 5) }
    const part = storage.putPart(file, { number: 1, fromByte: 0 }, gone(), { signal: never() })
    await expect(part).rejects.toThrow('connection reset')
    expect(await storage.keptParts(file)).toEqual(new Map())
    await storage.remove(key)
  })

  test('stored files are listed in order, also after a key that is not there any more', async () => {
    const keys: string[] = Array.from({ length: 4 }, () => randomUUID()).toSorted()
    const [begun = '', first = '', second = '', late = ''] = keys
    for (const key of [first, second]) await write(key, 'x')
    for (const key of [begun, late]) await storage.beginParts(key, 5)
    const ours = async (after?: string) => (await listed(after)).filter((key) => keys.includes(key))
    expect(await ours()).toEqual(keys)
    await storage.remove(first)
    expect(await ours(first)).toEqual([second, late])
    for (const key of [begun, late]) await storage.remove(key)
  })

  describe('a file in parts', () => {
    const content = Buffer.alloc(PART_BYTES + 5, 'sound and fury ')
    const aFile = async () => {
      const key = randomUUID()
      const { length: sizeBytes } = content
      return { key, sizeBytes, token: await storage.beginParts(key, sizeBytes) }
    }
    const [first, last] = [content.subarray(0, PART_BYTES), content.subarray(PART_BYTES)]
    const put = (file: InParts, number: number, bytes: Buffer, fromByte = 0) =>
      storage.putPart(file, { number, fromByte }, Readable.from([bytes]), { signal: never() })

    test('is there when all of them are, in any order', async () => {
      const file = await aFile()
      await put(file, 2, last)
      expect(await storage.keptParts(file)).toEqual(new Map([[2, 5]]))
      await expect(storage.joinParts(file)).rejects.toThrow(PartsMissing)
      await expect(storage.open(file.key)).rejects.toThrow(NotStored)
      expect(await listed()).toContain(file.key)
      await put(file, 1, Buffer.alloc(PART_BYTES))
      await put(file, 1, first)
      await storage.joinParts(file)
      await storage.joinParts(file)
      expect([...(await storage.keptParts(file)).values()]).toEqual([PART_BYTES, 5])
      expect((await buffer(await storage.read(file.key))).equals(content)).toBe(true)
      // What comes late changes nothing any more. (Swift takes it, and leaves the file as it is.)
      if (kind === 'disk') await expect(put(file, 2, last)).rejects.toThrow(NotStored)
    })

    test('counts no part that has another size, or none', async () => {
      const file = await aFile()
      for (const bytes of [Buffer.concat([last, last]), last.subarray(2)])
        await expect(put(file, 2, bytes)).rejects.toThrow(WrongSize)
      await expect(put(file, 2, last.subarray(4), 4)).rejects.toThrow(WrongSize)
      await expect(put(file, 3, last)).rejects.toThrow(NotStored)
      await expect(storage.joinParts(file)).rejects.toThrow(PartsMissing)
      await storage.remove(file.key)
      await expect(storage.keptParts(file)).rejects.toThrow(NotStored)
      await expect(storage.joinParts(file)).rejects.toThrow(NotStored)
      expect(await listed()).not.toContain(file.key)
    })
  })

  test('a file of a work folder is kept', async () => {
    const key = randomUUID()
    const work = await storage.workFolder()
    await writeFile(join(work, 'anew'), 'sound alone')
    await storage.keep(key, join(work, 'anew'), { signal: never() })
    expect(await read(key)).toBe('sound alone')
    await rm(work, { recursive: true })
  })

  test('removing is repeatable', async () => {
    const key = randomUUID()
    await write(key, 'x')
    expect(await listed()).toContain(key)
    await storage.remove(key)
    await storage.remove(key)
    expect(await listed()).not.toContain(key)
  })

  test('there is room, and none is promised that is not there', async () => {
    const { freeBytes, totalBytes } = await storage.space()
    expect(freeBytes).toBeGreaterThan(0)
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
  })

  test('a text that is no key is refused', async () => {
    for (const key of ['../secret', 'a/b', '', 'name.mp3']) {
      await expect(write(key, 'x')).rejects.toThrow('must be a UUID')
      await expect(storage.open(key)).rejects.toThrow('must be a UUID')
    }
  })

  test('the mark beside the files is the last that was set, and no recording', async () => {
    expect(await storage.mark()).toBe(null)
    const before = await listed()
    await storage.setMark('one')
    await storage.setMark('two')
    expect(await storage.mark()).toBe('two')
    expect(await listed()).toEqual(before)
  })
})

describe('a disk', () => {
  const storage = () => made.disk!
  const files = () => readdir(join(folder, 'files'))

  test('keeps a file, and its name too, before it is said to be written', async () => {
    const handle = await open(folder)
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
    await handle.close()
    await storage().write(randomUUID(), Readable.from(['sound']), { signal: never() })
    // The file itself, then the folder that names it.
    expect(sync).toHaveBeenCalledTimes(2)
    sync.mockRestore()
  })

  test('keeps the bytes of a part that broke off, and takes the rest', async () => {
    const file = { key: randomUUID(), sizeBytes: 14, token: '' }
    await storage().beginParts(file.key, file.sizeBytes)
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('sound and')
        throw new Error('connection reset')
      })(),
    )
    const part = { number: 1, fromByte: 0 }
    const putting = storage().putPart(file, part, broken, { signal: never() })
    await expect(putting).rejects.toThrow('connection reset')
    expect(await storage().keptParts(file)).toEqual(new Map([[1, 9]]))
    const rest = Readable.from([Buffer.from(' fury')])
    await storage().putPart(file, { number: 1, fromByte: 9 }, rest, { signal: never() })
    await storage().joinParts(file)
    expect(String(await buffer(await storage().read(file.key)))).toBe('sound and fury')
  })

  test('of marks that are written at once, one stays, and nothing else', async () => {
    const marks = Array.from({ length: 10 }, (_, at) => `mark ${at}`)
    await Promise.all(marks.map((mark) => storage().setMark(mark)))
    expect(marks).toContain(await storage().mark())
    expect((await files()).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('two writes to one key cannot mix', async () => {
    const key = randomUUID()
    const content = new PassThrough()
    const first = storage().write(key, content, { signal: never() })
    content.write('first')
    await expect.poll(files).toContain(`${key}.part`)
    const second = storage().write(key, Readable.from(['second']), { signal: never() })
    await expect(second).rejects.toThrow('EEXIST')
    content.end()
    await first
    expect(String(await buffer(await storage().read(key)))).toBe('first')
  })

  test('unfinished uploads are listed and removed, objects of others are neither', async () => {
    const half = randomUUID()
    await writeFile(join(folder, 'files', `${half}.part`), 'half')
    await writeFile(join(folder, 'files', 'README'), 'not ours')
    const keys: string[] = []
    for await (const page of storage().list()) keys.push(...page.map(({ key }) => key))
    expect(keys).toContain(half)
    expect(keys).not.toContain('README')
    await storage().remove(half)
    expect(await files()).not.toContain(`${half}.part`)
  })
})

describe('a bucket', () => {
  test('is read by browsers at an address of its own, for a time', async ({ skip }) => {
    if (!made.s3) return skip('Swift is not installed')
    const key = randomUUID()
    await made.s3.write(key, Readable.from(['sound and fury']), { signal: never() })
    const disposition = contentDisposition('Bücher & "Zitate".ogg')
    const address = (await made.s3.address(key, { type: 'audio/ogg', disposition })) ?? ''
    const answer = await fetch(address, { headers: { range: 'bytes=6-8' } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-type')).toBe('audio/ogg')
    expect(answer.headers.get('content-disposition')).toBe(disposition)
    expect(await answer.text()).toBe('and')
    const forged = await fetch(address.replace(key, randomUUID()))
    expect(forged.status).toBe(403)
  })

  test('takes parts from browsers at addresses of its own, each in its size alone', async ({
    skip,
  }) => {
    if (!made.s3) return skip('Swift is not installed')
    const key = randomUUID()
    const file = { key, sizeBytes: 5, token: await made.s3.beginParts(key, 5) }
    const address = (await made.s3.partAddress(file, 1)) ?? ''
    const put = async (body: string) => (await fetch(address, { method: 'PUT', body })).status
    expect(await put('sound and fury')).toBe(403)
    expect(await put('sound')).toBe(200)
    await made.s3.joinParts(file)
    expect(String(await buffer(await made.s3.read(key)))).toBe('sound')
  })

  test('may hold objects of others: they are not listed, so the sweep lets them be', async ({
    skip,
  }) => {
    if (!made.s3 || !server) return skip('Swift is not installed')
    const { name: Bucket, region, endpoint, credentials } = server.bucket
    const client = new S3Client({
      region,
      endpoint: endpoint ?? '',
      credentials: credentials ?? aKey,
      forcePathStyle: true,
    })
    await client.send(new PutObjectCommand({ Bucket, Key: 'files/README', Body: 'not ours' }))
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'files/film.mov' }))
    client.destroy()
    const keys: string[] = []
    for await (const page of made.s3.list()) keys.push(...page.map(({ key }) => key))
    expect(keys.filter((key) => !isKey(key))).toEqual([])
  })

  test('keeps no copy on this machine once a recording was worked on', async ({ skip }) => {
    if (!made.s3) return skip('Swift is not installed')
    const key = randomUUID()
    await made.s3.write(key, Readable.from(['x']), { signal: never() })
    const file = await made.s3.open(key)
    expect(await readdir(join(folder, 'scratch'))).toHaveLength(1)
    await file.release()
    expect(await readdir(join(folder, 'scratch'))).toEqual([])
  })

  test('is told which pages may put parts, unless it knows; one that cannot be told says so', async () => {
    const rule = (origin: string) =>
      `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin></CORSRule></CORSConfiguration>`
    const told: string[] = []
    const answers: [status: number, body: string][] = []
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await text(request)
      if (request.method === 'PUT') told.push(body)
      const [status, said] = answers.shift() ?? [200, '']
      response.writeHead(status, { 'content-type': 'application/xml' }).end(said)
    }
    const fake = createServer((request, response) => void answer(request, response))
    await once(fake.listen(0, '127.0.0.1'), 'listening')
    const { port } = fake.address() as AddressInfo
    const bucket = { name: 'recordings', region: 'us-east-1', credentials: aKey }
    const endpoint = `http://127.0.0.1:${port}`
    const storage = s3Storage({ ...bucket, endpoint }, { scratchDir: folder })
    const letIn = () => storage.letIn(['https://quoth.example'])

    answers.push([404, '<Error><Code>NoSuchCORSConfiguration</Code></Error>'])
    expect(await letIn()).toBe(true)
    expect(told.join()).toContain('<AllowedOrigin>https://quoth.example</AllowedOrigin>')
    answers.push([200, rule('https://other.example')])
    expect(await letIn()).toBe(true)
    expect(told).toHaveLength(1)
    answers.push([403, '<Error><Code>AccessDenied</Code></Error>'])
    expect(await letIn()).toBe(false)
    storage.close()
    fake.close()
  })

  test('is given no part of another size, and no address for one', async () => {
    const bucket = { name: 'recordings', region: 'us-east-1', credentials: aKey }
    const nobody = { ...bucket, endpoint: 'http://127.0.0.1:1' }
    const storage = s3Storage(nobody, { scratchDir: folder })
    const file = { key: randomUUID(), sizeBytes: 5, token: 'begun' }
    const address = new URL((await storage.partAddress(file, 1)) ?? '')
    expect(address.searchParams.get('X-Amz-SignedHeaders')).toContain('content-length')
    const sound = Readable.from([Buffer.from('sound and fury')])
    const put = storage.putPart(file, { number: 1, fromByte: 0 }, sound, { signal: never() })
    await expect(put).rejects.toThrow(WrongSize)
    storage.close()
  })

  test('that cannot be reached is said to be away', async () => {
    const bucket = { name: 'recordings', region: 'us-east-1', credentials: aKey }
    const away = s3Storage({ ...bucket, endpoint: 'http://127.0.0.1:1' }, { scratchDir: folder })
    const key = randomUUID()
    await expect(away.open(key)).rejects.toThrow(StorageAway)
    await expect(away.space()).rejects.toThrow(StorageAway)
    const written = away.write(key, Readable.from(['x']), { signal: never() })
    await expect(written).rejects.toThrow(StorageAway)
  })
})

const aKey = { accessKeyId: 'a', secretAccessKey: 'b' }
