import { live } from './live.ts'
import { type Event, next } from './state.ts'

let clock = () => 0

/** The clock of the sound that is being recorded: it stands still while the sound sleeps. */
export const soundMs = (): number => clock()
export const setClock = (now: () => number): void => {
  clock = now
}

/** Tells what has happened to the recording of this page. */
export function tell(event: Event): void {
  live.set(next(live.session(), event, { soundMs: clock(), at: new Date() }))
}
