/**
 * The people of a recording, and what each sounds like: parts of voices (joining.ts) that sound alike
 * are one person, unless windows hear them as two. Who is made of little is joined sooner, because chance
 * makes short sounds unlike. How many people there are comes out of it, unless it is known.
 */
import type { Region } from '../engines/engine.ts'
import type { LocalVoice, Stretch } from '../engines/sherpa-diarize-host.ts'
import { groupsOf } from './linkage.ts'
import { cosine, lengthOf, normalised, sumOf } from './sound.ts'

/** Nobody is found by less than this of a voice. */
const FOUNDING_MS = 1000
/** A part that is longer counts no more than this. */
const MOST_SECONDS = 4
/** By how much more alike than the model says parts have to be, and parts of which one is little. */
const JOINED = 0.07
const JOINED_LITTLE = -0.04
const LITTLE_SECONDS = 3
/** What chance takes from the likeness of very little sound; of more it takes less. */
const CHANCE = 0.06
/** By how much more two groups have to be alike on the whole. */
const JOINED_WHOLE = 0.15
/** Where a window heard two parts of voices as two, and one of these voices was two people itself. */
const DOUBTED = 0.7
/** Who says less than this, and less than this share of everything, is a mistake. */
const FEWEST = { ms: 5000, share: 0.03 }
/** Where more people are known to be there than were found, two may have been taken for one. */
const STRICTER = 0.05
/** Somebody who is only known to be there: what he says at least, and how little he takes of others. */
const ADDED_MS = 300
const ADDED_HANDICAP = 0.15
/** Half of the likeness of a sound as long as this is left. */
const HALF_LIKENESS_MS = 600
/** So many parts are compared at once, about twenty minutes; of more, first what is beyond doubt. */
const BLOCK_PARTS = 600
const BEYOND_DOUBT = 0.1

/** What of a voice in a window sounds like one person. */
export interface Part {
  voice: LocalVoice
  stretches: Stretch[]
  sound: Float32Array
  lengthMs: number
  /** The place of the window in the recording. */
  window: number
  /** The moments that this window decides about. */
  judged: Region
  /** Whether the voice has other parts. */
  isSplit: boolean
}

export interface Person {
  sound: Float32Array
  /** By how much more a sound must be like this person than like another. */
  handicap: number
  /** All that is certain of a person who was added because of the number. */
  added: Stretch | null
}

interface Group {
  parts: readonly Part[]
  /** The weighted sum of their sounds. */
  sum: Float32Array
  weight: number
}

export function peopleIn(
  parts: readonly Part[],
  { sameVoice, least, most }: { sameVoice: number; least: number; most: number },
): Person[] {
  const founders = foundersAmong(parts, least).map((part) => {
    const weight = Math.min(MOST_SECONDS, part.lengthMs / 1000)
    return { parts: [part], sum: sumOf([{ vector: part.sound, weight }]), weight }
  })
  const fewestMs = Math.min(FEWEST.ms, FEWEST.share * spokenMs(parts))
  const isLasting = ({ lengthMs }: Spoken) => lengthMs >= fewestMs
  const isEnough = (groups: readonly Spoken[]) => groups.filter(isLasting).length >= least
  let spoken = spokenBy(founders, sameVoice)
  if (!isEnough(spoken)) {
    const stricter = spokenBy(founders, sameVoice + STRICTER)
    if (isEnough(stricter)) spoken = stricter
  }
  const found = spoken
    .filter((each, place) => place < least || isLasting(each))
    .slice(0, most)
    .map(({ group }): Person => ({ sound: normalised(group.sum), handicap: 0, added: null }))
  while (found.length < least) {
    const added = leastAlike(found, parts)
    if (!added) break
    found.push({ sound: added.sound, handicap: ADDED_HANDICAP, added })
  }
  return found
}

interface Spoken {
  group: Group
  lengthMs: number
}

/** The longest first. */
function spokenBy(founders: readonly Group[], sameVoice: number): Spoken[] {
  const blocks = inBlocks(founders).map((block) => joined(block, sameVoice + BEYOND_DOUBT))
  return joinedWhole(joined(blocks.flat(), sameVoice), sameVoice + JOINED_WHOLE)
    .map((group) => ({ group, lengthMs: spokenMs(group.parts) }))
    .toSorted((a, b) => b.lengthMs - a.lengthMs)
}

