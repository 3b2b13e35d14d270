/**
 * How the pipeline starts a program, so that a hostile recording can hurt nothing but its own
 * process. Where the system allows namespaces (util-linux, a kernel that lets us use them), a child
 *
 * - has no network, not even loopback, and sees no other process;
 * - sees the system's libraries and the files it was given, read-only, and none of ours;
 * - may write in its work folder, and nowhere when it has none.
 *
 * Everywhere it gets an argument list (never a shell that could read one), an almost empty
 * environment, limits on memory, processor time and output, and no way to gain privileges. Where
 * Perl is there, the kernel refuses it what no decoder asks for (system-calls.ts). It dies with us: by
 * the abort signal, or by the kernel when we are killed. What of this there is here is found out
 * once, by trying, and told by `confinement` and `filtering`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { codesOf } from '#server/error-codes.ts'
import { noSpaceLeft } from '#server/own-disk.ts'

import { findProgram, standardFolders } from './programs.ts'
import { filtered, PERL } from './system-calls.ts'

export interface StartOptions {
  /** Ends the program and everything it started at once. */
  signal: AbortSignal
  /** The memory it may allocate; libraries and files that are mapped come on top. */
  memoryBytes: number
  /** Processor time after which the kernel ends it, should nobody else have. */
  cpuSeconds: number
  /** Files and folders it may read, besides the system's libraries. */
  reads?: readonly string[]
  /** Where it runs, and the only place it may write to. */
  workDir?: string
  /** The largest file it may write there. */
  fileBytes?: number
  /** 0 is as important as the server; 10 leaves the server first. */
  niceness?: number
  /** Lets a shell start what its script names; decoders and recognisers are one process each. */
  startsOthers?: boolean
  /** Its standard input, drawn as fast as it reads. What this throws ends the program, and is thrown. */
  stdin?: AsyncIterable<Uint8Array>
}

