/**
 * Which pieces of a recording are one person, by what two neural models heard: agglomerative
 * clustering by average linkage on cosine similarity, then the likeliest sequence of the people that
 * it found (Viterbi, 1967). How many people there are comes out of it, unless it is known.
 *
 * The segmentation counts as well: two pieces that it gave to one voice within ten seconds
 * are a little more likely one person, and two that it gave to different voices a little less.
 */
import type { Region, SpeakerBounds } from '../engines/engine.ts'
import {
  type HeardVoices,
  LONGEST_PIECE_MS,
  type VoiceSegment,
  type Window,
} from '../engines/sherpa-diarize-host.ts'

/** A shorter piece never makes a new person. It is given to one of those who were found. */
const ENOUGH_MS = 1500
/**
 * Unless the segmentation says that it is somebody else than all around. Of what is shorter, an
 * embedding says nothing.
 */
const ENOUGH_APART_MS = 450
/** If all are short, the longest are taken. */
const FEWEST_SEEDS = 6
const SHORTEST_SEED_MS = 600
/**
 * The part of chance in an embedding falls with the length of the sound. Of two pieces of one person,
 * this long each, half of the likeness is left.
 */
const HALF_LIKENESS_MS = 600
/** The weight of the segmentation in favour of one person or two, in units of cosine similarity. */
const LINK = 0.1
/** In doubt two voices stay two people: joining two people is worse than splitting one. */
const RATHER_TWO = 0.03
/** Over a telephone all voices come nearer to each other, by this share of the way. */
const TELEPHONE_SHARE = 0.15
/** A voice that says less than this, and less than this share of everything, is a mistake. */
const LITTLE_MS = 5000
const LITTLE_SHARE = 0.01
/** How far chance moves the likeness of a second of sound; with the root of the length it gets less. */
const CHANCE = 0.08
/** Time grows with the cube of what is compared at once, and this is about twenty minutes of talk. */
const BLOCK_PIECES = 600
/** Within a block, groups are joined only beyond doubt, or where there are too many of them. */
const BEYOND_DOUBT = 0.1
const MOST_IN_BLOCK = 50

/** The cost or gain of a change of people where the segmentation hears one voice or two. */
const CHANGE = 0.05

export interface Joined {
  /** The person of each piece. */
  people: number[]
  /** How much more each piece sounds like its person than like anybody else, in cosine similarity. */
  margins: number[]
}

/** @param sameVoice the model's own: the cosine similarity from which on two voices are one person */
export function joinPieces(
  { pieces, windows }: HeardVoices,
  {
    speakers: { count, max },
    sameVoice,
    isTelephone,
  }: { speakers: SpeakerBounds; sameVoice: number; isTelephone: boolean },
): Joined {
  const links = linksBetween(pieces, windows)
  const wide = sameVoice + RATHER_TWO
  const same = isTelephone ? wide + TELEPHONE_SHARE * (1 - wide) : wide
  const [least, most] = [count ?? 1, count ?? max ?? Infinity]

  let groups = seedsOf(pieces, links, least).map((index) => groupOf(pieces, index))
  if (groups.length > BLOCK_PIECES)
    groups = inBlocks(groups).flatMap((block) => {
      const table = compare(block, links)
      joinWhile(table, (likeness) => likeness >= same + BEYOND_DOUBT)
      joinWhile(table, () => table.alive.length > MOST_IN_BLOCK)
      return groupsOf(table)
    })
  const table = compare(groups, links)
  joinWhile(table, (likeness) => likeness >= same)
  // A cough that is like nobody must not stand for a person while two people are made one.
  const spokenMs = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  leaveOut(table, { leastMs: Math.min(LITTLE_MS, LITTLE_SHARE * spokenMs), least })
  joinWhile(table, () => table.alive.length > most)

  const found = splitUpTo(least, { groups: groupsOf(table), pieces })
  const first = found.map(({ sum }) => normalised(sum))
  const guess = likeliestPeople(pieces, first, links)
  const voices = first.map((voice, person) => soundOf(pieces, guess, person) ?? voice)
  const people = likeliestPeople(pieces, voices, links)
  return { people, margins: people.map((person, index) => marginOf(pieces[index], person, voices)) }
}

const lengthOf = ({ startMs, endMs }: Region): number => endMs - startMs
/** Pieces are joined and averaged by their length in seconds. */
const weightOf = (piece: VoiceSegment): number => lengthOf(piece) / 1000

