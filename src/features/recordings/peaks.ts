/**
 * The waveform of a recording: the loudest sample of each of up to 1,000 equal stretches. It is
 * made while the upload is measured, from the samples that are decoded for that anyway, and kept
 * with the text: a picture of loudness holds nothing of what was said.
 */
import { and, eq, isNull } from 'drizzle-orm'

import { measure } from '#features/sound/decode.ts'
import { transcriptions } from '#features/transcriptions/tables.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Peaks } from './contract.ts'
import { type Deps, type Owned, isThere } from './recordings.ts'

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

/** How long decoding may take for a recording from before there were waveforms. */
const DECODE_MS = 10 * 60_000

/**
 * The waveform of a transcription. What has none yet, because it came before there were any, gets
 * it now; asked for many times at once, it is made once.
 *
 * @throws Refusal `not_found`
 */
export function peaksOf(): (deps: Pick<Deps, 'db' | 'storage'>, owned: Owned) => Promise<Peaks> {
  const underWay = new Map<string, Promise<number[] | null>>()
  return async (deps, owned) => {
    const [row] = await deps.db
      .select({
        peaks: transcriptions.peaks,
        durationMs: transcriptions.durationMs,
        storageKey: transcriptions.storageKey,
      })
      .from(transcriptions)
      .where(isThere(owned))
    if (!row) throw new Refusal('not_found')
    const duration = row.durationMs / 1000
    if (row.peaks !== null || row.storageKey === null) return { peaks: row.peaks, duration }

    const { storageKey } = row
    const making = underWay.get(storageKey) ?? make(deps, owned.id, storageKey)
    underWay.set(storageKey, making)
    try {
      return { peaks: await making, duration }
    } finally {
      underWay.delete(storageKey)
    }
  }
}

async function make(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  id: string,
  storageKey: string,
): Promise<number[] | null> {
  const file = await storage.open(storageKey)
  try {
    const meter = peakMeter()
    const measured = await measure(file.path, {
      signal: AbortSignal.timeout(DECODE_MS),
      maxDurationMs: MAX_DURATION_HOURS * 3_600_000,
      onPcm: meter.listen,
      niceness: 5,
    })
    if (measured.kind === 'refused') return null
    const peaks = meter.finish()
    await db
      .update(transcriptions)
      .set({ peaks })
      .where(and(eq(transcriptions.id, id), isNull(transcriptions.peaks)))
    return peaks
  } finally {
    await file.release()
  }
}
