/** An installation of several processes, for tests: a web process, and workers as a test asks for them. */
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { onTestFinished } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'

import { Client } from './client.ts'
import { shortRecording } from './crashes.ts'
import { test as base } from './database.ts'
import {
  countResults,
  type ServerData,
  type RunningWorker,
  settingsOf,
  startFreeWorker,
} from './roles.ts'
import { freePort, type RunningServer, startServer } from './server.ts'

interface Cluster extends ServerData {
  db: Db
  web: RunningServer
  client: Client
  worker: (name: string, settings?: Record<string, string>) => Promise<RunningWorker>
  /** Uploads and confirms a recording, and answers its id. */
  confirmed: (recording?: Awaited<ReturnType<typeof shortRecording>>) => Promise<string>
}

export const email = 'roles@example.com'

/** One web process, on a machine without a recogniser, and workers as a test asks for them. */
export const test = base.extend<{ $file: { cluster: Cluster } }>({
  cluster: [
    async ({ database: { db, url } }, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-roles-'))
      const place = { dataDir, databaseUrl: url }
      const web = await startServer({
        dataDir,
        port: await freePort(),
        settings: {
          ...settingsOf(place),
          ROLE: 'web',
          PATH: await programsBut(/^pocketsphinx/, path.join(dataDir, 'programs')),
        },
      })
      const worker: Cluster['worker'] = async (name, settings = {}) => {
        const started = await startFreeWorker(place, { name, settings })
        onTestFinished(async () => void (await started.end('SIGKILL')))
        return started
      }
      // A worker must run to send the mail of the sign-up.
      const first = await startFreeWorker(place, { name: 'first' })
      const client = new Client(web.url)
      const { id: userId } = await client.signUp({ email, dataDir })
      await first.end('SIGTERM')
      await db.transaction((tx) => credits.grant(tx, { userId, cause: 'test', credits: 100 }))
      await countResults(db)
      const short = await shortRecording(4)
      await use({
        ...place,
        db,
        web,
        client,
        worker,
        async confirmed(recording = short) {
          const { transcriptionId } = await client.upload(recording)
          await client.confirm(transcriptionId)
          return transcriptionId
        },
      })
      await web.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'file' },
  ],
})

/** Makes a folder with links to every program of this machine except some. */
export async function programsBut(left: RegExp, folder: string): Promise<string> {
  await mkdir(folder)
  for (const from of (process.env['PATH'] ?? '').split(':'))
    for (const name of await readdir(from).catch(() => []))
      if (!left.test(name))
        await symlink(path.join(from, name), path.join(folder, name)).catch(() => undefined)
  return folder
}
