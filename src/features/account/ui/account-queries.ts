import { queryOptions } from '@tanstack/react-query'

import { addressOf } from '#shared/call.ts'
import { ask } from '#web/api.ts'

import { listActivity, listSessions, readAccount, readDataSize } from '../calls.ts'
import { pagesOf } from './pages.ts'

/** All keys of the account begin with this, so that a change of it has all of it read again. */
export const ACCOUNT = [addressOf(readAccount)]

export const accountQuery = queryOptions({
  queryKey: [...ACCOUNT, 'whole'],
  queryFn: ({ signal }) => ask(readAccount, { signal }),
  // A link in a mail or another device may have changed it since this page was last open.
  staleTime: 0,
})

export const sessionsQuery = queryOptions({
  queryKey: [...ACCOUNT, 'sessions'],
  queryFn: ({ signal }) => ask(listSessions, { signal }),
  staleTime: 0,
})

export const activityQuery = pagesOf({
  key: [...ACCOUNT, 'activity'],
  call: listActivity,
  // A page that is not full is the last one.
  next: (page) => (page.length < 50 ? null : page.at(-1)?.id),
})

export const dataQuery = queryOptions({
  queryKey: [...ACCOUNT, 'data'],
  queryFn: ({ signal }) => ask(readDataSize, { signal }),
  staleTime: 0,
})
