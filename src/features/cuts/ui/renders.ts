/** The files that are made of a recording without its cuts. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'

import { addressOf } from '#shared/call.ts'
import { ask, queryOf } from '#web/api.ts'

import { getRenderFile, listRenders, orderRender, removeRender } from '../calls.ts'
import type { OrderRender, Render, Renders } from '../contract.ts'
import { cutsQuery } from './queries.ts'

const REFRESH_MS = 2_000

const isMaking = ({ status }: Render): boolean => status === 'making'

/** Asked again every two seconds while one of them is being made. */
export const rendersQuery = (id: string) =>
  queryOptions({
    ...queryOf(listRenders, { params: { id } }),
    refetchInterval: ({ state: { data } }: { state: { data: Renders | undefined } }) =>
      data?.renders.some(isMaking) ? REFRESH_MS : false,
  })

/** The cuts say how many files there are. */
const filesChanged = (client: QueryClient, id: string) =>
  Promise.all(
    [rendersQuery(id), cutsQuery(id)].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
  )

export function useOrderRender(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof OrderRender>) => ask(orderRender, { params: { id }, body }),
    onSettled: () => filesChanged(client, id),
  })
}

export function useRemoveRender(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (renderId: string) => ask(removeRender, { params: { id, renderId } }),
    onSettled: () => filesChanged(client, id),
  })
}

/** Its address: to be saved, or to be heard in its place. */
export const fileOf = (
  { id: renderId, transcriptionId: id }: Render,
  { isSaved }: { isSaved: boolean },
): string =>
  addressOf(getRenderFile, { params: { id, renderId }, query: { download: isSaved ? '1' : '0' } })
