/** The two lists of the library: running jobs, kept current, and finished ones, page by page. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { listKey, userKey } from '#features/recordings/ui/queries.ts'
import { get, request } from '#web/api.ts'

import type { TranscriptionRow } from '../contract.ts'
import { isFinished, isUnconfirmed, isWorking } from '../status.ts'
import type { Filters } from './library-address.ts'
import { type JobRow, LOST_POLL_MS, type ListPage, POLL_MS, percentOf } from './queries.ts'

const PAGE_SIZE = 50

const openKey = [...listKey, 'open'] as const

/** Running jobs and what waits for its owner; asked again every 2 s while one runs. */
export const openQuery = queryOptions({
  queryKey: openKey,
  queryFn: async ({ client, signal }): Promise<JobRow[]> => {
    const before = client.getQueryData<JobRow[]>(openKey) ?? []
    const rows = await get<TranscriptionRow[]>(pathWith({ status: 'open' }), signal)
    const now = new Set(rows.filter(({ status }) => isWorking(status)).map(({ id }) => id))
    if (before.some(({ id, status }) => isWorking(status) && !now.has(id))) {
      // A job has finished: it is in the other list now, and its credits are settled.
      void client.invalidateQueries({ queryKey: [...listKey, 'finished'] })
      void client.invalidateQueries({ queryKey: userKey })
    }
    return rows.map((row) => ({ ...row, percent: percentOf(client, row) }))
  },
  refetchInterval: ({ state: { data, error } }) => {
    if (!data?.some(({ status }) => isWorking(status))) return false
    return error ? LOST_POLL_MS : POLL_MS
  },
  refetchOnReconnect: ({ state: { error } }) => (error ? 'always' : false),
})

/** What is finished, as it is searched, filtered and ordered; the server does all three. */
export const finishedQuery = ({ q, status, sort }: Filters) =>
  infiniteQueryOptions({
    queryKey: [...listKey, 'finished', { q, status, sort }] as const,
    initialPageParam: null as string | null,
    queryFn: async ({ client, pageParam, signal }): Promise<ListPage> => {
      const response = await request(
        'GET',
        pathWith({
          status: status === 'all' ? 'finished' : status,
          ...(q.trim() === '' ? {} : { q: q.trim() }),
          ...(sort === 'newest' ? {} : { sort }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        }),
        { signal },
      )
      const rows = (await response.json()) as TranscriptionRow[]
      return {
        rows: rows.map((row) => ({
          ...row,
          percent: isFinished(row.status) ? 100 : percentOf(client, row),
        })),
        next: cursorIn(response.headers.get('Link')),
        total: Number(response.headers.get('X-Total-Count') ?? rows.length),
      }
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnReconnect: ({ state: { error } }) => (error ? 'always' : false),
    placeholderData: (before) => before,
  })

const pathWith = (query: Record<string, string>) =>
  `${listKey[0]}?${new URLSearchParams({ limit: String(PAGE_SIZE), ...query })}`

/** The cursor of the next page, from `Link: <…?cursor=abc>; rel="next"`. */
export function cursorIn(link: string | null): string | null {
  const next = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return next ? new URL(next, 'https://this.site').searchParams.get('cursor') : null
}

type Ordered = Pick<TranscriptionRow, 'id' | 'status'>

/**
 * Running jobs first, then those that wait for a confirmation, then the rest; each group newest
 * first, as the server sends it. A new row can push an old one to the next page, so that it comes
 * twice: it is shown once.
 */
export function inLibraryOrder<Row extends Ordered>(pages: Row[][]): Row[] {
  const rows = [...new Map(pages.flat().map((row) => [row.id, row])).values()]
  const rank = ({ status }: Row) => (isWorking(status) ? 0 : isUnconfirmed(status) ? 1 : 2)
  return rows.sort((a, b) => rank(a) - rank(b))
}
