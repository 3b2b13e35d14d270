/** The batches in the address while they are worked on, as the server tells of them. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { listKey } from '#features/recordings/ui/queries.ts'
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
import { LOST_POLL_MS, POLL_MS, percentOf } from '#features/transcriptions/ui/queries.ts'
import { get } from '#web/api.ts'

import { inWords } from './lines.ts'

export type QueueRow = Batch['transcriptions'][number] & { percent: number }

const leftKey = (id: string) => ['time left of all', id]
/** Where the words about the time left are kept, written before each answer is shown. */
export const timeLeftKey = (id: string) => ['time left of all, in words', id]

/**
 * "About 6–9 min left for all." It may shrink and never grows, as that of one file; null while nothing
 * is known.
 */
function timeLeftOf(client: QueryClient, id: string, rows: readonly QueueRow[]): string | null {
  const atMs = Date.now()
  const parts = rows
    .filter(({ status }) => isWorking(status))
    .map(({ id: row, status, duration }) => {
      const key = ['watched in a batch', row]
      const now = watched(client.getQueryData<Watched>(key), status, atMs)
      client.setQueryData(key, now)
      return { duration, sight: sightOf(status, atMs), estimate: now.last }
    })
  const before = client.getQueryData<Estimate>(leftKey(id)) ?? null
  const now = estimateOfAll(parts, atMs) ?? before
  if (!now || parts.length === 0) return null
  const untilMs = Math.min(now.untilMs, before?.untilMs ?? now.untilMs)
  client.setQueryData(leftKey(id), { ...now, untilMs })
  return estimateInWords({ ...now, untilMs }, atMs)?.replace(/ left\.$/, ' left for all.') ?? null
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
    queryFn: async ({ client, signal }): Promise<QueueRow[]> => {
      const { transcriptions } = await get<Batch>(`/api/batches/${encodeURIComponent(id)}`, signal)
      const rows = transcriptions.map((row) => ({ ...row, percent: percentOf(client, row) }))
      client.setQueryData(timeLeftKey(id), timeLeftOf(client, id, rows))
      return rows
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!data?.some(({ status }) => isWorking(status))) return false
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

/** "28 more are reserved for the three files left" */
export function reservedFor(
  rows: readonly Pick<QueueRow, 'status' | 'creditsRequired' | 'originalName'>[],
): { credits: number; name: string; isReserved: true } | undefined {
  const left = rows.filter(({ status }) => isWorking(status))
  const [first] = left
  if (!first) return undefined
  const credits = left.reduce((sum, { creditsRequired }) => sum + creditsRequired, 0)
  const name = left.length === 1 ? first.originalName : `the ${inWords(left.length)} files left`
  return { credits, name, isReserved: true }
}

/** No worker has begun it. */
export const isWaiting = ({ status }: Pick<QueueRow, 'status'>): boolean => status === 'processing'

/** "Waiting, next", "Waiting, 2 ahead": of what was confirmed together. */
export function placeInWords(rows: readonly Listed[], id: string): string {
  const before = rows.slice(
    0,
    rows.findIndex((row) => row.id === id),
  )
  if (!before.some(isWaiting)) return 'Waiting, next'
  return `Waiting, ${before.filter(({ status }) => !isFinished(status)).length} ahead`
}

/** What has ended since, by name. */
export function endsSince(before: readonly Listed[], now: readonly Listed[]): string[] {
  const was = new Map(before.map(({ id, status }) => [id, status]))
  return now
    .filter(({ id, status }) => isFinished(status) && isWorking(was.get(id) ?? status))
    .map(({ originalName, status }) =>
      status === 'completed' ? `${originalName} completed.` : `${originalName} failed.`,
    )
}
