/**
 * Speakers from an engine that tells them apart by itself. Its names hold within one group of chunks
 * only; over a longer recording the pipeline's own diarization says which of them are one person.
 */
import type { SpeakerTurn } from '../contract.ts'
import type { Word } from '../engines/engine.ts'

/** A word after such a pause begins a new turn, even of the same speaker. */
const PAUSE_MS = 1000

/**
 * @param groups what the engine answered for each group of chunks, in order
 * @param own the pipeline's own turns, which are the answer when the engine named nobody
 */
export function withVoices(
  groups: readonly (readonly Word[])[],
  own: readonly SpeakerTurn[],
): SpeakerTurn[] {
  const spoken = groups.flatMap(partsOf)
  if (!spoken.some((words) => words.some(({ voice }) => voice !== undefined))) return [...own]

  // In one group its names are all there is to know; ours would only blur them.
  const isWhole = spoken.length === 1
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

/** A group in the parts that it was asked for in. */
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

/** Whose turns each voice of a group falls into, the surest first; two voices are two people. */
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
  // We heard fewer people than the engine did: who is left over is the one they sound like most.
  for (const { voice, speaker } of pairs) if (!people.has(voice)) people.set(voice, speaker)
  return people
}
