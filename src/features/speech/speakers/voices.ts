/**
 * Speakers from an engine that tells them apart by itself. Its names are valid within one group of
 * chunks only. Across groups, our own diarization says which names are one person.
 */
import type { SpeakerTurn } from '../contract.ts'
import type { SpeakerBounds, Word } from '../engines/engine.ts'

/** A word after a pause this long begins a new turn, even of the same speaker. */
const PAUSE_MS = 1000

/**
 * @param groups what the engine answered for each group of chunks, in order
 * @param own the turns of our own diarization, which are the answer when the engine named nobody
 * @param bounds what was told to our own diarization; engines cannot be told
 */
export function withVoices(
  groups: readonly (readonly Word[])[],
  own: readonly SpeakerTurn[],
  bounds: SpeakerBounds = {},
): SpeakerTurn[] {
  const spoken = groups.flatMap(partsOf)
  if (!spoken.some((words) => words.some(({ voice }) => voice !== undefined))) return [...own]

  // With a single group nothing has to be matched, so the engine's names are taken as they are, but
  // not where somebody knows better how many there are.
  const isWhole = spoken.length === 1 && (bounds.count ?? bounds.max) === undefined
  const numbers = new Map<string, number>()
  const turns: SpeakerTurn[] = []
  for (const words of spoken) {
    const people = isWhole ? null : peopleOf(words, own)
    for (const { voice, startMs, endMs } of words) {
      if (voice === undefined) continue
      const person = String(people?.get(voice) ?? voice)
      const speaker = numbers.get(person) ?? numbers.size
      numbers.set(person, speaker)
      const last = turns.at(-1)
      if (last?.speaker === speaker && startMs - last.endMs < PAUSE_MS)
        last.endMs = Math.max(last.endMs, endMs)
      else turns.push({ speaker, startMs: Math.max(startMs, last?.endMs ?? 0), endMs })
    }
  }
  return turns.filter(({ startMs, endMs }) => endMs > startMs)
}

/** Splits the words of a group by the requests that they came from: each has names of its own. */
function partsOf(words: readonly Word[]): Word[][] {
  const parts = new Map<string, Word[]>()
  let part = ''
  for (const word of words) {
    part = word.voice === undefined ? part : word.voice.slice(0, word.voice.lastIndexOf('/') + 1)
    const members = parts.get(part) ?? []
    parts.set(part, members)
    members.push(word)
  }
  return [...parts.values()]
}

/**
 * Finds for each of the engine's voices the speaker of our own turns with whom it overlaps most.
 * The largest overlap is matched first, and two voices are matched with two speakers.
 */
function peopleOf(words: readonly Word[], own: readonly SpeakerTurn[]): Map<string, number> {
  const shared = new Map<string, Map<number, number>>()
  for (const word of words) {
    if (word.voice === undefined) continue
    const of = shared.get(word.voice) ?? new Map<number, number>()
    shared.set(word.voice, of)
    for (const { speaker, startMs, endMs } of own) {
      const overlapMs = Math.min(endMs, word.endMs) - Math.max(startMs, word.startMs)
      if (overlapMs > 0) of.set(speaker, (of.get(speaker) ?? 0) + overlapMs)
    }
  }
  const pairs = [...shared]
    .flatMap(([voice, of]) => [...of].map(([speaker, ms]) => ({ voice, speaker, ms })))
    .toSorted((a, b) => b.ms - a.ms)
  const people = new Map<string, number>()
  for (const { voice, speaker } of pairs)
    if (!people.has(voice) && ![...people.values()].includes(speaker)) people.set(voice, speaker)
  // Our diarization found fewer people than the engine. A voice that is left over joins the speaker
  // with whom it overlaps most.
  for (const { voice, speaker } of pairs) if (!people.has(voice)) people.set(voice, speaker)
  return people
}
