/** The queries of a result, which may start before the code of its screen is there. */
import { queryOptions } from '@tanstack/react-query'

import { getPeaks } from '#features/recordings/calls.ts'
import { pathOf } from '#features/recordings/ui/queries.ts'
import { get, queryOf } from '#web/api.ts'

import type { EngineAccuracy, Words } from '../contract.ts'

export const wordsKey = (id: string) => [`${pathOf(id)}/words`] as const

export const wordsQuery = (id: string) =>
  queryOptions({
    queryKey: wordsKey(id),
    queryFn: async ({ client, signal }) => {
      const shownAt = () => client.getQueryState(wordsKey(id))?.dataUpdatedAt
      for (;;) {
        const before = shownAt()
        const words = await get<Words>(wordsKey(id)[0], signal)
        // A change of this tab that was stored meanwhile is newer than what was read.
        if (shownAt() === before) return words
      }
    },
    // The text may have been corrected, or made anew, on another device.
    refetchOnWindowFocus: 'always',
  })

export const peaksQuery = (id: string) => queryOptions(queryOf(getPeaks, { params: { id } }))

export const accuracyKey = ['/api/accuracy'] as const

export const accuracyQuery = queryOptions({
  queryKey: accuracyKey,
  queryFn: ({ signal }) => get<EngineAccuracy[]>(accuracyKey[0], signal),
  staleTime: 0,
})
