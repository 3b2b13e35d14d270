import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import {
  appendFile,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

import { begin } from '#test/database.ts'
import { isLong } from '#test/long.ts'

import { createLog, silentLog } from './log.ts'
import { startPostgres, type EmbeddedPostgres } from './postgres.ts'

const owner = fileURLToPath(new URL('../../test/postgres-owner.ts', import.meta.url))

let dataDir: string
let running: EmbeddedPostgres | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quoth-postgres-'))
  await begin(dataDir)
})

afterEach(async () => {
  await running?.stop()
  running = undefined
  await rm(dataDir, { recursive: true, force: true })
})

const start = async () => (running = await startPostgres({ dataDir, log: silentLog }))

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // a killed server ends it; the query itself rejects
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Another process with the same data directory, to be killed. */
async function anOwner(as: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [owner, dataDir], {
    ...as,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [line]: unknown[] = await once(child.stdout, 'data')
  const { url, pid } = z
    .object({ url: z.string(), pid: z.number() })
    .parse(JSON.parse(String(line)))
  return {
    url,
    postgresPid: pid,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** A process that ended but was not collected yet by its parent does not count. */
const isAlive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('an acknowledged write is on disk, a stop ends PostgreSQL, and a start finds the write again', async () => {
  const first = await start()
  const settings = `select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`
  expect(await query(first.url, settings)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  await query(first.url, 'create table kept (n int); insert into kept values (7)')
  const before = first.pid() ?? 0
  await first.stop()
  await expect.poll(() => isAlive(before), { message: 'PostgreSQL runs' }).toBe(false)
  const second = await start()
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('a setting that weakens durability keeps the server from starting', async () => {
  const first = await start()
  await query(first.url, 'alter role quoth set synchronous_commit = off')
  await first.stop()
  await expect(start()).rejects.toThrow('synchronous_commit is off')
})

test('a second server on the same data directory is told who holds it', async () => {
  await start()
  const child = spawn(process.execPath, [owner, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = await once(child, 'exit')
  expect(code).not.toBe(0)
  expect(said).toContain(`is in use by process ${process.pid}`)
})

test('the next start takes over the PostgreSQL that a killed server left running', async () => {
  const killed = await anOwner()
  await query(killed.url, 'create table kept (n int); insert into kept values (7)')
  await killed.kill()
  expect(isAlive(killed.postgresPid)).toBe(true)

  const { url, pid } = await start()
  expect(isAlive(killed.postgresPid)).toBe(false)
  expect(pid()).not.toBe(killed.postgresPid)
  expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('a server killed together with its PostgreSQL leaves nothing in the way', async () => {
  const killed = await anOwner()
  await query(killed.url, 'create table kept (n int); insert into kept values (7)')
  await killed.kill()
  process.kill(killed.postgresPid, 'SIGKILL')
  const { url } = await start()
  expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('a process id that means somebody else by now is not touched', async () => {
  await (await start()).stop()
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await writeFile(
    join(dataDir, 'postgres/data/postmaster.pid'),
    `${bystander.pid}\n${join(dataDir, 'postgres/data')}\n1\n5432\n\n\n0 0\nready\n`,
  )
  await writeFile(join(dataDir, 'postgres/server.pid'), `${bystander.pid}\n`)
  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(isAlive(bystander.pid ?? 0)).toBe(true)
  bystander.kill()
})

test('a PostgreSQL that is killed under its server comes back, and leaves no file of ours open', async () => {
  const { url, pid } = await start()
  const openLogs = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === join(dataDir, 'postgres/log')
      } catch {
        return false // closed while we looked
      }
    })
  expect(openLogs()).toEqual([])
  await query(url, 'create table kept (n int); insert into kept values (7)')
  const before = pid() ?? 0
  process.kill(before, 'SIGKILL')
  await expect.poll(() => query(url, 'select n from kept').catch(() => 'away')).toEqual([{ n: 7 }])
  expect(pid()).not.toBe(before)
  expect(openLogs()).toEqual([])
})

test('a value that is refused is not in the log of PostgreSQL', async () => {
  const { url } = await start()
  await expect(query(url, "select 'what was said'::int")).rejects.toThrow('what was said')
  expect(await readFile(join(dataDir, 'postgres/log'), 'utf8')).not.toContain('what was said')
})

if (isLong)
  test('a recovery that takes longer than a start is waited for, and said', async () => {
    await (await start()).stop()
    const data = join(dataDir, 'postgres/data')
    // A recovery that goes on until a file is there.
    await writeFile(join(data, 'recovery.signal'), '')
    const wait = 'while [ ! -e go-on ]; do sleep 0.02; done; false'
    await appendFile(join(data, 'postgresql.conf'), `\nrestore_command = '${wait}'\n`)
    let said = ''
    const log = createLog({ destination: { write: (line) => void (said += line) } })
    const starting = startPostgres({ dataDir, log, readyMs: 1_500 })
    await Promise.race([starting, expect.poll(() => said).toContain('still recovering')])
    await writeFile(join(data, 'go-on'), '')
    running = await starting
    expect(await query(running.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

test('a data folder that is gone or damaged is never replaced by an empty one', async () => {
  await (await start()).stop()
  const data = join(dataDir, 'postgres/data')
  await unlink(join(data, 'PG_VERSION'))
  await expect(start()).rejects.toThrow('PG_VERSION is missing')
  await rm(data, { recursive: true })
  await expect(start()).rejects.toThrow('was created here before')
  await mkdir(data)
  await expect(start()).rejects.toThrow('cannot be opened')
})

test('a first start that was interrupted begins again', async () => {
  await rm(join(dataDir, 'postgres'), { recursive: true })
  await mkdir(join(dataDir, 'postgres/data.new/base'), { recursive: true })
  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

if (isLong)
  test('a folder too deep for a socket is served over the loopback device', async () => {
    dataDir = join(dataDir, 'deep'.repeat(30))
    await mkdir(dataDir, { recursive: true })
    await begin(dataDir)
    const { url } = await start()
    expect(url).toContain('@127.0.0.1:')
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password')
  })

if (isLong && process.getuid?.() === 0)
  test('a user that is a number without a name makes a database and keeps it', async () => {
    const nobody = { uid: 54_321, gid: 54_321 }
    await rm(dataDir, { recursive: true })
    await mkdir(dataDir)
    await chown(dataDir, nobody.uid, nobody.gid)
    const first = await anOwner(nobody)
    await query(first.url, 'create table kept (id int)')
    await first.kill()
    const second = await anOwner(nobody)
    expect(await query(second.url, 'select * from kept')).toEqual([])
    await second.kill()
    process.kill(second.postgresPid, 'SIGINT')
    await expect.poll(() => existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  })
