import { queryOptions } from '@tanstack/react-query'

import { get } from '#web/api.ts'

import type { Account, ActivityEntry, DataSize, SessionRow } from '../contract.ts'
import { pagesOf } from './pages.ts'

// All keys begin alike, so that a change of the account has all of it read again.
export const accountQuery = queryOptions({
  queryKey: ['/api/account', 'whole'],
  queryFn: ({ signal }) => get<Account>('/api/account', signal),
  // A link in a mail or another device may have changed it since this page was last open.
  staleTime: 0,
})

export const sessionsQuery = queryOptions({
  queryKey: ['/api/account', 'sessions'],
  queryFn: ({ signal }) => get<SessionRow[]>('/api/account/sessions', signal),
  staleTime: 0,
})

export const activityQuery = pagesOf({
  key: ['/api/account', 'activity'],
  path: '/api/account/activity',
  // A page that is not full is the last one.
  next: (page: ActivityEntry[]) => (page.length < 50 ? null : page.at(-1)?.id),
})

export const dataQuery = queryOptions({
  queryKey: ['/api/account', 'data'],
  queryFn: ({ signal }) => get<DataSize>('/api/account/data', signal),
  staleTime: 0,
})
