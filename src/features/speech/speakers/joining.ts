/**
 * Who speaks when, by what two neural models heard in windows of ten seconds. The segmentation tells
 * up to three voices of a window apart, and where turns are short it often takes two people for one of
 * them. So its voices are cut into parts of which each sounds like one person, and the people are found
 * by these (people.ts). Then each part is given to one of them: two voices of one window are never the
 * same person, and two people may speak at one moment.
 */
import type { SpeakerTurn } from '../contract.ts'
import type { Region, SpeakerBounds } from '../engines/engine.ts'
import type { LocalVoice, Stretch, Window } from '../engines/sherpa-diarize-host.ts'
import { joinAlike } from './linkage.ts'
import { type Part, peopleIn, type Person } from './people.ts'
import { cosine, isTelling, lengthOf, soundOf } from './sound.ts'
import { joinAcrossShortGaps, numberByFirstVoice } from './turns.ts'

/** By how much more alike than the model says the stretches of a part are. */
const ONE_PART = 0.07
/** Chance makes short stretches unlike: this much of likeness at no length, and nothing from here on. */
const CHANCE = 0.1
const CHANCE_UP_TO_MS = 1600
/** How much likelier a stretch is said by whoever says the rest of its part, if that is a second. */
const SAME_PART = 0.1
/** Somebody who is only known to be there: what he says at least, and how little he takes of others. */
const ADDED_MS = 300
const ADDED_HANDICAP = 0.15
/** Half of the likeness of a sound as long as this is left. */
const HALF_LIKENESS_MS = 600

/** The turns are in order of time, and those of two people may overlap. */
export function joinWindows({
  windows,
  sameVoice,
  speakers: { count, max },
}: {
  windows: readonly Window[]
  /** The model's own: the cosine similarity from which on two voices are one person. */
  sameVoice: number
  speakers: SpeakerBounds
}): SpeakerTurn[] {
  const parts = windows.flatMap(({ voices }, window) => {
    const judged = judgedBy(windows, window)
    return voices.flatMap((voice) => partsOf(voice, { window, judged, sameVoice }))
  })
  const least = count ?? 1
  const people = peopleIn(parts, { sameVoice, least, most: count ?? max ?? Infinity })
  const inWindows = [...Map.groupBy(parts, ({ window }) => window).values()]
  const saidBy = (all: readonly Person[]) =>
    inWindows.flatMap((own) => given(own, all)).flatMap((each) => saidIn(each, all))
  let said = saidBy(people)
  while (people.length < least) {
    const added = leastAlike(said, people)
    if (!added) break
    people.push({ sound: added.sound, handicap: ADDED_HANDICAP, added })
    said = saidBy(people)
  }
  const turns = said.map(({ startMs, endMs, person }) => ({
    startMs,
    endMs,
    speaker: people.indexOf(person),
  }))
  return numberByFirstVoice(joinAcrossShortGaps(turns))
}

/** The moments that lie nearer to the middle of this window than to that of any other. */
function judgedBy(windows: readonly Window[], place: number): Region {
  const [before, window, after] = [windows[place - 1], windows[place], windows[place + 1]]
  const between = (a: Region | undefined, b: Region | undefined) =>
    a && b && Math.round((a.endMs + b.startMs) / 2)
  return {
    startMs: between(before, window) ?? -Infinity,
    endMs: between(window, after) ?? Infinity,
  }
}

function partsOf(
  voice: LocalVoice,
  { sameVoice, ...place }: Pick<Part, 'window' | 'judged'> & { sameVoice: number },
): Part[] {
  const telling = voice.stretches.filter(isTelling)
  const groups = joinAlike(
    (telling.length > 0 ? telling : voice.stretches).map((stretch) => [stretch]),
    {
      likenessOf: meanLikeness,
      joinedFrom: () => sameVoice + ONE_PART,
      joined: (one, other) => [...one, ...other],
    },
  )
  const sounds = groups.map(soundOf)
  const placed = new Set(groups.flat())
  for (const short of voice.stretches.filter((stretch) => !placed.has(stretch))) {
    const likeness = sounds.map((sound) => cosine(sound, short.sound))
    groups[likeness.indexOf(Math.max(...likeness))]?.push(short)
  }
  return groups.map((stretches) => ({
    ...place,
    voice,
    stretches,
    sound: soundOf(stretches),
    lengthMs: stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0),
    isSplit: groups.length > 1,
  }))
}

