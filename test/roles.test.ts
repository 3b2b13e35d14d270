import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { afterEach, expect, onTestFinished } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'

import { Client } from './client.ts'
import { shortRecording } from './crashes.ts'
import { test as base } from './database.ts'
import {
  countResults,
  cutConnections,
  forgetHeartbeats,
  keepRunning,
  type Place,
  POISON_SECONDS,
  problemsOf,
  type RunningWorker,
  settingsOf,
  startFreeWorker,
  startRealWorker,
  storedResults,
} from './roles.ts'
import { freePort, type RunningServer, startServer } from './server.ts'

interface Cluster extends Place {
  db: Db
  web: RunningServer
  client: Client
  worker: (name: string, settings?: Record<string, string>) => Promise<RunningWorker>
  /** Uploads and confirms a recording, and answers its id. */
  confirmed: (recording?: Awaited<ReturnType<typeof shortRecording>>) => Promise<string>
}

/** One web process, on a machine without a recogniser, and workers as a test asks for them. */
const test = base.extend<{ $file: { cluster: Cluster } }>({
  cluster: [
    async ({ database: { db, url } }, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-roles-'))
      const place = { dataDir, databaseUrl: url }
      const web = await startServer({
        dataDir,
        port: await freePort(),
        settings: {
          ...settingsOf(place),
          ROLE: 'web',
          PATH: await programsBut(/^pocketsphinx/, path.join(dataDir, 'programs')),
        },
      })
      const worker: Cluster['worker'] = async (name, settings = {}) => {
        const started = await startFreeWorker(place, { name, settings })
        workers.push(started)
        return started
      }
      // Somebody has to send the mail of the sign-up.
      const first = await worker('first')
      const client = new Client(web.url)
      const { id: userId } = await client.signUp({ email, dataDir })
      await first.end('SIGTERM')
      await db.transaction((tx) => credits.grant(tx, { userId, cause: 'test', credits: 100 }))
      await countResults(db)
      const short = await shortRecording(4)
      await use({
        ...place,
        db,
        web,
        client,
        worker,
        async confirmed(recording = short) {
          const { transcriptionId } = await client.upload(recording)
          await client.confirm(transcriptionId)
          return transcriptionId
        },
      })
      await web.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'file' },
  ],
})

/** A folder with every program of this machine but some. */
async function programsBut(left: RegExp, folder: string): Promise<string> {
  await mkdir(folder)
  for (const from of (process.env['PATH'] ?? '').split(':'))
    for (const name of await readdir(from).catch(() => []))
      if (!left.test(name))
        await symlink(path.join(from, name), path.join(folder, name)).catch(() => undefined)
  return folder
}

const workers: RunningWorker[] = []
afterEach(async () => {
  for (const each of workers.splice(0)) await each.end('SIGKILL')
})

const email = 'roles@example.com'
const slow = { FREE_RECOGNISE_MS: '1500' }

test('a web process takes recordings without a recogniser, and speaks of none', async ({
  cluster: { web, client, confirmed },
}) => {
  const id = await confirmed()
  expect((await client.transcription(id)).status).toBe('processing')
  expect(web.output()).toContain('Jobs are left to the workers.')
  expect(web.output()).not.toMatch(/pocketsphinx|nothing can be transcribed/)
  await client.expect('DELETE', `/api/transcriptions/${id}/cancel`)
})

test('a worker process answers no requests', async ({ cluster }) => {
  const port = await freePort()
  const worker = await startRealWorker(cluster, {
    name: 'real',
    settings: { PORT: String(port) },
  })
  await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
  expect(await worker.end('SIGTERM')).toBe(0)
})

test('a process with files of its own is turned away before it takes a job', async ({
  cluster,
}) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-alone-'))
  const alone = { ...cluster, dataDir }
  const worker = startRealWorker(alone, { name: 'alone' })
  await expect(worker).rejects.toThrow(/lie somewhere else[^]*All processes need the same files/)
  const settings = { ...settingsOf(alone), ROLE: 'web' }
  const web = startServer({ dataDir, port: await freePort(), settings })
  await expect(web).rejects.toThrow('lie somewhere else')
  await rm(dataDir, { recursive: true })
})

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
  // Once it has taken the next job, it is through with the old one.
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

test('a worker that is asked to stop gives its job back with what is finished of it', async ({
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
  // The next claim uses up one, so that all three are left.
  expect(rows).toEqual([{ state: 'retry', left: 3 }])
  const kept = await db.execute(sql`
    select name from transcription_stages where transcription_id = ${id} order by name`)
  expect(kept.rows).toContainEqual({ name: 'regions' })

  const next = await worker('next')
  expect((await client.ended(id)).status).toBe('completed')
  await next.end('SIGTERM')
}, 120_000)

test('a web process that is asked to stop answers what it has begun, and takes nothing new', async ({
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
  // When what was asked after them is answered, they have all begun.
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
