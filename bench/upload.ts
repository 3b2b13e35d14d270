/**
 * How much slower is an upload than the disk? The same 100 MB are sent alternately to the server
 * and to the smallest program that writes them to files. Both get them in parts, two at once, as
 * our pages send them, and flush each part before they answer. The bar is about this: what
 * receiving costs.
 *
 * Completing an upload measures it, which the bare program does not. So the whole is compared with
 * the bare program and plain ffmpeg after it. The recording is a second of sound with padding, so
 * that decoding is little more than the start of ffmpeg. The time of decoding is printed separately.
 *
 * npm run bench -- upload [repeats = 5] [at once = 20]
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'

import type { UploadInParts } from '#features/recordings/contract.ts'
import { partsOf } from '#server/storage.ts'
import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { wav } from '#test/wav.ts'

import { startBeside } from './tools/beside.ts'
import { type House, openHouse, type Visitor } from './tools/house.ts'
import { memoryOf, peakMemoryOf } from './tools/processes.ts'
import { decodeRaw } from './tools/raw.ts'
import { median, megabytes, printFigures, printMachine, ratio, seconds } from './tools/report.ts'

const [repeats = 5, atOnce = 20] = process.argv.slice(2).map(Number)
const BLOCK = 256 * 1024
const MB = 1024 * 1024

/** When the first part was sent, and the last one had arrived, of all uploads of a turn. */
let putting = { from: Infinity, to: 0 }

printMachine()
const house = await openHouse()
const folder = await mkdtemp(join(tmpdir(), 'quoth-raw-'))
const receiver = await startBeside('raw-receiver.ts', [folder])
try {
  const padded = wav({ soundSeconds: 1, sizeBytes: MAX_UPLOAD_BYTES })
  const full = wav({ soundSeconds: 3000, sizeBytes: 3000 * 32_000 + 44 })
  const paddedPath = join(folder, 'padded.wav')
  await writeFile(paddedPath, padded)
  await bothSides(padded, 1)

  const alone = await bothSides(padded, repeats)
  const measured = await upload(house, await house.visitor(), full)
  const crowded = await bothSides(padded, Math.min(3, repeats), atOnce)

  const decodes: number[] = []
  for (let index = 0; index < repeats; index++) decodes.push((await decodeRaw(paddedPath)).wallMs)
  const decodeMs = median(decodes)

  const one = alone.map(({ rawMs, putMs }) => rawMs / putMs)
  const many = crowded.map(({ rawMs, putMs }) => rawMs / putMs)
  const growth = Math.max(...alone.map(({ growthBytes }) => growthBytes))
  const crowdedGrowth = Math.max(...crowded.map(({ growthBytes }) => growthBytes))
  const rawRate = (MAX_UPLOAD_BYTES * atOnce) / median(crowded.map(({ rawMs }) => rawMs)) / 1000
  printFigures(`Upload of 100 MB, ${repeats} repeats`, [
    {
      what: 'speed over socket → file → fsync of each part in bare Node (median, worst)',
      figure: `${ratio(median(one))} (${ratio(Math.min(...one))})`,
      bar: '≥ 0.8',
      isMet: median(one) >= 0.8,
    },
    {
      what: 'time of either',
      figure: `${seconds(median(alone.map(({ putMs }) => putMs)))}, bare ${seconds(median(alone.map(({ rawMs }) => rawMs)))}`,
    },
    {
      what: `the whole with measuring, over the bare program and plain ffmpeg (${seconds(decodeMs)})`,
      figure: `${ratio(median(alone.map(({ rawMs, ourMs }) => (rawMs + decodeMs) / ourMs)))} (${seconds(median(alone.map(({ ourMs }) => ourMs)))})`,
    },
    {
      what: 'growth of the server in memory',
      figure: megabytes(growth),
      bar: '≤ 64 MB',
      isMet: growth <= 64 * MB,
    },
    {
      what: `${atOnce} at once: speed over the bare program's`,
      figure: `${ratio(median(many))} (${ratio(Math.min(...many))}; bare ${rawRate.toFixed(0)} MB/s)`,
      bar: '≥ 0.7',
      isMet: median(many) >= 0.7,
    },
    {
      what: `${atOnce} at once: growth in memory`,
      figure: megabytes(crowdedGrowth),
      bar: '≤ 200 MB',
      isMet: crowdedGrowth <= 200 * MB,
    },
    {
      what: '50 min of WAV (92 MB), measured by decoding before the answer',
      figure: seconds(measured),
    },
  ])
} finally {
  receiver.kill()
  await house.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Pair {
  rawMs: number
  ourMs: number
  growthBytes: number
  /** From the first part to the last, without beginning and completing. */
  putMs: number
}

async function bothSides(file: Buffer, count: number, parallel = 1): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let index = 0; index < count; index++) {
    const rawMs = await timed(() => allAtOnce(parallel, () => sendRaw(file)))
    // Only a few uploads of one user may wait to be confirmed, so each has a user of its own.
    const visitors = await Promise.all(Array.from({ length: parallel }, () => house.visitor()))
    const { pid } = house.server
    // Resets the peak of memory that the kernel remembers.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = memoryOf(pid)
    putting = { from: Infinity, to: 0 }
    const ourMs = await timed(() =>
      allAtOnce(parallel, (number) => upload(house, visitors[number]!, file)),
    )
    pairs.push({
      rawMs,
      ourMs,
      growthBytes: peakMemoryOf(pid) - before,
      putMs: putting.to - putting.from,
    })
    await removeAll(visitors)
  }
  return pairs
}

