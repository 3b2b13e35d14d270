/** The queries of a result, which may start before the code of its screen is there. */
import { queryOptions } from '@tanstack/react-query'

import type { Peaks } from '#features/recordings/contract.ts'
import { pathOf } from '#features/recordings/ui/queries.ts'
import { get } from '#web/api.ts'

import type { Again, EngineAccuracy, Words } from '../contract.ts'

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

export const againKey = (id: string) => [`${pathOf(id)}/again`] as const

/** What the dialog begins with, and what the last time left to decide. */
export const againQuery = (id: string) =>
  queryOptions({
    queryKey: againKey(id),
    queryFn: ({ signal }) => get<Again>(againKey(id)[0], signal),
    // Corrections are made meanwhile, and other dialogs spend credits.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

export const peaksQuery = (id: string) =>
  queryOptions({
    queryKey: [`${pathOf(id)}/peaks`],
    queryFn: ({ signal }) => get<Peaks>(`${pathOf(id)}/peaks`, signal),
  })

export const accuracyKey = ['/api/accuracy'] as const

export const accuracyQuery = queryOptions({
  queryKey: accuracyKey,
  queryFn: ({ signal }) => get<EngineAccuracy[]>(accuracyKey[0], signal),
  staleTime: 0,
})
