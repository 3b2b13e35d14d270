/** What the speech room hands out; neutral types that the browser may read too. */
import type { Word } from './engines/engine.ts'

export type { Word }

/** A stretch of speech by one speaker, cut where a reader expects a new paragraph. */
export interface Turn {
  /** Number of the speaker in order of first speech, from 0; null when nobody could be told apart. */
  speaker: number | null
  startMs: number
  endMs: number
  words: Word[]
  /** The words as readable text: sentences with capitals and full stops. */
  text: string
}

/** Who speaks when, from diarization; integer ms, sorted, never overlapping. */
export interface SpeakerTurn {
  speaker: number
  startMs: number
  endMs: number
}

/** Speaker A, B, … Z, AA in order of first speech. */
export function speakerLabel(speaker: number): string {
  let letters = ''
  for (let rest = speaker; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `Speaker ${letters}`
}
