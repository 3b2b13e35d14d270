/**
 * The sides of a recording: its channels, or its tracks of sound, where each holds another person.
 * Telephone systems, clip-on microphones and recorders of podcasts write such files. They are told from
 * music and from a room in stereo by how loud the sides are over time: see `compare`. A side is then heard
 * by itself, without the voices that leak into it from another: see `separator`.
 */
import { inRange, liftOf } from './lift.ts'
import { LOUDNESS_FRAME_MS, histogram, levelOf, loudnessOf, quantile } from './loudness.ts'

const FRAME_SAMPLES = 16 * LOUDNESS_FRAME_MS

/** The facts that a side is told from another by. */
export interface Side {
  /** A sound that is this much quieter than another side's at the same time is a leak of it; in dB. */
  leakDb: number
  /** Everything quieter is no voice of this side; in dBFS. */
  floorDb: number
  /** How loud its own voice is; absent where it was measured before this was. */
  levelDb?: number
  /** Its number among the channels of the track that is decoded; absent where there are two. */
  channel?: number
  /** Its number among the tracks, where each of these is a side, and what the file calls it. */
  track?: number
  title?: string
}

export interface Sides {
  /** None in a recording of one channel. */
  each: Side[]
  /** Whether they plainly hold different people. */
  isApart: boolean
}

/** So much louder than every other: then it is the own sound of a side. */
const OWN_DB = 10
/** Frames this far below the loudest ones are taken for silence. */
const RANGE_DB = 30
const QUIETEST_DBFS = -60
/** Of all that sounds, so much is the own sound of one side or another … */
const OWN_SHARE = 0.5
/** … and so much, in frames and as a share, that of each side. */
const OWN_FRAMES = 1000 / LOUDNESS_FRAME_MS
const EACH_SHARE = 0.02
/** How alike the sides may swell and fade: 1 is the same sound, 0 is by chance, -1 is turn by turn. */
const MOST_ALIKE = 0.5
/** A tenth of a second: a voice reaches two microphones with less delay. */
const ALIKE_FRAMES = 5
/** Leaks are this much louder at most than the quietest tenth of them. */
const LEAK_SPREAD_DB = 10
const LOUDEST_LEAK_DB = -6
/** A side that sounds in less of the time than this is empty. */
const EMPTY_SHARE = 0.01
/** The mixture of the others: it is always as loud as the loudest of them, but for these. */
const MIX_SPREAD_DB = 8
const MIX_OFF_DB = 13

/**
 * Listens to samples of several sides in turn, and tells whether these are people. One has no sides.
 * `named` says what each is; it is not needed of two channels.
 */
export function sidesMeter(named: readonly Pick<Side, 'channel' | 'track' | 'title'>[] = [{}, {}]) {
  const frames = framesOf(named.length)
  const levels = named.map(growing)
  const add = (more: Frame[]) => {
    for (const { loudness } of more)
      for (const [side, level] of levels.entries()) level.push(loudness[side] ?? 0)
  }
  return {
    listen: (block: Buffer) => add(frames.take(block)),
    finish(): Sides {
      const all = levels.map((level) => level.all())
      if (all.every(({ length }) => length === 0)) return { each: [], isApart: false }
      const own = named.length > 2 ? ownOf(all) : [...all.keys()]
      const { each, isApart } = compare(own.map((at) => all[at] ?? new Uint8Array()))
      return { each: each.map((side, at) => ({ ...side, ...named[own[at] ?? 0] })), isApart }
    },
  }
}

/**
 * Of more than two sides: those with a sound of their own. An input of a recorder that nothing is
 * plugged into is none, and neither is the mixture of the others that many write beside them.
 */
