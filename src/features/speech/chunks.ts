/**
 * Cuts speech into the pieces that are recognised one by one: at pauses where there are any, never
 * inside a word if it can be helped. The lengths were measured: shorter pieces than 4 s cost
 * accuracy (each piece is normalised by itself), longer ones than 20 s cost it too.
 */
import type { Chunk } from './engines/engine.ts'
import { LOUDNESS_FRAME_MS, type Loudness } from './loudness.ts'
import type { Region } from './vad.ts'

/** Pauses from here on end a phrase. */
const CUT_GAP_MS = 500
/** Phrases further apart than this are never recognised together. */
const JOIN_GAP_MS = 1200
/** A chunk takes the next phrase, however long it gets, until it has this much … */
const SHORTEST_MS = 4000
/** … and while it has less than `AIM_FROM_MS`, if that does not make it longer than `AIM_TO_MS`. */
const AIM_FROM_MS = 6000
const AIM_TO_MS = 15_000
/** Room for soft first and last sounds that voice activity misses; two of them fit into any cut gap. */
const EDGE_MS = 200
const QUIET_MS = 100
/** Starting a recogniser costs a quarter of a second: less work is not worth a process. */
const SHORTEST_GROUP_MS = 15_000

export interface CutOptions {
  /** Of the whole recording, to find the quietest place in long stretches. */
  loudness: Loudness
  durationMs: number
  /** The longest chunk the engine takes. */
  longestMs: number
}

/** Every ms of every region is in exactly one chunk, and no chunk is longer than `longestMs`. */
export function cut(regions: readonly Region[], options: CutOptions): Chunk[] {
  const longestMs = options.longestMs - 2 * EDGE_MS
  const phrases = join(regions, (last, next) => next.startMs - last.endMs < CUT_GAP_MS).flatMap(
    (phrase) => cutLong(phrase, options.loudness, longestMs),
  )
  const pieces = join(phrases, (last, next) => {
    const joinedMs = next.endMs - last.startMs
    if (next.startMs - last.endMs >= JOIN_GAP_MS || joinedMs > longestMs) return false
    // A last word or two after a pause would be too short by itself as well.
    const shorterMs = Math.min(lengthOf(last), lengthOf(next))
    return shorterMs < SHORTEST_MS || (lengthOf(last) < AIM_FROM_MS && joinedMs <= AIM_TO_MS)
  })

  return pieces.map((piece, index) => {
    const before = pieces[index - 1]
    const after = pieces[index + 1]
    const from = before ? middle(before.endMs, piece.startMs) : 0
    const to = after ? middle(piece.endMs, after.startMs) : options.durationMs
    return {
      index,
      startMs: Math.max(from, piece.startMs - EDGE_MS),
      endMs: Math.max(piece.endMs, Math.min(to, piece.endMs + EDGE_MS)),
    }
  })
}

/** Neighbouring chunks for one process: enough groups for all cores, each about `groupMs` at most. */
export function group(
  chunks: readonly Chunk[],
  { groupMs, parallelGroups }: { groupMs: number; parallelGroups: number },
): Chunk[][] {
  const totalMs = chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0)
  const wantedMs = Math.min(groupMs, Math.max(SHORTEST_GROUP_MS, totalMs / parallelGroups))
  const groups: Chunk[][] = []
  let filledMs = Infinity
  for (const chunk of chunks) {
    // Half a chunk too much is nearer to what was wanted than half a chunk too little.
    if (filledMs + lengthOf(chunk) / 2 > wantedMs) {
      groups.push([])
      filledMs = 0
    }
    groups.at(-1)?.push(chunk)
    filledMs += lengthOf(chunk)
  }
  return groups
}

const lengthOf = ({ startMs, endMs }: Region): number => endMs - startMs
const middle = (from: number, to: number): number => Math.floor((from + to) / 2)

function join(
  regions: readonly Region[],
  belongsTo: (last: Region, next: Region) => boolean,
): Region[] {
  const joined: Region[] = []
  for (const { startMs, endMs } of regions) {
    const last = joined.at(-1)
    if (last && belongsTo(last, { startMs, endMs })) last.endMs = endMs
    else joined.push({ startMs, endMs })
  }
  return joined
}

/** Cuts at the quietest 100 ms in the last half of what fits, leaving no scrap behind. */
function cutLong(phrase: Region, loudness: Loudness, longestMs: number): Region[] {
  const pieces: Region[] = []
  let { startMs } = phrase
  while (phrase.endMs - startMs > longestMs) {
    const from = startMs + Math.ceil(longestMs / 2)
    const to = Math.max(from, Math.min(startMs + longestMs, phrase.endMs - SHORTEST_MS))
    const endMs = quietest(loudness, from, to)
    pieces.push({ startMs, endMs })
    startMs = endMs
  }
  pieces.push({ startMs, endMs: phrase.endMs })
  return pieces
}

function quietest(loudness: Loudness, fromMs: number, toMs: number): number {
  const width = QUIET_MS / LOUDNESS_FRAME_MS
  const first = Math.ceil(fromMs / LOUDNESS_FRAME_MS)
  const last = Math.floor(toMs / LOUDNESS_FRAME_MS) - width
  let best = { at: fromMs, level: Infinity }
  for (let frame = first; frame <= last; frame++) {
    let level = 0
    for (let i = 0; i < width; i++) level += loudness[frame + i] ?? 0
    if (level < best.level) best = { at: (frame + width / 2) * LOUDNESS_FRAME_MS, level }
  }
  return best.at
}