// ---- what the segmentation says of two pieces ----

/** From -1, different voices, to 1, the same; for pieces that a window holds both. By `pairOf`. */
type Links = ReadonlyMap<number, number>
const MOST_PIECES = 2 ** 26
const pairOf = (a: number, b: number): number => Math.min(a, b) * MOST_PIECES + Math.max(a, b)

function linksBetween(pieces: readonly VoiceSegment[], windows: readonly Window[]): Links {
  const said = new Map<number, { sum: number; weight: number }>()
  let first = 0
  for (const { startMs, endMs, voices } of windows) {
    while ((pieces[first]?.startMs ?? Infinity) < startMs) first++
    const inside: { index: number; shares: number[] }[] = []
    for (let index = first; index < pieces.length; index++) {
      const piece = pieces[index]
      if (!piece || piece.endMs > endMs) break
      inside.push({ index, shares: voices.map((voice) => sharedOf(piece, voice)) })
    }
    for (const [place, a] of inside.entries())
      for (const b of inside.slice(place + 1)) {
        const same = a.shares.reduce((sum, share, voice) => sum + share * (b.shares[voice] ?? 0), 0)
        const heard = total(a.shares) * total(b.shares)
        if (heard === 0) continue
        const key = pairOf(a.index, b.index)
        const { sum, weight } = said.get(key) ?? { sum: 0, weight: 0 }
        said.set(key, { sum: sum + 2 * same - heard, weight: weight + heard })
      }
  }
  return new Map([...said].map(([key, { sum, weight }]) => [key, sum / weight]))
}

const total = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0)

function sharedOf(piece: VoiceSegment, voice: readonly Region[]): number {
  let ms = 0
  for (const { startMs, endMs } of voice)
    ms += Math.max(0, Math.min(endMs, piece.endMs) - Math.max(startMs, piece.startMs))
  return ms / lengthOf(piece)
}

// ---- who there is ----

function seedsOf(pieces: readonly VoiceSegment[], links: Links, least: number): number[] {
  const heard = [...pieces.keys()].filter((index) => pieces[index]?.embedding)
  const isLong = (index: number, ms: number) => lengthOf(pieces[index] ?? NOTHING) >= ms
  const long = heard.filter((index) => isLong(index, ENOUGH_MS))
  const seeds = heard.filter(
    (index) =>
      isLong(index, ENOUGH_MS) || (isLong(index, ENOUGH_APART_MS) && isApart(index, long, links)),
  )
  const fewest = Math.max(FEWEST_SEEDS, least)
  if (seeds.length >= fewest) return seeds
  const longest = heard
    .filter((index) => isLong(index, SHORTEST_SEED_MS))
    .toSorted((a, b) => lengthOf(pieces[b] ?? NOTHING) - lengthOf(pieces[a] ?? NOTHING))
    .slice(0, fewest)
  return [...new Set([...seeds, ...longest])].toSorted((a, b) => a - b)
}
const NOTHING: Region = { startMs: 0, endMs: 0 }

/** Whether the segmentation heard another voice in all the long pieces around. */
function isApart(index: number, long: readonly number[], links: Links): boolean {
  const said = long.flatMap((other) => links.get(pairOf(index, other)) ?? [])
  return said.length > 0 && total(said) / said.length < -0.5
}

interface Group {
  members: number[]
  /** The weighted sum of its pieces' embeddings. */
  sum: Float32Array
  weight: number
  lengthMs: number
  /** The two that it was joined of. */
  parts?: readonly Group[]
}

function groupOf(pieces: readonly VoiceSegment[], index: number): Group {
  const piece = pieces[index]
  const embedding = piece?.embedding ?? new Float32Array()
  const lengthMs = piece ? lengthOf(piece) : 0
  const weight = lengthMs / 1000
  // Short pieces are scaled up to the longest: else two of them would never be like one person.
  const likeness = (ms: number) => ms / (ms + HALF_LIKENESS_MS)
  const factor = weight * Math.sqrt(likeness(LONGEST_PIECE_MS) / likeness(lengthMs))
  return { members: [index], sum: embedding.map((value) => value * factor), weight, lengthMs }
}

