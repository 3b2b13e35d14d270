/** What the browser asks the server to write. A result is loaded without it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import { post } from '#web/api.ts'

import type { GeneratedDocument, OrderDocument } from '../contract.ts'
import { documentsPath, documentsQuery } from './queries.ts'

/** A document of a finished transcription, for one credit. */
export function useOrderDocument(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: OrderDocument) => post<GeneratedDocument>(documentsPath(id), order),
    onSuccess: (ordered) => {
      client.setQueryData(documentsQuery(id).queryKey, (all) => [ordered, ...(all ?? [])])
      void client.invalidateQueries({ queryKey: userQuery.queryKey })
    },
  })
}

/** Starts a failed document again, without another charge. */
export function useRetryDocument(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (documentId: string) =>
      post<GeneratedDocument>(`${documentsPath(id)}/${documentId}/retry`),
    onSuccess: (again) => {
      client.setQueryData(documentsQuery(id).queryKey, (all) =>
        all?.map((one) => (one.id === again.id ? again : one)),
      )
    },
    onError: () => client.invalidateQueries({ queryKey: documentsQuery(id).queryKey }),
  })
}