/** The weighted mean of all pairs; chance makes short stretches unlike. */
function meanLikeness(one: readonly Stretch[], other: readonly Stretch[]): number {
  let [sum, weights] = [0, 0]
  for (const a of one)
    for (const b of other) {
      const shorterMs = Math.min(lengthOf(a), lengthOf(b))
      const chance = CHANCE * Math.max(0, 1 - shorterMs / CHANCE_UP_TO_MS)
      const weight = lengthOf(a) * lengthOf(b)
      sum += weight * (cosine(a.sound, b.sound) + chance)
      weights += weight
    }
  return sum / weights
}

interface Given {
  part: Part
  person: Person
}

/**
 * Each part of a window is given to whom it sounds like most. Where two voices have the same person, the
 * part that is less alike goes to the nearest one who is in no other voice, if there is one.
 */
function given(parts: readonly Part[], people: readonly Person[]): Given[] {
  const all = parts.flatMap((part) => {
    const person = nearest(part.sound, people)
    return person ? [{ part, person }] : []
  })
  const inOtherVoices = ({ part }: Given) => all.filter((other) => other.part.voice !== part.voice)
  const nextFor = (each: Given): Person | null => {
    const others = inOtherVoices(each)
    const isBeaten = others.some(
      ({ part, person }) =>
        person === each.person &&
        likenessTo(person, part.sound) >= likenessTo(person, each.part.sound),
    )
    if (!isBeaten) return null
    const free = people.filter((person) => !others.some((other) => other.person === person))
    return nearest(each.part.sound, free)
  }
  for (let moved: Given | undefined; ;) {
    moved = all.find((each) => nextFor(each))
    if (!moved) return all
    moved.person = nextFor(moved) ?? moved.person
  }
}

const likenessTo = ({ sound, handicap }: Person, heard: Float32Array): number =>
  cosine(sound, heard) - handicap

function nearest(sound: Float32Array, people: readonly Person[]): Person | null {
  const likeness = people.map((person) => likenessTo(person, sound))
  return people[likeness.indexOf(Math.max(...likeness))] ?? null
}

interface Said extends Region {
  person: Person
  /** What it was told by, which may lie elsewhere in the window. */
  stretch: Stretch
  part: Part
}

/** What is said in a part, of the moments that its window decides about. */
function saidIn({ part, person }: Given, people: readonly Person[]): Said[] {
  const { voice, judged } = part
  return part.stretches.flatMap((stretch) => {
    const at = voice.stretches.indexOf(stretch)
    const fromMs = Math.max(judged.startMs, borderOf(voice.stretches[at - 1], stretch) ?? -Infinity)
    const toMs = Math.min(judged.endMs, borderOf(stretch, voice.stretches[at + 1]) ?? Infinity)
    const speaker = speakerOf(stretch, { part, person }, people)
    return voice.runs
      .map((run) => ({
        startMs: Math.max(run.startMs, fromMs),
        endMs: Math.min(run.endMs, toMs),
        person: speaker,
        stretch,
        part,
      }))
      .filter(({ startMs, endMs }) => endMs > startMs)
  })
}

/** Between two stretches a voice is whoever is nearer in time. */
const borderOf = (a: Stretch | undefined, b: Stretch | undefined): number | undefined =>
  a && b && Math.round((a.endMs + b.startMs) / 2)

/** A part may still hold a few words of somebody else. */
function speakerOf(stretch: Stretch, { part, person }: Given, people: readonly Person[]): Person {
  const added = people.find((each) => each.added === stretch)
  if (added) return added
  if (part.voice.isMixed || !isTelling(stretch)) return person
  const other = nearest(stretch.sound, people) ?? person
  const bonus = SAME_PART * Math.min(1.5, 1000 / part.lengthMs)
  const gain = likenessTo(other, stretch.sound) - likenessTo(person, stretch.sound)
  return gain > bonus ? other : person
}

/** The stretch that is least like who is heard in it. */
function leastAlike(said: readonly Said[], people: readonly Person[]): Stretch | null {
  let best: { stretch: Stretch | null; likeness: number } = { stretch: null, likeness: Infinity }
  const alone = said.filter(({ part }) => !part.voice.isMixed)
  for (const [stretch, own] of Map.groupBy(alone, (each) => each.stretch)) {
    const [first] = own
    const heardMs = own.reduce((sum, each) => sum + lengthOf(each), 0)
    if (!first || heardMs < ADDED_MS || people.some(({ added }) => added === stretch)) continue
    const lengthMs = lengthOf(stretch)
    const likeness =
      likenessTo(first.person, stretch.sound) / Math.sqrt(lengthMs / (lengthMs + HALF_LIKENESS_MS))
    if (likeness < best.likeness) best = { stretch, likeness }
  }
  return best.stretch
}
