import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
} from '@tanstack/react-query'

import { addressOf } from '#shared/call.ts'
import { getUser } from '#shared/visitor.ts'

import { loader, sessionEnds } from './api.ts'

/**
 * What is loaded for the first time while something changes may be answered from before the change. The
 * library takes that answer for the new one, so here it is asked for once more.
 */
class Client extends QueryClient {
  override async invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options?: InvalidateOptions,
  ): Promise<void> {
    const onTheWay = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    await super.invalidateQueries(filters, options)
    if (filters.refetchType === 'none') return
    await Promise.all(
      onTheWay.map(async ({ queryKey }) => super.invalidateQueries({ queryKey, exact: true })),
    )
  }
}

/** Data is loaded once and again only when the code asks: no retries, no refetch on focus. */
export function newQueryClient(): QueryClient {
  const client = new Client({
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
