/**
 * Cuts speech into the pieces that are recognised one by one: at pauses where there are any, never
 * inside a word if it can be helped. The lengths were measured: shorter pieces than 4 s cost
 * accuracy (each piece is normalised by itself), longer ones than 20 s cost it too.
 */
import { LOUDNESS_FRAME_MS, type Loudness } from '#features/sound/loudness.ts'

import type { Chunk, Region } from '../engines/engine.ts'

/** Pauses from here on end a phrase. */
const CUT_GAP_MS = 500
/** Phrases further apart than this are never recognised together. */
const JOIN_GAP_MS = 1200
/** A chunk takes the next phrase, however long it gets, until it has this much … */
const SHORTEST_MS = 4000
/** … and while it has less than `AIM_FROM_MS`, if that does not make it longer than `AIM_TO_MS`. */
const AIM_FROM_MS = 10_000
const AIM_TO_MS = 18_000
/**
 * A chunk begins and ends this much outside its speech, because voice activity misses soft first
 * and last sounds. Two of these edges fit into the shortest pause at which a chunk may end.
 */
const EDGE_MS = 200
const QUIET_MS = 100
/**
 * Starting a recogniser takes a quarter of a second, so a process gets at least this much sound.
 */
const SHORTEST_GROUP_MS = 15_000
/** A shorter recording is shared out evenly among the processes: it needs no small first groups. */
const SHORT_MS = 60_000
/**
 * In a longer one the first chunks are short, so that there is something to read soon. They end at a
 * pause all the same, if only at a short one: the first sentence is what everybody reads.
 */
const FIRST_CHUNKS = 2
const FIRST_CHUNK_MS = 8000
const FIRST_GAP_MS = 300

/** The speech in the next piece of a recording. Pieces end at the same samples every time. */
export interface HeardPiece {
  /** The regions that have ended since the piece before. */
  regions: readonly Region[]
  loudness: Loudness
  /** No region that is still to come begins before this. */
  settledMs: number
  /** Nothing above 5 kHz was heard so far: it is a telephone call, whatever the file's rate is. */
  isNarrowBand: boolean
}

/**
 * Cuts a recording while it is still being listened to: a chunk is handed out as soon as nothing
 * that is still to come can change it, so the chunks are those that would be found in the whole.
 * Every ms of every region is in exactly one chunk.
 *
 * @param longestMs the longest chunk the engine takes
 */
export function cutter(longestMs: number): {
  hear(piece: HeardPiece): Chunk[]
  end(durationMs: number): Chunk[]
  /** No chunk that is still to come begins before this. */
  settledMs(): number
  /** Of all that was heard. The next piece may overwrite it. */
  loudness(): Loudness
} {
  /**
   * Sound that comes later than this after the end of a piece cannot change where the piece ends.
   */
  const doubtMs = longestMs + JOIN_GAP_MS + CUT_GAP_MS + SHORTEST_MS
  const loudness = growingLoudness()
  let regions: Region[] = []
  let count = 0
  let lastEndMs: number | null = null
  let settledMs = 0

  const handOut = (
    upToMs: number,
    durationMs: number,
    { joinedMs, gapMs, most }: { joinedMs: number; gapMs: number; most: number },
  ): Chunk[] => {
    const limits = {
      longestMs: longestMs - 2 * EDGE_MS,
      joinedMs: joinedMs - 2 * EDGE_MS,
      gapMs,
    }
    const pieces = piecesOf(regions, loudness.levels(), limits)
    const sure = pieces.filter(({ endMs }) => endMs <= upToMs).slice(0, most)
    const chunks = sure.map((piece, place) => {
      const next = pieces[place + 1]
      const from = lastEndMs === null ? 0 : middle(lastEndMs, piece.startMs)
      const to = next ? middle(piece.endMs, next.startMs) : durationMs
      lastEndMs = piece.endMs
      return {
        index: count++,
        startMs: Math.max(from, piece.startMs - EDGE_MS),
        endMs: Math.max(piece.endMs, Math.min(to, piece.endMs + EDGE_MS)),
      }
    })
    regions = after(regions, sure.at(-1)?.endMs ?? 0)
    return chunks
  }

  const cutUpTo = (upToMs: number, durationMs: number, heardMs: number): Chunk[] => {
    const first: Chunk[] = []
    const most = FIRST_CHUNKS - count
    if (heardMs >= SHORT_MS && most > 0) {
      const joinedMs = Math.min(longestMs, FIRST_CHUNK_MS)
      first.push(...handOut(upToMs, durationMs, { joinedMs, gapMs: FIRST_GAP_MS, most }))
      if (first.length < most) return first
    }
    return [
      ...first,
      ...handOut(upToMs, durationMs, { joinedMs: longestMs, gapMs: CUT_GAP_MS, most: Infinity }),
    ]
  }

  return {
    hear(piece) {
      regions.push(...piece.regions)
      loudness.add(piece.loudness)
      settledMs = piece.settledMs
      // How the first chunks are cut depends on how long the recording is.
      if (piece.settledMs < SHORT_MS) return []
      const lastMs = regions.at(-1)?.endMs ?? 0
      // After a pause this long nothing joins the last phrase, so it can be handed out at once.
      const isApart = piece.settledMs - lastMs >= JOIN_GAP_MS
      return cutUpTo(isApart ? lastMs : piece.settledMs - doubtMs, Infinity, piece.settledMs)
    },
    end: (durationMs) => cutUpTo(Infinity, durationMs, durationMs),
    settledMs: () => Math.max(0, (regions[0]?.startMs ?? settledMs) - EDGE_MS),
    loudness: loudness.levels,
  }
}

