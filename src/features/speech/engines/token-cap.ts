/**
 * How much a model may write. sherpa-onnx allows its decoders a number of tokens for each second of
 * sound, silence included, and says nothing when this limit cuts a sentence off. Zeros after the
 * speech make the sound longer, and so allow more tokens.
 */
import type { Family } from './sherpa-families.ts'

/** Whisper opens and closes a phrase with a mark each, and a lone "Yes." needs room as well. */
const SPARE_TOKENS = 8
/** The last token may be one of several that are not told, such as a mark of time. */
const NEAR_TOKENS = 2
/** Nobody speaks faster, in any language: a model that writes more goes round in circles. */
const MOST_SPOKEN_PER_S = 30

type Writing = Pick<Family, 'tokensPerS' | 'windowMs' | 'spokenTokensPerS'>

/** How long the sound of a chunk is made, with zeros, for all that was probably said in it. */
export function roomMs(family: Writing, language: string, lengthMs: number): number {
  const { tokensPerS, windowMs, spokenTokensPerS } = family
  if (tokensPerS === null || !spokenTokensPerS) return lengthMs
  const tokens = spokenTokensPerS(language) * (lengthMs / 1000) + SPARE_TOKENS
  return between(lengthMs, Math.ceil((tokens / tokensPerS) * 1000), mostMs(windowMs, lengthMs))
}

/** Whether more was probably said than the model can write of a chunk, however long its sound is. */
export function isTooDense(family: Writing, language: string, lengthMs: number): boolean {
  const { tokensPerS, windowMs, spokenTokensPerS } = family
  if (tokensPerS === null || !spokenTokensPerS) return false
  const most = (tokensPerS * mostMs(windowMs, lengthMs)) / 1000
  return (spokenTokensPerS(language) * lengthMs) / 1000 > most
}

/** Whether a text with this number of tokens was probably cut off. */
export function isFull({ tokensPerS }: Writing, tokens: number, soundMs: number): boolean {
  if (tokensPerS === null) return false
  return tokens + NEAR_TOKENS >= Math.floor((tokensPerS * soundMs) / 1000)
}

/** Whether a chunk that was cut off at the longest sound is worth another try in halves. */
export function isWorthHalving({ tokensPerS, windowMs }: Writing, lengthMs: number): boolean {
  return (
    tokensPerS !== null && tokensPerS * mostMs(windowMs, lengthMs) < MOST_SPOKEN_PER_S * lengthMs
  )
}

export const mostMs = (windowMs: number, lengthMs: number): number => Math.max(windowMs, lengthMs)

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, value))
