import { QueryClient } from '@tanstack/react-query'

import { loader, sessionEnds } from './api.ts'

/** Data is loaded once and renewed when we say so: no retries, no refetch on focus, never stale. */
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
        // Without a network a call fails and says so, instead of waiting without a word.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const user = { queryKey: ['/api/user'] }
  // Whoever shows a user has to hear that the session ended while the page was open. The question
  // who is there may be what found it out, and is not asked again for that.
  sessionEnds.addEventListener('end', () => {
    if (client.isFetching(user) === 0) void client.invalidateQueries(user)
  })
  return client
}
