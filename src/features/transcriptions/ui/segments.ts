/** Who spoke when, as the results show it: read with care, summed, and laid out in lanes. */
import type { SpeakerSegment } from '../contract.ts'

export type { SpeakerSegment }

/** The segments of a transcription; none at all when any of them cannot be read. */
export function parseSegments(json: string | null): SpeakerSegment[] {
  if (json === null) return []
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
  return Array.isArray(value) && value.every(isSegment) ? value : []
}

function isSegment(value: unknown): value is SpeakerSegment {
  if (typeof value !== 'object' || value === null) return false
  const { start, end, speaker, text } = value as Record<string, unknown>
  return (
    Number.isFinite(start) &&
    Number.isFinite(end) &&
    typeof speaker === 'string' &&
    typeof text === 'string'
  )
}

export interface Voice {
  speaker: string
  seconds: number
  /** Whole percent of all talk; the shares of all voices add up to 100. */
  share: number
  segments: SpeakerSegment[]
}

/** Every speaker with their talk time, in order of first speech. */
export function voicesOf(segments: SpeakerSegment[]): Voice[] {
  const bySpeaker = Map.groupBy(segments, (segment) => segment.speaker)
  const voices = [...bySpeaker].map(([speaker, segments]) => ({
    speaker,
    segments,
    seconds: segments.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0),
  }))
  const shares = percentages(voices.map((voice) => voice.seconds))
  return voices.map((voice, index) => ({ ...voice, share: shares[index] ?? 0 }))
}

/** Rounds so that the sum stays 100: what is left goes to those that lost most by rounding down. */
function percentages(values: number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => 0)
  const exact = values.map((value) => (value / total) * 100)
  const whole = exact.map(Math.floor)
  const left = 100 - whole.reduce((sum, value) => sum + value, 0)
  const byLoss = exact
    .map((value, index) => ({ index, loss: value % 1 }))
    .sort((a, b) => b.loss - a.loss)
  for (const { index } of byLoss.slice(0, left)) whole[index] = (whole[index] ?? 0) + 1
  return whole
}

const tickSteps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]

/** Seconds at which the time axis is labelled: round ones, at most nine of them. */
export function ticksFor(durationSeconds: number): number[] {
  const step = tickSteps.find((step) => durationSeconds / step <= 8) ?? 14_400
  return Array.from({ length: Math.floor(durationSeconds / step) + 1 }, (_, index) => index * step)
}

/** The first segment that is being said at this time, or was said last before it. */
export function segmentAt(segments: SpeakerSegment[], seconds: number): SpeakerSegment | undefined {
  return segments.findLast((segment) => segment.start <= seconds + 0.05) ?? segments[0]
}

/** 'Speaker A' has the badge letter A and colour 0; a speaker without a letter has neither. */
export function speakerIndex(speaker: string): number | null {
  const letters = /^Speaker ([A-Z]+)$/.exec(speaker)?.[1]
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
