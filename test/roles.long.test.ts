/** Workers that die, freeze, stop and lose their database, each in its own process. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'

import { Client } from './client.ts'
import { email, test } from './cluster.ts'
import { shortRecording } from './crashes.ts'
import {
  cutConnections,
  forgetHeartbeats,
  keepRunning,
  POISON_SECONDS,
  problemsOf,
  settingsOf,
  storedResults,
} from './roles.ts'
import { freePort, startServer } from './server.ts'

const slow = { FREE_RECOGNISE_MS: '1500' }

test('two workers share the jobs, and none is done twice', async ({
  cluster: { db, client, worker, confirmed },
}) => {
  await db.execute(sql`truncate stored_results`)
  const workers = [await worker('left', slow), await worker('right', slow)]
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push(await confirmed())
  for (const id of ids) expect((await client.ended(id)).status).toBe('completed')
  expect(await storedResults(db)).toEqual({
    stored: 6,
    transcriptions: 6,
    engines: ['left', 'right'],
  })
  await expect.poll(() => problemsOf(db), { timeout: 20_000 }).toEqual([])
  for (const each of workers) expect(await each.end('SIGTERM')).toBe(0)
}, 120_000)

test('a worker that was taken for dead changes nothing when it wakes up', async ({
  cluster: { db, client, worker, confirmed },
}) => {
  await db.execute(sql`truncate stored_results`)
  const frozen = await worker('frozen', slow)
  const id = await confirmed()
  await expect
    .poll(async () => (await client.transcription(id)).status, { timeout: 90_000 })
    .toMatch(/^processing chunk 0/)
  frozen.process.kill('SIGSTOP')
  const other = await worker('other')
  await forgetHeartbeats(db)
  const result = await client.ended(id)
  expect(result).toMatchObject({ status: 'completed' })

  await other.end('SIGTERM')
  frozen.process.kill('SIGCONT')
  // When the worker takes the next job, it has finished the old one.
  const next = await confirmed()
  expect((await client.ended(next)).status).toBe('completed')
  expect(await client.transcription(id)).toEqual(result)
  expect(await storedResults(db)).toEqual({
    stored: 2,
    transcriptions: 2,
    engines: ['frozen', 'other'],
  })
  await expect.poll(() => problemsOf(db), { timeout: 20_000 }).toEqual([])
  await frozen.end('SIGTERM')
}, 120_000)

test('a recording that kills its worker is given up, and takes no other with it', async ({
  cluster: { db, client, worker, confirmed },
}) => {
  const before = await client.user()
  const settings = { WORKERS: '3', FREE_IS_ALONE: '1', FREE_RECOGNISE_MS: '3000' }
  const ids = [await confirmed(), await confirmed()]
  const poison = await confirmed(await shortRecording(POISON_SECONDS))
  const kept = keepRunning(() => worker('alone', settings))
  onTestFinished(() => kept.stop())
  const ended = await client.ended(poison)
  expect(ended).toMatchObject({ status: 'error', creditsReturned: 1 })
  expect(ended.errorMessage).toContain('Your credits were returned')
  for (const id of ids) expect((await client.ended(id)).status).toBe('completed')
  expect(kept.deaths()).toBe(3)
  await expect.poll(() => problemsOf(db), { timeout: 20_000 }).toEqual([])
  expect((await client.user()).credits).toBe(before.credits - 2)
}, 180_000)

test('jobs and requests outlive the loss of every connection to the database', async ({
  cluster: { db, web, client, worker, confirmed },
}) => {
  const working = await worker('working', slow)
  const ids = [await confirmed(), await confirmed()]
  const answers: Response[] = []
  for (let cut = 0; cut < 4; cut++) {
    await cutConnections(db)
    const asked = Array.from({ length: 10 }, () => client.call('GET', '/api/transcriptions'))
    answers.push(...(await Promise.all(asked)))
    await sleep(700)
  }
  for (const answer of answers) {
    expect([200, 503]).toContain(answer.status)
    if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  for (const id of ids) expect((await client.ended(id)).status).toBe('completed')
  await expect.poll(() => problemsOf(db), { timeout: 20_000 }).toEqual([])
  expect([web.isRunning(), working.isRunning()]).toEqual([true, true])
  await working.end('SIGTERM')
}, 120_000)

test('a worker that is asked to stop gives its job back with the finished parts', async ({
  cluster: { db, client, worker, confirmed },
}) => {
  const stopped = await worker('stopped', { FREE_RECOGNISE_MS: '60000' })
  const id = await confirmed()
  await expect
    .poll(async () => (await client.transcription(id)).status, { timeout: 90_000 })
    .toMatch(/^processing chunk 0/)
  expect(await stopped.end('SIGTERM')).toBe(0)

  const { rows } = await db.execute(sql`
    select state::text, retry_limit - retry_count as left from pgboss.job
    where data ->> 'transcriptionId' = ${id}`)
  // A claim uses up one try, so all three are left now.
  expect(rows).toEqual([{ state: 'retry', left: 3 }])
  const kept = await db.execute(sql`
    select name from transcription_stages where transcription_id = ${id} order by name`)
  expect(kept.rows).toContainEqual({ name: 'regions' })

  const next = await worker('next')
  expect((await client.ended(id)).status).toBe('completed')
  await next.end('SIGTERM')
}, 120_000)

test('a web process that is asked to stop answers the requests it has begun, and takes no new ones', async ({
  cluster,
}) => {
  const { db, dataDir } = cluster
  const settings = { ...settingsOf(cluster), ROLE: 'web' }
  const leaving = await startServer({ dataDir, port: await freePort(), settings })
  const client = new Client(leaving.url)
  await client.expect('POST', '/api/login', { email, password: 'correct horse battery staple' })

  const unlock = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const locking = db.transaction(async (tx) => {
    await tx.execute(sql`lock table transcriptions in access exclusive mode`)
    isLocked.resolve()
    await unlock.promise
  })
  await isLocked.promise
  let sent = 0
  const count = () => void sent++
  subscribe(REQUEST_SENT, count)
  onTestFinished(() => void unsubscribe(REQUEST_SENT, count))
  const asked = Array.from({ length: 200 }, () => client.call('GET', '/api/transcriptions'))
  await expect.poll(() => sent, { message: 'requests that were sent', timeout: 20_000 }).toBe(200)
  // Once these later requests are answered, the earlier ones have all begun.
  for (let n = 0; n < 3; n++) await fetch(`${leaving.url}/api/nothing`)

  process.kill(leaving.pid, 'SIGTERM')
  await expect
    .poll(() => isRefused(Number(new URL(leaving.url).port)), { interval: 20, timeout: 10_000 })
    .toBe(true)
  unlock.resolve()
  await locking
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await leaving.stop()
}, 120_000)

/** Published by `fetch` for each request that it has written to a connection. */
const REQUEST_SENT = 'undici:client:sendHeaders'

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost')
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}
