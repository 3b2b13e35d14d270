import { readdir, readFile } from 'node:fs/promises'

/** Names of the processes that a process started and that still run, read from /proc. */
export async function childrenOf(pid: number): Promise<string[]> {
  const names: string[] = []
  for (const entry of await readdir('/proc')) {
    // Processes end while we look.
    const stat = /^\d+$/.test(entry)
      ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
      : ''
    const [, name = '', state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? []
    if (Number(parent) === pid && state !== 'Z') names.push(name)
  }
  return names
}
