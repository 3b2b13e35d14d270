/** The common parts of an operator's commands: one argument, settings, progress, messages. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import * as credits from '#features/credits/credits.ts'
import { progressLine } from '#features/models/progress.ts'
import { compareFiles } from '#features/recordings/kept-files.ts'
import { BackupRefused } from '#server/backup/archive.ts'
import { type Config, ConfigError, readConfig } from '#server/config.ts'
import type { Queryable } from '#server/db.ts'
import { PostgresRefused } from '#server/postgres.ts'
import { loadSettingsFile } from '#server/settings-file.ts'
import { diskStorage, type Storage } from '#server/storage.ts'

export interface Io {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

interface Work {
  argument: string
  /** The argument as a path, from where npm was called: it runs scripts in the package's folder. */
  path: string
  config: Config
  signal: AbortSignal
  say: (line: string) => void
  onProgress: (progress: { step: string; done: number; total: number }) => void
}

/** Answers the exit code: 0 done, 1 it could not be done and stderr says why, 2 wrong usage. */
export type Command = (argv: readonly string[], io: Io) => Promise<number>

const STOPPED = 130

/** `work` answers whether all is right. */
export function command(help: string, work: (work: Work) => Promise<boolean>): Command {
  return async (argv, io) => {
    using line = progressLine(io.stderr)
    try {
      const argument = read(argv)
      if (argument === null) {
        io.stdout.write(help)
        return argv.some((each) => ['-h', '--help'].includes(each)) ? 0 : 2
      }
      const config = readConfig(io.env)
      await refuseOthers(config.dataDir)
      // Files that are written from here on can be read by this user only.
      process.umask(0o077)
      const say = (text: string) => {
        line.end()
        io.stdout.write(`${text}\n`)
      }
      const onProgress: Work['onProgress'] = (progress) => line.show(progress)
      const path = resolve(io.env['INIT_CWD'] ?? '', argument)
      const isRight = await work({ argument, path, config, signal: io.signal, say, onProgress })
      return isRight ? 0 : 1
    } catch (error) {
      line.end()
      if (io.signal.aborted) {
        io.stderr.write('Stopped. Nothing is kept of what was begun.\n')
        return STOPPED
      }
      const isForOperator =
        error instanceof BackupRefused ||
        error instanceof PostgresRefused ||
        error instanceof ConfigError
      if (!isForOperator) throw error
      io.stderr.write(`${error.message}\n`)
      return error instanceof ConfigError ? 2 : 1
    }
  }
}

function read(argv: readonly string[]): string | null {
  try {
    const options = { help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const [argument, ...more] = positionals
    return values.help || more.length > 0 ? null : (argument ?? null)
  } catch {
    return null
  }
}

/** Files that root makes in the folder of another user would keep the server from starting. */
async function refuseOthers(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const { uid } = await stat(dataDir)
  if (uid !== process.getuid?.())
    throw new BackupRefused(
      `${dataDir} belongs to another user (${uid}). Run this as the user that the server runs as.`,
    )
}

export async function storageOf({ bucket, dataDir }: Config, folder = dataDir): Promise<Storage> {
  if (bucket === null) return diskStorage(`${folder}/files`)
  const { s3Storage } = await import('#server/s3.ts')
  return s3Storage(bucket, { scratchDir: `${folder}/scratch` })
}

/** Checks ledger and recordings, and says the findings. Answers whether all is right. */
export async function check(
  db: Queryable,
  storage: Pick<Storage, 'list'>,
  { say, known = 0 }: { say: (line: string) => void; known?: number },
): Promise<boolean> {
  const problems = await credits.verify(db)
  say(
    problems.length === 0 ? 'The ledger is right.' : `The ledger is wrong: ${problems.join('; ')}`,
  )
  const { named, missing, unnamed } = await compareFiles(db, storage)
  say(
    missing === 0
      ? `The database names ${named} recordings, and all of them are there.`
      : `The database names ${named} recordings, and ${missing} of them are not there.`,
  )
  if (unnamed > 0)
    say(`${unnamed} files are uploads under way, or leftovers that the server removes.`)
  return problems.length === 0 && missing <= known
}

/** Runs a command as the program that npm called. */
export async function runAsProgram(run: Command): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)))
  loadSettingsFile()
  const { stdout, stderr, env } = process
  process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env, signal: stop.signal })
}
