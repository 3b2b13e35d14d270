/**
 * Who speaks when, by two neural models that the operator installed: one hears where a voice begins
 * and ends, the other what it sounds like. Voices are found block by block in a child process, and
 * joined over the whole recording here, so that a speaker keeps the same number from start to end.
 */
import { availableParallelism } from 'node:os'

import type { InstalledModel, SpeakerModels } from '#features/models/models.ts'

import type { Diarizer, Region, SpeakerBounds } from './engine.ts'
import { type Voice, normalised } from './sherpa-diarize-host.ts'
import { keep } from './sherpa-process.ts'
import type { SherpaOptions } from './sherpa.ts'

/** Who says less than this and less than this share of everything is a mistake, not a person. */
const LITTLE_MS = 5000
const LITTLE_SHARE = 0.02
const MOST_THREADS = 4

/** Without a segmentation, one voice speaks all the time: by that an embedding is tried alone. */
export function openDiarizer(
  {
    segmentation,
    embedding,
  }: Pick<SpeakerModels, 'embedding'> & { segmentation: InstalledModel | null },
  { cores = availableParallelism(), ...kept }: Omit<SherpaOptions, 'diarizer'> = {},
): Diarizer {
  const models = segmentation ? [segmentation, embedding] : [embedding]
  const name = models.map(({ title }) => title).join(' and ')
  const process = keep({
    what: `What tells speakers apart (${models.map(({ id }) => id).join(', ')})`,
    ...kept,
  })
  return {
    name,
    async diarize(pcm, _regions, { speakers, signal }) {
      const answer = await process.ask(
        {
          kind: 'diarize',
          segmentation: segmentation && (segmentation.files['model'] ?? ''),
          embedding: embedding.files['model'] ?? '',
          threads: Math.min(MOST_THREADS, cores),
          pcmPath: pcm.path,
          sampleCount: pcm.sampleCount,
        },
        signal,
      )
      if (answer.kind === 'failed') throw new Error(`${name} failed: ${answer.reason}`)
      if (answer.kind !== 'diarized') throw new Error(`${name} stopped before their end`)
      const people = joinVoices(answer.diarized.voices, speakers ?? {}, embedding.sameVoice)
      return numbered(withoutOverlaps(answer.diarized.voices, people))
    },
    close: () => process.close(),
  }
}

/**
 * Which person each voice is: joins the two groups of voices that sound most alike, until none are
 * similar enough and no more are left than there may be, but not fewer than there are. `sameVoice` is
 * the cosine similarity from which on two voices are one person.
 */
export function joinVoices(
  voices: readonly Voice[],
  { count, max }: SpeakerBounds,
  sameVoice: number,
): number[] {
  const lengths = voices.map(({ stretches }) => lengthOf(stretches))
  const groups: Group[] = voices.flatMap(({ embedding }, index) =>
    embedding ? [{ members: [index], sound: embedding, lengthMs: lengths[index] ?? 0 }] : [],
  )
  const [least, most] = [count ?? 1, count ?? max ?? Infinity]
  joinWhile(groups, (similarity) => similarity >= sameVoice && groups.length > least)
  // A cough that is like nobody must not stand for a person while two people are made one.
  const leastMs = Math.min(LITTLE_MS, LITTLE_SHARE * lengths.reduce((sum, ms) => sum + ms, 0))
  dissolve(groups, { leastMs, least })
  joinWhile(groups, () => groups.length > most)

  const people = Array.from({ length: voices.length }, () => -1)
  for (const [person, { members }] of groups.entries())
    for (const member of members) people[member] = person
  // A voice that spoke too little to be compared is whoever spoke nearest to it.
  return people.map((person, index) => (person >= 0 ? person : nearest(voices, people, index)))
}

interface Group {
  members: number[]
  /** The mean of its voices, each as important as it is long; of length one. */
  sound: Float32Array
  lengthMs: number
}

const lengthOf = (stretches: readonly Region[]): number =>
  stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)

function joinWhile(groups: Group[], isWorth: (similarity: number) => boolean): void {
  for (;;) {
    let best = { a: -1, b: -1, similarity: -Infinity }
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        const similarity = similarityOf(groups[a], groups[b])
        if (similarity > best.similarity) best = { a, b, similarity }
      }
    const { a, b, similarity } = best
    if (a < 0 || !isWorth(similarity)) return
    const [joined] = groups.splice(b, 1)
    const into = groups[a]
    if (into && joined) groups[a] = together(into, joined)
  }
}

