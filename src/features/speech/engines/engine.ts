/**
 * What every recogniser behind the pipeline promises: the manual for the next adapter.
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
}

/** A stretch of the recording to recognise: cut at pauses, so no word crosses its edges. */
export interface Chunk {
  index: number
  startMs: number
  endMs: number
}

/** Mono PCM, 16 kHz, signed 16 bit little endian, of a whole recording, on disk. */
export interface PcmFile {
  path: string
  sampleCount: number
  /** Rate of the source before resampling, in Hz: 8000 or less is telephone quality. */
  sourceSampleRateHz: number | null
}

export interface EngineCapabilities {
  /** ISO 639-1 codes; `null` means the engine detects the language by itself. */
  languages: readonly string[] | null
  hasWordTimes: boolean
  hasConfidence: boolean
  /** Whether text comes with capitals and punctuation, so that none must be made up from pauses. */
  hasPunctuation: boolean
  /** Longest chunk it takes, in ms. */
  longestChunkMs: number
}

/** What an engine can answer for a chunk. */
export type EngineResult =
  | { kind: 'done'; words: Word[]; language: string }
  | { kind: 'refused'; reason: 'unreadable_audio' }
  | { kind: 'busy'; retryAfterMs: number }

export interface Engine {
  /** Shown on /healthz and kept with each result: `pocketsphinx`, `sherpa`, `openai`. */
  readonly name: string
  readonly capabilities: EngineCapabilities
  /**
   * Recognises a group of chunks of one recording. Called for several groups at once, as many as
   * `parallelGroups`. Aborting the signal ends its processes at once.
   */
  recognise(
    pcm: PcmFile,
    chunks: readonly Chunk[],
    options: { language: string | null; workDir: string; signal: AbortSignal },
  ): Promise<EngineResult>
  /** How many groups may run at once, and how much audio one group should hold. */
  readonly parallelGroups: number
  readonly groupMs: number
}
