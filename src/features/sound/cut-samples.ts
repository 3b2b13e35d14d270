/**
 * Samples in, samples out: what is cut is left out, and what is muted is silence or a tone of the same
 * length. What this promises:
 *
 * - An edge falls into the quietest place within 60 ms of where it was asked for; in a film between two
 *   of its frames.
 * - The length that was left out up to any edge differs from the length that was asked for by 20 ms at
 *   most, or by half a frame of a film, so that times of words can be reckoned from what was asked for.
 *   At the end of a film, where less than a frame follows, it may be a frame and a half.
 * - Two sides of a cut are faded into each other over 20 ms, by sound from inside the cut, which makes
 *   nothing shorter.
 * - Of a muted stretch nothing is left; fades lie before and after it.
 * - It holds less than half a second of sound besides a block, however long the recording and its cuts
 *   are, and samples are the same in blocks of any size.
 */
import assert from 'node:assert/strict'

export interface Stretch {
  startMs: number
  endMs: number
}

/** Frames a second, as a fraction: 30000 / 1001. */
export interface FrameRate {
  count: number
  seconds: number
}

export interface CutPlan {
  rateHz: number
  /** The samples of so many channels come in turn. */
  channelCount: number
  /** Of the whole recording; a cut that reaches it has no other side. */
  durationMs: number
  /** In order, and apart. */
  cuts: readonly Stretch[]
  muted?: readonly Stretch[]
  muteWith?: 'tone' | 'silence'
  frameRate?: FrameRate | null
}

/** What was left out: from this sample on, up to but without that one; Infinity where it is the rest. */
export interface Edges {
  from: number
  to: number
}

export interface Cutter {
  /** Takes samples of 16 bits in order, cut anywhere; answers what is certain by now. */
  take(block: Buffer): Buffer[]
  finish(): Buffer[]
  /** The cuts as they were made. */
  edges: readonly Edges[]
}

const REACH_MS = 60
const DRIFT_MS = 20
const FADE_MS = 20
/** At the beginning and the end of all, and around what is muted. */
const SHORT_FADE_MS = 10
const LOUDNESS_MS = 6
const STEP_MS = 1
const TONE_HZ = 1000
/** -20 dB. */
const TONE_HEIGHT = 0.1 * 32_767
/** Mean square of samples; -70 dB and everything below it is quiet. */
const QUIET = 100

/** Among places that are as quiet, the nearest is taken; a louder one only to keep a bound. */
const DB_PER_MS = 0.02
const TOO_FAR_DB_PER_MS = 1000
const DRIFTS_DB = 1_000_000

/** A piece of the source. */
interface Piece {
  from: number
  samples: Int16Array
}

