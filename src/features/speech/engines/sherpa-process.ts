/**
 * A child process that keeps a model loaded between questions. sherpa-onnx ends its whole process
 * when a model is broken or the memory runs out. Then one question fails, and the next one starts a
 * new process. After ten minutes without a question the process ends, which frees the model's
 * memory. It does not get the server's environment. It runs outside the sandbox, because the
 * operator chose its files.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { findProgram, standardFolders } from '#features/sound/sandbox/programs.ts'
import { semaphore } from '#server/semaphore.ts'

import type { Answer, HostRequest } from './sherpa-host.ts'

export interface Kept {
  /** Questions of one process are answered one after the other. */
  ask(question: HostRequest, signal: AbortSignal): Promise<Answer>
  /** Whether the process runs, and so has a model loaded. */
  isRunning(): boolean
  close(): Promise<void>
}

export interface KeepOptions {
  /** Names the model in the error when the process dies, for the operator. */
  what: string
  idleMs?: number
  /** The most memory that the process may fill. Absent: no limit. */
  memoryBytes?: number | undefined
  /** The most processor time that it may take, in s, however long that lasts. Absent: no limit. */
  processorS?: number | undefined
}

const IDLE_MS = 10 * 60_000
/**
 * After a cancel the process may finish its chunk, which keeps the model loaded. After this time it
 * is killed.
 */
const GRACE_MS = 3000
const KEPT_CHARACTERS = 2000
const host = fileURLToPath(new URL('./sherpa-host.ts', import.meta.url))

export function keep({ idleMs = IDLE_MS, ...options }: KeepOptions): Kept {
  const places = semaphore(1)
  let process: Running | null = null
  let idle: NodeJS.Timeout | undefined

  const end = async () => {
    clearTimeout(idle)
    const ending = process
    process = null
    await ending?.end()
  }

  return {
    async ask(question, signal) {
      await using _ = await places.take(signal)
      clearTimeout(idle)
      const asked = process && !process.hasEnded() ? process : await begin(options)
      process = asked
      try {
        signal.throwIfAborted()
        return await asked.ask(question, signal)
      } finally {
        if (asked.hasEnded()) process = null
        // `unref`, so that this timer does not keep our process running.
        else idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    isRunning: () => process !== null && !process.hasEnded(),
    close: end,
  }
}

interface Running {
  ask(question: HostRequest, signal: AbortSignal): Promise<Answer>
  hasEnded(): boolean
  end(): Promise<void>
}

/** At the first limit of processor time a process is ended with a signal of its own, at the second killed. */
const SPARE_S = 5

async function begin({
  what,
  memoryBytes,
  processorS,
}: Omit<KeepOptions, 'idleMs'>): Promise<Running> {
  const [setpriv, prlimit] = await Promise.all(['setpriv', 'prlimit'].map(findProgram))
  // With setpriv the kernel kills the process when the server ends, however that happens. Without,
  // the process notices it between two chunks.
  const launcher = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []
  // A broken model may abort the process, which would write gigabytes of core file.
  const limits = memoryBytes === undefined ? [] : [`--data=${Math.ceil(memoryBytes)}`]
  if (processorS !== undefined) limits.push(`--cpu=${processorS}:${processorS + SPARE_S}`)
  if (prlimit) launcher.push(prlimit, '--core=0', ...limits, '--')
  const command = [...launcher, globalThis.process.execPath, host]
  const child = spawn(command[0] ?? '', command.slice(1), {
    // The server's settings are not passed on: there are keys among them.
    env: { PATH: standardFolders.join(':'), LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    said = (said + piece).slice(-KEPT_CHARACTERS)
  })
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null
  let ending: Error | null = null
  const ended = new Promise<void>((resolve) => {
    const over = (how: string) => {
      const isSlow = processorS !== undefined && how === 'SIGXCPU'
      const why = isSlow
        ? `did not answer within ${processorS} s of processor time.`
        : `ended the process it ran in (${how}). ${reasonIn(said)}`
      ending ??= new Error(`${what} ${why}`.trim())
      waiting?.reject(ending)
      resolve()
    }
    child.once('error', (error) => over(error.message))
    child.once('close', (code, signal) => over(signal ?? `code ${code}`))
  })
  child.on('message', (answer: Answer) => waiting?.resolve(answer))
  stayFor(child, false)

  return {
    hasEnded: () => ending !== null,
    async end() {
      stayFor(child, true)
      child.kill('SIGKILL')
      await ended
    },
    async ask(question, signal) {
      stayFor(child, true)
      said = ''
      let patience: NodeJS.Timeout | undefined
      const cancel = () => {
        if (child.connected) child.send({ kind: 'cancel' }, () => undefined)
        patience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      }
      signal.addEventListener('abort', cancel, { once: true })
      try {
        const answer = await new Promise<Answer>((resolve, reject) => {
          waiting = { resolve, reject }
          if (ending) reject(ending)
          else child.send(question, (error) => error && reject(error))
        })
        signal.throwIfAborted()
        if (answer.kind !== 'failed' && !isEmpty(answer)) return answer
        // stderr was written before the answer, but Node may read it a round of its loop later.
        for (const _ of [1, 2]) await setImmediate()
        if (answer.kind !== 'failed')
          return said.includes(SWALLOWED) ? { kind: 'failed', reason: swallowedIn(said) } : answer
        return { ...answer, reason: `${answer.reason} ${reasonIn(said)}`.trim() }
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        waiting = null
        clearTimeout(patience)
        signal.removeEventListener('abort', cancel)
        stayFor(child, false)
      }
    },
  }
}

/**
 * Several families catch their own errors, print them after these words, and answer an empty text.
 */
const SWALLOWED = 'Caught exception:'
const isEmpty = (answer: Answer): boolean =>
  answer.kind === 'heard' && answer.heard.every(({ text }) => text === '')
const swallowedIn = (said: string): string =>
  (said.split(SWALLOWED).at(-1) ?? '').trim().split('\n')[0]?.slice(0, 300) ?? ''

/** Node keeps our process running for this child only while the child is asked something. */
function stayFor(child: ChildProcess, isAsked: boolean): void {
  const each = isAsked ? 'ref' : 'unref'
  child[each]()
  child.channel?.[each]()
  const { stderr } = child
  if (stderr && each in stderr) (stderr as unknown as Record<typeof each, () => void>)[each]()
}

/** Whether sherpa-onnx-node, an optional dependency, is installed with a build for this system. */
export function hasAddon(): boolean {
  const { resolve } = createRequire(import.meta.url)
  try {
    resolve('sherpa-onnx-node')
    resolve(
      `sherpa-onnx-${globalThis.process.platform}-${globalThis.process.arch}/sherpa-onnx.node`,
    )
    return true
  } catch {
    return false
  }
}

/** The last line that says what went wrong, without the place in the engine's source code. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim())
  const told = lines.findLast((line) => line !== '' && !line.endsWith('Errors in config')) ?? ''
  return told.replace(/^\S+\.(cc|h):\S+ /, '').slice(0, 300)
}
