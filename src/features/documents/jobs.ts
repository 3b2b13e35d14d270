import { z } from 'zod'

import { isDatabaseAway } from '#server/database-away.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as documents from './documents.ts'

export const documentQueues: readonly QueueDeclaration[] = [
  { name: 'write-document-dead', retryLimit: 10, retryDelaySeconds: 5 },
  {
    name: 'write-document',
    retryLimit: 2,
    retryDelaySeconds: 2,
    deadLetter: 'write-document-dead',
  },
]

const JobData = z.object({ documentId: z.uuid(), attempt: z.int() })
const LOOK_EVERY_MS = 60_000

/** Starts the room's work in this process; the answer stops what is not the queue's to stop. */
export async function workDocuments(deps: documents.WriteDeps): Promise<{ stop: () => void }> {
  await deps.queue.work('write-document', { concurrency: 2 }, (job) =>
    documents.write(deps, JobData.parse(job.data), job),
  )
  // A job comes here only when each delivery of it died. Others end themselves on their last try.
  await deps.queue.work('write-document-dead', { concurrency: 1 }, (job) =>
    documents.fail(deps, JobData.parse(job.data), null),
  )
  const look = () => {
    documents.endForgotten(deps).catch((error: unknown) => {
      if (isDatabaseAway(error)) deps.log.warn({ err: error }, 'looking for documents is put off')
      else deps.log.error({ err: error }, 'looking for documents failed')
    })
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
