/** A recogniser for tests, which says of itself what the embedded one does. */
import type { Engine, EngineCapabilities } from '#features/speech/engines/engine.ts'

export const capabilities: EngineCapabilities = {
  languages: ['en'],
  hasWordTimes: true,
  hasConfidence: true,
  hasPunctuation: false,
  longestChunkMs: 20_000,
}

type Given = Pick<Engine, 'recognise'> & Partial<Omit<Engine, 'recognise'>>

export function anEngine(given: Given): Engine {
  return { name: 'test', capabilities, parallelGroups: 1, groupMs: 60_000, ...given }
}