/** The rest of regions after a place where they were cut. */
function after(regions: readonly Region[], ms: number): Region[] {
  const first = regions.findIndex(({ endMs }) => endMs > ms)
  const next = regions[first]
  if (!next) return []
  const last = regions[first - 1]
  // The cut lies in a short pause inside a phrase, whose rest begins at the cut.
  const isWithin = last !== undefined && ms > last.endMs && next.startMs - last.endMs < CUT_GAP_MS
  const startMs = isWithin ? ms : Math.max(next.startMs, ms)
  return [{ startMs, endMs: next.endMs }, ...regions.slice(first + 1)]
}

function growingLoudness() {
  let levels: Loudness = new Uint8Array(1024)
  let length = 0
  return {
    add(more: Loudness) {
      if (length + more.length > levels.length) {
        const larger = new Uint8Array(2 * (length + more.length))
        larger.set(levels.subarray(0, length))
        levels = larger
      }
      levels.set(more, length)
      length += more.length
    },
    levels: () => levels.subarray(0, length),
  }
}

/**
 * Speech as it is to be recognised together, before the edges are added: phrases up to the longest that
 * an engine takes, and several together up to `joinedMs`.
 */
function piecesOf(
  regions: readonly Region[],
  loudness: Loudness,
  {
    longestMs,
    joinedMs: mostMs,
    gapMs,
  }: {
    longestMs: number
    joinedMs: number
    /** Shorter pauses are inside a phrase. */ gapMs: number
  },
): Region[] {
  const phrases = join(regions, (last, next) => next.startMs - last.endMs < gapMs).flatMap(
    (phrase) => cutLong(phrase, loudness, longestMs),
  )
  return join(phrases, (last, next) => {
    const joinedMs = next.endMs - last.startMs
    if (next.startMs - last.endMs >= JOIN_GAP_MS || joinedMs > mostMs) return false
    // Either of the two may be too short alone, for example a last word or two after a pause.
    const shorterMs = Math.min(lengthOf(last), lengthOf(next))
    return shorterMs < SHORTEST_MS || (lengthOf(last) < AIM_FROM_MS && joinedMs <= AIM_TO_MS)
  })
}

interface GroupSizes {
  groupMs: number
  parallelGroups: number
}

/**
 * Puts neighbouring chunks into groups, one for each process, while chunks are still coming. The
 * first groups hold one chunk, so that there is something to read soon. The last ones are smaller
 * again, so that all cores are busy to the end. The groups depend on the chunks alone and not on
 * when they come: so a retry makes the same groups and finds those that are done.
 */
export async function* group(
  chunks: AsyncIterable<Chunk>,
  { groupMs, parallelGroups }: GroupSizes,
): AsyncGenerator<Chunk[]> {
  const line = waitingLine(chunks)
  const sharedOut = (ms: number, shares: number) =>
    Math.min(groupMs, Math.max(SHORTEST_GROUP_MS, ms / shares))
  const startMs = await line.fill(SHORT_MS)
  const isShort = startMs < SHORT_MS
  for (let count = 0; ; count++) {
    let wantedMs = 0
    if (isShort) wantedMs = sharedOut(startMs, parallelGroups)
    else if (count >= parallelGroups)
      wantedMs = sharedOut(await line.fill(2 * parallelGroups * groupMs), 2 * parallelGroups)
    const members = await line.take(wantedMs)
    if (members.length === 0) return
    yield members
  }
}

/** Chunks that have come and wait to be taken. */
function waitingLine(chunks: AsyncIterable<Chunk>) {
  const source = chunks[Symbol.asyncIterator]()
  const waiting: Chunk[] = []
  let waitingMs = 0
  let isEnd = false

  const next = async (): Promise<void> => {
    const { done, value } = await source.next()
    if (done) isEnd = true
    else {
      waiting.push(value)
      waitingMs += lengthOf(value)
    }
  }

  return {
    /** Waits until this much sound is here or no more comes. Answers how much there is, in ms. */
    async fill(wantedMs: number): Promise<number> {
      while (!isEnd && waitingMs < wantedMs) await next()
      return waitingMs
    },
    /** Takes chunks of about this length together, at least one; none when there are no more. */
    async take(wantedMs: number): Promise<Chunk[]> {
      const taken: Chunk[] = []
      for (let takenMs = 0; ;) {
        if (waiting.length === 0 && !isEnd) await next()
        const [first] = waiting
        // A chunk is taken when more than half of it is still wanted.
        if (!first || (taken.length > 0 && takenMs + lengthOf(first) / 2 > wantedMs)) return taken
        taken.push(first)
        waiting.shift()
        takenMs += lengthOf(first)
        waitingMs -= lengthOf(first)
      }
    },
  }
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

/**
 * Cuts a phrase that is too long: each time at the quietest 100 ms in the second half of what fits,
 * and so that the last piece is not too short.
 */
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
