/**
 * Does the image work as it is to be run? A web and a worker container with nothing shared but the
 * database and an S3 server, each an ordinary user without powers on a read-only root; one recording
 * goes from its upload to its result. No container engine is needed: root, buildah, util-linux.
 *
 * node deploy/try-image.ts [image = quoth]
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/migrate.ts'
import { startPostgres } from '#server/postgres.ts'
import { descendantsOf } from '#test/children.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { openPostgresDoor } from '#test/door.ts'
import { aUser } from '#test/factories.ts'
import { startS3 } from '#test/s3.ts'
import { freePort } from '#test/server.ts'

const [image = 'quoth'] = process.argv.slice(2)
const RUN = fileURLToPath(new URL('../deploy/run-container.sh', import.meta.url))
/** As in the Dockerfile. */
const USER = 1000
const password = 'correct horse battery staple'
const ends: (() => unknown)[] = []

function buildah(...args: string[]): string {
  const env = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot', ...process.env }
  return execFileSync('buildah', args, { env, encoding: 'utf8' }).trim()
}

interface Container {
  address: string
  /** Sends SIGTERM to its first process; answers how long it took to end. */
  stop: () => Promise<number>
}

async function start(root: string, folder: string, settings: Record<string, string>) {
  const dataDir = path.join(folder, settings['ROLE'] ?? '')
  await mkdir(dataDir)
  await chown(dataDir, USER, USER)
  const opsPort = String(await freePort())
  const given = {
    NODE_ENV: 'production',
    DATA_DIR: '/data',
    HOST: '127.0.0.1',
    OPS_PORT: opsPort,
    MODELS: 'off',
    ...settings,
  }
  const pairs = Object.entries(given).map((pair) => pair.join('='))
  const command = ['tini', '--', 'node', '--max-semi-space-size=16', 'src/root/main.ts']
  const child = spawn(RUN, [root, dataDir, ...pairs, '--', ...command])
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const exited = once(child, 'exit')
  ends.push(() => child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${opsPort}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it did not start:\n${said}`)
    const isReady = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    await sleep(50)
  }
  const container: Container = {
    address,
    async stop() {
      const begun = performance.now()
      const first = (await descendantsOf(child.pid ?? 0)).find(({ name }) => name === 'tini')
      if (first) process.kill(first.pid, 'SIGTERM')
      await exited
      return performance.now() - begun
    },
  }
  return container
}

async function run(): Promise<void> {
  const container = buildah('from', '--pull=never', image)
  ends.push(() => buildah('rm', container))
  const root = buildah('mount', container)
  // The folder must be passable for the user of the containers.
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-image-'))
  execFileSync('chmod', ['711', folder])
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: folder, log: silentLog })
  ends.push(() => postgres.stop())
  const { url: databaseUrl, door } = await openPostgresDoor(postgres.url)
  ends.push(() => door.close())
  const s3 = await startS3()
  if (!s3) throw new Error('an S3 server is needed: apt-get install python3-swift')
  ends.push(() => s3.stop())

  const look =
    'id -u; grep CapBnd /proc/self/status; touch /app/x 2>&1; for each in npm gcc postgres; do command -v $each; done; true'
  const inside = execFileSync(RUN, [root, folder, '--', 'sh', '-c', look], { encoding: 'utf8' })
  console.log(`inside: ${inside.trim().split('\n').join(' | ')}`)

  const database = await openDatabase(postgres.url)
  ends.push(() => database.close())
  await migrate(database)
  const { email } = await aUser(database.db, { credits: 10, password })
  const port = String(await freePort())
  const shared = {
    DATABASE_URL: databaseUrl,
    STORAGE_URL: s3.url,
    PUBLIC_URL: `http://localhost:${port}`,
  }
  const begun = performance.now()
  const web = await start(root, folder, { ...shared, ROLE: 'web', PORT: port })
  const webMs = performance.now() - begun
  const worker = await start(root, folder, { ...shared, ROLE: 'worker' })
  for (const each of [web, worker])
    console.log(`health: ${await (await fetch(`${each.address}/healthz`)).text()}`)
  const client = new Client(`http://localhost:${port}`)
  await client.expect('POST', '/api/login', { email, password })
  const sent = performance.now()
  const { transcriptionId } = await client.upload(await shortRecording(30))
  await client.confirm(transcriptionId)
  const { status, wordCount } = await client.ended(transcriptionId)
  const ms = performance.now() - sent
  const words = wordCount ?? 0
  const [page, pdf] = await Promise.all([
    client.call('GET', '/'),
    client.call('GET', `/api/transcriptions/${transcriptionId}/export?format=pdf`),
  ])
  console.log(
    `30 s of sound: ${status}, ${words} words, in ${(ms / 1000).toFixed(1)} s; ` +
      `page ${page.status}, PDF ${pdf.status}; web ready in ${(webMs / 1000).toFixed(1)} s`,
  )
  const stopped = [await web.stop(), await worker.stop()]
  console.log(`stopped in ${stopped.map((each) => `${(each / 1000).toFixed(1)} s`).join(', ')}`)
  if (status !== 'completed' || words === 0) process.exitCode = 1
}

try {
  await run()
} finally {
  for (const end of ends.toReversed()) await end()
}
