import { expect, test } from 'vitest'

import { newQueryClient } from './query-client.ts'

test('data is loaded once: no retries, no rhythm, no refetch on focus, never stale', () => {
  expect(newQueryClient().getDefaultOptions()).toMatchObject({
    queries: {
      retry: false,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
    mutations: { retry: false },
  })
})
