import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { get } from '#web/api.ts'

import type { ApiKeys, Delivery, Webhook } from '../contract.ts'

export const keysQuery = queryOptions({
  queryKey: ['/api/keys'],
  queryFn: ({ signal }) => get<ApiKeys>('/api/keys', signal),
  // Programs use keys while nobody looks.
  staleTime: 0,
})

export const webhooksQuery = queryOptions({
  queryKey: ['/api/webhooks'],
  queryFn: ({ signal }) => get<Webhook[]>('/api/webhooks', signal),
  staleTime: 0,
})

const PAGE = 50
/** While something is on its way its result is worth waiting for. */
const LOOK_MS = 2_000
const SOON_MS = 30_000
const isSoon = ({ status, nextTryAt }: Delivery): boolean =>
  status === 'waiting' && nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + SOON_MS

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/webhooks', id, 'deliveries'],
    queryFn: ({ signal, pageParam }) =>
      get<Delivery[]>(
        `/api/webhooks/${id}/deliveries${pageParam === null ? '' : `?before=${pageParam}`}`,
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isSoon) ? LOOK_MS : false),
  })
