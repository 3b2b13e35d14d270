import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import { call, get } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

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

interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** What is read again afterwards, by the first part of its key. */
  reads: '/api/keys' | '/api/webhooks'
}

/** A change, after which whatever shows it is read again. Its failure is said where it was asked. */
export function useChange<Answer, Body = void>(
  { method, path, reads }: Change,
  {
    says,
    onDone,
  }: { says?: string | ((answer: Answer) => string); onDone?: (answer: Answer) => void } = {},
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) =>
      call<Answer>(method, path, typeof body === 'object' && body !== null ? { body } : {}),
    onSuccess: (answer) => {
      if (says !== undefined) toast({ title: typeof says === 'string' ? says : says(answer) })
      void queryClient.invalidateQueries({ queryKey: [reads] })
      onDone?.(answer)
    },
  })
}
