/**
 * The people of a recording, and what each sounds like: parts of voices (joining.ts) that sound alike
 * are one person, unless windows hear them as two. Who is made of little is joined sooner, because chance
 * makes short sounds unlike. How many people there are comes out of it, unless it is known.
 */
import type { Region } from '../engines/engine.ts'
import type { LocalVoice, Stretch } from '../engines/sherpa-diarize-host.ts'
import { joinAlike } from './linkage.ts'
import { cosine, isTelling, lengthOf, normalised, sumOf } from './sound.ts'

/** Nobody is found by less than this of a voice. */
const FOUNDING_MS = 1000
/** By how much two strangers are less alike than what the model takes for one voice. */
const STRANGERS = 0.27
/**
 * How much more alike than two strangers two long stretches of one person are. Of a stretch of
 * `OWN_HALF_SECONDS` only half of that can be heard.
 */
const OWN = 0.4
const OWN_HALF_SECONDS = 0.3
/**
 * How much the usual likeness counts beside what is heard of a person in this recording: as much as pairs
 * of stretches whose seconds, multiplied, make this sum.
 */
const KNOWN_BEFORE = 4
/** The bounds of how much more alike with himself than with strangers anybody is. Words said twice sound more alike. */
const OWN_RANGE = { least: 0.12, most: 0.45 }
/** Two groups are one person from this share on of how alike they are with themselves; of little sound, from less. */
const JOINED = 0.7
const JOINED_LITTLE = 0.6
const LITTLE_SECONDS = 3
/** From less still where one of them says little and the other much: of much sound, hardly anything is chance. */
const JOINED_FEW = 0.55
const FEW_SECONDS = 30
const MANY_SECONDS = 60
/** What is taken from the likeness of two groups that were heard as two voices in all their windows. */
const APART = 0.15
/** Where a window heard two parts of voices as two, and one of these voices was two people itself. */
const DOUBTED = 0.7
/** Who says less than this, and less than this share of everything, is a mistake. */
const FEWEST = { ms: 5000, share: 0.03 }
/** Where more people are known to be there than were found, a group is two people if it falls into two by a bar that is so much higher. */
const STRICTER = 0.05
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
  inWindow: ReadonlyMap<number, readonly Part[]>
  /** The weighted sum of the sounds of their stretches. */
  sum: Float32Array
  seconds: number
  /** The sum of the squares of their lengths, and of how alike one person's are, by their lengths. */
  squares: number
  expected: number
  /** How much more alike with himself than with strangers whoever says all this is. */
  own: number
}

/** Fewer than `least` where that many are not heard. */
export function peopleIn(
  parts: readonly Part[],
  { sameVoice, least, most }: { sameVoice: number; least: number; most: number },
): Person[] {
  const strangers = sameVoice - STRANGERS
  const founders = foundersAmong(parts, { least, strangers })
  const fewestMs = Math.min(FEWEST.ms, FEWEST.share * spokenMs(parts))
  const isLasting = ({ lengthMs }: Spoken) => lengthMs >= fewestMs
  let spoken = spokenBy(founders, { strangers, stricter: 0 })
  while (spoken.filter(isLasting).length < least) {
    const split = withOneSplit(spoken, { founders, strangers, isLasting })
    if (!split) break
    spoken = split
  }
  const found = spoken.filter((each, place) => place < least || isLasting(each))
  while (found.length > most) found.splice(leastMissed(found, strangers), 1)
  return found.map(({ group }) => ({ sound: normalised(group.sum), handicap: 0, added: null }))
}

interface Spoken {
  group: Group
  lengthMs: number
}

const byLength = (a: Spoken, b: Spoken): number => b.lengthMs - a.lengthMs

/** With two or more people in place of the group whose halves are least alike; null if none can be split. */
function withOneSplit(
  spoken: readonly Spoken[],
  {
    founders,
    strangers,
    isLasting,
  }: { founders: readonly Group[]; strangers: number; isLasting: (each: Spoken) => boolean },
): Spoken[] | null {
  const splits = spoken.flatMap((whole) => {
    const parts = new Set(whole.group.parts)
    const own = founders.filter((founder) => founder.parts.some((part) => parts.has(part)))
    const pieces = spokenBy(own, { strangers, stricter: STRICTER })
    const [one, other] = pieces
    return one && other && isLasting(other)
      ? [{ whole, pieces, likeness: likenessOf(one.group, other.group, strangers) }]
      : []
  })
  const [best] = splits.toSorted((a, b) => a.likeness - b.likeness)
  if (!best) return null
  return [...spoken.filter((each) => each !== best.whole), ...best.pieces].toSorted(byLength)
}

/** Of these, the longest first: who says little, or is nearly as alike with a longer one as one person is. */
function leastMissed(found: readonly Spoken[], strangers: number): number {
  const lost = found.map(({ group, lengthMs }, place) => {
    const others = found.slice(0, place).map((other) => other.group)
    const short = others.map((other) => barOf(group, other) - likenessOf(group, other, strangers))
    return lengthMs * Math.min(...short)
  })
  return lost.indexOf(Math.min(...lost))
}

interface Bar {
  /** How alike two strangers are. */
  strangers: number
  stricter: number
}

