/**
 * The waveform of a recording: the loudest sample of each of up to 1,000 equal stretches. It is
 * made while the upload is measured, from the samples that are decoded for that anyway, and kept
 * with the text: a picture of loudness holds nothing of what was said.
 */
import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Peaks } from './contract.ts'
import type { Deps } from './recordings.ts'

export const MOST_PEAKS = 1_000
/** 20 ms: short recordings too have enough of them. */
const FRAME_SAMPLES = 320

export interface PeakMeter {
  /** Takes 16 bit samples in order, cut anywhere. */
  listen: (block: Buffer) => void
  finish: () => number[]
}

export function peakMeter(): PeakMeter {
  let frames = new Uint8Array(4_096)
  let count = 0
  let loudest = 0
  let inFrame = 0
  let half: number | null = null

  const take = (sample: number) => {
    const height = sample < 0 ? -sample : sample
    if (height > loudest) loudest = height
    inFrame += 1
    if (inFrame === FRAME_SAMPLES) close()
  }
  const close = () => {
    if (count === frames.length) {
      const larger = new Uint8Array(frames.length * 2)
      larger.set(frames)
      frames = larger
    }
    frames[count] = Math.min(255, loudest >> 7)
    count += 1
    loudest = inFrame = 0
  }

  return {
    listen(block) {
      let at = 0
      if (half !== null && block.length > 0) {
        take(((half | ((block[0] ?? 0) << 8)) << 16) >> 16)
        half = null
        at = 1
      }
      for (; at + 1 < block.length; at += 2)
        take((((block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)) << 16) >> 16)
      if (at < block.length) half = block[at] ?? 0
    },
    finish() {
      if (inFrame > 0) close()
      return pooled(frames.subarray(0, count))
    },
  }
}

function pooled(frames: Uint8Array): number[] {
  const count = Math.min(MOST_PEAKS, frames.length)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * frames.length) / count)
    const to = Math.floor(((index + 1) * frames.length) / count)
    return frames.subarray(from, to).reduce((most, height) => Math.max(most, height), 0)
  })
}

/** The waveform of a transcription. @throws Refusal `not_found` */
export async function peaksOf({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<Peaks> {
  const { peaks, durationMs } = shownRows
  const [row] = await db.select({ peaks, durationMs }).from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  return { peaks: row.peaks, duration: row.durationMs / 1000 }
}
