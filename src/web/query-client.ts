import { QueryCache, QueryClient } from '@tanstack/react-query'

import { ApiError, loader } from './api.ts'

/** Data is loaded once and renewed when we say so: no retries, no refetch on focus, never stale. */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        // The session ended while the page was open: whoever shows a user has to hear of it.
        if (error instanceof ApiError && error.code === 'not_signed_in')
          void client.invalidateQueries({ queryKey: ['/api/user'] })
      },
    }),
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
  return client
}
