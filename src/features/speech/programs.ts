/**
 * The programs of the system that the pipeline starts: where they are, and how they are started so
 * that a hostile recording can hurt nothing but its own process. A child gets an argument list
 * (never a shell), an almost empty environment, a limit on memory, no way to gain privileges, its
 * own process group, and it dies with us: by the abort signal, or by the kernel when we are killed.
 */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const standardFolders = ['/usr/local/bin', '/usr/bin', '/bin']
const packages: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  pocketsphinx_batch: 'pocketsphinx',
  'pocketsphinx model': 'pocketsphinx-en-us',
}

/** Something the pipeline needs is not on this machine; the message says what to install. */
export class MissingProgram extends Error {
  constructor(names: readonly string[]) {
    const wanted = names.map((name) => packages[name] ?? name).join(' ')
    super(
      `${names.join(' and ')} ${names.length === 1 ? 'was' : 'were'} not found on this machine. ` +
        `On Debian or Ubuntu: sudo apt install ${wanted}`,
    )
    this.name = 'MissingProgram'
  }
}

const found = new Map<string, Promise<string | null>>()

/** The absolute path of a program on the PATH, or null. One that was found is not looked for again. */
export async function findProgram(name: string): Promise<string | null> {
  const search = found.get(name) ?? lookUp(name)
  found.set(name, search)
  const path = await search
  // Someone may install it while the server runs.
  if (path === null) found.delete(name)
  return path
}

async function lookUp(name: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('which', [name])
    return stdout.trim() || null
  } catch (error) {
    // `which` answers 1 for "not there"; only without `which` itself the usual folders are read.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null
  }
  for (const folder of standardFolders) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return null
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** @throws MissingProgram */
export async function needProgram(name: string): Promise<string> {
  const path = await findProgram(name)
  if (path === null) throw new MissingProgram([name])
  return path
}

export interface StartOptions {
  /** Ends the whole process group at once. */
  signal: AbortSignal
  /** Address space, enforced where `prlimit` is there (every Debian). */
  memoryBytes: number
  cwd?: string
  /** 0 is as important as the server; 10 leaves the server first. */
  niceness?: number
}

export interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>
  /** Settles when the process has ended and its output was read; rejects when it never started. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Ends the process and everything it started. */
  kill(): void
}

/** Starts a program, confined. The caller must read both outputs. */
export async function start(
  program: string,
  args: readonly string[],
  options: StartOptions,
): Promise<Started> {
  const [command, ...rest] = [...(await fence(options.memoryBytes)), program, ...args]
  options.signal.throwIfAborted()
  const child = spawn(command ?? program, rest, {
    cwd: options.cwd,
    env: { PATH: standardFolders.join(':'), LANG: 'C', LC_ALL: 'C', HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that killing it reaches whatever it started.
    detached: true,
  })

  const kill = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // It ended between the look and the kill.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  options.signal.addEventListener('abort', kill, { once: true })
  if (options.niceness !== undefined && child.pid !== undefined)
    lowerPriority(child.pid, options.niceness)

  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    },
  ).finally(() => options.signal.removeEventListener('abort', kill))
  // Whoever awaits it sees the failure; until then it must not count as unhandled.
  ended.catch(() => undefined)
  return { child, ended, kill }
}

/** The launchers that put the fences up and then become the program itself. */
async function fence(memoryBytes: number): Promise<string[]> {
  const [setpriv, prlimit] = await Promise.all([findProgram('setpriv'), findProgram('prlimit')])
  return [
    ...(setpriv ? [setpriv, '--no-new-privs', '--pdeathsig', 'KILL'] : []),
    ...(prlimit ? [prlimit, `--as=${memoryBytes}`, '--core=0', '--'] : []),
  ]
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch (error) {
    // It may have ended already; being polite is not worth a failed job.
    if (!(error instanceof Error && error.name === 'SystemError')) throw error
  }
}