const similarityOf = (a: Group | undefined, b: Group | undefined): number => {
  let sum = 0
  for (const [index, value] of a?.sound.entries() ?? []) sum += value * (b?.sound[index] ?? 0)
  return sum
}

function together(a: Group, b: Group): Group {
  const lengthMs = a.lengthMs + b.lengthMs
  const sound = a.sound.map(
    (value, index) => (value * a.lengthMs + (b.sound[index] ?? 0) * b.lengthMs) / lengthMs,
  )
  return { members: [...a.members, ...b.members], sound: normalised(sound), lengthMs }
}

/** Gives groups that said next to nothing to whoever sounds most like them, the shortest first. */
function dissolve(groups: Group[], { leastMs, least }: { leastMs: number; least: number }): void {
  for (;;) {
    const shortestMs = Math.min(...groups.map(({ lengthMs }) => lengthMs))
    const at = groups.findIndex(({ lengthMs }) => lengthMs === shortestMs)
    if (at < 0 || shortestMs >= leastMs || groups.length <= least) return
    const [small] = groups.splice(at, 1)
    if (!small) return
    const similarities = groups.map((group) => similarityOf(group, small))
    const to = similarities.indexOf(Math.max(...similarities))
    const into = groups[to]
    if (into) groups[to] = together(into, small)
  }
}

function nearest(voices: readonly Voice[], people: readonly number[], index: number): number {
  const at = voices[index]?.stretches[0]?.startMs ?? 0
  let best = { person: 0, distanceMs: Infinity }
  for (const [other, { stretches }] of voices.entries()) {
    const person = people[other] ?? -1
    if (person < 0) continue
    for (const { startMs, endMs } of stretches) {
      const distanceMs = Math.max(startMs - at, at - endMs, 0)
      if (distanceMs < best.distanceMs) best = { person, distanceMs }
    }
  }
  return best.person
}

type Turn = Region & { speaker: number }

/**
 * One speaker at a time: who falls in with a short word gets it, and where one takes over from the
 * other while both speak, the change lies in the middle.
 */
export function withoutOverlaps(voices: readonly Voice[], people: readonly number[]): Turn[] {
  const all = voices
    .flatMap(({ stretches }, index) =>
      stretches.map((stretch) => ({ ...stretch, speaker: people[index] ?? 0 })),
    )
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  const turns: Turn[] = []
  const waiting = all.toReversed()
  for (let taken = waiting.pop(); taken; taken = waiting.pop()) {
    const last = turns.at(-1)
    // What lies before the last turn's start was given away already.
    const next = { ...taken, startMs: Math.max(taken.startMs, last?.startMs ?? 0) }
    if (next.endMs <= next.startMs) continue
    if (!last || next.startMs >= last.endMs) turns.push({ ...next })
    else if (next.speaker === last.speaker) last.endMs = Math.max(last.endMs, next.endMs)
    else if (next.endMs <= last.endMs) {
      const rest = { ...last, startMs: next.endMs }
      last.endMs = next.startMs
      turns.push({ ...next })
      if (rest.endMs > rest.startMs) insert(waiting, rest)
    } else {
      const middleMs = Math.round((next.startMs + last.endMs) / 2)
      last.endMs = middleMs
      turns.push({ ...next, startMs: middleMs })
    }
  }
  return turns.filter(({ startMs, endMs }) => endMs > startMs)
}

/** Into a list whose end comes first. */
function insert(waiting: Turn[], turn: Turn): void {
  const before = waiting.findLastIndex(({ startMs }) => startMs > turn.startMs)
  waiting.splice(before + 1, 0, turn)
}

/** Speakers by number in order of first speech, and neighbouring turns of one speaker as one. */
function numbered(turns: readonly Turn[]): Turn[] {
  const numbers = new Map<number, number>()
  const told: Turn[] = []
  for (const { speaker, startMs, endMs } of turns) {
    const number = numbers.get(speaker) ?? numbers.size
    numbers.set(speaker, number)
    const last = told.at(-1)
    if (last?.speaker === number && startMs - last.endMs < JOIN_MS) last.endMs = endMs
    else told.push({ speaker: number, startMs, endMs })
  }
  return told
}
const JOIN_MS = 300
