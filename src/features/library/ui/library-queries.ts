/** The two lists of the library: running jobs, kept current, and the others, page by page. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { listKey, userKey } from '#features/recordings/ui/queries.ts'
import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import { isFinished, isUnconfirmed, isWorking } from '#features/transcriptions/status.ts'
import {
  type JobRow,
  LOST_POLL_MS,
  type ListPage,
  POLL_MS,
  percentOf,
} from '#features/transcriptions/ui/queries.ts'
import type { AnswerOf } from '#shared/call.ts'
import { ask, queryOf, request } from '#web/api.ts'

import { listSpeakers, listTranscriptions } from '../calls.ts'
import type { IdsQuery, ListQuery } from '../contract.ts'
import { type Filters, isSearch, unfiltered } from './library-address.ts'

/** The first page is soon there; whoever goes on wants more at once. */
const FIRST_ROWS = 16
const MORE_ROWS = 48
const MOST_ROWS = 100

const openKey = [...listKey, 'open'] as const

/** Running jobs and what waits for its owner; asked again every 2 s while one runs. */
export const openQuery = queryOptions({
  queryKey: openKey,
  queryFn: async ({ client, signal }): Promise<JobRow[]> => {
    const before = client.getQueryData<JobRow[]>(openKey) ?? []
    const query = { status: 'open', limit: MOST_ROWS } as const
    const rows = await ask(listTranscriptions, { query, signal })
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

/**
 * Whether running jobs stand above the rest, which then has only what is finished. In every other
 * order they stand where they belong.
 */
export const hasRunningOnTop = (filters: Filters): boolean =>
  filters.sort === 'newest' && filters.status === 'all' && !isSearch(filters) && !filters.speaker

/** The filters as the server understands them; those that change nothing are left out. */
export function queryFor(filters: Filters): Partial<IdsQuery> {
  const { q, status, sort, tags, speaker } = filters
  return {
    ...(status === 'all' ? {} : { status }),
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(sort === 'newest' ? {} : { sort }),
    ...(speaker === '' ? {} : { speaker }),
    tag: [...tags],
  }
}

const listQuery = (filters: Filters, firstRows: number) =>
  infiniteQueryOptions({
    queryKey: [...listKey, 'finished', { ...filters, firstRows }] as const,
    initialPageParam: null as string | null,
    queryFn: async ({ client, pageParam, signal }): Promise<ListPage> => {
      const query: Partial<ListQuery> = {
        ...queryFor(filters),
        // Running jobs stand above the list.
        ...(hasRunningOnTop(filters) ? { status: 'finished' } : {}),
        limit: pageParam === null ? firstRows : MORE_ROWS,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }
      const response = await request(listTranscriptions, { query, signal })
      const rows = (await response.json()) as AnswerOf<typeof listTranscriptions>
      const places = response.headers.get('X-Total-Places')
      return {
        rows: rows.map((row) => ({
          ...row,
          percent: isFinished(row.status) ? 100 : percentOf(client, row),
        })),
        next: cursorIn(response.headers.get('Link')),
        total: Number(response.headers.get('X-Total-Count') ?? rows.length),
        places: places === null ? null : Number(places),
      }
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnReconnect: ({ state: { error } }) => (error ? 'always' : false),
    placeholderData: (before) => before,
  })

/** The rows that the server finds, searched, filtered and ordered by it. */
export const foundQuery = (filters: Filters) => listQuery(filters, FIRST_ROWS)

export const NEWEST_ROWS = 5
/** The rows of the library on the dashboard. */
export const newestQuery = listQuery(unfiltered, NEWEST_ROWS)

/** The speakers of all recordings, by the names they were given. */
export const speakersQuery = queryOptions({
  ...queryOf(listSpeakers),
  staleTime: 60_000,
})

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
  const rows = once(pages)
  const rank = ({ status }: Row) => (isWorking(status) ? 0 : isUnconfirmed(status) ? 1 : 2)
  return rows.sort((a, b) => rank(a) - rank(b))
}

/** Each row once, in the order of the pages. */
export const once = <Row extends Pick<TranscriptionRow, 'id'>>(pages: Row[][]): Row[] => [
  ...new Map(pages.flat().map((row) => [row.id, row])).values(),
]
