/** The queue door of recordings: what lies in a bucket is measured by a worker. */
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import type { Queue, QueueDeclaration } from '#server/queue.ts'

import type { Deps } from './recordings.ts'
import { giveUpMeasuring, measureForUpload } from './uploads-in-parts.ts'

export const recordingQueues: readonly QueueDeclaration[] = [
  { name: 'measure-upload-dead', retryLimit: 10, retryDelaySeconds: 5 },
  { name: 'measure-upload', retryLimit: 2, deadLetter: 'measure-upload-dead' },
]

const JobData = z.object({ uploadId: z.uuid() })

export async function workRecordings(deps: Deps & { queue: Pick<Queue, 'work'> }): Promise<void> {
  const concurrency = Math.max(2, availableParallelism())
  await deps.queue.work('measure-upload', { concurrency }, ({ data, signal }) =>
    measureForUpload(deps, JobData.parse(data).uploadId, signal),
  )
  await deps.queue.work('measure-upload-dead', { concurrency: 1 }, ({ data }) =>
    giveUpMeasuring(deps, JobData.parse(data).uploadId),
  )
}
