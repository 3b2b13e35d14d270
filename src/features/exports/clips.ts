/** What is left of a recording, as programs for editing count it: in frames. */
import { clockWithout, without } from '#features/cuts/ranges.ts'

import { type Rate, frameAt } from './frames.ts'
import type { Exported } from './writers/writer.ts'

/** A stretch that stays. */
export interface Clip {
  /** Where it begins in the recording, and in what is left of it. */
  from: number
  at: number
  /** At least one. */
  frames: number
}

/**
 * Clips follow each other without a gap. Each begins and ends within a frame of its stretch, however many
 * come before it.
 */
export function clipsOf(
  { cuts, durationMs }: Pick<Exported, 'cuts' | 'durationMs'>,
  rate: Rate,
): Clip[] {
  const clock = clockWithout(cuts)
  const last = frameAt(durationMs, rate)
  return without([{ startMs: 0, endMs: durationMs }], cuts).flatMap(({ startMs, endMs }) => {
    const at = frameAt(clock(startMs), rate)
    const frames = frameAt(clock(endMs), rate) - at
    // A clip of one frame more than its stretch has may not reach beyond the recording.
    const from = Math.min(frameAt(startMs, rate), last - frames)
    return frames > 0 ? { from, at, frames } : []
  })
}
