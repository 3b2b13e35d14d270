import { UNKNOWN_SPEAKER } from '#features/speech/contract.ts'

import type { Speaker } from '../contract.ts'

export function nameOf(speaker: number | null, speakers: readonly Speaker[]): string {
  const known = speakers.find((one) => one.speaker === speaker)
  return known ? (known.name ?? known.label) : UNKNOWN_SPEAKER
}
