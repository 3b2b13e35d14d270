import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of who calls: on Linux of its thread, elsewhere of its whole process. It never
 * asks for more than the server was given, which is refused.
 *
 * @param niceness from 0 to 19; the higher, the later
 */
export function giveWay(niceness: number): void {
  setPriority(0, Math.max(niceness, getPriority(0)))
}

/** The same for one thread of the server, where that does not slow down all of it. */
export function threadGivesWay(niceness: number): void {
  if (process.platform === 'linux') giveWay(niceness)
}
