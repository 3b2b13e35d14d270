/** The progress of a command, as an operator reads it. */
import type { InstallProgress } from './install.ts'

const BAR = 24
/** Where nobody watches, a line for every tenth. */
const TENTH = 10

interface ProgressOutput {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** One line that is rewritten where somebody watches, a line now and then where it is kept. */
export function progressLine(output: ProgressOutput) {
  const isWatched = output.isTTY === true
  let shown = ''
  const end = () => {
    if (isWatched && shown !== '') output.write('\r\u001B[K')
    shown = ''
  }
  return {
    show(progress: InstallProgress) {
      const text = textOf(progress, isWatched)
      if (text === shown) return
      shown = text
      // A line that wraps could not be rewritten. Some terminals report a width of 0.
      if (isWatched) output.write(`\r\u001B[K${text.slice(0, (output.columns || 80) - 1)}`)
      else output.write(`${text}\n`)
    },
    end,
    [Symbol.dispose]: end,
  }
}

function textOf({ step, done = 0, total }: InstallProgress, isWatched: boolean): string {
  if (total === undefined) return step
  // How much is unpacked in the end nobody says beforehand.
  if (total === null) return isWatched ? `${step} ${mega(done)} MB` : step
  const percent = Math.floor((100 * done) / Math.max(1, total))
  if (!isWatched) return `${step} ${Math.floor(percent / TENTH) * TENTH} %`
  const full = Math.round((BAR * percent) / 100)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  return `${step} ${bar} ${percent} %, ${mega(done)} of ${mega(total)} MB`
}

const mega = (bytes: number): number => Math.ceil(bytes / 1_000_000)
