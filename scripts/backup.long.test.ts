/** The real server, backed up while people upload and jobs run, restored, and moved to PostgreSQL 15. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { isNotNull } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/transcriptions/tables.ts'
import { openDatabase } from '#server/db.ts'
import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { freePort, startServer } from '#test/server.ts'

import { run as backup } from './backup.ts'
import type { Command } from './command.ts'
import { run as move } from './move.ts'
import { run as restore } from './restore.ts'

const programs = '/usr/lib/postgresql/15/bin'

async function command(run: Command, argument: string, dataDir: string) {
  let said = ''
  const output = { write: (text: string) => (said += text) }
  const { signal } = new AbortController()
  const env = { DATA_DIR: dataDir }
  const code = await run([argument], { stdout: output, stderr: output, env, signal })
  return { code, said }
}

/** A PostgreSQL 15 of the distribution, as an operator has one. It does not run as root. */
async function aPostgres15(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'pg15-'))
  const owner = process.getuid?.() === 0 ? await postgresUser() : undefined
  if (owner) await chown(home, owner.uid, owner.gid)
  const data = join(home, 'data')
  const made = ['-D', data, '-U', 'quoth', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await promisify(execFile)(join(programs, 'initdb'), made, { ...owner, cwd: home })
  const port = await freePort()
  const args = ['-D', data, '-p', String(port), '-k', home, '-h', '127.0.0.1']
  const server = spawn(join(programs, 'postgres'), args, { ...owner, cwd: home, stdio: 'ignore' })
  onTestFinished(async () => {
    server.kill('SIGQUIT')
    await once(server, 'exit')
    await rm(home, { recursive: true, force: true })
  })
  const url = `postgres://quoth@127.0.0.1:${port}/postgres`
  await expect
    .poll(
      () =>
        openDatabase(url)
          .then((database) => database.close())
          .then(() => 'up', String),
      {
        timeout: 20_000,
      },
    )
    .toBe('up')
  return url
}

async function postgresUser() {
  const passwd = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(passwd) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

test.skipIf(!existsSync(programs))(
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

    const target = await aPostgres15()
    const moved = await command(move, target, restored)
    expect(moved.said).toContain('The ledger is right.')
    expect(moved.code).toBe(0)

    const port = await freePort()
    const settings = { DATABASE_URL: target }
    const again = await startServer({ dataDir: restored, port, settings })
    const database = await openDatabase(target)
    try {
      // The session is the same, and so is whoever was signed in.
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
