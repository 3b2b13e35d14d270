/**
 * How many workers does one PostgreSQL bear? First a hundred that have nothing to do: what do they ask?
 * Then two hundred, and twenty jobs a second, confirmed by the product's own call: how long after
 * its confirmation does a job begin, what does the database need for all of it, and does any run twice?
 * The workers are many to a process, and each has the real queue. Between them and the database is
 * PgBouncer in transaction mode.
 *
 * npm run bench -- fleet [seconds = 300] [jobs a second = 20] [job in ms = 4000]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import * as credits from '#features/credits/credits.ts'
import * as transcriptions from '#features/transcriptions/transcriptions.ts'
import { queues } from '#root/worker.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { startPooler } from '#test/pgbouncer.ts'

import type { Told } from './tools/fleet-workers.ts'
import { openBenchDatabase } from './tools/house.ts'
import { cpuMsOfTree } from './tools/processes.ts'
import { median, milliseconds, percentile, printFigures, printMachine } from './tools/report.ts'

const [loadSeconds = 300, jobsASecond = 20, jobMs = 4_000] = process.argv.slice(2).map(Number)
const IN_A_PROCESS = 50
const IDLE_SECONDS = 40
const USERS = 20
const PATIENCE_MS = 120_000

printMachine()
const { database, dataDir, postgres, stop } = await openBenchDatabase()
const pooler = await startPooler(database.url, { poolSize: 60 })
if (!pooler) throw new Error('This bench needs PgBouncer: sudo apt install pgbouncer')
const { db } = database
const processes: Awaited<ReturnType<typeof startWorkers>>[] = []
const began = new Map<string, number[]>()
let ended = 0
try {
  for (let n = 0; n < 2; n++) processes.push(await startWorkers(pooler.urlOf(database.url)))
  await sleep(5_000)
  const before = await statementsOfAll()
  const databaseBefore = await cpuMsOfTree(postgres.pid() ?? 0)
  await sleep(IDLE_SECONDS * 1000)
  const idle = ((await statementsOfAll()) - before) / IDLE_SECONDS
  const idleCpu =
    ((await cpuMsOfTree(postgres.pid() ?? 0)) - databaseBefore) / (IDLE_SECONDS * 1000)

  for (let n = 0; n < 2; n++) processes.push(await startWorkers(pooler.urlOf(database.url)))
  const jobs = loadSeconds * jobsASecond
  const uploads: { userId: string; id: string }[] = []
  for (let user = 0; user < USERS; user++) {
    const { id: userId } = await aUser(db, { credits: jobs })
    for (let n = user; n < jobs; n += USERS)
      uploads.push({ userId, id: (await anUpload(db, { userId })).id })
  }
  const queue = await openQueue(database, { log: silentLog, queues })
  const deps = { db, queue, storage: diskStorage(dataDir), clock: systemClock }
  const confirmedAt = new Map<string, number>()
  const [cpuBefore, statementsBefore, startedAt] = [
    await cpuMsOfTree(postgres.pid() ?? 0),
    await statementsOfAll(),
    Date.now(),
  ]
  const confirming: Promise<void>[] = []
  for (const [at, { userId, id }] of uploads.entries()) {
    await sleep(Math.max(0, startedAt + (at * 1000) / jobsASecond - Date.now()))
    confirming.push(
      transcriptions.confirm(deps, { userId, id }).then(() => void confirmedAt.set(id, Date.now())),
    )
  }
  await Promise.all(confirming)
  const elapsedMs = Date.now() - startedAt
  const cpu = ((await cpuMsOfTree(postgres.pid() ?? 0)) - cpuBefore) / elapsedMs
  const statements = ((await statementsOfAll()) - statementsBefore) / (elapsedMs / 1000)
  const deadline = Date.now() + PATIENCE_MS
  while (ended < jobs && Date.now() < deadline) await sleep(100)
  await queue.stop()

  const waits = [...began].map(([id, [first = Infinity]]) =>
    Math.max(0, first - (confirmedAt.get(id) ?? 0)),
  )
  const twice = [...began.values()].filter((times) => times.length > 1).length
  const problems = await credits.verify(db)
  const load = loadavg()[0] ?? NaN
  printFigures(`100 idle workers, ${IDLE_SECONDS} s`, [
    {
      what: 'statements a second',
      figure: idle.toFixed(0),
    },
    { what: 'processor of the database, of one core', figure: share(idleCpu) },
  ])
  printFigures(
    `200 workers, ${jobs} jobs of about ${jobMs} ms, ${(jobs / (elapsedMs / 1000)).toFixed(1)} a second (load of the machine ${load.toFixed(1)})`,
    [
      { what: 'confirmed → begun, p50', figure: milliseconds(median(waits)) },
      {
        what: 'the same, p99',
        figure: milliseconds(percentile(waits, 0.99)),
        bar: '≤ 500 ms',
        isMet: percentile(waits, 0.99) <= 500,
      },
      {
        what: `processor of the database, of ${cpus().length} cores (${share(cpu)} of one)`,
        figure: share(cpu / cpus().length),
        bar: '≤ 50 %',
        isMet: cpu / cpus().length <= 0.5,
      },
      { what: 'statements of the workers a second', figure: statements.toFixed(0) },
      { what: 'jobs that ran twice', figure: String(twice), bar: '0', isMet: twice === 0 },
      {
        what: 'jobs that ended',
        figure: `${ended} of ${jobs}`,
        bar: 'all',
        isMet: ended === jobs,
      },
      {
        what: 'problems in the ledger',
        figure: String(problems.length),
        bar: '0',
        isMet: problems.length === 0,
      },
    ],
  )
} finally {
  await Promise.all(processes.map((each) => each.end()))
  await pooler.stop()
  await stop()
}

async function startWorkers(url: string) {
  const program = fileURLToPath(new URL('tools/fleet-workers.ts', import.meta.url))
  const child = fork(program, [String(IN_A_PROCESS), String(jobMs)], {
    env: { ...process.env, DATABASE_URL: url, DATABASE_DIRECT_URL: database.url }, // oxlint-disable-line node/no-process-env -- for PATH
  })
  let count = 0
  let counted = () => {}
  const ready = Promise.withResolvers<void>()
  child.on('exit', () => ready.reject(new Error('a process of workers has ended')))
  child.on('message', (told: Told) => {
    switch (told.kind) {
      case 'ready':
        return ready.resolve()
      case 'began':
        return void began.set(told.id, [...(began.get(told.id) ?? []), told.at])
      case 'ended':
        return void (ended += 1)
      case 'statements':
        count = told.count
        return counted()
    }
  })
  await ready.promise
  return {
    async statements(): Promise<number> {
      const answered = new Promise<void>((resolve) => (counted = resolve))
      child.send('count')
      await answered
      return count
    },
    async end(): Promise<void> {
      const exited = once(child, 'exit')
      if (child.connected) child.send('end')
      await exited
    },
  }
}

async function statementsOfAll(): Promise<number> {
  const counts = await Promise.all(processes.map((each) => each.statements()))
  return counts.reduce((sum, each) => sum + each, 0)
}

function share(value: number): string {
  return `${(value * 100).toFixed(0)} %`
}
