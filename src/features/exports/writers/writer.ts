import type { Turn } from '#features/speech/contract.ts'
import type { Names } from '#features/transcriptions/speakers.ts'

export interface Section {
  heading: string
  lines: string[]
  isList: boolean
}

/** A finished transcription as it is written to a file: what was asked to be left out is not in it. */
export interface Exported {
  title: string
  /** ISO 639-1, `und` where nobody knows. */
  language: string
  durationMs: number
  engine: string | null
  said: readonly Turn[]
  /** The names that speakers were given. */
  names: Names
  /** Whether turns bear the names of their speakers, and their times. */
  speakers: boolean
  times: boolean
  /** How many words are in doubt, where that is worth saying. */
  note: string | null
  /** Null where it was not asked for. */
  summary: {
    text: string | null
    keyPoints: { text: string; at: number | null }[]
    topics: string[]
    note: string | null
  } | null
  /** The summary once more, as plain text and in sections; empty where it was not asked for. */
  summaryText: string
  sections: Section[]
}

/** Every file in this folder exports one, as `write`. */
export type Write = (exported: Exported) => string | Uint8Array | Promise<Uint8Array>
