import type { Round } from '#features/recordings/retention.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { job } from '#server/jobs.ts'

import { type RunDeps, giveUp, run } from './run.ts'
import { sweepInTurn } from './sweep.ts'
import { longTranscriptionKind, transcriptionKind } from './transcriptions.ts'

export interface WorkDeps extends Omit<RunDeps, 'engine'> {
  engine: EngineInUse
  /** How many recordings are worked on at once, and how many long ones beside them. */
  workers: number
  round: Round
}

/**
 * Long recordings have places of their own. Beside a short one they give way between their groups: an
 * engine takes the groups of all recordings in turn.
 */
export const transcriptionJobs = [
  transcribing(transcriptionKind, { everyMinute: (deps) => sweepInTurn(deps, deps.round) }),
  transcribing(longTranscriptionKind),
]

function transcribing(
  kind: typeof transcriptionKind | typeof longTranscriptionKind,
  also: { everyMinute?: (deps: WorkDeps) => Promise<void> } = {},
) {
  return job({
    ...kind,
    ...also,
    concurrency: ({ workers }: WorkDeps) => workers,
    lacks: ({ engine }) => (engine.now() ? null : engine.isThere),
    async run({ engine: inUse, ...deps }, asked, delivery) {
      const engine = inUse.now()
      if (!engine) throw new Error('a recording was claimed without an engine')
      return run({ ...deps, engine }, asked, delivery)
    },
    giveUp: (deps, asked) => giveUp(deps, asked),
  })
}
