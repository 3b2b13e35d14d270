/**
 * The promises of every recogniser behind the pipeline: the manual for the next adapter.
 *
 * An engine is given chunks of one recording that voice activity found speech in, as PCM, and
 * answers with words whose times count from the start of the recording. It never sees a database,
 * a user or a file name. Anything it cannot say with `EngineResult` it throws, and the queue
 * tries the job again.
 */

/** One recognised word. Times are integer milliseconds from the start of the recording. */
export interface Word {
  /** As it should be read; punctuation belongs to the word before it. */
  text: string
  startMs: number
  endMs: number
  /** Probability that the word is right, 0 to 1; null where the engine does not say. */
  confidence: number | null
  /** The engine gave no times: these are an estimate from the length of the words and the pauses. */
  isEstimated?: true
  /** The first word of a chunk: what was cut there is mended when all words are there (joins.ts). */
  isPieceStart?: true
  /** The engine gave no times: these were found by listening for its words (align-words.ts). */
  isAligned?: true
  /**
   * The engine's own name for who speaks: one name is one voice, within the answer for a group. What
   * stands before a slash is a part of the group that was asked for by itself.
   */
  voice?: string
  /** It stands for something in a language that the engine does not know (other-language.ts). */
  isOther?: true
  /** The side of the recording that it was said on, where its sides are heard one by one. */
  side?: number
}

/** A stretch of the recording to recognise: cut at pauses, so no word crosses its edges. */
export interface Chunk {
  index: number
  startMs: number
  endMs: number
  /**
   * The side of the recording (sound/sides.ts) that it belongs to, where these are heard one by one:
   * numbered from 0, in the order in which they are first heard.
   */
  side?: number
}

/** Mono PCM, 16 kHz, signed 16 bit little endian, of a whole recording, on disk. */
export interface PcmFile {
  path: string
  sampleCount: number
  /** Rate of the source before resampling, in Hz: 8000 or less is telephone quality. */
  sourceSampleRateHz: number | null
}

export interface EngineCapabilities {
  /** ISO 639-1 codes (639-3 where there is none); `null` means that any language may be tried. */
  languages: readonly string[] | null
  /** Whether the engine says when each word was spoken; where not, times are estimated. */
  hasWordTimes: boolean
  hasConfidence: boolean
  /**
   * It knows one language, and is so unsure of its words in another that this tells them apart
   * (other-language.ts). Absent: that cannot be told.
   */
  doubtsOtherLanguages?: boolean
  /** Whether text comes with capitals and punctuation, so that none must be made up from pauses. */
  hasPunctuation: boolean
  /** Whether it makes use of `terms`. Absent: no. */
  takesTerms?: true
  /** Longest chunk it takes, in ms. */
  longestChunkMs: number
}

/** The answers that an engine can give for a chunk. */
export type EngineResult =
  | {
      kind: 'done'
      words: Word[]
      language: string
      /**
       * Where more was said than the engine could write, so that the end of a stretch is missing. The
       * last word before it has the confidence 0. Absent: nowhere.
       */
      cutOff?: Region[]
    }
  | { kind: 'refused'; reason: 'unreadable_audio' }
  | { kind: 'busy'; retryAfterMs: number }

/** A stretch of the recording, in integer ms; lists of them are sorted and never overlap. */
export interface Region {
  startMs: number
  endMs: number
  /** Voice activity heard next to no speech in the recording, and this only when it listened harder. */
  isFaint?: true
}

/** How many people speak, where somebody knows: exactly `count`, else `max` at most. */
export interface SpeakerBounds {
  count?: number
  max?: number
}

interface RecogniseOptions {
  /** ISO 639-1; null where nobody said, and the engine finds out or takes its only one. */
  language: string | null
  /** Names and terms that may come up; absent where nobody said. */
  terms?: readonly string[]
  /**
   * Where voice activity found speech, at least within the chunks: engines that hear no times place
   * their words there. Absent: everywhere in the chunks.
   */
  regions?: readonly Region[]
  /** A folder of this job alone, for files that the engine removes again. */
  workDir: string
  signal: AbortSignal
}

/** Tells who speaks when, better than the pipeline does by itself. */
export interface Diarizer {
  /** The name by which the operator knows it. */
  readonly name: string
  /** Turns of speakers numbered in order of first speech; sorted. Those of two may overlap. */
  diarize(
    pcm: PcmFile,
    regions: readonly Region[],
    options: { speakers?: SpeakerBounds; signal: AbortSignal },
  ): Promise<{ speaker: number; startMs: number; endMs: number }[]>
  /** Ends the process that it keeps between calls. */
  close?(): Promise<void>
}

export interface Engine {
  /** Shown on /healthz and kept with each result: `pocketsphinx`, `sherpa`, `openai`. */
  readonly name: string
  /** The model, where the operator chooses it; absent where there is only one. */
  readonly model?: string
  readonly capabilities: EngineCapabilities
  /**
   * Makes ready for the first question of a job, while the sound is still being decoded. Absent: there
   * is nothing to load.
   */
  prepare?(options: Pick<RecogniseOptions, 'language' | 'signal'>): Promise<void>
  /**
   * Recognises a group of chunks of one recording. Called for several groups at once, as many as
   * `parallelGroups`. Aborting the signal ends its processes at once.
   */
  recognise(
    pcm: PcmFile,
    chunks: readonly Chunk[],
    options: RecogniseOptions,
  ): Promise<EngineResult>
  /** Used in place of the pipeline's own diarization where models for one are installed. */
  readonly diarizer?: Diarizer
  /** Ends the processes that it keeps between calls. Absent where it keeps none. */
  close?(): Promise<void>
  /** How many groups may run at once, and how much audio one group should hold. */
  readonly parallelGroups: number
  readonly groupMs: number
}
