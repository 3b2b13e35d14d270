/** The queries and changes of an account's own types of documents. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { ask, queryOf } from '#web/api.ts'

import {
  changeDocumentTemplate,
  createDocumentTemplate,
  deleteDocumentTemplate,
  listDocumentTemplates,
  tryDocumentTemplate,
} from '../calls.ts'
import type { DocumentTemplate, TryTemplate, WriteTemplate } from '../contract.ts'
import { documentTypesQuery } from './queries.ts'

export const templatesQuery = queryOptions(queryOf(listDocumentTemplates))

/** Saves a new type, or one that is there already. */
export function useSaveTemplate(id: string | null) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (wanted: WriteTemplate) =>
      id === null
        ? ask(createDocumentTemplate, { body: wanted })
        : ask(changeDocumentTemplate, { params: { id }, body: wanted }),
    onSettled: refresh,
  })
}

export function useDeleteTemplate() {
  const client = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<DocumentTemplate, 'id'>) =>
      ask(deleteDocumentTemplate, { params: { id } }),
    onSuccess: (left) => client.setQueryData(templatesQuery.queryKey, left),
    onSettled: refresh,
  })
}

function useRefresh() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
      client.invalidateQueries({ queryKey: documentTypesQuery.queryKey }),
    ])
}

/** Has a type tried on the sample. Leaving the page stops the trial. */
export function useTrial() {
  const client = useQueryClient()
  const running = useRef<AbortController>(null)
  const { mutate, reset, ...trial } = useMutation({
    mutationFn: (wanted: TryTemplate) => {
      running.current = new AbortController()
      const { signal } = running.current
      return ask(tryDocumentTemplate, { body: wanted, signal })
    },
    onSettled: () => client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  })
  useEffect(() => () => running.current?.abort(), [])
  return {
    ...trial,
    begin: mutate,
    stop: () => {
      running.current?.abort()
      reset()
    },
  }
}
