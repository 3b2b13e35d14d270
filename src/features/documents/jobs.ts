import { z } from 'zod'

import { attemptQueues, workAttempts } from '#server/attempts.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as documents from './documents.ts'

export const documentQueues: readonly QueueDeclaration[] = attemptQueues('write-document')

const JobData = z.object({ documentId: z.uuid(), attempt: z.int() })

/** Starts the room's work in this process; the answer stops what is not the queue's to stop. */
export const workDocuments = (deps: documents.WriteDeps): Promise<{ stop: () => void }> =>
  workAttempts(deps, {
    queue: 'write-document',
    run: (job) => documents.write(deps, JobData.parse(job.data), job),
    giveUp: (job) => documents.fail(deps, JobData.parse(job.data), null),
    endForgotten: () => documents.endForgotten(deps),
  })
