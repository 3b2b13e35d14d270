/** One built server for all journeys, with a data directory of its own that is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort, startServer } from '../test/server.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-e2e-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await startServer({
    dataDir,
    port,
    settings: { PUBLIC_URL: url, WEBHOOK_ALLOW: '127.0.0.1' },
  })
  // The processes that run the tests inherit these.
  process.env['E2E_URL'] = url
  process.env['E2E_DATA_DIR'] = dataDir
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
