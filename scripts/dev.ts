/**
 * `npm run dev`: the server. Node starts it again when a source changes, and it first builds the
 * browser side where that is made of what has changed.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const setup = fileURLToPath(new URL('setup.mjs', import.meta.url))
spawnSync(process.execPath, [setup, 'start'], { stdio: 'inherit' })
await import('../src/root/main.ts')
