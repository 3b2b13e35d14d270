import { z } from 'zod'

import { attemptQueues, workAttempts } from '#server/attempts.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import * as translations from './translations.ts'

export const translationQueues: readonly QueueDeclaration[] = attemptQueues('translate')

const JobData = z.object({ translationId: z.uuid(), attempt: z.int() })

/** Starts the room's work in this process; the answer stops what is not the queue's to stop. */
export async function workTranslations(deps: translations.WorkDeps): Promise<{ stop: () => void }> {
  return workAttempts(deps, {
    queue: 'translate',
    run: (job) => translations.translate(deps, JobData.parse(job.data), job),
    giveUp: (job) => translations.fail(deps, JobData.parse(job.data), null),
    endForgotten: () => translations.endForgotten(deps),
  })
}
