/**
 * A recogniser, a diarizer and a writer that cost nothing, and stages that are kept in memory, for tests
 * of everything around them. The recogniser has the same capabilities as the embedded one.
 */
import type { Diarizer, Engine, EngineCapabilities } from '#features/speech/engines/engine.ts'
import type { StageStore } from '#features/speech/speech.ts'
import { countWords } from '#features/writing/plain.ts'
import type { Writer } from '#features/writing/writing.ts'

export const capabilities: EngineCapabilities = {
  languages: ['en'],
  hasWordTimes: true,
  hasConfidence: true,
  hasPunctuation: false,
  longestChunkMs: 20_000,
}

/** Stages as the database keeps them: as JSON. */
export function stageStore(): StageStore & { names(): string[]; drop(name: string): void } {
  const kept = new Map<string, string>()
  return {
    get: async <T>(name: string) => JSON.parse(kept.get(name) ?? 'null') as T | null,
    put: async (name, value) => void kept.set(name, JSON.stringify(value)),
    names: () => [...kept.keys()].toSorted(),
    drop: (name) => void kept.delete(name),
  }
}

type Given = Pick<Engine, 'recognise'> & Partial<Omit<Engine, 'recognise'>>

export function anEngine(given: Given): Engine {
  return {
    name: 'test',
    capabilities,
    diarizer: takingTurns,
    parallelGroups: 1,
    groupMs: 60_000,
    ...given,
  }
}

/** Gives the stretches of speech to two speakers in turn, without listening. */
export const takingTurns: Diarizer = {
  name: 'taking turns',
  diarize: async (_pcm, regions) =>
    regions.map(({ startMs, endMs }, index) => ({ speaker: index % 2, startMs, endMs })),
}

/** A writer that repeats the first turn, and makes no document of a recording of one word. */
export const repeating: Writer = {
  name: 'extractive',
  compose: async ({ turns: [first] }) => {
    if (!first || countWords(first.text) < 2) return { kind: 'too_little' }
    const document = {
      title: 'What was said',
      content: `## It begins\n\n${first.text}\n`,
      wordCount: countWords(first.text),
      language: 'en',
      engine: 'extractive',
      note: 'The first turn, repeated.',
    } as const
    return { kind: 'written', document }
  },
  summarize: async ({ turns: [first] }) => ({
    text: first?.text ?? '',
    keyPoints: [],
    topics: [],
    language: 'en',
    engine: 'extractive',
    note: 'The first turn, repeated.',
  }),
}