function groupOfBoth(a: Group, b: Group): Group {
  return {
    members: [...a.members, ...b.members],
    sum: a.sum.map((value, index) => value + (b.sum[index] ?? 0)),
    weight: a.weight + b.weight,
    lengthMs: a.lengthMs + b.lengthMs,
    parts: [a, b],
  }
}

function inBlocks(groups: readonly Group[]): Group[][] {
  const count = Math.ceil(groups.length / BLOCK_PIECES)
  const edge = (index: number) => Math.floor((groups.length * index) / count)
  return Array.from({ length: count }, (_, index) => groups.slice(edge(index), edge(index + 1)))
}

/** `shared` holds, row by row, the weighted sum of likeness between the pieces of two groups. */
interface Table {
  groups: Group[]
  /** Places of the groups that are neither joined to another nor left out. */
  alive: number[]
  shared: Float64Array[]
}

const groupsOf = ({ groups, alive }: Table): Group[] => alive.flatMap((at) => groups[at] ?? [])

/** Two groups are as alike as their pieces are together, so joining groups only adds up. */
function compare(groups: readonly Group[], links: Links): Table {
  const shared = groups.map((a) => Float64Array.from(groups, (b) => dot(a.sum, b.sum)))
  const groupOfPiece = new Map<number, number>()
  const weights = new Map<number, number>()
  for (const [group, { members, weight }] of groups.entries())
    for (const member of members) {
      groupOfPiece.set(member, group)
      weights.set(member, weight / members.length)
    }
  for (const [key, link] of links) {
    const [one, other] = [Math.floor(key / MOST_PIECES), key % MOST_PIECES]
    const [a, b] = [groupOfPiece.get(one), groupOfPiece.get(other)]
    const [rowA, rowB] = [shared[a ?? -1], shared[b ?? -1]]
    if (a === undefined || b === undefined || !rowA || !rowB || a === b) continue
    const said = LINK * link * (weights.get(one) ?? 0) * (weights.get(other) ?? 0)
    rowA[b] = rowB[a] = (rowA[b] ?? 0) + said
  }
  return { groups: [...groups], alive: [...groups.keys()], shared }
}

/** Joins the two most alike groups again and again, while that is worth it. */
function joinWhile({ groups, alive, shared }: Table, isWorth: (likeness: number) => boolean) {
  const weights = Float64Array.from(groups, ({ weight }) => weight)
  for (;;) {
    let best = { kept: -1, gone: -1, likeness: -Infinity }
    for (const [place, kept] of alive.entries()) {
      const row = shared[kept]
      for (let other = place + 1; row && other < alive.length; other++) {
        const gone = alive[other] ?? kept
        const likeness = (row[gone] ?? 0) / ((weights[kept] ?? 1) * (weights[gone] ?? 1))
        if (likeness > best.likeness) best = { kept, gone, likeness }
      }
    }
    const { kept, gone, likeness } = best
    const [a, b, rowA, rowB] = [groups[kept], groups[gone], shared[kept], shared[gone]]
    if (!a || !b || !rowA || !rowB || !isWorth(likeness)) return
    for (const other of alive) {
      rowA[other] = (rowA[other] ?? 0) + (rowB[other] ?? 0)
      const row = shared[other]
      if (row) row[kept] = rowA[other] ?? 0
    }
    const joined = groupOfBoth(a, b)
    groups[kept] = joined
    weights[kept] = joined.weight
    alive.splice(alive.indexOf(gone), 1)
  }
}

/** Leaves out people who say next to nothing, the shortest first. */
function leaveOut(
  { groups, alive }: Table,
  { leastMs, least }: { leastMs: number; least: number },
) {
  const spokenMs = (at: number) => groups[at]?.lengthMs ?? 0
  while (alive.length > least) {
    const shortest = alive.reduce((best, at) => (spokenMs(at) < spokenMs(best) ? at : best))
    if (spokenMs(shortest) >= leastMs) return
    alive.splice(alive.indexOf(shortest), 1)
  }
}

/**
 * Where more people speak than were found, two were taken for one. The one who is missing is the
 * part of a group that is least like the rest of it, or a short piece that is least like all groups.
 * A little sound may be unlike the rest by chance, so it has to differ more.
 */
