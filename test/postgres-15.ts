/** A PostgreSQL 15 of the distribution, as an operator has one: another build than the embedded one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { freePort } from '#test/server.ts'

const programs = '/usr/lib/postgresql/15/bin'

/** `sudo apt install postgresql-15`, which `npm run test:long` does. */
export const isPostgres15Here = existsSync(join(programs, 'initdb'))

export async function startPostgres15(): Promise<{ url: string; stop: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'pg15-'))
  // It does not run as root.
  const owner = process.getuid?.() === 0 ? await postgresUser() : undefined
  if (owner) await chown(home, owner.uid, owner.gid)
  const data = join(home, 'data')
  const made = ['-D', data, '-U', 'quoth', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await promisify(execFile)(join(programs, 'initdb'), made, { ...owner, cwd: home })
  const port = await freePort()
  const args = ['-D', data, '-p', String(port), '-k', home, '-h', '127.0.0.1']
  const server = spawn(join(programs, 'postgres'), args, {
    ...owner,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ready = Promise.withResolvers<void>()
  server.once('exit', () => ready.reject(new Error('PostgreSQL 15 ended before it was ready')))
  server.stderr.on('data', (line: Buffer) => {
    if (String(line).includes('ready to accept connections')) ready.resolve()
  })
  await ready.promise
  return {
    url: `postgres://quoth@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT')
      await once(server, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function postgresUser() {
  const passwd = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(passwd) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