/** The longest first. */
function spokenBy(founders: readonly Group[], { strangers, stricter }: Bar): Spoken[] {
  const joined = (groups: readonly Group[], more: number) =>
    joinAlike(groups, {
      likenessOf: (a, b) => likenessOf(a, b, strangers),
      joinedFrom: (a, b) => barOf(a, b) + more,
      joined: (a, b) => groupOfBoth(a, b, strangers),
    })
  const blocks = inBlocks(founders).map((block) => joined(block, stricter + BEYOND_DOUBT))
  return joined(blocks.flat(), stricter)
    .map((group) => ({ group, lengthMs: spokenMs(group.parts) }))
    .toSorted(byLength)
}

/** The parts that are long enough; else the longest, and of voices that never speak alone if need be. */
function foundersAmong(
  parts: readonly Part[],
  { least, strangers }: { least: number; strangers: number },
): Group[] {
  const alone = parts.filter(({ voice }) => !voice.isMixed)
  const long = alone
    .filter(({ lengthMs }) => lengthMs >= FOUNDING_MS)
    .flatMap((part) => groupOf(part, heardIn(part), strangers) ?? [])
  if (long.length >= least) return long
  const longest = (alone.length > 0 ? alone : parts).toSorted((a, b) => b.lengthMs - a.lengthMs)
  return longest.slice(0, least).flatMap((part) => groupOf(part, part.stretches, strangers) ?? [])
}

/** Each moment is heard by two windows; so that nothing counts twice, only the middle of a window does. */
const heardIn = ({ stretches, judged }: Part): Stretch[] =>
  stretches.filter((stretch) => {
    const middleMs = (stretch.startMs + stretch.endMs) / 2
    return isTelling(stretch) && middleMs >= judged.startMs && middleMs < judged.endMs
  })

function inBlocks(groups: readonly Group[]): Group[][] {
  const count = Math.ceil(groups.length / BLOCK_PARTS)
  const edge = (index: number) => Math.floor((groups.length * index) / count)
  return Array.from({ length: count }, (_, index) => groups.slice(edge(index), edge(index + 1)))
}

function groupOf(part: Part, heard: readonly Stretch[], strangers: number): Group | null {
  if (heard.length === 0) return null
  const each = heard.map((stretch) => ({ vector: stretch.sound, weight: lengthOf(stretch) / 1000 }))
  const total = (of: (seconds: number) => number) =>
    each.reduce((sum, { weight }) => sum + of(weight), 0)
  const group = {
    parts: [part],
    inWindow: new Map([[part.window, [part]]]),
    sum: sumOf(each),
    seconds: total((seconds) => seconds),
    squares: total((seconds) => seconds ** 2),
    expected: total((seconds) => (seconds * OWN * seconds) / (seconds + OWN_HALF_SECONDS)),
  }
  return { ...group, own: ownOf(group, strangers) }
}

function groupOfBoth(a: Group, b: Group, strangers: number): Group {
  const parts = [...a.parts, ...b.parts]
  const group = {
    parts,
    inWindow: Map.groupBy(parts, ({ window }) => window),
    sum: sumOf([a, b].map(({ sum }) => ({ vector: sum, weight: 1 }))),
    seconds: a.seconds + b.seconds,
    squares: a.squares + b.squares,
    expected: a.expected + b.expected,
  }
  return { ...group, own: ownOf(group, strangers) }
}

/**
 * People are not all alike with themselves to the same degree, nor in every recording: who is lively, and
 * who talks in noise, is less so. So two groups are compared with how alike each is within.
 */
function ownOf({ sum, seconds, squares, expected }: Omit<Group, 'own'>, strangers: number): number {
  const pairs = cosine(sum, sum) - squares - strangers * (seconds ** 2 - squares)
  const known = (KNOWN_BEFORE * expected) / seconds
  const own = (pairs + known) / (seconds ** 2 - squares + KNOWN_BEFORE)
  return Math.max(OWN_RANGE.least, Math.min(OWN_RANGE.most, own))
}

function likenessOf(a: Group, b: Group, strangers: number): number {
  const mean = cosine(a.sum, b.sum) / (a.seconds * b.seconds)
  return (mean - strangers) / Math.sqrt(a.own * b.own) - APART * apart(a, b)
}

/** The likeness from which on two groups are one person. */
function barOf(a: Group, b: Group): number {
  const [few, many] = [Math.min(a.seconds, b.seconds), Math.max(a.seconds, b.seconds)]
  if (few < FEW_SECONDS && many >= MANY_SECONDS) return JOINED_FEW
  return few < LITTLE_SECONDS ? JOINED_LITTLE : JOINED
}

/** Two voices of one window are two people. It counts by the seconds of the shorter, up to one. */
function apart(a: Group, b: Group): number {
  let sum = 0
  const [few, many] = a.parts.length < b.parts.length ? [a, b] : [b, a]
  for (const one of few.parts)
    for (const other of many.inWindow.get(one.window) ?? []) {
      if (one.voice === other.voice) continue
      const seconds = Math.min(1, one.lengthMs / 1000, other.lengthMs / 1000)
      sum += seconds * (one.isSplit || other.isSplit ? DOUBTED : 1)
    }
  const most = ({ parts }: Group) =>
    parts.reduce((all, { lengthMs }) => all + Math.min(1, lengthMs / 1000), 0)
  return sum === 0 ? 0 : sum / Math.min(most(a), most(b))
}

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
