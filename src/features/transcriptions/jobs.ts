import type { Recordings } from '#features/documents/documents.ts'
import type { Round } from '#features/recordings/retention.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { extractive } from '#features/writing/writing.ts'
import { whatIsAway } from '#server/database-away.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as laterSummary from './later-summary.ts'
import { JobData, type RunDeps, giveUp, run } from './run.ts'
import { recordings } from './said.ts'
import { sweepInTurn } from './sweep.ts'

export const transcriptionQueues: readonly QueueDeclaration[] = [
  { name: 'transcribe-dead', retryLimit: 10, retryDelaySeconds: 5 },
  { name: 'transcribe', retryLimit: 2, retryDelaySeconds: 2, deadLetter: 'transcribe-dead' },
  { name: 'write-summary-dead', retryLimit: 10, retryDelaySeconds: 5 },
  { name: 'write-summary', retryLimit: 2, retryDelaySeconds: 2, deadLetter: 'write-summary-dead' },
]

const SWEEP_EVERY_MS = 60_000

/**
 * Starts the room's work in this process; the answer stops what is not the queue's to stop. While
 * there is no engine, jobs wait for a worker that has one.
 */
export async function workTranscriptions(
  {
    engine: inUse,
    recordings: read,
    ...deps
  }: Omit<RunDeps, 'engine'> & {
    engine: EngineInUse
    /** How what was said is read for a later summary; here, where nobody says how. */
    recordings?: Recordings
  },
  { concurrency }: { concurrency: number },
): Promise<{ stop: () => void }> {
  const begin = () =>
    deps.queue.work('transcribe', { concurrency }, async (job) => {
      const engine = inUse.now()
      if (!engine) throw new Error('a recording was claimed without an engine')
      return run({ ...deps, engine }, JobData.parse(job.data), job)
    })
  if (inUse.now()) await begin()
  else void inUse.isThere.then(begin)
  // Only jobs whose every delivery died come here: the others end themselves on their last try.
  await deps.queue.work('transcribe-dead', { concurrency: 1 }, (job) =>
    giveUp(deps, JobData.parse(job.data)),
  )
  const { LaterJob } = laterSummary
  const writers = {
    ...deps,
    writer: deps.writer ?? extractive,
    recordings: read ?? recordings(deps.db),
  }
  await deps.queue.work('write-summary', { concurrency: 2 }, (job) =>
    laterSummary.write(writers, LaterJob.parse(job.data), job),
  )
  await deps.queue.work('write-summary-dead', { concurrency: 1 }, (job) =>
    laterSummary.end(deps, LaterJob.parse(job.data), null),
  )
  const round: Round = {}
  const sweepNow = () => {
    sweepInTurn(deps, round).catch((error: unknown) => {
      if (whatIsAway(error)) deps.log.warn({ err: error }, 'sweep is put off')
      else deps.log.error({ err: error }, 'sweep failed')
    })
  }
  sweepNow()
  const timer = setInterval(sweepNow, SWEEP_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
