/** Whether words were lost or said twice where a recording was cut into chunks. */
import type { Chunk, Word } from '#features/speech/engines/engine.ts'

export interface Seams {
  count: number
  /** Cuts where there is no pause: only these can go through a word. */
  insideSpeech: number
  /** The last word of a chunk begins the next one too, so soon that it was said only once. */
  repeated: number
  /** A word that reaches over the seam. */
  crossing: number
  chunksWithoutWords: number
  wordsPerChunk: number
}

const PAUSE_MS = 100
const TOO_SOON_MS = 300

export function seamsOf(chunks: readonly Chunk[], words: readonly Word[]): Seams {
  const inChunk = chunks.map(({ startMs, endMs }) =>
    words.filter((word) => word.startMs >= startMs && word.startMs < endMs),
  )
  const seams = chunks.slice(1).map((after, index) => ({
    pauseMs: after.startMs - (chunks[index]?.endMs ?? 0),
    startMs: after.startMs,
    last: inChunk[index]?.at(-1),
    first: inChunk[index + 1]?.[0],
  }))
  return {
    count: seams.length,
    insideSpeech: seams.filter(({ pauseMs }) => pauseMs < PAUSE_MS).length,
    repeated: seams.filter(
      ({ last, first }) =>
        last && first && last.text === first.text && first.startMs - last.endMs < TOO_SOON_MS,
    ).length,
    crossing: seams.filter(({ last, startMs }) => last && last.endMs > startMs).length,
    chunksWithoutWords: inChunk.filter((found) => found.length === 0).length,
    wordsPerChunk: words.length / chunks.length,
  }
}