/** The parts that are long enough; else the longest, and of voices that never speak alone if need be. */
function foundersAmong(parts: readonly Part[], least: number): Part[] {
  const alone = parts.filter(({ voice }) => !voice.isMixed)
  const long = alone.filter(({ lengthMs }) => lengthMs >= FOUNDING_MS)
  if (long.length >= least) return long
  const longest = alone.length > 0 ? alone : parts
  return longest.toSorted((a, b) => b.lengthMs - a.lengthMs).slice(0, least)
}

function inBlocks(groups: readonly Group[]): Group[][] {
  const count = Math.ceil(groups.length / BLOCK_PARTS)
  const edge = (index: number) => Math.floor((groups.length * index) / count)
  return Array.from({ length: count }, (_, index) => groups.slice(edge(index), edge(index + 1)))
}

function joined(groups: readonly Group[], sameVoice: number): Group[] {
  return groupsOf(groups, {
    ...sides,
    likenessOf: (a, b) => {
      const shorter = Math.min(a.weight, b.weight)
      const chance = CHANCE * Math.max(0, 1 - shorter / LITTLE_SECONDS)
      return cosine(a.sum, b.sum) / (a.weight * b.weight) + chance
    },
    joinedFrom: (weight) => sameVoice + (weight < LITTLE_SECONDS ? JOINED_LITTLE : JOINED),
  }).map(groupOfAll)
}

/** What single parts leave open, because of chance in each, the mean of many may decide. */
function joinedWhole(groups: readonly Group[], from: number): Group[] {
  return groupsOf(groups, {
    ...sides,
    likenessOf: (a, b) => cosine(normalised(a.sum), normalised(b.sum)),
    joinedFrom: (weight) => (weight < LITTLE_SECONDS ? Infinity : from),
  }).map(groupOfAll)
}

/** Two voices of one window are two people. It counts by the seconds of the shorter, up to one. */
const sides = {
  weightOf: ({ weight }: Group) => weight,
  apartOf: (a: Group, b: Group) => {
    let sum = 0
    for (const one of a.parts)
      for (const other of b.parts) {
        if (one.window !== other.window || one.voice === other.voice) continue
        const seconds = Math.min(1, one.lengthMs / 1000, other.lengthMs / 1000)
        sum += seconds * (one.isSplit || other.isSplit ? DOUBTED : 1)
      }
    return sum
  },
  mostApart: ({ parts }: Group) =>
    parts.reduce((sum, { lengthMs }) => sum + Math.min(1, lengthMs / 1000), 0),
}

const groupOfAll = (groups: readonly Group[]): Group => ({
  parts: groups.flatMap(({ parts }) => parts),
  sum: sumOf(groups.map(({ sum }) => ({ vector: sum, weight: 1 }))),
  weight: groups.reduce((sum, { weight }) => sum + weight, 0),
})

/** How long somebody speaks. Most of it is heard in two windows. */
function spokenMs(parts: readonly Part[]): number {
  const stretches = parts.flatMap((part) => part.stretches)
  let [sum, untilMs] = [0, -Infinity]
  for (const { startMs, endMs } of stretches.toSorted((a, b) => a.startMs - b.startMs)) {
    sum += Math.max(0, endMs - Math.max(startMs, untilMs))
    untilMs = Math.max(untilMs, endMs)
  }
  return sum
}

/** The stretch that is least like all these people, and will be heard in the result. */
function leastAlike(people: readonly Person[], parts: readonly Part[]): Stretch | null {
  let best: { stretch: Stretch | null; likeness: number } = { stretch: null, likeness: Infinity }
  for (const { voice, stretches, judged } of parts)
    for (const stretch of voice.isMixed ? [] : stretches) {
      const heardMs =
        Math.min(stretch.endMs, judged.endMs) - Math.max(stretch.startMs, judged.startMs)
      if (heardMs < ADDED_MS || people.some(({ added }) => added === stretch)) continue
      const most = Math.max(...people.map(({ sound }) => cosine(sound, stretch.sound)))
      const likeness = most / Math.sqrt(lengthOf(stretch) / (lengthOf(stretch) + HALF_LIKENESS_MS))
      if (likeness < best.likeness) best = { stretch, likeness }
    }
  return best.stretch
}
