import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { pagesOf } from '#features/account/ui/pages.ts'
import { addressOf } from '#shared/call.ts'
import { ask } from '#web/api.ts'

import {
  listCredits,
  listInvitations,
  listJobs,
  listLetters,
  readLog,
  readOverview,
  readServer,
  readUser,
  searchUsers,
} from '../calls.ts'
import type { Job } from '../contract.ts'

/** How often the page reads anew what changes by itself. */
export const EVERY_MS = 15_000

/** All that operators see begins with this, so that an act has all of it read again. */
export const OPERATIONS = addressOf(readOverview)

export const overviewQuery = queryOptions({
  queryKey: [OPERATIONS, 'overview'],
  queryFn: ({ signal }) => ask(readOverview, { signal }),
  refetchInterval: EVERY_MS,
  staleTime: 0,
})

export type JobFilter = Job['state'] | 'all'
export const jobsQuery = (state: JobFilter) =>
  queryOptions({
    queryKey: [OPERATIONS, 'jobs', state],
    queryFn: ({ signal }) => ask(listJobs, { query: state === 'all' ? {} : { state }, signal }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  })

export const usersQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [OPERATIONS, 'users', q],
    queryFn: ({ signal, pageParam }) => ask(searchUsers, { query: { q, page: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, _pages, page) => (hasMore ? page + 1 : undefined),
    staleTime: 0,
  })

export const lettersQuery = pagesOf({
  key: [OPERATIONS, 'letters'],
  call: listLetters,
  next: ({ letters, hasMore }) => (hasMore ? letters.at(-1)?.at : null),
})

export const invitationsQuery = queryOptions({
  queryKey: [OPERATIONS, 'invitations'],
  queryFn: ({ signal }) => ask(listInvitations, { signal }),
  staleTime: 0,
})

export const userFactsQuery = (id: string) =>
  queryOptions({
    queryKey: [OPERATIONS, 'user', id],
    queryFn: ({ signal }) => ask(readUser, { params: { id }, signal }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
  })

export const userCreditsQuery = (id: string) =>
  pagesOf({
    key: [OPERATIONS, 'credits', id],
    call: listCredits,
    params: { id },
    next: ({ next }) => next,
  })

export const logQuery = pagesOf({
  key: [OPERATIONS, 'log'],
  call: readLog,
  next: ({ next }) => next,
})

export const serverQuery = queryOptions({
  queryKey: [OPERATIONS, 'server'],
  queryFn: ({ signal }) => ask(readServer, { signal }),
  refetchInterval: EVERY_MS,
  staleTime: 0,
})
