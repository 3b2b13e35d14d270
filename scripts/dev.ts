/** `npm run dev`: the server, started again when a source changes; the browser side is built first. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
/** Source files that the browser side is built from. */
const browserSources = /^(web|shared)\/|\/ui\/|\/(contract|status)\.ts$/
/** Waits this long after a change: editors save in several steps, and git writes many files. */
const SETTLE_MS = 200

let server: ChildProcess | undefined

async function build(): Promise<void> {
  const building = spawn(join(bin, 'react-router'), ['build'], { cwd: root, stdio: 'inherit' })
  await once(building, 'exit')
}

async function restart(): Promise<void> {
  if (server && server.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  server = spawn(process.execPath, ['src/root/main.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
}

async function apply(files: readonly string[]): Promise<void> {
  if (files.some((name) => browserSources.test(name))) await build()
  await restart()
}

process.on('SIGINT', () => server?.kill('SIGINT'))

await build()
await restart()

let changed: string[] = []
let timer: NodeJS.Timeout | undefined
let working = Promise.resolve()
for await (const { filename } of watch(join(root, 'src'), { recursive: true })) {
  if (!filename || filename.includes('.test.')) continue
  changed.push(filename)
  clearTimeout(timer)
  timer = setTimeout(() => {
    const now = changed
    changed = []
    working = working.then(() => apply(now))
  }, SETTLE_MS)
}
