/**
 * Does an installation of several processes lose or double anything? One web process and two
 * workers on one PostgreSQL; the recogniser costs nothing, everything else is real.
 *
 *     npm run bench -- roles [jobs = 500] [kills = 20] [seed = 11] [parts = all]
 *
 * Parts, by their names separated by commas:
 *
 * - kills: `kill -9` of the web process or a worker at random, while the jobs are sent and done
 * - database: PostgreSQL killed five times and every connection cut five times under work
 * - poison: a recording that kills its worker each time, among thirty that do not
 * - frozen: a worker stopped (SIGSTOP) until another has done its job, then woken, three times
 * - stops: SIGTERM to the web process with requests in flight, and to a worker with a job
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'

import { isFinished } from '#features/transcriptions/status.ts'
import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { startPostgres } from '#server/postgres.ts'
import { seeded } from '#shared/random.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { aUser } from '#test/factories.ts'
import {
  countResults,
  cutConnections,
  keepRunning,
  POISON_SECONDS,
  problemsOf,
  settingsOf,
  startFreeWorker,
  storedResults,
} from '#test/roles.ts'
import { freePort, type RunningServer, startServer } from '#test/server.ts'

const [jobs = 500, kills = 20, seed = 11] = process.argv.slice(2, 5).map(Number)
const parts = process.argv[5]?.split(',') ?? ['kills', 'database', 'poison', 'frozen', 'stops']
const random = seeded(seed)
const USERS = 4
const password = 'correct horse battery staple'
let failures = 0

const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-roles-'))
const postgres = await startPostgres({ dataDir, log: silentLog })
const database = await openDatabase(postgres.url)
const { db } = database
const place = { dataDir, databaseUrl: postgres.url }
const port = await freePort()
const short = await shortRecording(4)
try {
  await run()
} finally {
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0

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

  if (parts.includes('kills')) await killed()
  if (parts.includes('database')) await databaseRestarted()
  if (parts.includes('poison')) await poisoned()
  for (const each of workers) await each.stop()
  if (parts.includes('frozen')) await frozen()
  if (parts.includes('stops')) await stopped()
  await web.stop()

  async function killed(): Promise<void> {
    const ids: string[] = []
    const begun = performance.now()
    const sending = Promise.all(
      clients.map(async (client, index) => {
        for (let n = index; n < jobs; n += USERS) ids.push(await submit(client, short))
      }),
    )
    const interrupted: { id: string; at: Date }[] = []
    const moments = Array.from({ length: kills }, () => random() * 0.95 * jobs).sort(
      (a, b) => a - b,
    )
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
    const results = await storedResults(db)
    const { rows } = await db.execute<{ status: string; n: number }>(
      sql`select status, count(*)::int as n from transcriptions where attempt > 0 group by status`,
    )
    const waits = await waitsOf(interrupted)
    const problems = await problemsOf(db)
    check(
      results.stored === jobs && results.transcriptions === jobs && problems.length === 0,
      `kills: ${jobs} jobs, ${kills} kills -9 in ${seconds.toFixed(0)} s: ` +
        `${rows.map(({ status, n }) => `${n} ${status}`).join(', ')}; ` +
        `${results.stored} results stored for ${results.transcriptions} transcriptions, ` +
        `${problems.length} problems in the books; ` +
        `jobs of a killed worker ran again after ${waits}`,
      problems,
    )
  }

  async function databaseRestarted(): Promise<void> {
    await until(async () => workers.every((worker) => worker.now()?.isRunning() === true))
    const before = (await storedResults(db)).stored
    const deaths = workers.map((each) => each.deaths())
    const answers = new Map<number, number>()
    let longestMs = 0
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        const begun = performance.now()
        const answer = await clients[0]!.call('GET', '/api/transcriptions?limit=1')
        await answer.text()
        longestMs = Math.max(longestMs, performance.now() - begun)
        answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
        if (answer.status === 503 && !answer.headers.get('retry-after')) failures++
        await sleep(100)
      }
    })()
    const count = 60
    const sending = Promise.all(
      clients.map(async (client) => {
        for (let n = 0; n < count / USERS; n++) await submit(client, short)
      }),
    )
    for (let n = 0; n < 5; n++) {
      await sleep(2_000 + random() * 1_000)
      await persist(() => cutConnections(db))
      await sleep(2_000 + random() * 1_000)
      process.kill(postgres.pid()!, 'SIGKILL')
    }
    await sending
    await allEnded()
    isOver = true
    await asking
    const done = (await storedResults(db)).stored - before
    const { rows: counted } = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from pgboss.job
      where name = 'transcribe' and retry_count > retry_limit - 2 and completed_on > now() - interval '5 minutes'`)
    const exits = workers.reduce((sum, each, index) => sum + each.deaths() - deaths[index]!, 0)
    const problems = await problemsOf(db)
    check(
      done === count && exits === 0 && web.isRunning() && problems.length === 0,
      `database: 5 kills and 5 cuts of all connections: ${done} of ${count} jobs done, ` +
        `${counted[0]?.n} of them used up a try; ${exits} exits of processes; answers ` +
        `${[...answers].map(([status, n]) => `${n} × ${status}`).join(', ')}, ` +
        `the longest after ${(longestMs / 1000).toFixed(1)} s; ${problems.length} problems`,
      problems,
    )
  }

  async function poisoned(): Promise<void> {
    const deaths = workers.reduce((sum, each) => sum + each.deaths(), 0)
    const begun = performance.now()
    const poison = await submit(clients[0]!, await shortRecording(POISON_SECONDS))
    const others: string[] = []
    for (let n = 0; n < 30; n++) others.push(await submit(clients[(n % 3) + 1]!, short))
    await allEnded()
    const seconds = (performance.now() - begun) / 1000
    const ended = await clients[0]!.transcription(poison)
    const { rows } = await db.execute<{ id: string; status: string }>(
      sql`select id, status from transcriptions where attempt > 0`,
    )
    const status = new Map(rows.map((row) => [row.id, row.status]))
    const done = others.filter((id) => status.get(id) === 'completed').length
    const killedWorkers = workers.reduce((sum, each) => sum + each.deaths(), 0) - deaths
    const problems = await problemsOf(db)
    check(
      ended.status === 'error' && ended.creditsReturned === 1 && killedWorkers === 3 && done === 30,
      `poison: ${killedWorkers} workers killed, then ${ended.status} ("${ended.errorMessage}") ` +
        `after ${seconds.toFixed(0)} s; ${done} of 30 others done; ${problems.length} problems`,
      problems,
    )
  }

  async function frozen(): Promise<void> {
    const trials = 3
    let right = 0
    for (let n = 0; n < trials; n++) {
      const before = await storedResults(db)
      const settings = { FREE_RECOGNISE_MS: '3000' }
      const victim = await startFreeWorker(place, { name: `frozen-${n}`, settings })
      const id = await submit(clients[1]!, short)
      await until(() => isWorkedOn(id))
      victim.process.kill('SIGSTOP')
      const other = await startFreeWorker(place, { name: `other-${n}` })
      const result = await clients[1]!.ended(id)
      await other.end('SIGTERM')
      victim.process.kill('SIGCONT')
      const next = await clients[1]!.ended(await submit(clients[1]!, short))
      const isSame = JSON.stringify(await clients[1]!.transcription(id)) === JSON.stringify(result)
      const stored = (await storedResults(db)).stored - before.stored
      if (isSame && stored === 2 && next.status === 'completed') right++
      await victim.end('SIGTERM')
    }
    const problems = await problemsOf(db)
    check(
      right === trials && problems.length === 0,
      `frozen: ${right} of ${trials} woken workers changed nothing; ${problems.length} problems`,
      problems,
    )
  }

  async function stopped(): Promise<void> {
    const trials = 5
    let cut = 0
    let longestWebMs = 0
    let longestWorkerMs = 0
    for (let n = 0; n < trials; n++) {
      const worker = await startFreeWorker(place, {
        name: 'stopped',
        settings: { FREE_RECOGNISE_MS: '60000' },
      })
      const id = await submit(clients[2]!, short)
      await until(() => isWorkedOn(id))
      const asked = Array.from({ length: 200 }, () =>
        clients[2]!.call('GET', '/api/transcriptions?limit=1').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      await fetch(`${web.url}/api/nothing`)
      const begun = performance.now()
      const ended = worker.end('SIGTERM').then(() => performance.now() - begun)
      await web.stop()
      longestWebMs = Math.max(longestWebMs, performance.now() - begun)
      longestWorkerMs = Math.max(longestWorkerMs, await ended)
      cut += (await Promise.all(asked)).filter((status) => status !== 200).length
      web = await startWeb()
      const next = await startFreeWorker(place, { name: 'next' })
      await clients[2]!.ended(id)
      await next.end('SIGTERM')
    }
    const problems = await problemsOf(db)
    check(
      cut === 0 && longestWebMs < 10_000 && longestWorkerMs < 10_000 && problems.length === 0,
      `stops: ${trials} × 200 requests in flight, ${cut} not answered; the web process ended within ` +
        `${(longestWebMs / 1000).toFixed(1)} s, a worker with a job within ` +
        `${(longestWorkerMs / 1000).toFixed(1)} s; ${problems.length} problems`,
      problems,
    )
  }
}

function startWeb(): Promise<RunningServer> {
  return startServer({ dataDir, port, settings: { ...settingsOf(place), ROLE: 'web' } })
}

/** Uploads and confirms, however often the server is killed meanwhile. */
async function submit(client: Client, recording: typeof short): Promise<string> {
  const { transcriptionId } = await persist(async () => {
    await dropUnconfirmed(client)
    return client.upload(recording)
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

/** Whether a worker has the job. The status that its owner sees may still be the one before. */
async function isWorkedOn(id: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from transcriptions where id = ${id} and lease is not null`,
  )
  return rows.length > 0
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

function check(isRight: boolean, line: string, problems: string[]): void {
  if (!isRight) failures++
  console.log(`\n${isRight ? 'ok  ' : 'NOT '} ${line}`)
  for (const problem of problems) console.log(`     ${problem}`)
}
