/**
 * Does an installation of three machines lose or double anything while its parts die? Host A has
 * nginx and two web processes, B and C have a worker each; they share nothing but PostgreSQL behind
 * PgBouncer and an S3 server. Users send recordings of twelve lengths, in parts, and watch them. Then C
 * dies for good, the S3 server is away for 30 s, PostgreSQL is restarted, and both web processes are
 * replaced one after the other. The recogniser is the real one.
 *
 * npm run bench -- hosts [recordings = 300] [users = 10] [file for the log of all processes]
 *
 * Hosts are network namespaces on a bridge, 10.77.0.0/24. Root; packages: iproute2, nginx-light,
 * pgbouncer, python3-swift, ffmpeg, pocketsphinx.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { sql } from 'drizzle-orm'

import { UploadAnswer, UploadInParts } from '#features/recordings/contract.ts'
import { isFinished } from '#features/transcriptions/status.ts'
import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/migrate.ts'
import { startPostgres } from '#server/postgres.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { openDoor, openPostgresDoor } from '#test/door.ts'
import { aUser } from '#test/factories.ts'
import { startPooler } from '#test/pgbouncer.ts'
import { countResults, problemsOf, storedResults } from '#test/roles.ts'
import { startS3 } from '#test/s3.ts'
import { inherited } from '#test/server.ts'

import { takenAlong } from './tools/ending.ts'
import { printMachine } from './tools/report.ts'

const [recordings = 300, users = 10] = process.argv.slice(2, 4).map(Number)
const logFile = process.argv[4]
const MAIN = fileURLToPath(new URL('../src/root/main.ts', import.meta.url))
const NGINX = fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url))
const BRIDGE = 'quoth-hosts'
const HERE = '10.77.0.1'
const hosts = { A: '10.77.0.11', B: '10.77.0.12', C: '10.77.0.13' } as const
type Host = keyof typeof hosts
const lengths = Array.from({ length: 12 }, (_, n) => 1.5 + n / 4)
const AWAY_MS = 30_000
const password = 'correct horse battery staple'
const site = `http://${hosts.A}:8080`

const ends: (() => unknown)[] = []
let failures = 0
const begunAt = performance.now()

type Sound = Awaited<ReturnType<typeof shortRecording>>

interface Answer {
  what: string
  /** 0: there was none. */
  status: number
  retryAfter: boolean
  from: number
  to: number
}

/** Notes every answer. */
class WatchedClient extends Client {
  readonly #answers: Answer[]

  constructor(url: string, answers: Answer[]) {
    super(url)
    this.#answers = answers
  }

  override async call(method: string, pathName: string, body?: unknown): Promise<Response> {
    const from = performance.now()
    const what = `${method} ${pathName.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`
    const note = (status: number, retryAfter: boolean) =>
      this.#answers.push({ what, status, retryAfter, from, to: performance.now() })
    try {
      const answer = await super.call(method, pathName, body)
      note(answer.status, answer.headers.has('retry-after'))
      return answer
    } catch (error) {
      note(0, false)
      throw error
    }
  }
}

