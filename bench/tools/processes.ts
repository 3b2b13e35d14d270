/** Memory and processor time of processes, read from /proc: the benches run on Linux. */
import { readFileSync } from 'node:fs'

import { descendantsOf } from '#test/children.ts'

const TICK_MS = 10

/** The memory of a process now, in bytes; 0 when it has ended. */
export function memoryOf(pid: number): number {
  return kilobytes(pid, 'VmRSS') * 1024
}

/** The most that a process ever held. */
export function peakMemoryOf(pid: number): number {
  return kilobytes(pid, 'VmHWM') * 1024
}

/** The memory of a process and everything below it. Pages that several share count for each. */
export async function memoryOfTree(pid: number): Promise<number> {
  const below = await descendantsOf(pid)
  return [pid, ...below.map((child) => child.pid)].reduce((sum, each) => sum + memoryOf(each), 0)
}

/** Like `memoryOfTree`, with pages that several processes share counted once between them. */
export async function fairMemoryOfTree(pid: number): Promise<number> {
  const below = await descendantsOf(pid)
  return [pid, ...below.map((child) => child.pid)].reduce((sum, each) => sum + fairShareOf(each), 0)
}

/** The memory of a process, with pages that several share counted once between them; in bytes. */
export function fairShareOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))
  return Number(found?.[1] ?? 0) * 1024
}

/** Processor time so far of a process and of its children that have ended, in ms. */
export function cpuMs(pid: number | 'self' = 'self'): { own: number; children: number } {
  // The name of the program, in brackets, may hold spaces.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number)
  const [own, ownSystem, children, childrenSystem] = fields.slice(11, 15)
  return {
    own: ((own ?? 0) + (ownSystem ?? 0)) * TICK_MS,
    children: ((children ?? 0) + (childrenSystem ?? 0)) * TICK_MS,
  }
}

/** Looks at a figure again and again until it is stopped, and keeps the highest. */
export function watchPeak(look: () => Promise<number> | number, everyMs = 250) {
  let peak = 0
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void Promise.resolve(look())
      .then((value) => (peak = Math.max(peak, value)))
      .finally(() => (isLooking = false))
  }, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}

function kilobytes(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))
  return Number(found?.[1] ?? 0)
}

/** Processes end while we look. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
