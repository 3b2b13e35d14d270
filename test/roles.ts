/** Web and worker processes on one database and one data folder, as where several are installed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'

import { inherited } from './server.ts'

/** A recording of this length kills the free worker that works on it. */
export const POISON_SECONDS = 7

const freeWorker = fileURLToPath(new URL('./free-worker.ts', import.meta.url))
const main = fileURLToPath(new URL('../src/root/main.ts', import.meta.url))

export interface ServerData {
  dataDir: string
  databaseUrl: string
}

export interface RunningWorker {
  name: string
  process: ChildProcess
  /** The output of the process so far. */
  output: () => string
  isRunning: () => boolean
  /** Sends a signal and waits until the process has ended. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

/** The settings of a process of an installation that has its own PostgreSQL elsewhere. */
export const settingsOf = ({ dataDir, databaseUrl }: ServerData): Record<string, string> => ({
  DATA_DIR: dataDir,
  // A setting must have a host in the address, even where a parameter names a socket.
  DATABASE_URL: databaseUrl.replace('@/', '@localhost/'),
})

/** A worker with a recogniser of no cost: see free-worker.ts. */
export async function startFreeWorker(
  place: ServerData,
  { name, settings = {} }: { name: string; settings?: Record<string, string> },
): Promise<RunningWorker> {
  return startProcess(place, { name, settings, script: [freeWorker, name] })
}

/** The real worker: `ROLE=worker`. */
export async function startRealWorker(
  place: ServerData,
  { name, settings = {} }: { name: string; settings?: Record<string, string> },
): Promise<RunningWorker> {
  return startProcess(place, { name, settings: { ROLE: 'worker', ...settings }, script: [main] })
}

async function startProcess(
  place: ServerData,
  { name, settings, script }: { name: string; settings: Record<string, string>; script: string[] },
): Promise<RunningWorker> {
  const child = spawn(process.execPath, script, {
    env: { ...inherited, ...settingsOf(place), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(child, 'exit')
  const ready = new Promise<void>((resolve) => {
    const read = (text: Buffer) => {
      output += text.toString()
      if (output.includes('works on jobs.')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  await Promise.race([ready, exited])
  const isRunning = () => child.exitCode === null && child.signalCode === null
  if (!output.includes('works on jobs.')) throw new Error(`worker ${name} ended:\n${output}`)
  return {
    name,
    process: child,
    output: () => output,
    isRunning,
    async end(signal) {
      if (isRunning()) child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** Keeps a worker running as a service manager does: whenever it dies, a new one is started. */
export function keepRunning(start: () => Promise<RunningWorker>): {
  now: () => RunningWorker | undefined
  deaths: () => number
  stop: () => Promise<void>
} {
  let current: RunningWorker | undefined
  let deaths = 0
  let isStopping = false
  const loop = (async () => {
    while (!isStopping) {
      // A worker that fails to start, because the database is away, is started again too.
      const worker = await start().catch(() => undefined)
      current = worker
      if (isStopping) await worker?.end('SIGTERM')
      else if (worker?.isRunning()) await once(worker.process, 'exit')
      if (!isStopping) deaths++
    }
  })()
  return {
    now: () => current,
    deaths: () => deaths,
    async stop() {
      isStopping = true
      await current?.end('SIGTERM')
      await loop
    },
  }
}

/** Makes every worker's last sign of life old, so that the next check takes it for dead. */
export async function forgetHeartbeats(db: Db): Promise<void> {
  await db.execute(sql`
    update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
}

/** Cuts every connection to this database but our own, as its restart does. */
export async function cutConnections(db: Db): Promise<void> {
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}

/** Counts results in the database itself, whichever process stores them: for `storedResults`. */
export async function countResults(db: Db): Promise<void> {
  await db.execute(sql`create table stored_results (id uuid not null, engine text)`)
  await db.execute(sql`
    create function count_result() returns trigger language plpgsql as $$
    begin
      insert into stored_results values (new.id, new.engine);
      return new;
    end $$`)
  await db.execute(sql`
    create trigger count_results after update of status on transcriptions for each row
    when (new.status = 'completed') execute function count_result()`)
}

/** How many results were stored, for how many transcriptions, by how many engines. */
export async function storedResults(
  db: Db,
): Promise<{ stored: number; transcriptions: number; engines: string[] }> {
  const { rows } = await db.execute<{ id: string; engine: string }>(
    sql`select id, engine from stored_results`,
  )
  return {
    stored: rows.length,
    transcriptions: new Set(rows.map(({ id }) => id)).size,
    engines: [...new Set(rows.map(({ engine }) => engine))].sort(),
  }
}

/** The faults in ledger and rows after all jobs: each must be paid once or given back once. */
export async function problemsOf(db: Db): Promise<string[]> {
  const problems = await credits.verify(db)
  const { rows: wrong } = await db.execute<{ id: string; status: string; entries: string }>(sql`
    select t.id, t.status, coalesce(string_agg(e.kind, ' ' order by e.kind), '') as entries
    from transcriptions t
    left join credit_entries e on e.cause = 'transcription:' || t.id || ':' || t.attempt
    where t.attempt > 0
    group by t.id, t.status
    having coalesce(string_agg(e.kind, ' ' order by e.kind), '') <>
      case t.status when 'completed' then 'charge hold' when 'error' then 'hold release' end`)
  for (const { id, status, entries } of wrong) problems.push(`${id} is ${status}: ${entries}`)
  const { rows: active } = await db.execute<{ name: string; state: string; n: number }>(sql`
    select name, state::text, count(*)::int as n from pgboss.job
    where name like 'transcribe%' and state in ('created', 'retry', 'active')
    group by name, state`)
  for (const { name, state, n } of active) problems.push(`${n} jobs of ${name} are ${state}`)
  return problems
}