async function run(): Promise<void> {
  printMachine()
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-hosts-'))
  execFileSync('chmod', ['711', folder])
  ends.push(() => rm(folder, { recursive: true, force: true }))
  makeHosts()

  // ---- what the hosts share ----
  const postgres = await startPostgres({ dataDir: folder, log: silentLog })
  ends.push(takenAlong(() => postgres.stop()))
  const database = await openDatabase(postgres.url)
  database.pool.on('error', () => undefined)
  ends.push(() => database.close())
  const { db } = database
  await migrate(database)
  await countResults(db)
  const direct = await openPostgresDoor(postgres.url, { host: HERE })
  ends.push(() => direct.door.close())
  const pooler = await startPooler(postgres.url, { listenHost: HERE, poolSize: 20 })
  const s3 = await startS3()
  if (!pooler || !s3) throw new Error('needed: apt-get install pgbouncer python3-swift')
  ends.push(
    () => pooler.stop(),
    () => s3.stop(),
  )
  const { port: s3Port } = new URL(s3.bucket.endpoint ?? '')
  const toS3 = { host: '127.0.0.1', port: Number(s3Port) }
  let s3Door = await openDoor(toS3, { host: HERE })
  const throughS3 = [s3Door.bytes]
  ends.push(() => s3Door.close())
  const settings = {
    PUBLIC_URL: site,
    ALLOW_HTTP: '1',
    HOST: '0.0.0.0',
    TRUST_PROXY: `loopback,${hosts.A}`,
    DATABASE_URL: pooler.urlOf(postgres.url),
    DATABASE_DIRECT_URL: direct.url,
    STORAGE_URL: s3.url.replace(
      encodeURIComponent(`127.0.0.1:${s3Port}`),
      `${HERE}:${s3Door.port}`,
    ),
    WORKERS: '2',
    LOG_LEVEL: 'warn',
  }

  // ---- the hosts ----
  async function start(host: Host, role: 'web' | 'worker', n: number) {
    const dataDir = path.join(folder, `${host}${n}`)
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const port = 3000 + n
    const own = { ROLE: role, DATA_DIR: dataDir, PORT: `${port}`, OPS_PORT: `${port + 100}` }
    const { child, said } = spawnOn(host, process.execPath, [MAIN], { ...settings, ...own })
    await until(`${role} on ${host}`, async () => {
      if (child.exitCode !== null) throw new Error(`${role} on ${host} ended:\n${said()}`)
      return fetch(`http://${hosts[host]}:${port + 100}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    return {
      child,
      said,
      async stop() {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
      },
    }
  }
  const webs = [await start('A', 'web', 1), await start('A', 'web', 2)]
  const workers = [await start('B', 'worker', 1), await start('C', 'worker', 1)]
  const accessLog = path.join(folder, 'access.log')
  await startNginx(folder, accessLog)
  say('three hosts are up')

  // ---- the users ----
  const answers: Answer[] = []
  const sounds = await Promise.all(lengths.map(shortRecording))
  const sent = { recordings: 0, bytes: 0 }
  const each = Math.ceil(recordings / users)
  let left = recordings
  const working = await Promise.all(
    Array.from({ length: users }, async (_, user) => {
      const { email } = await aUser(db, { credits: each + 20, password })
      const client = new WatchedClient(site, answers)
      await client.expect('POST', '/api/login', { email, password })
      const count = Math.min(each, left)
      left -= count
      return useIt(client, user, count, sounds, sent)
    }).map(async (user) => {
      const { done } = await user
      return { done }
    }),
  )

  // ---- what happens meanwhile ----
  const all = Promise.all(working.map(({ done }) => done))
  let broken: Error | undefined
  all.catch((error: Error) => (broken = error))
  const at = (share: number) =>
    until(`${share} of the recordings`, async () => {
      if (broken) throw broken
      return sent.recordings >= share * recordings
    })
  const away = { from: Infinity, to: Infinity }
  const restart = { from: Infinity, to: Infinity }
  await at(0.1)
  workers[1]?.child.kill('SIGKILL')
  execFileSync('ip', ['link', 'set', `${BRIDGE}-C`, 'down'])
  say('C is dead')
  await at(0.25)
  away.from = performance.now()
  await s3Door.close()
  say('S3 is away')
  await sleep(AWAY_MS)
  s3Door = await openDoor(toS3, { host: HERE, port: s3Door.port })
  throughS3.push(s3Door.bytes)
  away.to = performance.now()
  say('S3 is back')
  await at(0.4)
  restart.from = performance.now()
  // As operators do it: clients wait at the pooler meanwhile.
  await pooler.command('PAUSE')
  const old = postgres.pid() ?? 0
  process.kill(old, 'SIGINT')
  await until('PostgreSQL', async () => {
    if (postgres.pid() === old) return false
    return db.execute(sql`select 1`).then(
      () => true,
      () => false,
    )
  })
  await pooler.command('RESUME')
  restart.to = performance.now()
  say(`PostgreSQL is back after ${((restart.to - restart.from) / 1000).toFixed(1)} s`)
  await at(0.55)
  for (const n of [0, 1]) {
    await webs[n]?.stop()
    webs[n] = await start('A', 'web', n + 1)
    say(`web process ${n + 1} is replaced`)
  }
  await all
  await until('the queue', async () =>
    (await problemsOf(db)).every((problem) => !problem.includes('jobs of')),
  )

  // ---- what is left ----
  const { stored, transcriptions } = await storedResults(db)
  const { rows } = await db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from transcriptions where attempt > 0 group by status`)
  const found = rows.map(({ status, n }) => `${n} ${status}`).join(', ')
  check(
    stored === recordings && transcriptions === recordings && found === `${recordings} completed`,
    `${found}; ${stored} results stored, for ${transcriptions} recordings`,
  )
  const problems = await problemsOf(db)
  check(problems.length === 0, `the ledger: ${problems.length} problems`, problems)
  const bad = answers.filter(({ status }) => status === 0 || status >= 500)
  const isExcused = ({ status, from, to, retryAfter }: Answer) =>
    status === 503 && retryAfter && from <= away.to && to >= away.from
  const unexcused = bad.filter((answer) => !isExcused(answer))
  const inRestart = unexcused.filter(
    ({ from, to }) => from <= restart.to + 2_000 && to >= restart.from,
  )
  check(
    unexcused.length === 0,
    `${answers.length} requests: ${counted(answers.map(({ status }) => String(status)))}; ` +
      `5xx: ${bad.length - unexcused.length} while S3 was away, all 503 with Retry-After; ` +
      `${inRestart.length} while PostgreSQL started again, ${unexcused.length - inRestart.length} at other times`,
    unexcused
      .slice(0, 20)
      .map(
        ({ status, what, from, retryAfter }) =>
          `${status} ${what} at ${((from - begunAt) / 1000).toFixed(1)} s${retryAfter ? ', with Retry-After' : ''}`,
      ),
  )
  const access = (await readFile(accessLog, 'utf8')).trim().split('\n')
  const throughNginx = access.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
  const webToS3 = throughS3.reduce((sum, bytes) => sum + (bytes.get(hosts.A) ?? 0), 0)
  const isThroughNode = Math.max(throughNginx, webToS3) >= sent.bytes
  check(
    !isThroughNode,
    `recordings: ${mb(sent.bytes)} sent; ${mb(throughNginx)} through nginx to the web processes, ` +
      `${mb(webToS3)} between these and S3`,
  )
  say('done')
}

/** Sends recordings one after the other and watches them all to their end, as a page does. */
function useIt(
  client: WatchedClient,
  user: number,
  count: number,
  sounds: Sound[],
  sent: { recordings: number; bytes: number },
): { done: Promise<void> } {
  const ids: string[] = []
  let isSending = true
  const send = async () => {
    for (let n = 0; n < count; n++) {
      const sound = sounds[(user + n) % sounds.length]
      if (!sound) continue
      const { transcriptionId } = await sendInParts(client, sound)
      sent.bytes += sound.bytes.length
      await patiently(() => client.confirm(transcriptionId))
      ids.push(transcriptionId)
      sent.recordings += 1
    }
    isSending = false
  }
  const watch = async () => {
    const open = new Set<string>()
    let known = 0
    while (isSending || known < ids.length || open.size > 0) {
      for (; known < ids.length; known++) open.add(ids[known] ?? '')
      const [next] = open
      if (next) {
        const { status } = await patiently(() => client.transcription(next))
        open.delete(next)
        if (!isFinished(status)) open.add(next)
      }
      await sleep(1_000)
    }
  }
  return { done: Promise.all([send(), watch()]).then(() => undefined) }
}

/** As the page sends it: the parts go to the bucket itself. */
async function sendInParts(client: Client, { name, bytes }: Sound): Promise<UploadAnswer> {
  const about = { name, sizeBytes: bytes.length, summaryLanguage: 'en' }
  const { id, partBytes, parts } = UploadInParts.parse(
    await patiently(() => client.expect('POST', '/api/uploads', about)),
  )
  for (const { number, url } of parts) {
    const body = bytes.subarray((number - 1) * partBytes, number * partBytes)
    await patiently(async () => {
      const { ok, status } = await fetch(url, { method: 'PUT', body })
      if (!ok) throw new Error(`a part was answered ${status}`)
    })
  }
  // 202, which is no such answer: it is still being measured.
  const complete = () => client.expect('POST', `/api/uploads/${id}/complete`)
  return patiently(async () => UploadAnswer.parse(await complete()))
}

/** Tries a call again that was refused for now, as the page does. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 300) throw error
      await sleep(1_000)
    }
  }
}

function makeHosts(): void {
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'ignore' })
  const quietly = (...args: string[]) => {
    try {
      ip(...args)
    } catch {
      // It was not there.
    }
  }
  const unmake = () => {
    for (const host of Object.keys(hosts)) {
      quietly('link', 'del', `${BRIDGE}-${host}`)
      quietly('netns', 'del', `${BRIDGE}-${host}`)
    }
    quietly('link', 'del', BRIDGE)
  }
  unmake()
  ends.push(unmake)
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${HERE}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const [host, address] of Object.entries(hosts)) {
    const name = `${BRIDGE}-${host}`
    ip('netns', 'add', name)
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', name, 'master', BRIDGE, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
  }
}

function spawnOn(
  host: Host,
  command: string,
  args: string[],
  settings: Record<string, string> = {},
): { child: ChildProcess; said: () => string } {
  const child = spawn('ip', ['netns', 'exec', `${BRIDGE}-${host}`, command, ...args], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-20_000)
      if (logFile) appendFileSync(logFile, text)
    })
  ends.push(() => child.kill('SIGKILL'))
  return { child, said: () => said }
}

/** The server of deploy/nginx.conf that passes requests on, without TLS and with our addresses. */
async function startNginx(folder: string, accessLog: string): Promise<void> {
  const whole = await readFile(NGINX, 'utf8')
  const [upstream = ''] = /upstream quoth \{[^}]+\}/.exec(whole) ?? []
  const [server = ''] = /server \{\n {2}listen 443[\s\S]+?\n\}/.exec(whole) ?? []
  const processes = ['server 127.0.0.1:3001', 'server 127.0.0.1:3002']
  const lines = [
    'user root;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr warn;',
    'events {}',
    'http {',
    `log_format short '$status $request_length $bytes_sent $uri';`,
    `access_log ${accessLog} short;`,
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/nginx-${name};`,
    ),
    upstream.replace(/server web:3000([^;]*);/, (_, how: string) =>
      // They have addresses, and the nginx of a distribution resolves no names later.
      processes.map((each) => `${each}${how.replace(' resolve', '')};`).join('\n'),
    ),
    server.replace(/listen 443[^;]*;/, 'listen 8080;').replaceAll(/ssl_\w+ [^;]+;/g, ''),
    '}',
  ]
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, lines.join('\n'))
  const { said } = spawnOn('A', '/usr/sbin/nginx', ['-c', file, '-g', 'daemon off;'])
  await until(`nginx ${said()}`, () =>
    fetch(`${site}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
}

async function until(
  what: string,
  isSo: () => Promise<boolean>,
  withinMs = 300_000,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`)
    await sleep(200)
  }
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, n]) => `${n} × ${word}`).join(', ')
}

function say(line: string): void {
  console.log(`${((performance.now() - begunAt) / 1000).toFixed(0).padStart(5)} s  ${line}`)
}

function check(isRight: boolean, line: string, problems: readonly string[] = []): void {
  if (!isRight) failures++
  console.log(`${isRight ? 'ok  ' : 'NOT '} ${line}`)
  for (const problem of problems) console.log(`     ${problem}`)
}

try {
  await run()
} finally {
  for (const end of ends.toReversed()) await end()
}
process.exit(failures > 0 ? 1 : 0)