export function cutter({
  rateHz,
  channelCount,
  durationMs,
  cuts: asked,
  muted = [],
  muteWith = 'silence',
  frameRate = null,
}: CutPlan): Cutter {
  assert(areApart(asked) && areApart(muted), 'stretches come in order and apart')
  const per = (ms: number) => (ms * rateHz) / 1000
  const frame = frameRate === null ? 0 : (rateHz * frameRate.seconds) / frameRate.count
  const fade = Math.round(per(FADE_MS))
  const shortFade = Math.round(per(SHORT_FADE_MS))
  const reach = Math.max(per(REACH_MS), 2 * frame)
  const mostDrift = Math.max(per(DRIFT_MS), frame / 2 + 2)
  /** So much sound is needed on both sides of where an edge was asked for. */
  const around = Math.ceil(reach + fade + per(LOUDNESS_MS))
  const cuts = asked.map(({ startMs, endMs }) => ({
    start: per(Math.max(0, startMs)),
    end: endMs >= durationMs ? Infinity : per(endMs),
  }))
  const mute = muter({ stretches: muted, rateHz, channelCount, muteWith })
  const edges: Edges[] = []

  let held: Piece = { from: 0, samples: new Int16Array() }
  let rest: Buffer = Buffer.alloc(0)
  let out: Int16Array[] = []
  /** Up to here the source is written, or left out. */
  let at = 0
  /** Where the last cut ends; its fade may begin before. */
  let keptFrom = 0
  let drift = 0
  let next = 0
  /** The sound around the first edge of the next cut, while what is cut goes by. */
  let before: Piece | null = null
  /** How the sound would go on that was left at the last edge: it is faded out. */
  let leaving: { samples: Int16Array; done: number } | null = null

  const endOf = ({ from, samples }: Piece) => from + samples.length / channelCount

  /** Samples of a piece; outside it there is silence. */
  function slice(piece: Piece, from: number, to: number): Int16Array {
    const samples = new Int16Array(Math.max(0, to - from) * channelCount)
    const first = Math.max(from, piece.from)
    const last = Math.min(to, endOf(piece))
    if (first < last)
      samples.set(
        piece.samples.subarray(
          (first - piece.from) * channelCount,
          (last - piece.from) * channelCount,
        ),
        (first - from) * channelCount,
      )
    return samples
  }

  /** Fades the sound that was left at the last edge into what follows. Answers how much of it is spent. */
  function fadeIn(samples: Int16Array): number {
    if (!leaving) return 0
    const { samples: old, done } = leaving
    const length = old.length / channelCount
    const count = Math.min(samples.length, old.length - done)
    for (let index = 0; index < count; index++) {
      const place = Math.floor((done + index) / channelCount)
      const share = falling(place, length)
      const mixed = share * (old[done + index] ?? 0) + (1 - share) * (samples[index] ?? 0)
      samples[index] = Math.round(mixed)
    }
    return count
  }

  function write(piece: Piece, to: number) {
    const end = Math.min(to, endOf(piece))
    if (end <= at) return
    const samples = slice(piece, at, end)
    const count = fadeIn(samples)
    if (leaving) {
      leaving.done += count
      if (leaving.done >= leaving.samples.length) leaving = null
    }
    out.push(samples)
    at = end
  }

  function forget(upTo: number) {
    const from = Math.min(upTo, endOf(held))
    if (from > held.from) held = { from, samples: slice(held, from, endOf(held)) }
  }

  /** Goes on as far as the samples that are held allow. */
  function advance(isEnd: boolean) {
    for (;;) {
      const have = endOf(held)
      const cut = cuts[next]
      if (!cut || at === Infinity) {
        write(held, have)
        forget(have)
        return
      }
      if (!before) {
        write(held, Math.floor(cut.start) - around)
        const until = Math.ceil(cut.start) + around
        if (have < until && !isEnd) return forget(at)
        before = { from: at, samples: slice(held, at, Math.min(have, until)) }
      }
      const from = Math.max(at, Math.floor(cut.end) - around)
      if (have < cut.end + around && cut.end !== Infinity && !isEnd) return forget(from)
      const after = {
        from,
        samples: slice(held, from, Math.min(have, Math.ceil(cut.end) + around)),
      }
      join(cut, before, after)
      before = null
      next += 1
    }
  }

  function join(cut: { start: number; end: number }, first: Piece, second: Piece) {
    const { a, b } = choose(cut, first, second)
    edges.push({ from: a, to: b })
    drift += b === Infinity ? 0 : b - a - (cut.end - cut.start)
    keptFrom = b
    if (b === Infinity) return fadeOut(first, a)
    // Half of the fade lies before the edge: both sides are moved by that, which changes no length.
    const early = a === 0 ? 0 : Math.max(0, Math.min(fade >> 1, a - at))
    write(first, a - early)
    const samples = slice(first, a - early, a - early + (a === 0 ? shortFade : fade))
    if (a === 0) samples.fill(0)
    else fadeIn(samples)
    leaving = { samples, done: 0 }
    at = b - early
  }

  /** Ends the sound: nothing comes after it. */
  function fadeOut(piece: Piece, to: number) {
    const last = Math.min(to, endOf(piece))
    const length = Math.min(shortFade, last - at)
    write(piece, last - length)
    const samples = slice(piece, last - length, last)
    fadeIn(samples)
    for (const [index, sample] of samples.entries())
      samples[index] = Math.round(sample * falling(Math.floor(index / channelCount), length))
    out.push(samples)
    at = Infinity
  }

  /** The quietest pair of places that keeps the clock. */
  function choose(cut: { start: number; end: number }, first: Piece, second: Piece) {
    const quiet = { first: loudnessIn(first), second: loudnessIn(second) }
    const { start, end } = cut
    const isRest = end === Infinity
    const room = {
      before: (start - (cuts[next - 1]?.end ?? 0)) / 4,
      inside: isRest ? Infinity : (end - start) / 2,
      after: ((cuts[next + 1]?.start ?? per(durationMs)) - end) / 4,
    }
    const firsts = start === 0 ? [0] : placesAround(start).filter((place) => place >= keptFrom)
    if (firsts.length === 0) firsts.push(nextPlace(keptFrom))
    const seconds = isRest ? [] : placesAround(end)
    const costs = {
      first: firsts.map(
        (place) => quiet.first(place) + farCost(place - start, room.inside, room.before),
      ),
      second: seconds.map(
        (place) => quiet.second(place) + farCost(place - end, room.after, room.inside),
      ),
    }
    let best = { a: firsts[0] ?? 0, b: isRest ? Infinity : nextPlace(end), cost: Infinity }
    for (const [index, a] of firsts.entries()) {
      const cost = costs.first[index] ?? 0
      if (isRest) {
        const total = cost + driftCost(drift + start - a)
        if (total < best.cost) best = { a, b: Infinity, cost: total }
        continue
      }
      for (const [other, b] of seconds.entries()) {
        if (b < a) continue
        const total = cost + (costs.second[other] ?? 0) + driftCost(drift + (b - a) - (end - start))
        if (total < best.cost) best = { a, b, cost: total }
      }
    }
    return best
  }

  const farCost = (moved: number, later: number, earlier: number) => {
    const tooFar = Math.max(0, moved - later, -moved - earlier)
    return ((DB_PER_MS * Math.abs(moved) + TOO_FAR_DB_PER_MS * tooFar) * 1000) / rateHz
  }
  const driftCost = (by: number) =>
    (DB_PER_MS * Math.abs(by) * 1000) / rateHz + DRIFTS_DB * Math.max(0, Math.abs(by) - mostDrift)

  function placesAround(middle: number): number[] {
    const step = frame || per(STEP_MS)
    const from = frame ? Math.ceil((middle - reach) / frame) : -Math.floor(reach / step)
    const to = frame ? Math.floor((middle + reach) / frame) : Math.floor(reach / step)
    return Array.from({ length: to - from + 1 }, (_, index) =>
      Math.round((frame ? 0 : middle) + (from + index) * step),
    ).filter((place) => place >= 0 && place <= per(durationMs))
  }
  const nextPlace = (place: number) =>
    frame ? Math.round(Math.ceil((place - 0.5) / frame) * frame) : Math.ceil(place)

  /** In dB, of all channels over a few milliseconds around a place. */
  function loudnessIn(piece: Piece): (place: number) => number {
    const count = piece.samples.length / channelCount
    const sums = new Float64Array(count + 1)
    for (let index = 0, sample = 0; index < count; index++) {
      let sum = sums[index] ?? 0
      for (let channel = 0; channel < channelCount; channel++, sample++)
        sum += (piece.samples[sample] ?? 0) ** 2
      sums[index + 1] = sum
    }
    const half = Math.round(per(LOUDNESS_MS) / 2)
    return (place) => {
      const from = Math.max(0, Math.min(count, place - half - piece.from))
      const to = Math.max(0, Math.min(count, place + half - piece.from))
      const mean = ((sums[to] ?? 0) - (sums[from] ?? 0)) / Math.max(1, to - from) / channelCount
      return 10 * Math.log10(Math.max(QUIET, mean))
    }
  }

  function drain(): Buffer[] {
    const blocks = out.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    )
    out = []
    return blocks
  }

  return {
    edges,
    take(block) {
      // A copy, which begins where samples may; the block is the reader's again after this.
      const bytes = Buffer.concat([rest, block])
      const whole = bytes.length - (bytes.length % (2 * channelCount))
      rest = Buffer.from(bytes.subarray(whole))
      const had = held.samples.length
      const samples = new Int16Array(had + whole / 2)
      samples.set(held.samples)
      const added = new Uint8Array(samples.buffer, 2 * had)
      added.set(bytes.subarray(0, whole))
      mute(samples.subarray(had), held.from + had / channelCount)
      held = { from: held.from, samples }
      advance(false)
      return drain()
    },
    finish() {
      advance(true)
      return drain()
    },
  }
}

