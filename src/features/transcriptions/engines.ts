/** What users are told about the engines of this server, by the names that /healthz and results give. */
import type { Engines } from './contract.ts'

/** Names of the engines in use; `none` without one, `workers` where other processes have them. */
export interface EngineNames {
  speech: string
  writing: string
}

const speechFacts: Record<string, Omit<Engines['speech'], 'name'>> = {
  pocketsphinx: {
    languages: ['en'],
    note: "This server's embedded recogniser understands English only. Expect about one word in four to be wrong.",
  },
  none: {
    languages: [],
    note: 'No recogniser is installed on this server. A confirmed file waits until there is one.',
  },
}

const writingNotes: Record<string, string> = {
  extractive:
    'Summaries are sentences taken from the transcript. No language model is set up on this server.',
}

export function describe({ speech, writing }: EngineNames): Engines {
  return {
    speech: { name: speech, ...(speechFacts[speech] ?? { languages: null, note: null }) },
    writing: { name: writing, note: writingNotes[writing] ?? null },
  }
}
