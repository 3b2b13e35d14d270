import { speakerName } from '#features/speech/contract.ts'

import type { Speaker } from '../contract.ts'

export function nameOf(speaker: number | null, speakers: readonly Speaker[]): string {
  return speakerName(speaker, speakers.find((one) => one.speaker === speaker)?.name)
}
