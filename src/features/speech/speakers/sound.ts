/** Embeddings: vectors of length one, which point the same way for one voice. */
import type { Region } from '../engines/engine.ts'
import type { Stretch } from '../engines/sherpa-diarize-host.ts'

export const lengthOf = ({ startMs, endMs }: Region): number => endMs - startMs

/** A shorter stretch says too little by itself, and goes with what it is most like in its voice. */
const TELLING_MS = 600
export const isTelling = (stretch: Region): boolean => lengthOf(stretch) >= TELLING_MS

/** Of vectors of length one it is their cosine similarity. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

export function sumOf(all: readonly { vector: Float32Array; weight: number }[]): Float32Array {
  const sum = new Float32Array(all[0]?.vector.length ?? 0)
  for (const { vector, weight } of all)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) * weight
  return sum
}

export function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** What stretches sound like together; a longer one counts for more. */
export const soundOf = (stretches: readonly Stretch[]): Float32Array =>
  normalised(sumOf(stretches.map((each) => ({ vector: each.sound, weight: lengthOf(each) }))))
