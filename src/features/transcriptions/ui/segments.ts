/** Reads the plain segments of a transcription, which may be missing or broken. */
import type { SpeakerSegment } from '../contract.ts'

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

/** 'Speaker A' has the badge letter A and colour 0; a speaker without a letter has neither. */
export function speakerIndex(speaker: string): number | null {
  const letters = /^Speaker ([A-Z]+)$/.exec(speaker)?.[1]
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
