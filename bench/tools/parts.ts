/**
 * The processor time of each part of the pipeline, by the threads and processes that do it.
 * They are looked at now and then, so the last moment of each is missing. `cpuMs` has exact sums.
 * These figures tell where they come from.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** By the name of a thread, or of a program. */
const parts: readonly (readonly [part: Part, names: RegExp])[] = [
  ['vad', /^voice-activity/],
  // The threads of tasks, of which a job without a summary has no other.
  ['voices', /^WorkerThread/],
  ['decode', /^ffmpeg/],
  ['align', /^pocketsphinx/],
  // The process in which a model is loaded, and its threads.
  ['recognise', /^(node|MainThread)/],
]
export const partNames = ['decode', 'vad', 'recognise', 'align', 'voices'] as const
type Part = (typeof partNames)[number]
export type CostByPart = Partial<Record<Part, number>>

const TICK_MS = 10
const EVERY_MS = 100

export function watchParts(): { stop: () => CostByPart } {
  const spent = new Map<string, { part: Part; ms: number }>()
  const note = (key: string, name: string, path: string) => {
    const part = parts.find(([, names]) => names.test(name))?.[0]
    if (part) spent.set(key, { part, ms: Math.max(cpuOf(path), spent.get(key)?.ms ?? 0) })
  }
  const lookAtChildren = (pid: number | 'self') => {
    for (const child of childrenOf(pid)) {
      note(`process ${child}`, read(`/proc/${child}/comm`).trim(), `/proc/${child}/stat`)
      lookAtChildren(child)
    }
  }
  const look = () => {
    lookAtChildren('self')
    for (const thread of threadsOf('self')) {
      const path = `/proc/self/task/${thread}`
      const name = read(`${path}/comm`).trim()
      if (name !== 'MainThread') note(`thread ${thread}`, name, `${path}/stat`)
    }
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      look()
      const costs: CostByPart = {}
      for (const { part, ms } of spent.values()) costs[part] = (costs[part] ?? 0) + ms
      return costs
    },
  }
}

/** Which threads started them: a quicker way than to look through all processes. */
function childrenOf(pid: number | 'self'): number[] {
  const threads = threadsOf(pid)
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

function threadsOf(pid: number | 'self'): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function cpuOf(path: string): number {
  const fields = read(path)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
}

/** Threads and processes end while we look. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