function ownOf(levels: readonly Uint8Array[]): number[] {
  const { floor, loudest } = loudestOf(levels)
  const sounding = loudest.reduce((count, level) => count + (level > floor ? 1 : 0), 0)
  const full = [...levels.keys()].filter((side) => {
    const loud = levels[side]?.reduce((count, level) => count + (level > floor ? 1 : 0), 0) ?? 0
    return loud > EMPTY_SHARE * sounding
  })
  return full.filter((side) => {
    const others = full
      .filter((other) => other !== side)
      .map((at) => levels[at] ?? new Uint8Array())
    return others.length < 2 || !isMixOf(levels[side] ?? new Uint8Array(), others, floor)
  })
}

function isMixOf(mine: Uint8Array, others: readonly Uint8Array[], floor: number): boolean {
  const { loudest } = loudestOf(others)
  const counts = new Uint32Array(512)
  for (const [at, level] of loudest.entries()) {
    if (level <= floor) continue
    const above = 256 + (mine[at] ?? 0) - level
    counts[above] = (counts[above] ?? 0) + 1
  }
  const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => quantile(counts, share))
  const isSteady = (high ?? 0) - (low ?? 0) <= 2 * MIX_SPREAD_DB
  return isSteady && Math.abs((middle ?? 0) - 256) <= 2 * MIX_OFF_DB
}

/** The loudest side of each frame, and from where on that is a sound. */
function loudestOf(levels: readonly Uint8Array[]): { loudest: Uint8Array; floor: number } {
  const length = levels[0]?.length ?? 0
  const loudest = new Uint8Array(length)
  for (let at = 0; at < length; at++)
    for (const level of levels) loudest[at] = Math.max(loudest[at] ?? 0, level[at] ?? 0)
  return { loudest, floor: Math.max(loudnessOf(QUIETEST_DBFS), loudOf(loudest) - 2 * RANGE_DB) }
}

/**
 * The sides are people where they swell and fade independently of each other, and each is at times much
 * louder than all others.
 */
export function compare(levels: readonly Uint8Array[]): Sides {
  const { loudest, floor } = loudestOf(levels)
  const length = loudest.length
  const own = levels.map(() => new Uint32Array(256))
  let sounding = 0
  for (let at = 0; at < length; at++) {
    if ((loudest[at] ?? 0) <= floor) continue
    sounding += 1
    const side = ownerOf(levels, at)
    if (side === null) continue
    const counts = own[side]
    const level = levels[side]?.[at] ?? 0
    if (counts) counts[level] = (counts[level] ?? 0) + 1
  }
  const amounts = own.map((counts) => counts.reduce((sum, count) => sum + count, 0))
  const each = levels.map((_, side) => {
    const level = quantile(own[side] ?? new Uint32Array(), 0.75) || floor
    return {
      floor: Math.max(loudnessOf(QUIETEST_DBFS), level - 2 * RANGE_DB),
      loud: level - RANGE_DB,
      level,
    }
  })
  const least = Math.max(OWN_FRAMES, EACH_SHARE * sounding)
  const isOwn = (side: number) => (amounts[side] ?? 0) >= least
  const heights = levels.map(heightsOf)
  const isAlike = heights.some((one, at) =>
    heights.slice(at + 1).some((other) => likeness(one, other) >= MOST_ALIKE),
  )
  const isApart =
    levels.length > 1 &&
    levels.every((_, side) => isOwn(side)) &&
    amounts.reduce((sum, amount) => sum + amount, 0) >= OWN_SHARE * sounding &&
    !isAlike
  return {
    each: each.map(({ floor, level }, side) => ({
      floorDb: floor / 2 - 100,
      // Where hardly anything is its own, it is as loud as all that is there: lifted more, it would be clipped.
      levelDb:
        (isOwn(side) ? level : Math.max(level, loudOf(levels[side] ?? new Uint8Array()))) / 2 - 100,
      leakDb: leakInto(side, levels, each),
    })),
    isApart,
  }
}

