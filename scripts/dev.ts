/**
 * `npm run dev`: the server with its database and a worker, and Vite's development server in front of
 * it. A change in a screen is seen at once, without a reload. After a change in what the server
 * imports Node starts the server again.
 */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
spawnSync(process.execPath, [at('scripts/setup.mjs'), 'start'], { stdio: 'inherit' })

const port = Number(process.env['PORT'] ?? 3000)
const api = `http://127.0.0.1:${port + 1}`
const parts = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', at('src/root/main.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(port + 1),
      PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${port}`,
    },
  }),
  spawn(at('node_modules/.bin/react-router'), ['dev', '--port', String(port), '--strictPort'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, QUOTH_DEV_API: api },
  }),
]

// Both or none: a page without its server, or a server that cannot be reached, is of no use.
const stop = () => {
  for (const part of parts) part.kill('SIGTERM')
}
for (const part of parts) part.once('exit', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
