/** How an installation goes on, as an operator reads it. */
import type { InstallProgress } from './install.ts'

const BAR = 24
/** Where nobody watches, a line for every tenth. */
const TENTH = 10

export interface ProgressOutput {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** One line that is rewritten where somebody watches, a line now and then where it is kept. */
export function progressLine(stderr: ProgressOutput) {
  let shown = ''
  const put = (text: string) => {
    if (text === shown) return
    shown = text
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text.slice(0, (stderr.columns || 80) - 1)}`)
    else stderr.write(`${text}\n`)
  }
  return {
    show(progress: InstallProgress) {
      switch (progress.kind) {
        case 'downloading':
          return put(barOf('downloading', progress, stderr.isTTY === true))
        case 'unpacking':
          return put(barOf('unpacking', { ...progress, total: null }, stderr.isTTY === true))
        case 'checking':
          return put('checking')
        case 'trying':
          return put('trying it')
        case 'interrupted':
          return put(
            `interrupted: ${progress.reason}; trying again in ${Math.ceil(progress.waitMs / 1000)} s`,
          )
      }
    },
    end() {
      if (stderr.isTTY && shown !== '') stderr.write('\r\u001B[K')
    },
  }
}

function barOf(
  what: string,
  { done, total }: { done: number; total: number | null },
  isWatched: boolean,
): string {
  // How much is unpacked in the end nobody says beforehand.
  if (total === null) return isWatched ? `${what} ${mega(done)} MB` : what
  const percent = Math.floor((100 * done) / Math.max(1, total))
  if (!isWatched) return `${what} ${Math.floor(percent / TENTH) * TENTH} %`
  const full = Math.round((BAR * percent) / 100)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  return `${what} ${bar} ${percent} %, ${mega(done)} of ${mega(total)} MB`
}

const mega = (bytes: number): number => Math.ceil(bytes / 1_000_000)
