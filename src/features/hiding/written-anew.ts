/** A recording written anew with some of its sound muted, as a file that no row names yet. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Range } from '#features/cuts/ranges.ts'
import { measureAnew } from '#features/recordings/measure.ts'
import type { Row } from '#features/row/row.ts'
import { writeToned } from '#features/sound/toned.ts'
import type { Storage } from '#server/storage.ts'

/** The sound as it was written anew. */
export interface Made extends Pick<Row, 'sizeBytes' | 'mediaType' | 'picture' | 'peaks'> {
  key: string
}

/** An encoder's frames make a file a little longer; one that is much shorter is not the recording. */
const MOST_SHORT_MS = 1_000

interface Order {
  sourceKey: string
  stretches: readonly Range[]
  muteWith: 'tone' | 'silence'
  durationMs: number
  signal: AbortSignal
  onProgress: (share: number) => void
}

/** Throws where the recording cannot be written as a whole. */
export async function writeAnew(
  storage: Storage,
  { sourceKey, durationMs, signal, ...how }: Order,
): Promise<Made> {
  const folder = await storage.workFolder()
  try {
    const recording = await storage.open(sourceKey)
    const out = join(folder, 'toned')
    const isWritten = await writeToned(recording.path, out, { ...how, durationMs, signal }).finally(
      () => recording.release(),
    )
    if (!isWritten) throw new Error('the recording cannot be written anew')
    const measured = await measureAnew(out, signal)
    if (!measured) throw new Error('what was written cannot be decoded')
    const { durationMs: nowMs, ...values } = measured
    if (nowMs < durationMs - MOST_SHORT_MS)
      throw new Error(`the recording has ${nowMs} of ${durationMs} ms`)
    const key = randomUUID()
    await storage.keep(key, out, { signal })
    return { key, ...values }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
