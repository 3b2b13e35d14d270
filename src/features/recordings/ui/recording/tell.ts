import { live } from './live.ts'
import { type Event, type Running, next, recordedBy } from './state.ts'

/** How much is recorded by now. */
export const recordedNow = (running: Running): number => recordedBy(running, performance.now())

/** Tells what has happened to the recording of this page. */
export function tell(event: Event): void {
  live.set(next(live.session(), event, { nowMs: performance.now(), at: new Date() }))
}
