/**
 * Can one free account slow the server down for everybody by its calls? Each call that changes
 * something is sent 50 times at once, one call after the other, and a vocabulary of 2,000 names beside
 * each of them. Then 600 reads are kept under way, by a key, by a key whose hour is full, and by a
 * session. Meanwhile another user's page asks who is there.
 *
 * npm run bench -- crowd
 */
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import * as keys from '#features/developers/keys.ts'
import { systemClock } from '#shared/clock.ts'
import { aSession, aUser } from '#test/factories.ts'
import { lines } from '#test/route-table.ts'

import { openHouse } from './tools/house.ts'
import { probe } from './tools/probe.ts'
import {
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  within,
} from './tools/report.ts'

const AT_ONCE = 50
const FOR_MS = 500
const READS = 600
const READS_FOR_MS = 6_000
const BACK_MS = 1_000
const terms = Array.from({ length: 2_000 }, (_, n) => `A name that may come up, number ${n}`)
/** They end the session that all calls come with. */
const ends = /^(POST \/api\/logout|DELETE \/api\/account|POST \/api\/account\/password)/

const listed = (told: ReadonlyMap<number, number>) =>
  [...told]
    .toSorted(([a], [b]) => a - b)
    .map(([status, many]) => `${status}: ${many}`)
    .join(', ')

printMachine()
const house = await openHouse()
const agent = new Agent({ keepAlive: true, maxSockets: 1_024 })
try {
  const { headers } = await house.visitor()
  const other = await house.visitor()
  const calls = Object.entries(lines).flatMap(([name, line]) => {
    const isTheirs = line.for === 'owner' || line.for === 'signed-in'
    if (!isTheirs || name.startsWith('GET ') || ends.test(name)) return []
    const [method = '', pattern = ''] = name.split(' ')
    const path = pattern.replace(/:\w+/g, () => crypto.randomUUID())
    return [{ method, path, body: JSON.stringify(line.body?.({}) ?? {}) }]
  })
  const vocabulary = { method: 'PUT', path: '/api/vocabulary', body: JSON.stringify({ terms }) }
  const statuses = new Map<number, number>()
  const send = ({ method, path, body }: (typeof calls)[number]) =>
    new Promise<void>((done) => {
      const type = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      const asked = request(house.server.url + path, {
        agent,
        method,
        headers: { ...headers, ...type },
      })
      const count = (status: number) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        done()
      }
      asked.on('error', () => count(0))
      asked.on('response', (answer) =>
        answer.resume().on('close', () => count(answer.statusCode ?? 0)),
      )
      asked.end(body)
    })
  const asks = { url: `${house.server.url}/api/user`, headers: other.headers }
  const quiet = await probe({ ...asks, forMs: 3_000, everyMs: 50 })
  const busy: number[] = []
  for (const call of calls) {
    const pair = [call, vocabulary].flatMap((each) => Array.from({ length: AT_ONCE }, () => each))
    const [page] = await Promise.all([
      probe({ ...asks, forMs: FOR_MS, everyMs: 50 }),
      ...pair.map((each) => send(each)),
    ])
    busy.push(...page)
  }
  /** Keeps so many calls under way, and answers how long another's page waits meanwhile. */
  const beside = async (path: string, headers: Record<string, string>) => {
    const end = performance.now() + READS_FOR_MS + 500
    const told = new Map<number, number>()
    const ask = () =>
      new Promise<number>((done) => {
        const count = (status: number) => {
          told.set(status, (told.get(status) ?? 0) + 1)
          done(status)
        }
        request(house.server.url + path, { agent, headers })
          .on('error', () => count(0))
          .on('response', (answer) =>
            answer.resume().on('close', () => count(answer.statusCode ?? 0)),
          )
          .end()
      })
    const goOn = async () => {
      // A refused client comes back, sooner than told.
      while (performance.now() < end) if ((await ask()) === 429) await sleep(BACK_MS)
    }
    const [page] = await Promise.all([
      probe({ ...asks, forMs: READS_FOR_MS, everyMs: 50 }),
      ...Array.from({ length: READS }, goOn),
    ])
    return { page, told }
  }
  const { db } = house.database
  const user = await aUser(db, { plan: 'enterprise' })
  const { id: sessionId, token } = await aSession(db, { userId: user.id })
  const wish = { userId: user.id, sessionId, name: 'Crowd', scopes: ['read' as const] }
  const { key } = await keys.make({ db, clock: systemClock }, wish)
  const byKey = { Authorization: `Bearer ${key}` }
  const quietBeside = await probe({ ...asks, forMs: 3_000, everyMs: 50 })
  const crowds = {
    'by a key': await beside('/api/user', byKey),
    'by a key, refused': await beside('/api/user', byKey),
    'by a session': await beside('/api/user', { Authorization: `Bearer ${token}` }),
    'by a session, dear': await beside('/api/account/data', { Authorization: `Bearer ${token}` }),
  }
  printFigures(
    `${READS} reads of one account under way, idle ${milliseconds(median(quietBeside))} (load ${loadavg()[0]?.toFixed(1)})`,
    Object.entries(crowds).flatMap(([what, { page, told }]) => [
      within(`${what}: another's page, median`, median(page), Math.round(10 * median(quietBeside))),
      {
        what: 'worst',
        figure: milliseconds(Math.max(...page)),
      },
      { what: 'answered with', figure: listed(told) },
    ]),
  )
  printFigures(
    `One free account, ${calls.length} calls, ${AT_ONCE} of each at once (load ${loadavg()[0]?.toFixed(1)})`,
    [
      within("another's page, p95", percentile(busy, 0.95), 300),
      {
        what: 'median, worst',
        figure: `${milliseconds(median(busy))}, ${milliseconds(Math.max(...busy))}`,
      },
      { what: 'median before', figure: milliseconds(median(quiet)) },
      { what: 'answered with', figure: listed(statuses) },
    ],
  )
} finally {
  agent.destroy()
  await house.stop()
}
