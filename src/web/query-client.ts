import { QueryClient } from '@tanstack/react-query'

import { addressOf } from '#shared/call.ts'
import { getUser } from '#shared/visitor.ts'

import { loader, sessionEnds } from './api.ts'

/** Data is loaded once and again only when the code asks: no retries, no refetch on focus. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: loader(),
        retry: false,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        // Without a network a call fails at once. By default it would wait silently.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const user = { queryKey: [addressOf(getUser)] }
  // When the session ends while a page is open, the user is asked for again, so that every part
  // that shows one changes. Not when that very question found it out.
  sessionEnds.addEventListener('end', () => {
    if (client.isFetching(user) === 0) void client.invalidateQueries(user)
  })
  return client
}
