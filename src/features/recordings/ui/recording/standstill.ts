/** The times of two clocks at one moment: one that always goes, and that of the sound. */
export interface Clocks {
  nowMs: number
  soundMs: number
}

/** How far the sound may be behind before it has stood still: its clock goes in steps. */
const BEHIND_MS = 700

/**
 * Finds out at each look whether the sound goes, however the browser calls its state: one that never
 * began, or that waited through the sleep of a computer, tells nobody.
 */
export function standstill(begun: Clocks) {
  let last = begun
  return {
    /** Whether it has gone on since the last look, and how long it stood still before, if it did. */
    look(now: Clocks): { isGoing: boolean; stoodMs: number } {
      const behindMs = now.nowMs - last.nowMs - (now.soundMs - last.soundMs)
      const isGoing = now.soundMs > last.soundMs
      if (isGoing) last = now
      return { isGoing, stoodMs: behindMs > BEHIND_MS ? behindMs : 0 }
    },
    /** Begins anew: an earlier standstill is not reported again. */
    restart(now: Clocks) {
      last = now
    },
  }
}
