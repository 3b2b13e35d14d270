import type { StageStore } from '#features/speech/speech.ts'
import { pastSpan } from '#server/traces.ts'

/** The names of stages outside; the groups of words are one stage, and their times are added up. */
const shownAs: Readonly<Record<string, string>> = { pcm: 'decode', regions: 'listen' }

/**
 * The same store, which tells how long each stage took: from when its result was looked for in vain
 * until it was there. A stage that an earlier delivery finished took none.
 */
export function timed(store: StageStore): {
  store: StageStore
  /** How many milliseconds each stage has taken so far. */
  took: () => Record<string, number>
} {
  const began = new Map<string, number>()
  const took = new Map<string, number>()
  return {
    took: () => Object.fromEntries(took),
    store: {
      async get(name) {
        const stored = await store.get<never>(name)
        began.set(name, Date.now())
        return stored
      },
      async put(name, result) {
        await store.put(name, result)
        const startedAt = began.get(name) ?? Date.now()
        const [kind = name] = name.split(':')
        const stage = shownAs[kind] ?? kind
        took.set(stage, (took.get(stage) ?? 0) + Date.now() - startedAt)
        pastSpan(`stage ${stage}`, startedAt)
      },
    },
  }
}
