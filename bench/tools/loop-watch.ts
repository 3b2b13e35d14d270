/**
 * Loaded into a measured server (`--import`). Once a second it writes how late the event loop is
 * into the file that LOOP_WATCH names, for the bench to read.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** The length of the timer whose delay is measured. */
const RESOLUTION_MS = 5

const file = process.env['LOOP_WATCH']
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  // The start of the server is one long task, which is not measured.
  process.once('SIGUSR2', () => delay.reset())
  setInterval(() => {
    const [p50, p99, most] = [delay.percentile(50), delay.percentile(99), delay.max].map(late)
    writeFileSync(file, JSON.stringify({ p50, p99, most }))
  }, 1000).unref()
}
