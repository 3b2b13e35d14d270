/**
 * What does a job cost that does nothing? Each of 2,000 recordings is confirmed (hold, status and
 * job in one transaction), claimed, ends and is settled, by the product's own functions. Then a
 * hundred come one by one: how long after its confirmation does a job begin?
 *
 * npm run bench -- queue [jobs = 2000] [clients = 8]
 */
import { setTimeout as sleep } from 'node:timers/promises'

import * as credits from '#features/credits/credits.ts'
import { giveUp } from '#features/transcriptions/run.ts'
import * as transcriptions from '#features/transcriptions/transcriptions.ts'
import { queues } from '#root/worker.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'
import { aUser, anUpload } from '#test/factories.ts'

import { openBenchDatabase } from './tools/house.ts'
import { median, milliseconds, percentile, printFigures, printMachine } from './tools/report.ts'

const [jobs = 2000, clients = 8] = process.argv.slice(2).map(Number)
/** A job that waits longer than this is taken for lost. */
const PATIENCE_MS = 300_000
const IDLE_JOBS = 100

printMachine()
const { database, dataDir, stop } = await openBenchDatabase()
const { db } = database
const queue = await openQueue(database, { log: silentLog, queues })
const deps = {
  db,
  queue,
  storage: diskStorage(`${dataDir}/files`),
  clock: systemClock,
  log: silentLog,
  workRoot: `${dataDir}/work`,
}
try {
  const startedAt = new Map<string, number>()
  let ended = 0
  const { transcriptionKind } = transcriptions
  await queue.work(transcriptionKind, { concurrency: clients }, async ({ data }) => {
    startedAt.set(data.transcriptionId, performance.now())
    // Takes the lease, stores an outcome and settles in one transaction, as a finished job does.
    await giveUp(deps, data, 'the bench has had enough of it')
    ended += 1
  })

  const users = await uploads(jobs)
  const begun = performance.now()
  const confirming = inParallel(users, async ({ userId, ids }) => {
    for (const id of ids) await transcriptions.confirm(deps, { userId, id })
  })
  await confirming
  const confirmedMs = performance.now() - begun
  await until(() => ended === jobs)
  const rate = (jobs * 1000) / (performance.now() - begun)

  const [idle] = await uploads(IDLE_JOBS, 1)
  const waits: number[] = []
  for (const id of idle?.ids ?? []) {
    await transcriptions.confirm(deps, { userId: idle?.userId ?? '', id })
    const confirmedAt = performance.now()
    await until(() => startedAt.has(id))
    waits.push((startedAt.get(id) ?? Infinity) - confirmedAt)
    await sleep(20)
  }
  await until(() => ended === jobs + IDLE_JOBS)
  const problems = await credits.verify(db)

  printFigures(`${jobs} empty jobs, ${clients} clients and ${clients} workers`, [
    {
      what: 'jobs a second, from the first confirm to the last settlement',
      figure: rate.toFixed(0),
      bar: '≥ 20',
      isMet: rate >= 20,
    },
    {
      what: 'confirms a second, while the workers work',
      figure: ((jobs * 1000) / confirmedMs).toFixed(0),
    },
    {
      what: `confirm → handler started, idle, ${IDLE_JOBS} jobs: p50`,
      figure: milliseconds(median(waits)),
    },
    {
      what: 'the same: p99',
      figure: milliseconds(percentile(waits, 0.99)),
      bar: '≤ 500 ms',
      isMet: percentile(waits, 0.99) <= 500,
    },
    {
      what: 'problems in the ledger afterwards',
      figure: String(problems.length),
      bar: '0',
      isMet: problems.length === 0,
    },
  ])
} finally {
  await queue.stop()
  await stop()
}

interface Owner {
  userId: string
  ids: string[]
}

/** Recordings that wait to be confirmed, with one owner for each client. */
async function uploads(count: number, owners = clients): Promise<Owner[]> {
  return inParallel(Array.from({ length: owners }), async (_, owner) => {
    const { id: userId } = await aUser(db, { credits: count })
    const ids: string[] = []
    for (let index = owner; index < count; index += owners)
      ids.push((await anUpload(db, { userId })).id)
    return { userId, ids }
  })
}

function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(items.map(run))
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('jobs were forgotten')
    await sleep(1)
  }
}
