/**
 * The product's own sample recording, as the public pages show it: the words, their times and their
 * speakers.
 */
import { creditsFor } from '#features/credits/contract.ts'
import { checkBelowOf, countInDoubt, isInDoubt, percentOf } from '#features/text/words-in-doubt.ts'
import recording from '#features/transcriptions/sample/sample.json'
import { formatTime, wholeSeconds } from '#shared/format.ts'

export { default as sampleUrl } from '#features/transcriptions/sample/sample.m4a?url'

const seconds = wholeSeconds(recording.durationMs)

export type Turn = (typeof recording.turns)[number]

const checkBelow = checkBelowOf(recording.engine)

export const isDoubtful = ({ confidence }: Turn['words'][number]): boolean =>
  isInDoubt(percentOf(confidence), checkBelow)

export const sample = {
  name: 'sample.m4a',
  seconds,
  durationMs: recording.durationMs,
  length: formatTime(seconds),
  credits: creditsFor(seconds),
  speakers: ['Ada', 'Ben'],
  turns: recording.turns,
  keyPoints: recording.keyPoints,
  topics: recording.topics,
  wordCount: recording.turns.flatMap(({ words }) => words).length,
  wordsInDoubt: countInDoubt(recording.turns, checkBelow),
} as const

/** The sample's loudness in equal steps from its beginning to its end, measured from the recording. */
export const samplePeaks = [
  0.3, 0.83, 0.52, 0.45, 0.77, 0.41, 0.46, 0.43, 0.39, 0.49, 0.44, 0.37, 0.53, 0.48, 0.53, 0.76,
  0.5, 0.39, 0.2, 0.82, 0.39, 0.44, 0.57, 0.51, 0.51, 0.16, 0.71, 0.58, 0.27, 0.67, 0.29, 0.63,
  0.06, 0.78, 1, 0.76, 0.37, 0.29, 0.51, 0.48, 0.26, 0.1, 0.58, 0.41, 0.91, 0.57, 0.24, 0.37, 0.58,
  0.65, 0.47, 0.06, 0.74, 0.83, 0.37, 0.61, 0.32, 0.38, 0.37, 0.17, 0.58, 0.35, 0.69, 0.6, 0.38,
  0.69, 0.29, 0.38, 0.62, 0.61, 0.37, 0.22, 0.58, 0.47, 0.71, 0.39, 0.65, 0.56, 0.45, 0.59, 0.46,
  0.31, 0.58, 0.52, 0.17, 0.4, 0.55, 0.39, 0.51, 0.84, 0.55, 0.41, 0.58, 0.51, 0.36, 0.72, 0.69,
  0.22, 0.39, 0.18,
]

/** The speaker at each of those steps. */
export const sampleLanes = samplePeaks.map((_, index) => {
  const atMs = ((index + 0.5) / samplePeaks.length) * recording.durationMs
  return recording.turns.findLast(({ startMs }) => startMs <= atMs)?.speaker ?? null
})

/** Seconds of talking, by speaker. */
export const talkTime = sample.speakers.map((_, speaker) =>
  recording.turns
    .filter((turn) => turn.speaker === speaker)
    .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0),
)

export const nameOf = (speaker: number): string => sample.speakers[speaker] ?? ''
