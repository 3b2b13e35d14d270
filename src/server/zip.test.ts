import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import pino from 'pino'
import { expect, test } from 'vitest'

import { filesIn } from '#test/zip.ts'

import { silentLog } from './log.ts'
import { zipped } from './zip.ts'

const modifiedAt = new Date('2026-11-28T12:00:00Z')
const SIZE_BYTES = 64 * 1024
/** Half as long when packed. */
const noise = () => randomBytes(SIZE_BYTES / 2).toString('hex')

test('an archive is packed no faster than it is taken', async () => {
  let received = 0
  const ahead: number[] = []
  const archive = zipped({ log: silentLog }, async ({ add }) => {
    for (let at = 1; at <= 100; at++) {
      await add({ path: `${at}.txt`, content: noise(), modifiedAt })
      ahead.push((at * SIZE_BYTES) / 2 - received)
    }
  })
  for await (const chunk of archive) received += (chunk as Buffer).length
  expect(ahead).toHaveLength(100)
  expect(Math.max(...ahead)).toBeLessThan(6 * SIZE_BYTES)
})

test('the bytes that are in the archive already are let go', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const packed: WeakRef<object>[] = []
  let left = -1
  const archive = zipped({ log: silentLog }, async ({ add }) => {
    for (let at = 0; at < 20; at++) {
      // So short that it shares its memory with other values of the time.
      const content = Buffer.from(noise().slice(0, 10_000))
      const stream = Readable.from([Buffer.from(noise())])
      packed.push(new WeakRef(content.buffer), new WeakRef(stream))
      await add({ path: `text ${at}.txt`, content, modifiedAt })
      await add({ path: `sound ${at}.mp3`, content: async () => stream, modifiedAt })
    }
    await setImmediate()
    collectGarbage()
    left = packed.filter((each) => each.deref() !== undefined).length
  })
  const taken: Uint8Array[] = []
  // As the network takes it: no bytes of the archive are kept.
  for await (const chunk of archive) taken.push(new Uint8Array(chunk as Buffer))
  expect(filesIn(Buffer.concat(taken)).size).toBe(40)
  // The last ones may still be on their way.
  expect(left).toBeLessThan(5)
})

test('an archive that breaks off says so in the log', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const content = async () =>
    Readable.from(
      (function* () {
        yield Buffer.from('the beginning')
        throw new Error('the disk went away')
      })(),
    )
  const archive = zipped({ log }, async ({ add }) => {
    expect(await add({ path: 'half.mp3', content, modifiedAt })).toBe(false)
  })
  await expect(buffer(archive)).rejects.toThrow('the disk went away')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'archive_broken_off', err: { message: 'the disk went away' } },
  ])
})