function allAtOnce(count: number, run: (number: number) => Promise<unknown>) {
  return Promise.all(Array.from({ length: count }, (_, number) => run(number)))
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

/** The parts of a file, two on their way at once. */
async function inParts(file: Buffer, send: (part: Buffer, number: number) => Promise<unknown>) {
  const waiting = partsOf({ sizeBytes: file.length })
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const { startByte, sizeBytes, number } = part
      await send(file.subarray(startByte, startByte + sizeBytes), number)
    }
  }
  await Promise.all([work(), work()])
}

async function sendRaw(file: Buffer): Promise<void> {
  await inParts(file, async (part) => {
    const socket = connect({ port: receiver.port, host: '127.0.0.1', allowHalfOpen: true })
    const answer = text(socket)
    await pipeline(Readable.from(blocksOf(part)), socket)
    if ((await answer) !== 'done') throw new Error('the bare program did not answer')
  })
}

/** Answers how long it took, with beginning and completing, in ms. */
async function upload(house: House, { headers }: Visitor, file: Buffer): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const ask = async (method: string, path: string, body: Buffer) => {
    const call = request(`${house.server.url}${path}`, {
      agent,
      method,
      headers: {
        ...headers,
        'Content-Type': path.includes('/parts/') ? 'application/octet-stream' : 'application/json',
        'Content-Length': body.length,
      },
    })
    const answered = once(call, 'response')
    await pipeline(Readable.from(blocksOf(body)), call)
    const [answer] = await answered
    const said = await text(answer)
    if (answer.statusCode !== 200) throw new Error(`the upload was refused: ${said}`)
    return JSON.parse(said) as UploadInParts
  }
  return timed(async () => {
    const about = Buffer.from(JSON.stringify({ name: 'bench.wav', sizeBytes: file.length }))
    const { id, parts } = await ask('POST', '/api/uploads', about)
    const urls = new Map(parts.map(({ number, url }) => [number, url]))
    putting.from = Math.min(putting.from, performance.now())
    await inParts(file, (part, number) => ask('PUT', urls.get(number)!, part))
    putting.to = Math.max(putting.to, performance.now())
    await ask('POST', `/api/uploads/${id}/complete`, Buffer.from('{}'))
    agent.destroy()
  })
}

async function removeAll(visitors: readonly Visitor[]): Promise<void> {
  for (const { headers } of visitors) {
    const list = await fetch(`${house.server.url}/api/transcriptions`, { headers })
    for (const { id } of (await list.json()) as { id: string }[])
      await fetch(`${house.server.url}/api/transcriptions/${id}/cancel`, {
        method: 'DELETE',
        headers,
      })
  }
}

function* blocksOf(file: Buffer): Generator<Buffer> {
  for (let from = 0; from < file.length; from += BLOCK) yield file.subarray(from, from + BLOCK)
}
