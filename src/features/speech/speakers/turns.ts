/** What becomes of turns in which voices have any numbers, and in which a pause cuts a turn in two. */
import type { SpeakerTurn } from '../contract.ts'

const JOINED_GAP_MS = 300

/** A speaker's turns with hardly a pause between them are one, whoever else speaks meanwhile. */
export function joinAcrossShortGaps(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  const latest = new Map<number, SpeakerTurn>()
  const joined: SpeakerTurn[] = []
  for (const turn of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = latest.get(turn.speaker)
    if (last && turn.startMs - last.endMs < JOINED_GAP_MS)
      last.endMs = Math.max(last.endMs, turn.endMs)
    else {
      const own = { ...turn }
      latest.set(turn.speaker, own)
      joined.push(own)
    }
  }
  return joined
}

/** In the order in which they are first heard. */
export function numberByFirstVoice(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  const numbers = new Map<number, number>()
  return turns.map((turn) => {
    const speaker = numbers.get(turn.speaker) ?? numbers.size
    numbers.set(turn.speaker, speaker)
    return { ...turn, speaker }
  })
}
