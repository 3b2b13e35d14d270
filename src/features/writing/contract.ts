/** What the writing room takes and gives. Turns are plain text with a place in the recording. */
export interface WritingTurn {
  speaker: string | null
  startMs: number
  endMs: number
  text: string
  /**
   * The words of the text in order, where the recogniser gave them: passages then begin at their
   * true time and doubtful words count less. Without them times are estimated from the text.
   */
  words?: readonly WritingWord[]
}

/** One recognised word; times in ms from the start of the recording. */
export interface WritingWord {
  text: string
  startMs: number
  endMs: number
  /** Probability that the word is right, 0 to 1; null where the engine does not say. */
  confidence: number | null
}

/** What a summary is made from. */
export interface SummaryOrder {
  turns: readonly WritingTurn[]
  /** ISO 639-1 of what was spoken; null when it is not known. */
  language: string | null
  /** ISO 639-1 of the summary asked for; `auto` is the language that was spoken. */
  requestedLanguage: string
}

export interface KeyPoint {
  text: string
  /** The turns it came from, as indexes into the turns that were given, and a verbatim quote. */
  turns: number[]
  quote: string
  startMs: number
}

export interface Summary {
  text: string
  keyPoints: KeyPoint[]
  topics: string[]
  /** ISO 639-1 of what was written. */
  language: string
  engine: 'extractive' | 'llm'
  /** Shown under the summary, so that nobody takes it for what it is not. */
  note: string
}
