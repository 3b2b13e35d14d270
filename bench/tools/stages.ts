/** The stages of a job, for a bench that runs none twice. */
import type { StageStore } from '#features/speech/speech.ts'

export function inMemory(): StageStore {
  const kept = new Map<string, unknown>()
  return {
    get: async <T>(name: string) => (kept.get(name) ?? null) as T | null,
    put: async (name, value) => void kept.set(name, value),
  }
}