export interface Started {
  /** Both must be read. */
  stdout: Readable
  stderr: Readable
  /** Settles when the process has ended and its output was read; rejects when it never started. */
  ended: Promise<Ending>
  /** Processor time that the program has used so far; 0 where the system does not tell. */
  processorMs(): number
  /** Ends the program and everything it started, at once. */
  kill(): void
  /** Asks it to end, and kills it after `graceMs`. */
  stop(graceMs?: number): void
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export type Confinement = 'sandboxed' | 'unsandboxed'
type Filtering = 'filtered' | 'unfiltered'

/** Starts a program, confined as well as this system can. */
export async function start(
  program: string,
  args: readonly string[],
  options: StartOptions,
): Promise<Started> {
  const [mode, filter] = await Promise.all([confinementOf(program), filtering()])
  return launch({ mode, filter }, program, args, options)
}

/**
 * Runs a program to its end, and answers how it ended and what it complained of. Throws ENOSPC where its
 * work folder is full: programs say that in many ways, and some not at all.
 */
export async function run(
  program: string,
  args: readonly string[],
  options: StartOptions & {
    /** Called with each piece of its standard output. */
    onOutput?: (piece: string) => void
  },
): Promise<Ending & { said: string }> {
  const { stdout, stderr, ended } = await start(program, args, options)
  stdout.setEncoding('utf8').on('data', options.onOutput ?? (() => undefined))
  const [ending, said] = await Promise.all([ended, text(stderr)])
  options.signal.throwIfAborted()
  const { workDir } = options
  if (workDir !== undefined && (FULL.test(said) || (await isFull(workDir))))
    throw noSpaceLeft('write')
  return { ...ending, said }
}

/** The C library's words for ENOSPC and EDQUOT. */
const FULL = /No space left on device|Disk quota exceeded/

async function isFull(folder: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(folder)
  // Some file systems tell of neither.
  return bavail === 0 && blocks > 0
}

/**
 * Whether the decoder and the recogniser run in the sandbox here. They run in any case: an operator
 * who cannot have it must be told, on the console and on the health page.
 */
export async function confinement(): Promise<Confinement> {
  const programs = await Promise.all(['ffmpeg', 'pocketsphinx_batch'].map(findProgram))
  const found = programs.filter((path) => path !== null)
  const each = await Promise.all([isolates(), ...found.map(runsInside)])
  return each.every(Boolean) ? 'sandboxed' : 'unsandboxed'
}

let filters: Promise<Filtering> | undefined

/** Whether the kernel refuses the decoder what it never asks for. */
export function filtering(): Promise<Filtering> {
  return (filters ??= tryTheFilter().catch(() => 'unfiltered'))
}

/** Asks for a network, which a program may even where there is none to be had. */
async function tryTheFilter(): Promise<Filtering> {
  const mode = await confinementOf(PERL)
  const ask = ['-e', 'print socket(my $s, 2, 1, 0) ? "given" : $!+0']
  const { answer } = await tryProgram({ mode, filter: 'filtered' }, PERL, ask)
  return answer === String(constants.errno.EPERM) ? 'filtered' : 'unfiltered'
}

async function confinementOf(program: string): Promise<Confinement> {
  return (await isolates()) && (await runsInside(program)) ? 'sandboxed' : 'unsandboxed'
}

const GRACE_MS = 5000
/** A killed program ends at once. After this time its launchers are killed too, should they be left. */
const LAST_MS = 1000
/** Beyond its own memory: a program of two hundred libraries, and the models it maps. */
const MAPPED_BYTES = 1024 * 1024 * 1024
const FILE_BYTES = 256 * 1024 * 1024
const OPEN_FILES = 64
const PROCESSES = 64

interface Fences {
  mode: Confinement
  filter: Filtering
}

async function launch(
  fences: Fences,
  program: string,
  args: readonly string[],
  options: StartOptions,
): Promise<Started> {
  const { mode } = fences
  const command = [...(await fence(fences, program, options)), program, ...args]
  options.signal.throwIfAborted()
  const child = spawn(command[0] ?? program, command.slice(1), {
    cwd: options.workDir ?? '/',
    env: { PATH: standardFolders.join(':'), LANG: 'C', LC_ALL: 'C', HOME: '/nonexistent' },
    // While the sandbox is put up, its complaints are kept apart from those of the program.
    stdio: [
      options.stdin ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      ...(mode === 'sandboxed' ? ['pipe' as const] : []),
    ],
    // A group of its own, so that killing it reaches whatever it started.
    detached: true,
  })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  // The caller that awaits it sees the failure; until then it must not count as unhandled.
  failed.catch(() => undefined)
  const [stdin, stdout, second, third] = child.stdio
  // There are none when we have too many files open; the event says so.
  if (!stdout || !second) return failed
  const launchers = third instanceof Readable ? listen(second) : null
  const stderr = third instanceof Readable ? third : second

  let isKilled = false
  const send = (signal: NodeJS.Signals, to: 'program' | 'group') => {
    if (hasEnded(child)) return
    isKilled = true
    signalTo(child, signal, mode === 'sandboxed' ? to : 'group')
  }
  let later: NodeJS.Timeout | undefined
  const kill = () => {
    send('SIGKILL', 'program')
    clearTimeout(later)
    later = setTimeout(() => send('SIGKILL', 'group'), LAST_MS)
  }
  const stop = (graceMs = GRACE_MS) => {
    send('SIGTERM', 'program')
    later ??= setTimeout(kill, graceMs)
  }
  options.signal.addEventListener('abort', kill, { once: true })

  const fed = stdin && options.stdin && feed(stdin, options.stdin, kill)
  fed?.catch(() => undefined)
  const closed = new Promise<Ending>((resolve, reject) => {
    child.once('close', (code, signal) => {
      const { isReady, said, wasKilled } = launchers?.() ?? unfenced
      if (wasKilled) resolve({ code: null, signal: 'SIGKILL' })
      else if (isReady || isKilled) resolve({ code, signal })
      else reject(new Error(`the sandbox could not be put up: ${said}`))
    })
  })
  const ended = Promise.race([failed, closed])
    .finally(() => {
      clearTimeout(later)
      options.signal.removeEventListener('abort', kill)
    })
    .then(async (ending) => {
      await fed
      return ending
    })
  closed.catch(() => undefined)
  ended.catch(() => undefined)
  const processorMs = () => processorMsOf(mode === 'sandboxed' ? onlyChildOf(child.pid) : child.pid)
  return { stdout, stderr, ended, processorMs, kill, stop }
}

/** How writing to a program fails that ends without reading all. The program says itself why. */
const unread = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** @throws what the input throws, which ends the program. */
async function feed(stdin: Writable, input: AsyncIterable<Uint8Array>, kill: () => void) {
  try {
    await pipeline(input, stdin)
  } catch (error) {
    if (codesOf(error).some((code) => unread.includes(code))) return
    kill()
    throw error
  }
}

/** Launchers that set limits, and then become what follows them: of util-linux, coreutils, and Perl. */
async function fence(
  { mode, filter }: Fences,
  program: string,
  options: StartOptions,
): Promise<string[]> {
  const { memoryBytes, cpuSeconds, workDir, niceness = 0, startsOthers = false } = options
  const { fileBytes = FILE_BYTES } = options
  const [nice, setpriv, prlimit] = await Promise.all(
    ['nice', 'setpriv', 'prlimit'].map(findProgram),
  )
  const limit = (most: Record<string, number>) =>
    prlimit ? [prlimit, ...Object.entries(most).map(([name, n]) => `--${name}=${n}`), '--'] : []
  const memory = { data: memoryBytes, as: memoryBytes + MAPPED_BYTES }
  const files = { fsize: workDir === undefined ? 0 : fileBytes, nofile: OPEN_FILES }

  return [
    ...(nice && niceness !== 0 ? [nice, '-n', String(niceness)] : []),
    ...(setpriv ? [setpriv, '--no-new-privs', '--pdeathsig', 'KILL'] : []),
    ...limit({ ...memory, cpu: Math.ceil(cpuSeconds), core: 0 }),
    ...(mode === 'sandboxed' ? await walls(program, options) : []),
    // Outside, the processes of everything else that this user runs would count too.
    ...limit(mode === 'sandboxed' ? { ...files, nproc: PROCESSES } : files),
    ...((filter === 'filtered' && filtered({ startsOthers })) || []),
  ]
}

const namespaces = [
  '--user --map-root-user --mount --net --pid --ipc --uts --cgroup',
  '--fork --kill-child',
].flatMap((flags) => flags.split(' '))
const script = fileURLToPath(new URL('./confine.sh', import.meta.url))

/** Launchers that make the namespaces, and the script that makes itself at home in them. */
async function walls(
  program: string,
  { reads = [], workDir }: Pick<StartOptions, 'reads' | 'workDir'>,
): Promise<string[]> {
  const [unshare, shell] = await Promise.all(['unshare', 'sh'].map(findProgram))
  if (!unshare || !shell) throw new Error('unshare and sh were there, and are not any more')
  const work = workDir === undefined ? '' : resolve(workDir)
  const shown = [...new Set(reads.map((path) => resolve(path)))]
  return [unshare, ...namespaces, shell, script, work, program, ...shown, '--']
}

const unfenced = { isReady: true, said: '', wasKilled: false }

/** Follows what the launchers say: until the program takes their place, and when it has ended. */
function listen(launchers: Readable): () => typeof unfenced {
  let heard = ''
  launchers.setEncoding('utf8')
  launchers.on('data', (piece: string) => {
    if (heard.length < 4096) heard += piece
  })
  return () => {
    const [said = '', after] = heard.split(/^ready$/m)
    // `unshare` ends as the program did. Up to version 2.38 it fails at being killed, and says so.
    return { isReady: after !== undefined, said: said.trim(), wasKilled: !!after?.trim() }
  }
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

/**
 * In the sandbox the signal goes to the program and not to `unshare`, its parent, which then
 * collects it and ends the same way. Were the parent to go first, the program would be left to the
 * first process of the system, which in a container may well be one that never collects anybody.
 */
function signalTo(
  { pid = 0 }: ChildProcess,
  signal: NodeJS.Signals,
  to: 'program' | 'group',
): void {
  const program = to === 'program' ? onlyChildOf(pid) : null
  try {
    process.kill(program ?? -pid, signal)
    // `unshare` stops when its child does, and would not see that it has ended.
    if (program !== null && signal === 'SIGKILL') process.kill(pid, 'SIGCONT')
  } catch (error) {
    // It ended between the look and the kill.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function onlyChildOf(pid = 0): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) || null
  } catch {
    return null // It has just ended, or the kernel does not tell.
  }
}

/** Linux counts in hundredths of a second, of all threads; the name before the counts may hold spaces. */
export function processorMsOf(pid: number | null = null): number {
  try {
    const [, counts = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user = 0, system = 0] = counts.split(' ').slice(11).map(Number)
    return (user + system) * 10
  } catch {
    return 0 // It has just ended, or this is no Linux.
  }
}

const PROBE_MS = 20_000
const PROBE_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
const probe = fileURLToPath(new URL('./sandbox-probe.mjs', import.meta.url))
/** Of our environment there is nothing; some shells add the last four. */
const knownNames = ['HOME', 'LANG', 'LC_ALL', 'PATH', 'PWD', 'OLDPWD', 'SHLVL', '_']
const insideOnly: Fences = { mode: 'sandboxed', filter: 'unfiltered' }

/** Runs a program that ends at once, and answers what it wrote and how it ended. */
async function tryProgram(
  fences: Fences,
  program: string,
  args: readonly string[],
  reads: readonly string[] = [],
): Promise<Ending & { answer: string }> {
  const { stdout, stderr, ended, kill } = await launch(fences, program, args, {
    signal: AbortSignal.timeout(PROBE_MS),
    memoryBytes: PROBE_MEMORY_BYTES,
    cpuSeconds: PROBE_MS / 1000,
    reads,
  })
  stderr.resume()
  const [answer, ending] = await Promise.all([text(stdout), ended]).finally(kill)
  return { ...ending, answer }
}

/** Exit codes of a launcher whose program, or a library of it, is not there. */
const notRun = [126, 127]

/** The findings of the probe inside the sandbox; see sandbox-probe.mjs. */
const Probed = z.object({
  given: z.string(),
  hidden: z.string(),
  written: z.string(),
  connected: z.string(),
  processId: z.int(),
  environment: z.array(z.string()),
})

let isolating: Promise<boolean> | undefined

/** Whether namespaces are to be had and hold: tried once, with a program that tries to break out. */
function isolates(): Promise<boolean> {
  return (isolating ??= tryToBreakOut().catch(() => false))
}

async function tryToBreakOut(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const needed = await Promise.all(['unshare', 'sh', 'setpriv', 'prlimit'].map(findProgram))
  if (needed.includes(null)) return false

  const folder = await mkdtemp(join(tmpdir(), 'quoth-probe-'))
  let visitors = 0
  const listener = createServer((socket) => {
    visitors += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  try {
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const [given, hidden] = [join(folder, 'given'), join(folder, 'hidden')]
    await Promise.all([given, hidden].map((path) => writeFile(path, path)))
    const args = [probe, given, hidden, String(port)]
    const { answer } = await tryProgram(insideOnly, process.execPath, args, [probe, given])
    const probed = Probed.parse(JSON.parse(answer))
    return (
      probed.given === given &&
      [probed.hidden, probed.written].every((why) => /^(ENOENT|EROFS)$/.test(why)) &&
      probed.connected === 'ENETUNREACH' &&
      visitors === 0 &&
      probed.processId === 1 &&
      probed.environment.every((name) => knownNames.includes(name))
    )
  } finally {
    listener.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const running = new Map<string, Promise<boolean>>()

/**
 * Whether a program finds its libraries inside: one that somebody built into a folder of their own
 * does not, and must run without the sandbox rather than not at all.
 */
function runsInside(program: string): Promise<boolean> {
  const known = running.get(program) ?? tryInside(program).catch(() => false)
  running.set(program, known)
  return known
}

async function tryInside(program: string): Promise<boolean> {
  if (!(await isolates())) return false
  const { code } = await tryProgram(insideOnly, program, [])
  return code === null || !notRun.includes(code)
}
