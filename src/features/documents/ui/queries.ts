/** The queries for documents and their types. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { User } from '#features/account/contract.ts'
import { userQuery } from '#features/account/ui/queries.ts'
import { addressOf } from '#shared/call.ts'
import { ask, queryOf } from '#web/api.ts'

import { listDocumentTypes, listDocuments } from '../calls.ts'
import type { GeneratedDocument } from '../contract.ts'

const REFRESH_MS = 3_000
const AFTER_COMPLETION_MS = 1_000

/** Plans that documents are part of. Others do not see them, and nothing is asked for them. */
export const hasDocuments = (user: Pick<User, 'planType'> | null | undefined): boolean =>
  user?.planType === 'professional' || user?.planType === 'enterprise'

export const documentTypesQuery = queryOptions(queryOf(listDocumentTypes))

const inWriting = (all: readonly GeneratedDocument[] = []): number =>
  all.filter(({ status }) => status === 'generating').length

/** Newest first. Asked again every three seconds while one of them is being written. */
export const documentsQuery = (id: string) =>
  queryOptions({
    queryKey: [addressOf(listDocuments, { params: { id } })],
    queryFn: async ({ client, queryKey, signal }) => {
      const before = inWriting(client.getQueryData(queryKey))
      const now = await ask(listDocuments, { params: { id }, signal })
      // The credit of one that failed has come back.
      if (inWriting(now) < before) void client.invalidateQueries(userQuery)
      return now
    },
    refetchInterval: ({ state: { data } }) => (inWriting(data) > 0 ? REFRESH_MS : false),
  })

/**
 * Looks after the documents of the result that is open, whichever of its tabs is: the list is asked for,
 * and asked again while one is being written, and a second after the transcription was completed
 * before the reader's eyes. Nothing is asked where the plan has no documents.
 */
export function useDocumentsOf(
  id: string,
  { isOffered, isFresh }: { isOffered: boolean; isFresh: boolean },
): void {
  const { refetch } = useQuery({ ...documentsQuery(id), enabled: isOffered })
  useEffect(() => {
    if (!isOffered || !isFresh) return
    const timer = setTimeout(() => void refetch(), AFTER_COMPLETION_MS)
    return () => clearTimeout(timer)
  }, [refetch, isOffered, isFresh])
}
