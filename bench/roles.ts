/**
 * Does an installation of several processes lose or double anything? One web process and two workers
 * on one PostgreSQL are killed (`kill -9`) at random, while jobs are sent and done. The recogniser
 * costs nothing, everything else is real. Other ways for a process to end are in
 * test/roles.long.test.ts.
 *
 *     npm run bench -- roles [jobs = 500] [kills = 20] [seed = 11]
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'

import { isFinished } from '#features/transcriptions/status.ts'
import { seeded } from '#shared/random.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { aUser } from '#test/factories.ts'
import {
  countResults,
  keepRunning,
  problemsOf,
  settingsOf,
  startFreeWorker,
  storedResults,
} from '#test/roles.ts'
import { freePort, type RunningServer, startServer } from '#test/server.ts'

import { openBenchDatabase } from './tools/house.ts'

const [jobs = 500, kills = 20, seed = 11] = process.argv.slice(2).map(Number)
const random = seeded(seed)
const USERS = 4
const password = 'correct horse battery staple'

const { database, dataDir, stop } = await openBenchDatabase()
const { db } = database
const place = { dataDir, databaseUrl: database.url }
const port = await freePort()
const short = await shortRecording(4)
try {
  await run()
} finally {
  await stop()
}

async function run(): Promise<void> {
  let web = await startWeb()
  await countResults(db)
  const clients: Client[] = []
  for (let n = 0; n < USERS; n++) {
    const { email } = await aUser(db, { credits: jobs + 200, password })
    const client = new Client(web.url)
    await client.expect('POST', '/api/login', { email, password })
    clients.push(client)
  }
  const workers = ['left', 'right'].map((name) =>
    keepRunning(() => startFreeWorker(place, { name })),
  )

  const begun = performance.now()
  const sending = Promise.all(
    clients.map(async (client, index) => {
      for (let n = index; n < jobs; n += USERS) await submit(client)
    }),
  )
  const interrupted: { id: string; at: Date }[] = []
  const moments = Array.from({ length: kills }, () => random() * 0.95 * jobs).sort((a, b) => a - b)
  for (const [index, moment] of moments.entries()) {
    await until(async () => (await storedResults(db)).stored >= moment)
    await sleep(random() * 1_000)
    const victim = ['web', 'left', 'right'][Math.floor(random() * 3)]!
    if (victim === 'web') {
      await web.kill()
      web = await startWeb()
    } else {
      const worker = workers[victim === 'left' ? 0 : 1]!
      await until(async () => worker.now()?.isRunning() === true)
      const at = new Date()
      await worker.now()!.end('SIGKILL')
      for (const id of await runningSince(at)) interrupted.push({ id, at })
    }
    console.log(`kill ${index + 1}/${kills}: ${victim}, ${Math.ceil(moment)} results`)
  }
  await sending
  await allEnded()
  const seconds = (performance.now() - begun) / 1000
  const { stored, transcriptions } = await storedResults(db)
  const { rows } = await db.execute<{ status: string; n: number }>(
    sql`select status, count(*)::int as n from transcriptions where attempt > 0 group by status`,
  )
  const problems = await problemsOf(db)
  const isRight = stored === jobs && transcriptions === jobs && problems.length === 0
  console.log(
    `\n${isRight ? 'ok  ' : 'NOT '} ${jobs} jobs, ${kills} kills -9 in ${seconds.toFixed(0)} s: ` +
      `${rows.map(({ status, n }) => `${n} ${status}`).join(', ')}; ` +
      `${stored} results stored for ${transcriptions} transcriptions, ` +
      `${problems.length} problems in the books; ` +
      `jobs of a killed worker ran again after ${await waitsOf(interrupted)}`,
  )
  for (const problem of problems) console.log(`     ${problem}`)
  process.exitCode = isRight ? 0 : 1
  for (const each of workers) await each.stop()
  await web.stop()
}

function startWeb(): Promise<RunningServer> {
  return startServer({ dataDir, port, settings: { ...settingsOf(place), ROLE: 'web' } })
}

/** Uploads and confirms, however often the server is killed meanwhile. */
async function submit(client: Client): Promise<string> {
  const { transcriptionId } = await persist(async () => {
    await dropUnconfirmed(client)
    return client.upload(short)
  })
  // A repeat of a confirmation changes nothing.
  await persist(() => client.confirm(transcriptionId))
  return transcriptionId
}

/** Cancels the upload that is left when its answer was lost. */
async function dropUnconfirmed(client: Client): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select t.id from transcriptions t join users u on u.id = t.user_id
    where t.status = 'uploading' and u.email = ${(await client.user()).email}`)
  for (const { id } of rows) await client.expect('DELETE', `/api/transcriptions/${id}/cancel`)
}

async function persist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 200) throw error
      await sleep(200)
    }
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 900_000
  while (!(await persist(isTrue))) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${isTrue.toString()}`)
    await sleep(100)
  }
}

async function allEnded(): Promise<void> {
  await until(async () => {
    const { rows } = await db.execute<{ status: string }>(
      sql`select distinct status from transcriptions where attempt > 0`,
    )
    return rows.every(({ status }) => isFinished(status))
  })
  // A job ends a moment after its result is stored; one whose worker was killed in between, later.
  await until(async () => (await problemsOf(db)).every((each) => !each.includes('jobs of')))
}

async function runningSince(at: Date): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from pgboss.job
    where name = 'transcribe' and state = 'active' and started_on < ${at.toISOString()}`)
  return rows.map(({ id }) => id)
}

/** How long until jobs that were running when a worker was killed were claimed again, at most. */
async function waitsOf(interrupted: { id: string; at: Date }[]): Promise<string> {
  const waits: number[] = []
  for (const { id, at } of interrupted) {
    const { rows } = await db.execute<{ ms: number }>(sql`
      select extract(epoch from started_on - ${at.toISOString()}::timestamptz)::float * 1000 as ms
      from pgboss.job where id = ${id} and retry_count = 1`)
    if (rows[0] && rows[0].ms > 0) waits.push(rows[0].ms / 1000)
  }
  if (waits.length === 0) return 'none was running'
  return `${Math.min(...waits).toFixed(0)} to ${Math.max(...waits).toFixed(0)} s (${waits.length})`
}
