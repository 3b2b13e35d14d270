/** The real server as a process of its own, to be used, stopped and killed from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import packageJson from '../package.json' with { type: 'json' }

const main = fileURLToPath(new URL('../src/root/main.ts', import.meta.url))

/** The options of `npm start` for Node: they bound the memory that a server at rest holds. */
const nodeOptions = packageJson.scripts.start.split(' ').slice(1, -1)

/**
 * The environment of a test's server besides its settings: of ours PATH and the cache of compiled
 * code, and that it downloads nothing.
 */
export const inherited = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  MODELS: 'off',
}

export interface RunningServer {
  url: string
  pid: number
  /** Its output so far. */
  output: () => string
  /** Asks it to stop, and waits until it has. */
  stop: () => Promise<void>
  /** `kill -9`: it gets no chance to clean up. */
  kill: () => Promise<void>
  isRunning: () => boolean
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** The address of the PostgreSQL that a server has started for itself. */
export async function databaseOf(dataDir: string): Promise<string> {
  const home = join(dataDir, 'postgres')
  const password = await readFile(join(home, 'data', 'quoth-password'), 'utf8')
  const user = `quoth:${encodeURIComponent(password.trim())}`
  return `postgres://${user}@/postgres?host=${encodeURIComponent(home)}`
}

/** Starts the server and waits until it answers. Settings of the caller's environment do not reach it. */
export async function startServer({
  dataDir,
  port,
  settings = {},
}: {
  dataDir: string
  port: number
  settings?: Record<string, string>
}): Promise<RunningServer> {
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env: { ...inherited, PORT: String(port), DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  const exited = once(child, 'exit')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const url = `http://localhost:${port}`

  const deadline = Date.now() + 120_000
  for (;;) {
    if (!isRunning()) throw new Error(`the server ended while it was starting:\n${output}`)
    if (Date.now() > deadline) throw new Error(`the server did not get ready:\n${output}`)
    const isReady = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning()) child.kill(signal)
    await exited
  }
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    isRunning,
  }
}

/** Starts a server that cannot start, and answers its output after it has ended. */
export async function refusalOf({
  port = 0,
  ...options
}: Omit<Parameters<typeof startServer>[0], 'port'> & { port?: number }): Promise<string> {
  const attempt: unknown = await startServer({ port, ...options }).catch((error: unknown) => error)
  if (!(attempt instanceof Error)) throw new Error('the server started all the same')
  return attempt.message
}
