/** The real server, backed up while people upload and jobs run, restored, and moved to PostgreSQL 15. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isNotNull } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { openDatabase } from '#server/db.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { isPostgres15Here, startPostgres15 } from '#test/postgres-15.ts'
import { freePort, startServer } from '#test/server.ts'

import { run as backup } from './backup.ts'
import type { Command } from './command.ts'
import { run as move } from './move.ts'
import { run as restore } from './restore.ts'

async function command(run: Command, argument: string, dataDir: string) {
  let said = ''
  const output = { write: (text: string) => (said += text) }
  const { signal } = new AbortController()
  const env = { DATA_DIR: dataDir }
  const code = await run([argument], { stdout: output, stderr: output, env, signal })
  return { code, said }
}

test.skipIf(!isPostgres15Here)(
  'what was backed up under load is whole, goes on where it was, and is served from PostgreSQL 15',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quoth-load-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    const server = await startServer({ dataDir, port: await freePort() })
    onTestFinished(() => server.stop())
    const recording = await shortRecording(4)
    const client = new Client(server.url)
    const email = 'load@example.com'
    await client.signUp({ email, dataDir })

    const archive = join(folder, 'backup')
    let making: ReturnType<typeof command> | undefined
    let isMade = false
    const confirmed: string[] = []
    while (!isMade && confirmed.length < 10) {
      const { transcriptionId } = await client.upload(recording)
      await client.confirm(transcriptionId)
      confirmed.push(transcriptionId)
      // One job is done, another at work, and uploads go on.
      if (confirmed.length !== 2) continue
      await client.ended(confirmed[0]!)
      making = command(backup, archive, dataDir)
      making.then(
        () => (isMade = true),
        () => (isMade = true),
      )
    }
    expect(await making).toMatchObject({ code: 0 })

    const restored = join(folder, 'restored')
    const { code, said } = await command(restore, archive, restored)
    expect(said).toContain('and all of them are there.')
    expect(code).toBe(0)

    const { url: target, stop } = await startPostgres15()
    onTestFinished(stop)
    const moved = await command(move, target, restored)
    expect(moved.said).toContain('The ledger is right.')
    expect(moved.code).toBe(0)

    const port = await freePort()
    const settings = { DATABASE_URL: target }
    const again = await startServer({ dataDir: restored, port, settings })
    const database = await openDatabase(target)
    try {
      // The session is the same, and so is its user.
      const rows = await database.db
        .select({ id: transcriptions.id, key: transcriptions.storageKey })
        .from(transcriptions)
        .where(isNotNull(transcriptions.storageKey))
      expect(rows.length).toBeGreaterThan(1)
      for (const { key } of rows)
        expect((await stat(join(restored, 'files', key!))).size).toBe(recording.bytes.length)
      await expect
        .poll(
          async () => {
            const all = await database.db
              .select({ status: transcriptions.status })
              .from(transcriptions)
            return all.filter(({ status }) => !['completed', 'uploading'].includes(status)).length
          },
          { timeout: 120_000, interval: 500 },
        )
        .toBe(0)
      expect(await credits.verify(database.db)).toEqual([])
    } finally {
      await database.close()
      await again.stop()
    }
  },
  300_000,
)