/** From 1 to 0 over a length, without a corner. */
const falling = (place: number, length: number): number =>
  0.5 + 0.5 * Math.cos((Math.PI * (place + 0.5)) / length)

function areApart(stretches: readonly Stretch[]): boolean {
  return stretches.every(
    ({ startMs, endMs }, at) => endMs > startMs && startMs > (stretches[at - 1]?.endMs ?? -1),
  )
}

/** Mutes samples in their place. Blocks come in order. */
function muter({
  stretches,
  rateHz,
  channelCount,
  muteWith,
}: {
  stretches: readonly Stretch[]
  rateHz: number
  channelCount: number
  muteWith: 'tone' | 'silence'
}): (samples: Int16Array, from: number) => void {
  const fade = Math.round((SHORT_FADE_MS * rateHz) / 1000)
  const each = stretches.map(({ startMs, endMs }) => ({
    start: Math.floor((startMs * rateHz) / 1000),
    end: Math.ceil((endMs * rateHz) / 1000),
  }))
  let first = 0
  return (samples, from) => {
    const to = from + samples.length / channelCount
    while ((each[first]?.end ?? Infinity) + fade <= from) first += 1
    for (let index = first; index < each.length; index++) {
      const { start, end } = each[index] ?? { start: 0, end: 0 }
      if (start - fade >= to) break
      for (let at = Math.max(from, start - fade); at < Math.min(to, end + fade); at++) {
        const outside = Math.max(start - at, at - end + 1)
        const share = outside > 0 ? 1 - falling(outside - 1, fade) : 0
        const tone = muteWith === 'tone' && outside <= 0 ? toneAt(at, start, end) : 0
        for (let channel = 0; channel < channelCount; channel++) {
          const sample = (at - from) * channelCount + channel
          samples[sample] = Math.round(share * (samples[sample] ?? 0) + tone)
        }
      }
    }
  }

  function toneAt(at: number, start: number, end: number): number {
    const inside = Math.min(at - start, end - 1 - at)
    const share = inside < fade ? 1 - falling(inside, fade) : 1
    return share * TONE_HEIGHT * Math.sin((2 * Math.PI * TONE_HZ * (at - start)) / rateHz)
  }
}
