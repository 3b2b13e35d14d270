/** The queries of a result, which may start before the code of its screen is there. */
import { queryOptions } from '@tanstack/react-query'

import { getPeaks } from '#features/recordings/calls.ts'
import { addressOf } from '#shared/call.ts'
import { ask, queryOf } from '#web/api.ts'

import { getWords, readAccuracy } from '../calls.ts'

export const wordsKey = (id: string) => [addressOf(getWords, { params: { id } })] as const

export const wordsQuery = (id: string) =>
  queryOptions({
    queryKey: wordsKey(id),
    queryFn: async ({ client, signal }) => {
      const shownAt = () => client.getQueryState(wordsKey(id))?.dataUpdatedAt
      for (;;) {
        const before = shownAt()
        const words = await ask(getWords, { params: { id }, signal })
        // A change of this tab that was stored meanwhile is newer than what was read.
        if (shownAt() === before) return words
      }
    },
    // The text may have been corrected, or made anew, on another device.
    refetchOnWindowFocus: 'always',
  })

export const peaksQuery = (id: string) => queryOptions(queryOf(getPeaks, { params: { id } }))

export const accuracyQuery = queryOptions({ ...queryOf(readAccuracy), staleTime: 0 })
