/**
 * Jobs whose server or database is killed at random moments, and the audit of the rows that are left.
 * The bench runs many moments and prints figures, the test a few.
 */
import { execFile } from 'node:child_process'
import { lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { startPostgres } from '#server/postgres.ts'

import { Client } from './client.ts'
import { type RunningServer, freePort, startServer } from './server.ts'

export type Victim = 'server' | 'database'

export interface Report {
  jobs: { id: string; status: string; killed: Victim; afterMs: number }[]
  completed: number
  failed: number
  /** The faults that the audit of the ledger and the rows found, in words. */
  problems: string[]
  /** The modes of all files below DATA_DIR, unfinished PCM included, by path without ids. */
  written: Map<string, number>
}

/** After this many jobs another user signs up: a sign-up brings ten credits, a job costs one. */
const JOBS_PER_USER = 8

/**
 * For each victim in turn: uploads and confirms a short recording, waits a random moment of the
 * job, kills the victim, and brings the server back. At the end all jobs must have ended.
 */
export async function crash({
  victims,
  dataDir,
  recording,
  random,
  jobMs,
  say = () => undefined,
}: {
  victims: readonly Victim[]
  dataDir: string
  recording: { name: string; bytes: Uint8Array<ArrayBuffer> }
  /** Random numbers from 0 to 1, made from a seed, so that a run can be repeated. */
  random: () => number
  /** How long a job takes on this machine. The kills are spread over this time. */
  jobMs: number
  say?: (line: string) => void
}): Promise<Report> {
  const port = await freePort()
  const written = new Map<string, number>()
  let isOver = false
  const looking = (async () => {
    for (; !isOver; await sleep(100))
      for (const name of ['work', 'files', 'outbox']) await look(dataDir, name, written)
  })()
  let server: RunningServer = await startServer({ dataDir, port })
  let client = new Client(server.url)
  const jobs: { id: string; client: Client; killed: Victim; afterMs: number }[] = []
  try {
    for (const [index, victim] of victims.entries()) {
      if (index % JOBS_PER_USER === 0) {
        client = new Client(server.url)
        await client.signUp({ email: `crash-${index}@example.com`, dataDir })
      }
      const { transcriptionId: id } = await client.upload(recording)
      await client.confirm(id)
      const afterMs = Math.round(random() * jobMs)
      await sleep(afterMs)
      if (victim === 'database') await killDatabase(server, dataDir)
      else await server.kill()
      if (!server.isRunning()) server = await startServer({ dataDir, port })
      jobs.push({ id, client, killed: victim, afterMs })
      say(`${index + 1}/${victims.length} killed the ${victim} after ${afterMs} ms`)
    }
    const ended: Report['jobs'] = []
    for (const { id, client: owner, killed, afterMs } of jobs) {
      const { status } = await owner.ended(id, { withinMs: 300_000 })
      ended.push({ id, status, killed, afterMs })
    }
    await look(dataDir, '.', written)
    await server.stop()
    return {
      written,
      jobs: ended,
      completed: ended.filter(({ status }) => status === 'completed').length,
      failed: ended.filter(({ status }) => status === 'error').length,
      problems: await audit(dataDir),
    }
  } finally {
    isOver = true
    await looking
    await server.stop()
  }
}

/** Notes the mode of everything in a folder. */
async function look(dataDir: string, name: string, seen: Map<string, number>): Promise<void> {
  const folder = path.join(dataDir, name)
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const each of ['.', ...names]) {
    const found = await lstat(path.join(folder, each)).catch(() => null)
    // Gone meanwhile.
    if (found)
      seen.set(path.join(name, each).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID'), found.mode)
  }
}

/** Kills the database server, and waits until a new one stands in its place. */
async function killDatabase({ url, output }: RunningServer, dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid')
  const pidNow = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n')[0]
  const killed = await pidNow()
  process.kill(Number(killed), 'SIGKILL')

  const deadline = Date.now() + 30_000
  for (;;) {
    const pid = await pidNow()
    const isNew = pid !== '' && pid !== killed
    const isReady =
      isNew &&
      (await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isReady) return
    if (Date.now() > deadline) throw new Error(`the database did not come back:\n${output()}`)
    await sleep(100)
  }
}

/** Checks ledger and rows of a stopped server: each job is paid once, or given back once. */
async function audit(dataDir: string): Promise<string[]> {
  await using postgres = await startPostgres({ dataDir, log: silentLog })
  await using database = await openDatabase(postgres.url)
  const problems = await credits.verify(database.db)
  const { rows } = await database.db.execute<{
    cause: string
    holds: number
    charges: number
    releases: number
  }>(sql`
      select cause,
        count(*) filter (where kind = 'hold')::int as holds,
        count(*) filter (where kind = 'charge')::int as charges,
        count(*) filter (where kind = 'release')::int as releases
      from credit_entries where cause like 'transcription:%' group by cause`)
  for (const { cause, holds, charges, releases } of rows)
    if (holds !== 1 || charges + releases !== 1)
      problems.push(`${cause}: ${holds} holds, ${charges} charges, ${releases} releases`)
  const { rows: wrong } = await database.db.execute<{ id: string; status: string }>(sql`
      select t.id, t.status from transcriptions t
      where not exists (
        select 1 from credit_entries e
        where e.cause = 'transcription:' || t.id || ':' || t.attempt
          and e.kind = case t.status when 'completed' then 'charge' else 'release' end)`)
  for (const { id, status } of wrong) problems.push(`${id} is ${status} but not settled as such`)
  return problems
}

/** The first seconds of the sample, so that a job is short and still real speech. */
export async function shortRecording(seconds: number): Promise<{
  name: string
  bytes: Uint8Array<ArrayBuffer>
}> {
  const sample = new URL('../src/features/transcriptions/sample/sample.m4a', import.meta.url)
    .pathname
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', sample, '-t', String(seconds), '-f', 'wav', '-ac', '1', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
  )
  return { name: 'short.wav', bytes: new Uint8Array(stdout) }
}
