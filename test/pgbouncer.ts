/** A real PgBouncer in transaction mode in front of the tests' PostgreSQL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { isInstalled } from './installed.ts'
import { freePort } from './server.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const READY_MS = 20_000

export interface Pooler {
  /** The same database through the pooler. */
  urlOf: (databaseUrl: string) => string
  /** A command of its console, such as PAUSE. */
  command: (command: string) => Promise<void>
  stop: () => Promise<void>
}

/** Null where the program is not installed, except in CI. */
export async function startPooler(
  serverUrl: string,
  { listenHost = '127.0.0.1', poolSize = 5 } = {},
): Promise<Pooler | null> {
  if (!isInstalled('pgbouncer', PROGRAM)) return null
  const { host, port: serverPort, user, password } = new Client({ connectionString: serverUrl })
  const dir = await mkdtemp(join(tmpdir(), 'quoth-pooler-'))
  const port = await freePort()
  const server = { host, port: serverPort, user, password }
  const target = Object.entries(server).map(([key, value]) => `${key}='${value}'`)
  const lines = [
    '[databases]',
    `* = ${target.join(' ')}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    // So few that a process which keeps a connection while it waits blocks the others.
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 1000',
    'auth_type = any',
    `admin_users = ${user}`,
    `listen_addr = ${listenHost}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
  ]
  const settings = join(dir, 'pgbouncer.ini')
  await writeFile(settings, `${lines.join('\n')}\n`)
  // It does not run as root, and only root reaches the socket of a PostgreSQL that root started.
  const somebodyElse = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  const [command, ...args] = [...(process.getuid?.() === 0 ? somebodyElse : []), PROGRAM, settings]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))

  const urlOf = (databaseUrl: string) => {
    const { database } = new Client({ connectionString: databaseUrl })
    return `postgres://${user}:any@${listenHost}:${port}/${database}`
  }
  const deadline = Date.now() + READY_MS
  for (;;) {
    const client = new Client({ connectionString: urlOf(serverUrl) })
    const isReady = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (isReady) break
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`PgBouncer did not start:\n${said}`)
    await sleep(20)
  }
  return {
    urlOf,
    async command(command) {
      const client = new Client({
        connectionString: `postgres://${user}:any@${listenHost}:${port}/pgbouncer`,
      })
      await client.connect()
      await client.query(command)
      await client.end()
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}
