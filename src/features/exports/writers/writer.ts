import type { Turn } from '#features/speech/contract.ts'
import type { Names } from '#features/text/named-speakers.ts'
import type { Doubt } from '#features/text/words-in-doubt.ts'
import type { ActionItem } from '#features/action-items/contract.ts'
import type { Range } from '#features/cuts/ranges.ts'
import type { KeptChapter } from '#features/row/kept.ts'

import type { LookLine } from '../contract.ts'
import type { FrameRate } from '#shared/frame-rates.ts'

import type { CaptionProfile, MarkerKind } from '../formats.ts'

export interface Section {
  /** Null where nothing is said but how the rest was made. */
  heading: string | null
  lines: string[]
  isList: boolean
  /** For each line of a list of tasks, whether it is done. */
  isDone?: boolean[]
}

export interface KeyPoint {
  text: string
  /** Seconds from the start; null where nobody knows. */
  at: number | null
}

/** A finished transcription as it is written to a file: what was asked to be left out is not in it. */
export interface Exported {
  /** The recording's name, without the ending of the file. */
  title: string
  createdAt: Date
  /** See shared/recorded.ts; null where nobody knows when it was recorded. */
  recordedAt: string | null
  /** ISO 639-1, `und` where nobody knows. */
  language: string
  /** Where it is a translation: from which language, and what is to be said of it. */
  translation: { from: string; note: string } | null
  durationMs: number
  engine: string | null
  /** Somebody has changed words of it since. */
  isCorrected?: boolean
  said: readonly Turn[]
  /** Further fields of JSON. */
  more?: Readonly<Record<string, unknown>>
  /** The names that speakers were given. */
  names: Names
  /** Whether turns bear the names of their speakers, and their times. */
  speakers: boolean
  times: boolean
  /** Null where the engine does not say how sure it is; absent where it is not to be said. */
  doubt?: Doubt | null
  /** How many words are in doubt, where that is worth saying, or that it cannot be told. */
  note: string | null
  keyPoints: KeyPoint[]
  /** All of them, for a file of chapters. */
  chapters: readonly KeptChapter[]
  /** Those that the text has as headings; none where that was not asked for. */
  headings: readonly KeptChapter[]
  /** Whether the lines of pages are numbered. */
  lineNumbers: boolean
  captions: { profile: CaptionProfile; mend: boolean }
  markers: { at: MarkerKind; frameRate: FrameRate }
  /** The timecode at which the film begins; null where that was not said. */
  filmStart: string | null
  /** The file that lists of cuts are of, and what is cut of it. */
  recording: { name: string; isFilm: boolean }
  cuts: readonly Range[]
  /** Null where it was not asked for. */
  summary: {
    text: string | null
    keyPoints: KeyPoint[]
    actionItems: Pick<ActionItem, 'text' | 'who' | 'due' | 'dueDate' | 'at' | 'isDone'>[]
    topics: string[]
    note: string | null
  } | null
  /** The summary once more, as plain text and in sections; empty where it was not asked for. */
  summaryText: string
  sections: Section[]
}

/** What is not text exports one, as `look`: the first page of the same file. */
export type Look = (exported: Exported) => FirstPage | Promise<FirstPage>
interface FirstPage {
  page: LookLine[]
  isWhole: boolean
}

/** Every file in this folder exports one, as `write`. */
export type Write = (exported: Exported) => string | Uint8Array | Promise<Uint8Array>
