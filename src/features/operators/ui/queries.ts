import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { pagesOf } from '#features/account/ui/pages.ts'
import { get } from '#web/api.ts'

import type {
  CreditRows,
  Invitation,
  Job,
  LetterPage,
  LogPage,
  Overview,
  ServerFacts,
  UserFacts,
  UserPage,
} from '../contract.ts'

/** How often the page reads anew what changes by itself. */
export const EVERY_MS = 15_000

/** All that operators see begins with this, so that an act has all of it read again. */
export const OPERATIONS = '/api/admin'

export const overviewQuery = queryOptions({
  queryKey: [OPERATIONS, 'overview'],
  queryFn: ({ signal }) => get<Overview>('/api/admin', signal),
  refetchInterval: EVERY_MS,
  staleTime: 0,
})

export type JobFilter = Job['state'] | 'all'
export const jobsQuery = (state: JobFilter) =>
  queryOptions({
    queryKey: [OPERATIONS, 'jobs', state],
    queryFn: ({ signal }) =>
      get<Job[]>(`/api/admin/jobs${state === 'all' ? '' : `?state=${state}`}`, signal),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  })

export const usersQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [OPERATIONS, 'users', q],
    queryFn: ({ signal, pageParam }) =>
      get<UserPage>(
        `/api/admin/users?${new URLSearchParams({ q, page: String(pageParam) })}`,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, _pages, page) => (hasMore ? page + 1 : undefined),
    staleTime: 0,
  })

export const lettersQuery = pagesOf({
  key: [OPERATIONS, 'letters'],
  path: '/api/admin/letters',
  next: ({ letters, hasMore }: LetterPage) => (hasMore ? letters.at(-1)?.at : null),
})

export const invitationsQuery = queryOptions({
  queryKey: [OPERATIONS, 'invitations'],
  queryFn: ({ signal }) => get<Invitation[]>('/api/admin/invitations', signal),
  staleTime: 0,
})

export const userFactsQuery = (id: string) =>
  queryOptions({
    queryKey: [OPERATIONS, 'user', id],
    queryFn: ({ signal }) => get<UserFacts>(`/api/admin/users/${encodeURIComponent(id)}`, signal),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  })

export const userCreditsQuery = (id: string) =>
  pagesOf({
    key: [OPERATIONS, 'credits', id],
    path: `/api/admin/users/${encodeURIComponent(id)}/credits`,
    next: ({ next }: CreditRows) => next,
  })

export const logQuery = pagesOf({
  key: [OPERATIONS, 'log'],
  path: '/api/admin/log',
  next: ({ next }: LogPage) => next,
})

export const serverQuery = queryOptions({
  queryKey: [OPERATIONS, 'server'],
  queryFn: ({ signal }) => get<ServerFacts>('/api/admin/server', signal),
  refetchInterval: EVERY_MS,
  staleTime: 0,
})
