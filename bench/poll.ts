/**
 * How many open dashboards can a server serve? 200 of them ask for their job every two seconds, as
 * browsers do, while a job and an upload are running. Then they ask as fast as possible, compared
 * with the smallest program that answers the same SELECT. Then there are 2,000 dashboards.
 *
 * npm run bench -- poll [seconds = 20]
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { eq } from 'drizzle-orm'

import { rememberSessions } from '#features/account/session-memory.ts'
import { transcriptions } from '#features/recordings/tables.ts'
import { anApp } from '#test/app.ts'
import { Client } from '#test/client.ts'
import { anUpload } from '#test/factories.ts'

import { startBeside } from './tools/beside.ts'
import { type House, openHouse, type Visitor } from './tools/house.ts'
import { type Answers, type Target, asFastAsItGoes, atAPace } from './tools/load.ts'
import {
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  ratio,
  within,
} from './tools/report.ts'

const [loadSeconds = 20] = process.argv.slice(2).map(Number)
const EVERY_MS = 2000
const DASHBOARDS = 200
const CROWD = 2000
const CLIENTS = 32
const SATURATION_MS = 5000
const ROUNDS = 3
const UPLOAD_BYTES = 95 * 1024 * 1024
const UPLOAD_BYTES_A_SECOND = 8 * 1024 * 1024

printMachine()
const house = await openHouse()
const bare = await startBeside('bare-poll.ts', { env: { DATABASE_URL: house.database.url } })
try {
  const dashboards = await working(CROWD)
  const two = dashboards.slice(0, DASHBOARDS)
  const ours = two.map(({ visitor, id }) => poll(visitor, id))
  const theirs = two.map(({ visitor, id }) => ({
    url: `http://127.0.0.1:${bare.port}/${id}`,
    headers: { 'x-user': visitor.userId },
  }))
  const browsers = await Promise.all(ours.map(withTag))

  const bytes = await bytesOfUnchanged(browsers[0]!)
  const statements = await statementsPerPoll(two[0]!)
  await asFastAsItGoes(browsers, { clients: 8, forMs: 1000 })

  const quiet = await atAPace(browsers, { everyMs: EVERY_MS, forMs: (loadSeconds / 2) * 1000 })
  const stop = await busy(house)
  const loaded = await atAPace(browsers, { everyMs: EVERY_MS, forMs: loadSeconds * 1000 })
  await stop()

  const rounds: { ours: number; theirs: number; known: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      ours: rate(await asFastAsItGoes(ours, { clients: CLIENTS, forMs: SATURATION_MS })),
      theirs: rate(await asFastAsItGoes(theirs, { clients: CLIENTS, forMs: SATURATION_MS })),
      known: rate(await asFastAsItGoes(browsers, { clients: CLIENTS, forMs: SATURATION_MS })),
    })
  const share = median(rounds.map((round) => round.ours / round.theirs))

  const crowd = await atAPace(
    dashboards.map(({ visitor, id }) => poll(visitor, id)),
    { everyMs: EVERY_MS, forMs: (loadSeconds / 2) * 1000 },
  )

  printFigures(`${DASHBOARDS} dashboards, each every 2 s, a job and an upload running`, [
    within('p50', median(loaded.latenciesMs), 5),
    within('p99', percentile(loaded.latenciesMs, 0.99), 50),
    errors(loaded),
    {
      what: 'p50 and p99 with nothing else running',
      figure: `${milliseconds(median(quiet.latenciesMs))}, ${milliseconds(percentile(quiet.latenciesMs, 0.99))}`,
    },
    {
      what: 'answered with 304',
      figure: `${loaded.statuses.get(304) ?? 0} of ${loaded.latenciesMs.length}`,
    },
    {
      what: 'bytes of an unchanged answer, headers and all',
      figure: `${bytes} B`,
      bar: '≤ 300 B',
      isMet: bytes <= 300,
    },
    {
      what: 'SQL statements for each poll, that of the session included',
      figure: ratio(statements),
      bar: '≤ 1',
      isMet: statements <= 1,
    },
  ])
  printFigures(`Saturation: ${CLIENTS} clients, ${ROUNDS} rounds`, [
    {
      what: `requests a second over bare fastify with the same SELECT (${median(rounds.map(({ theirs }) => theirs)).toFixed(0)})`,
      figure: `${ratio(share)} (${median(rounds.map((round) => round.ours)).toFixed(0)})`,
      bar: '≥ 0.6',
      isMet: share >= 0.6,
    },
    {
      what: 'the same with answers that the browser has',
      figure: median(rounds.map(({ known }) => known)).toFixed(0),
    },
  ])
  printFigures(`${CROWD} dashboards, each every 2 s`, [
    within('p99', percentile(crowd.latenciesMs, 0.99), 250),
    {
      what: 'put off with 503 and Retry-After',
      figure: `${crowd.putOff} of ${crowd.latenciesMs.length}`,
    },
    errors(crowd),
  ])
} finally {
  bare.kill()
  await house.stop()
}

interface Dashboard {
  visitor: Visitor
  id: string
}

/** So many users, each with a job that is being worked on. */
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

/** Asks with the ETag of the answer before, as a browser does. */
async function withTag({ url, headers }: Target): Promise<Target> {
  const tag = (await fetch(url, { headers })).headers.get('etag')
  return { url, headers: { ...headers, ...(tag ? { 'If-None-Match': tag } : {}) } }
}

async function bytesOfUnchanged({ url, headers }: Target): Promise<number> {
  const call = request(url, { headers, agent: false })
  call.end()
  const [answer] = await once(call, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.socket.bytesRead
}

/** Counts statements by counting uses of a connection, in a server inside this process. */
async function statementsPerPoll({ visitor, id }: Dashboard): Promise<number> {
  const sessionMemory = rememberSessions(house.database)
  const app = await anApp(house.database, { parts: { sessionMemory }, works: false })
  try {
    while (!sessionMemory.isListening()) await sleep(10)
    const inject = await app.as({ id: visitor.userId })
    await inject(`/api/transcriptions/${id}`)
    let statements = 0
    const count = () => (statements += 1)
    house.database.pool.on('acquire', count)
    for (let index = 0; index < 10; index++) await inject(`/api/transcriptions/${id}`)
    house.database.pool.off('acquire', count)
    return statements / 10
  } finally {
    await app.close()
    sessionMemory.close()
  }
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
  const good = (statuses.get(200) ?? 0) + (statuses.get(304) ?? 0) + putOff
  const all = [...statuses.values()].reduce((sum, count) => sum + count, failures)
  const what = 'errors and time-outs'
  return { what, figure: `${all - good} of ${all}`, bar: '0', isMet: all === good }
}

function rate({ latenciesMs, seconds }: Answers): number {
  return latenciesMs.length / seconds
}
