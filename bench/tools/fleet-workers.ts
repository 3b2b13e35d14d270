/**
 * Many workers in one process, each with a queue of its own as a worker process has it: bench/fleet.ts
 * starts a few of these. A job does nothing for a while, and then ends as a job that failed does: one
 * transaction with its settlement.
 *
 * node fleet-workers.ts WORKERS JOB_MS, with DATABASE_URL and DATABASE_DIRECT_URL
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { JobData, giveUp } from '#features/transcriptions/run.ts'
import { queues } from '#root/worker.ts'
import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { type Queue, openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'

export type Told =
  | { kind: 'ready' }
  | { kind: 'began'; id: string; at: number }
  | { kind: 'ended'; id: string }
  | { kind: 'statements'; count: number }

const [workers = 50, jobMs = 4_000] = process.argv.slice(2).map(Number)
const { DATABASE_URL = '', DATABASE_DIRECT_URL = '' } = process.env // oxlint-disable-line node/no-process-env -- a bench is told by its parent
const tell = (told: Told) => void (process.connected && process.send?.(told))

let statements = 0
const query = Client.prototype.query
Client.prototype.query = function (this: Client, ...given: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, given)
} as typeof query

const database = await openDatabase(
  { connectionString: DATABASE_URL, max: 8 },
  { directUrl: DATABASE_DIRECT_URL },
)
const deps = {
  db: database.db,
  storage: diskStorage('/nowhere'),
  clock: systemClock,
  log: silentLog,
  workRoot: '/nowhere',
}
const fleet: Queue[] = []
for (let n = 0; n < workers; n++) {
  const queue = await openQueue(database, { log: silentLog, queues, connections: 2 })
  for (const { name } of queues)
    await queue.work(name, { concurrency: 1 }, async ({ data, signal }) => {
      if (name !== 'transcribe') return
      const job = JobData.parse(data)
      tell({ kind: 'began', id: job.transcriptionId, at: Date.now() })
      await sleep(jobMs * (0.5 + Math.random()), undefined, { signal })
      await giveUp({ ...deps, queue }, job, 'the bench has had enough of it')
      tell({ kind: 'ended', id: job.transcriptionId })
    })
  fleet.push(queue)
}
process.on('disconnect', () => process.exit(1))
process.on('message', (asked) => {
  if (asked === 'count') tell({ kind: 'statements', count: statements })
  else
    void Promise.all(fleet.map((queue) => queue.stop()))
      .then(() => database.close())
      .then(() => process.exit(0))
})
tell({ kind: 'ready' })