/** The side that is much louder than all others in this frame. */
function ownerOf(levels: readonly Uint8Array[], at: number): number | null {
  let [first, second, side] = [0, 0, 0]
  for (const [index, level] of levels.entries()) {
    const now = level[at] ?? 0
    if (now > first) [first, second, side] = [now, first, index]
    else second = Math.max(second, now)
  }
  return first - second >= 2 * OWN_DB ? side : null
}

/** What is heard in a side while another one is much louder. */
function leakInto(
  side: number,
  levels: readonly Uint8Array[],
  each: readonly { loud: number }[],
): number {
  const counts = new Uint32Array(256)
  const mine = levels[side] ?? new Uint8Array()
  for (let at = 0; at < mine.length; at++) {
    const other = ownerOf(levels, at)
    if (other === null || other === side) continue
    const level = levels[other]?.[at] ?? 0
    if (level < (each[other]?.loud ?? 0)) continue
    const below = level - (mine[at] ?? 0)
    counts[255 - below] = (counts[255 - below] ?? 0) + 1
  }
  const quietest = quantile(counts, 0.1)
  if (quietest === 0) return LOUDEST_LEAK_DB
  return Math.min(LOUDEST_LEAK_DB, (quietest - 255) / 2 + LEAK_SPREAD_DB)
}

/** Sizes of waves, of a tenth of a second each. */
function heightsOf(levels: Uint8Array): Float32Array {
  const heights = new Float32Array(Math.ceil(levels.length / ALIKE_FRAMES))
  for (const [at, level] of levels.entries()) {
    const into = Math.floor(at / ALIKE_FRAMES)
    heights[into] = (heights[into] ?? 0) + 10 ** (level / 40)
  }
  return heights
}

/** Pearson's correlation. */
function likeness(one: Float32Array, other: Float32Array): number {
  const [meanOne, meanOther] = [meanOf(one), meanOf(other)]
  let [both, squaresOne, squaresOther] = [0, 0, 0]
  for (const [at, height] of one.entries()) {
    const a = height - meanOne
    const b = (other[at] ?? 0) - meanOther
    both += a * b
    squaresOne += a * a
    squaresOther += b * b
  }
  return both / Math.sqrt(squaresOne * squaresOther || 1)
}
const meanOf = (all: Float32Array): number =>
  all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)

/** The level that the loud frames have: those of a slamming door are louder. */
const loudOf = (levels: Uint8Array): number => quantile(histogram(levels), 0.95)

/** Sound of its own this long opens a side … */
const OPENS_FRAMES = 3
/** … this long before it and after it too, so that no soft first or last sound is missing. */
const AROUND_FRAMES = 10
const REACH_FRAMES = OPENS_FRAMES + AROUND_FRAMES
/** How much quieter a leak is made. Silence without any noise would be heard as something else. */
const CLOSED_GAIN = 10 ** (-45 / 20)

/** A quiet side is lifted by this much, by its own voice: what leaks into it may be louder or softer. */
export const liftOfSide = (side: Side | undefined): number => liftOf(side?.levelDb ?? 0)

export interface Separator {
  /** Takes samples of all sides in turn, cut anywhere; answers those of each side that are certain. */
  take(block: Buffer): Buffer[]
  finish(): Buffer[]
}

/** Each side with its own sound, in which the voices of others are turned down. */
export function separator(each: readonly Side[]): Separator {
  const frames = framesOf(each.length)
  const gains: number[] = []
  let known: Frame[] = []
  /** How many of the known frames were answered. They may still open those after them. */
  let answered = 0

  const answer = (upTo: number): Buffer[] => {
    const answers = each.map((_, side) => {
      const isOpen = openFrames(known, each, side)
      const lifted = 10 ** (liftOfSide(each[side]) / 20)
      const pieces = known.slice(answered, upTo).map(({ sides }, index) => {
        const before = gains[side] ?? lifted
        const gain = lifted * (isOpen[answered + index] ? 1 : CLOSED_GAIN)
        gains[side] = gain
        return turned(sides[side] ?? new Int16Array(), before, gain)
      })
      return Buffer.concat(pieces)
    })
    const kept = Math.max(0, upTo - REACH_FRAMES)
    known = known.slice(kept)
    answered = upTo - kept
    return answers
  }
  return {
    take(block) {
      known = known.concat(frames.take(block))
      return answer(Math.max(answered, known.length - REACH_FRAMES))
    },
    finish() {
      known = known.concat(frames.finish())
      return answer(known.length)
    },
  }
}