function splitUpTo(
  count: number,
  { groups, pieces }: { groups: readonly Group[]; pieces: readonly VoiceSegment[] },
): Group[] {
  const found = [...groups]
  const taken = new Set(found.flatMap(({ members }) => members))
  const short = [...pieces.keys()]
    .filter((index) => pieces[index]?.embedding && !taken.has(index))
    .map((index) => groupOf(pieces, index))
    .filter(({ lengthMs }) => lengthMs >= ENOUGH_APART_MS)
  while (found.length < count) {
    const within = found.flatMap((whole) =>
      partsOf(whole).map((part) => {
        const weight = whole.weight - part.weight
        const likeness = (dot(part.sum, whole.sum) - dot(part.sum, part.sum)) / part.weight / weight
        return { whole, part, cost: likeness + chanceOf(Math.min(part.weight, weight)) }
      }),
    )
    const beside = short
      .filter((part) => !found.includes(part))
      .map((part) => {
        const likeness = found.map(({ sum, weight }) => dot(part.sum, sum) / part.weight / weight)
        return { whole: null, part, cost: Math.max(-1, ...likeness) + chanceOf(part.weight) }
      })
    const [best] = [...within, ...beside].toSorted((a, b) => a.cost - b.cost)
    if (!best) return found
    const rest = best.whole && without(best.whole, best.part)
    if (best.whole && rest) found.splice(found.indexOf(best.whole), 1, rest)
    found.push(best.part)
  }
  return found
}

const chanceOf = (weight: number): number => CHANCE / Math.sqrt(weight)

/** All that a group was joined of, at whatever time. */
const partsOf = ({ parts = [] }: Group): Group[] =>
  parts.flatMap((part) => [part, ...partsOf(part)])

/** Null if nothing is left. */
function without(whole: Group, part: Group): Group | null {
  if (whole === part) return null
  const rests = whole.parts?.map((each) => without(each, part)) ?? []
  if (rests.every((rest, index) => rest === whole.parts?.[index])) return whole
  const [a, b] = rests
  return a && b ? groupOfBoth(a, b) : (a ?? b ?? null)
}

// ---- who says what ----

/**
 * The person of each piece, so that embeddings and changes together are likeliest: a piece counts by
 * its length, and a change of people by what the segmentation hears between two neighbours.
 */
function likeliestPeople(
  pieces: readonly VoiceSegment[],
  voices: readonly Float32Array[],
  links: Links,
): number[] {
  const people = [...voices.keys()]
  let scores = people.map(() => 0)
  const before = pieces.map((piece, index) => {
    const said = CHANGE * (links.get(pairOf(index - 1, index)) ?? 0)
    const came = people.map((person) =>
      people.reduce(
        (best, from) => {
          const score = (scores[from] ?? 0) + (from === person ? said : -said)
          return score > best.score ? { from, score } : best
        },
        { from: 0, score: -Infinity },
      ),
    )
    scores = came.map(
      ({ score }, person) => score + weightOf(piece) * likenessOf(piece, voices[person]),
    )
    return came.map(({ from }) => from)
  })
  let person = scores.indexOf(Math.max(...scores, -Infinity))
  return before
    .toReversed()
    .map((cameFrom) => {
      const here = Math.max(0, person)
      person = cameFrom[here] ?? here
      return here
    })
    .toReversed()
}

const likenessOf = ({ embedding }: VoiceSegment, voice: Float32Array | undefined): number =>
  embedding && voice ? dot(embedding, voice) : 0

/** The sound of a person in the longer pieces; null where there are none. */
function soundOf(
  pieces: readonly VoiceSegment[],
  people: readonly number[],
  person: number,
): Float32Array | null {
  let sum: Float32Array | null = null
  for (const [index, piece] of pieces.entries()) {
    const { embedding } = piece
    if (people[index] !== person || !embedding || lengthOf(piece) < ENOUGH_APART_MS) continue
    const so = sum
    sum = embedding.map((value, at) => (so?.[at] ?? 0) + value * weightOf(piece))
  }
  return sum && normalised(sum)
}

function marginOf(
  piece: VoiceSegment | undefined,
  person: number,
  voices: readonly Float32Array[],
): number {
  if (!piece?.embedding || lengthOf(piece) < ENOUGH_APART_MS) return 0
  const others = voices.filter((_, other) => other !== person)
  const likeness = Math.max(-1, ...others.map((voice) => likenessOf(piece, voice)))
  return Math.max(0, likenessOf(piece, voices[person]) - likeness)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
