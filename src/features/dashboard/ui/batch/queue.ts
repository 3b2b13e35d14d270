/** The batches in the address while they are worked on, as the server tells of them. */
import { queryOptions } from '@tanstack/react-query'

import { listKey } from '#features/recordings/ui/queries.ts'
import { getBatch } from '#features/transcriptions/calls.ts'
import type { Batch } from '#features/transcriptions/contract.ts'
import { isFinished, isWorking } from '#features/transcriptions/status.ts'
import {
  type Estimate,
  type Watched,
  estimateInWords,
  estimateOfAll,
  sightOf,
  watched,
} from '#features/transcriptions/ui/estimate.ts'
import { readyEstimate } from '#features/transcriptions/ui/place.ts'
import { LOST_POLL_MS, POLL_MS, percentOf } from '#features/transcriptions/ui/queries.ts'
import { ask } from '#web/api.ts'

export type QueueRow = Batch['transcriptions'][number] & {
  percent: number
  /** The progress that this page saw while it was worked on. */
  watched?: Watched | undefined
}

export interface Queue {
  rows: QueueRow[]
  /** Until all have ended. It may shrink and never grows, as that of one file. */
  estimate: Estimate | null
  /** "About 6–9 min left for all."; null while nothing is known. */
  timeLeft: string | null
}

/** The queue as it is now, told from how it was. */
function queueOf(rows: readonly QueueRow[], before: Queue | undefined): Queue {
  const atMs = Date.now()
  const seen = rows.map((row) => {
    const was = before?.rows.find(({ id }) => id === row.id)?.watched
    return { ...row, watched: isWorking(row.status) ? watched(was, row.status, atMs) : undefined }
  })
  const parts = seen.flatMap(({ status, duration, watched: now }) =>
    now ? [{ duration, sight: sightOf(status, atMs), estimate: now.last }] : [],
  )
  const last = before?.estimate ?? null
  const now = parts.length > 0 ? (estimateOfAll(parts, atMs) ?? last) : null
  const untilMs = Math.min(now?.untilMs ?? Infinity, last?.untilMs ?? Infinity)
  const estimate = now && { ...now, untilMs }
  // Before any of it has shown how long it takes, others have.
  const shown = estimate ?? readyEstimate(seen, atMs)
  const timeLeft = estimateInWords(shown, atMs)?.replace(/ left\.$/, ' left for all.') ?? null
  return { rows: seen, estimate, timeLeft }
}

/** The ids of the batches that an address names, `?batch=ID.ID`. */
export const batchesIn = (search: string): string[] =>
  (new URLSearchParams(search).get('batch') ?? '').split('.').filter((id) => id !== '')

/** The address with these batches; without any, the part goes. */
export function withBatches(search: string, ids: readonly string[]): string {
  const query = new URLSearchParams(search)
  if (ids.length > 0) query.set('batch', [...new Set(ids)].join('.'))
  else query.delete('batch')
  return query.size > 0 ? `?${query}` : ''
}

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [...listKey, 'batch', id] as const,
    queryFn: async ({ client, signal, queryKey }): Promise<Queue> => {
      const { transcriptions } = await ask(getBatch, { params: { id }, signal })
      const rows = transcriptions.map((row) => ({ ...row, percent: percentOf(client, row) }))
      return queueOf(rows, client.getQueryData<Queue>(queryKey))
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!data?.rows.some(({ status }) => isWorking(status))) return false
      return error ? LOST_POLL_MS : POLL_MS
    },
    // The title of the tab says how many are done.
    refetchIntervalInBackground: true,
  })

type Listed = Pick<QueueRow, 'id' | 'status' | 'originalName'>

/** "1 of 4 done", "All 4 done", "3 done, 1 failed". */
export function headOf(rows: readonly Listed[]): string {
  const failed = rows.filter(({ status }) => status === 'error').length
  const done = rows.filter(({ status }) => status === 'completed').length
  if (done + failed < rows.length) return `${done} of ${rows.length} done`
  if (failed > 0) return `${done} done, ${failed} failed`
  return rows.length === 1 ? 'Done' : `All ${rows.length} done`
}

/** No worker has begun it. */
export const isWaiting = ({ status }: Pick<QueueRow, 'status'>): boolean => status === 'processing'

/** What is worked on, what waits, and then what has ended. */
export const inQueueOrder = <Row extends Pick<QueueRow, 'status'>>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => orderOf(a) - orderOf(b))

/** In the order in which they were; new ones come last. */
export const inOrderOf = <Row extends Pick<QueueRow, 'id'>>(
  rows: readonly Row[],
  ids: readonly string[],
): Row[] => {
  const place = ({ id }: Row) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return rows.toSorted((a, b) => place(a) - place(b))
}

function orderOf(row: Pick<QueueRow, 'status'>): number {
  if (isFinished(row.status)) return 2
  return isWaiting(row) ? 1 : 0
}

/** The jobs that have ended since, by name. */
export function endsSince(before: readonly Listed[], now: readonly Listed[]): string[] {
  const was = new Map(before.map(({ id, status }) => [id, status]))
  return now
    .filter(({ id, status }) => isFinished(status) && isWorking(was.get(id) ?? status))
    .map(({ originalName, status }) =>
      status === 'completed' ? `${originalName} completed.` : `${originalName} failed.`,
    )
}
