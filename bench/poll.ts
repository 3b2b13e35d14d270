/**
 * How many open dashboards can a server serve? 200 of them ask for their job every two seconds, as
 * browsers do: alone, and while a job and an upload are running. Then there are 2,000 dashboards.
 *
 * npm run bench -- poll [seconds = 20]
 */
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { eq } from 'drizzle-orm'

import { transcriptions } from '#features/row/tables.ts'
import { Client } from '#test/client.ts'
import { anUpload } from '#test/factories.ts'

import { type House, openHouse, type Visitor } from './tools/house.ts'
import { type Answers, type Target, atAPace } from './tools/load.ts'
import {
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  within,
} from './tools/report.ts'

const [loadSeconds = 20] = process.argv.slice(2).map(Number)
const EVERY_MS = 2000
const DASHBOARDS = 200
const CROWD = 2000
const UPLOAD_BYTES = 95 * 1024 * 1024
const UPLOAD_BYTES_A_SECOND = 8 * 1024 * 1024

printMachine()
const house = await openHouse()
try {
  const dashboards = await working(CROWD)
  const all = dashboards.map(({ visitor, id }) => poll(visitor, id))
  const ours = all.slice(0, DASHBOARDS)
  // Code that runs for the first time is slow, and is not measured.
  await atAPace(ours, { everyMs: 500, forMs: 1000 })

  const quiet = await atAPace(ours, { everyMs: EVERY_MS, forMs: (loadSeconds / 2) * 1000 })
  const stop = await busy(house)
  const loaded = await atAPace(ours, { everyMs: EVERY_MS, forMs: loadSeconds * 1000 })
  await stop()

  const crowd = await atAPace(all, { everyMs: EVERY_MS, forMs: (loadSeconds / 2) * 1000 })

  printFigures(`${DASHBOARDS} dashboards, each every 2 s`, [
    within('p50', median(quiet.latenciesMs), 10),
    within('p99', percentile(quiet.latenciesMs, 0.99), 150),
    errors(quiet),
    {
      what: 'p50 and p99 while a job and an upload are running',
      figure: `${milliseconds(median(loaded.latenciesMs))}, ${milliseconds(percentile(loaded.latenciesMs, 0.99))}`,
    },
    errors(loaded),
  ])
  printFigures(`${CROWD} dashboards, each every 2 s`, [
    {
      what: 'p50 and p99',
      figure: `${milliseconds(median(crowd.latenciesMs))}, ${milliseconds(percentile(crowd.latenciesMs, 0.99))}`,
    },
    {
      what: 'put off with 503 and Retry-After',
      figure: `${crowd.putOff} of ${crowd.latenciesMs.length}`,
    },
    errors(crowd),
  ])
} finally {
  await house.stop()
}

interface Dashboard {
  visitor: Visitor
  id: string
}

/** Users, each with a job that is being worked on. */
async function working(count: number): Promise<Dashboard[]> {
  const { db } = house.database
  const dashboards: Dashboard[] = []
  for (let index = 0; index < count; index++) {
    const visitor = await house.visitor()
    const { id } = await anUpload(db, { userId: visitor.userId })
    await db
      .update(transcriptions)
      .set({ status: 'processing chunk 3/8' })
      .where(eq(transcriptions.id, id))
    dashboards.push({ visitor, id })
  }
  return dashboards
}

function poll({ headers }: Visitor, id: string): Target {
  return { url: `${house.server.url}/api/transcriptions/${id}`, headers }
}

/** A real job and an upload that never ends, until they are stopped. */
async function busy({ server, dataDir, ...others }: House): Promise<() => Promise<void>> {
  const worker = new Client(server.url)
  await worker.signUp({ email: 'bench@example.com', dataDir })
  const sample = fileURLToPath(
    new URL('../src/features/transcriptions/sample/sample.m4a', import.meta.url),
  )
  const bytes = new Uint8Array(await readFile(sample))
  const { transcriptionId: id } = await worker.upload({ name: 'sample.m4a', bytes })
  await worker.confirm(id)

  const { headers } = await others.visitor()
  const ending = new AbortController()
  const call = request(`${server.url}/api/upload`, {
    method: 'POST',
    signal: ending.signal,
    headers: {
      ...headers,
      'Content-Type': 'multipart/form-data; boundary=bench',
      'Content-Length': UPLOAD_BYTES,
    },
  })
  // The upload is cut off at the end of the bench, which is no failure.
  call.on('error', () => undefined)
  Readable.from(slowly()).pipe(call)
  return async () => {
    ending.abort()
    await worker.call('DELETE', `/api/transcriptions/${id}/cancel`)
    await sleep(1000)
  }
}

async function* slowly(): AsyncGenerator<Buffer> {
  const block = Buffer.alloc(128 * 1024)
  const pauseMs = (block.length / UPLOAD_BYTES_A_SECOND) * 1000
  yield Buffer.from(
    '--bench\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n' +
      'Content-Type: audio/wav\r\n\r\nRIFF....WAVE',
  )
  for (let sent = 0; sent < UPLOAD_BYTES - 2 * block.length; sent += block.length) {
    yield block
    await sleep(pauseMs)
  }
}

function errors({ statuses, failures, putOff }: Answers) {
  const good = (statuses.get(200) ?? 0) + putOff
  const all = [...statuses.values()].reduce((sum, count) => sum + count, failures)
  const what = 'errors and time-outs'
  return { what, figure: `${all - good} of ${all}`, bar: '0', isMet: all === good }
}