/** Closed is what another side says louder, but for a little around a side's own sound. */
function openFrames(frames: readonly Frame[], each: readonly Side[], side: number): Uint8Array {
  const open = new Uint8Array(frames.length)
  let run = 0
  for (const [at, { loudness }] of frames.entries()) {
    const heard = hearsOwn(loudness, each, side)
    if (heard !== 'leak') open[at] = 1
    run = heard === 'own' ? run + 1 : 0
    if (run === OPENS_FRAMES) open.fill(1, Math.max(0, at + 1 - REACH_FRAMES), at)
    if (run >= OPENS_FRAMES) open.fill(1, at, at + AROUND_FRAMES + 1)
  }
  return open
}

function hearsOwn(
  loudness: readonly number[],
  each: readonly Side[],
  side: number,
): 'own' | 'leak' | 'nothing' {
  const level = loudness[side] ?? 0
  const isLeak = loudness.some((other, index) => {
    if (index === side || other <= loudnessOf(each[index]?.floorDb ?? 0)) return false
    return level <= other + 2 * (each[side]?.leakDb ?? 0)
  })
  if (isLeak) return 'leak'
  return level > loudnessOf(each[side]?.floorDb ?? 0) ? 'own' : 'nothing'
}

/** From one gain to another, without a click. */
function turned(samples: Int16Array, from: number, to: number): Buffer {
  if (from !== 1 || to !== 1)
    for (const [at, sample] of samples.entries())
      samples[at] = inRange(sample * (from + ((to - from) * at) / samples.length))
  return Buffer.from(samples.buffer)
}

/** 20 ms of all sides. */
interface Frame {
  sides: Int16Array<ArrayBuffer>[]
  loudness: number[]
}

/** Cuts samples that take turns into frames. */
function framesOf(count: number) {
  const frameBytes = 2 * count * FRAME_SAMPLES
  let rest: Buffer = Buffer.alloc(0)

  const frameOf = (bytes: Buffer): Frame => {
    const length = Math.floor(bytes.length / (2 * count))
    const sides = Array.from({ length: count }, (_, side) => {
      const samples = new Int16Array(length)
      for (let at = 0; at < length; at++) samples[at] = bytes.readInt16LE(2 * (at * count + side))
      return samples
    })
    return { sides, loudness: sides.map(loudnessIn) }
  }
  return {
    take(block: Buffer): Frame[] {
      const bytes = Buffer.concat([rest, block])
      const frames: Frame[] = []
      let at = 0
      for (; at + frameBytes <= bytes.length; at += frameBytes)
        frames.push(frameOf(bytes.subarray(at, at + frameBytes)))
      rest = Buffer.from(bytes.subarray(at))
      return frames
    },
    /** What is left, as a shorter frame. */
    finish: (): Frame[] => (rest.length < 2 * count ? [] : [frameOf(rest)]),
  }
}

function loudnessIn(samples: Int16Array): number {
  let power = 0
  for (const sample of samples) power += sample * sample
  return levelOf(power / 32_768 ** 2, samples.length)
}

function growing() {
  let levels = new Uint8Array(1024)
  let length = 0
  return {
    push(level: number) {
      if (length === levels.length) {
        const larger = new Uint8Array(2 * length)
        larger.set(levels)
        levels = larger
      }
      levels[length++] = level
    },
    all: (): Uint8Array => levels.subarray(0, length),
  }
}
