/** Orders documents, and free tries of those that failed. A result is loaded without this file. */
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import { ask } from '#web/api.ts'

import { createDocument, retryDocument } from '../calls.ts'
import type { OrderDocument } from '../contract.ts'
import { documentsQuery } from './queries.ts'

/** A document of a finished transcription, for one credit. */
export function useOrderDocument(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: OrderDocument) => ask(createDocument, { params: { id }, body: order }),
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
    mutationFn: (documentId: string) => ask(retryDocument, { params: { id, documentId } }),
    onSuccess: (again) => {
      client.setQueryData(documentsQuery(id).queryKey, (all) =>
        all?.map((one) => (one.id === again.id ? again : one)),
      )
    },
    onError: () => client.invalidateQueries({ queryKey: documentsQuery(id).queryKey }),
  })
}
