import { readdir, readFile } from 'node:fs/promises'

interface Descendant {
  pid: number
  name: string
  /** Ended, and not collected by its parent. */
  isZombie: boolean
}

/** The processes that a process started, and those that they started, read from /proc. */
export async function descendantsOf(pid: number): Promise<Descendant[]> {
  const parents = new Map<number, Descendant[]>()
  for (const entry of await readdir('/proc')) {
    // Processes end while we look.
    const stat = /^\d+$/.test(entry)
      ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
      : ''
    const [, name = '', state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? []
    const siblings = parents.get(Number(parent)) ?? []
    siblings.push({ pid: Number(entry), name, isZombie: state === 'Z' })
    parents.set(Number(parent), siblings)
  }
  const found = [...(parents.get(pid) ?? [])]
  for (const each of found) found.push(...(parents.get(each.pid) ?? []))
  return found
}

/** Names of the processes that a process started, however far down, and that still run. */
export async function childrenOf(pid: number): Promise<string[]> {
  const all = await descendantsOf(pid)
  return all.filter(({ isZombie }) => !isZombie).map(({ name }) => name)
}
