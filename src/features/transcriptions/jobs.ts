import type { Round } from '#features/recordings/retention.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { job } from '#server/jobs.ts'

import { type RunDeps, giveUp, run } from './run.ts'
import { sweepInTurn } from './sweep.ts'
import { transcriptionKind } from './transcriptions.ts'

export interface WorkDeps extends Omit<RunDeps, 'engine'> {
  engine: EngineInUse
  /** How many recordings are worked on at once. */
  workers: number
  round: Round
}

export const transcriptionJob = job({
  ...transcriptionKind,
  concurrency: ({ workers }: WorkDeps) => workers,
  lacks: ({ engine }) => (engine.now() ? null : engine.isThere),
  async run({ engine: inUse, ...deps }, asked, delivery) {
    const engine = inUse.now()
    if (!engine) throw new Error('a recording was claimed without an engine')
    return run({ ...deps, engine }, asked, delivery)
  },
  giveUp: (deps, asked) => giveUp(deps, asked),
  everyMinute: (deps) => sweepInTurn(deps, deps.round),
})
