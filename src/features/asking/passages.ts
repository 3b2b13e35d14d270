/** A part of a turn with its words, and quotes that are cut out of it. */
import type { Quote } from './contract.ts'

export interface Passage {
  transcriptionId: string
  turnId: string
  /** Name of the recording. */
  name: string
  speaker: string | null
  speakerNumber: number | null
  startMs: number
  endMs: number
  text: string
  /** With their places in the text. */
  words: {
    from: number
    to: number
    text: string
    startMs: number
    endMs: number
    confidence: number | null
    isInDoubt: boolean
  }[]
  /** Words that are asked for. */
  marks: [from: number, to: number][]
}

/** The words from one place to another, letter for letter, with the time of the first of them. */
export function quoteOf(
  passage: Passage,
  { from, to }: { from: number; to: number } = { from: 0, to: passage.text.length },
): Quote {
  const { transcriptionId, turnId, name, speaker, speakerNumber, startMs, text } = passage
  const words = passage.words.filter((word) => word.to > from && word.from < to)
  const doubtful = words.filter((word) => word.isInDoubt).length
  return {
    transcriptionId,
    turnId,
    name,
    at: (words[0]?.startMs ?? startMs) / 1000,
    speaker,
    speakerNumber,
    text: text.slice(from, to),
    marks: passage.marks
      .filter((mark) => mark[0] >= from && mark[1] <= to)
      .map(([begin, end]): [number, number] => [begin - from, end - from]),
    isInDoubt: doubtful * 2 > words.length,
  }
}
