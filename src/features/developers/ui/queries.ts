import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { pagesOf } from '#features/account/ui/pages.ts'
import { queryOf } from '#web/api.ts'

import { listDeliveries, listKeys, listWebhooks } from '../calls.ts'
import type { Delivery } from '../contract.ts'

export const keysQuery = queryOptions({
  ...queryOf(listKeys),
  // Programs use keys while nobody looks.
  staleTime: 0,
})

export const webhooksQuery = queryOptions({
  ...queryOf(listWebhooks),
  staleTime: 0,
})

const PAGE = 50
/** How often the log is read while a message is on its way. */
const LOOK_MS = 2_000
const SOON_MS = 30_000
const isSoon = ({ status, nextTryAt }: Delivery): boolean =>
  status === 'waiting' && nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + SOON_MS

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    ...pagesOf({
      key: [...webhooksQuery.queryKey, id, 'deliveries'],
      call: listDeliveries,
      params: { id },
      next: (page) => (page.length < PAGE ? null : page.at(-1)?.id),
    }),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isSoon) ? LOOK_MS : false),
  })
