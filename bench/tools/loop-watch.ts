/**
 * Loaded into a server that is measured (`--import`): writes down how late its event loop is, once a
 * second, into the file that LOOP_WATCH names. Reading the file is up to the bench.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** How often it looks; what is written down is what a timer of this length was late. */
const RESOLUTION_MS = 5

const file = process.env['LOOP_WATCH']
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  // The start of a server is one long task, and not what is measured.
  process.once('SIGUSR2', () => delay.reset())
  setInterval(() => {
    const [p50, p99, most] = [delay.percentile(50), delay.percentile(99), delay.max].map(late)
    writeFileSync(file, JSON.stringify({ p50, p99, most }))
  }, 1000).unref()
}
