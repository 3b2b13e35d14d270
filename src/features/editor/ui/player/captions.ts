/** The transcript as captions of its picture. They are cut from the words of a turn when it is said. */
import { profileFor } from '#features/speech/text/caption-profiles.ts'
import { type Cue, buildCues } from '#features/speech/text/cues.ts'

import type { WordTurn } from '../../contract.ts'
import { unpackWords } from '../../packed-words.ts'
import { turnIndexAt } from '../word-places.ts'

type Spoken = Pick<WordTurn, 'speaker' | 'start' | 'end' | 'text' | 'words'>

/** A corrected turn is another object, so a correction is in the captions at once. */
const made = new WeakMap<Spoken, readonly Cue[]>()

function cuesOf(turn: Spoken, language: string | null): readonly Cue[] {
  const known = made.get(turn)
  if (known) return known
  const { speaker, start, end, text } = turn
  const places = unpackWords(turn)
  const words = places.map(({ from, startMs, endMs, confidence }, index) => ({
    // Marks between two words belong to the one before.
    text: text.slice(index === 0 ? 0 : from, places[index + 1]?.from).trim(),
    startMs,
    endMs,
    confidence,
  }))
  const said = { speaker, startMs: start * 1000, endMs: end * 1000, text, words }
  // Two lines of 37 letters at most: they fit over a picture of 320 px.
  const profile = profileFor('bbc', language ?? 'und')
  const cues = buildCues([said], { profile, hasNames: false })
  made.set(turn, cues)
  return cues
}

/** The lines to show at this second: two at most, none in a pause. */
export function captionAt(
  turns: readonly Spoken[],
  seconds: number,
  language: string | null,
): readonly string[] {
  const turn = turns[turnIndexAt(turns, seconds)]
  const ms = seconds * 1000
  const cue = turn && cuesOf(turn, language).findLast(({ startMs }) => startMs <= ms + 50)
  return cue && ms < cue.endMs ? cue.lines : []
}

/** All of them, for a browser that draws them by itself. */
export const captionsOf = (turns: readonly Spoken[], language: string | null): Cue[] =>
  turns.flatMap((turn) => cuesOf(turn, language))
