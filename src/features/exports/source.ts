import type { Range } from '#features/cuts/ranges.ts'
import type { KeptChapter } from '#features/row/kept.ts'
import type { FilmStart } from '#features/sound/film-start.ts'
import type { Turn } from '#features/speech/contract.ts'
import type { Names } from '#features/text/named-speakers.ts'
import type { Summarized } from '#features/transcriptions/summary-text.ts'

import type { Exported } from './writers/writer.ts'

/** The parts that a file is made of. */
export interface Source extends Pick<
  Exported,
  | 'createdAt'
  | 'recordedAt'
  | 'language'
  | 'translation'
  | 'durationMs'
  | 'engine'
  | 'isCorrected'
  | 'more'
> {
  /** What the file says of the beginning of its film. */
  film?: FilmStart | null
  originalName: string
  /** It is a film, or the sound of one. */
  isFilm?: boolean
  said: readonly Turn[]
  /** The turns that the engine has heard, where these are their translation: doubt is about them. */
  spoken: readonly Turn[]
  names: Names
  chapters: readonly KeptChapter[]
  /** What is cut of the recording. */
  cuts?: readonly Range[]
  summary: Summarized & { heading: string }
}
