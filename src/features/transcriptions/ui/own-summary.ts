/** What the browser changes of a summary. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { oneKey } from '#features/recordings/ui/queries.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { changeSummary } from '../calls.ts'
import type { Job } from './queries.ts'

type Read = Pick<Job, 'keyPoints' | 'keyPointQuotes' | 'keyPointTimes'>

/** A key point as it is sent: with the quote and the time of the one that it was. */
export interface Point {
  text: string
  quote: string | null
  time: number | null
}

export const pointsOf = ({ keyPoints, keyPointQuotes, keyPointTimes }: Read): Point[] =>
  keyPoints.map((text, index) => ({
    text,
    quote: keyPointQuotes[index] ?? null,
    time: keyPointTimes[index] ?? null,
  }))

/** A change to a summary. What is left out stays, and null stands for what was written. */
type Change = Pick<SummaryChange, 'summary' | 'keyPoints'>
export interface SummaryChange {
  summary?: string | null | undefined
  keyPoints?: Point[] | null | undefined
  /** What a toast says of it, which offers to undo it. */
  told?: { title: string; description?: string }
  /** Called once it is shown. */
  onShown?: () => void
}

const UNDO_MS = 8_000

/** Changes the summary. Why it could not be changed is said where it was; of an undoing, by a toast. */
export function useChangeSummary(id: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `summary of ${id}` },
    mutationFn: async ({ summary, keyPoints, told, onShown }: SummaryChange) => {
      const before = client.getQueryData<Job>(oneKey(id))
      await send(client, id, { summary, keyPoints })
      onShown?.()
      if (before && told) offerUndo(client, before, told)
    },
    onError: () => void client.invalidateQueries({ queryKey: oneKey(id) }),
  })
}

async function send(client: QueryClient, id: string, change: Change): Promise<void> {
  // An answer that is on its way does not know of this change.
  await client.cancelQueries({ queryKey: oneKey(id) })
  const now = client.getQueryData<Job>(oneKey(id))
  const was = now && { summary: now.summary, keyPoints: now.keyPoints }
  const answer = await ask(changeSummary, { params: { id }, body: { ...change, was } })
  client.setQueryData<Job>(oneKey(id), (job) => job && { ...job, ...answer })
}

function offerUndo(client: QueryClient, before: Job, told: SummaryChange['told'] & object): void {
  const changed = before.summaryChanged ?? []
  // What was as it was written is so again.
  const undone = {
    summary: changed.includes('summary') ? before.summary : null,
    keyPoints: changed.includes('keyPoints') ? pointsOf(before) : null,
  }
  const undo = () =>
    send(client, before.id, undone).catch((error: unknown) =>
      toastFailure('Could not undo', sentenceOf(error)),
    )
  toast({ ...told, durationMs: UNDO_MS, action: { label: 'Undo', onPress: () => void undo() } })
}
