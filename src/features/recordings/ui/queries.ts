/** What the browser asks about recordings, and by which keys transcriptions are kept. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import { ApiError, get } from '#web/api.ts'

import type { Engines } from '../contract.ts'
import { localDuration } from './local-duration.ts'

export const userKey = userQuery.queryKey

export const listKey = ['/api/transcriptions'] as const

export const oneKey = (id: string) => [pathOf(id)] as const

export const pathOf = (id: string) => `/api/transcriptions/${encodeURIComponent(id)}`

/** What this server works with; it stays so while the page is open. */
export const enginesQuery = queryOptions({
  queryKey: ['/api/engines'],
  queryFn: ({ signal }) => get<Engines>('/api/engines', signal),
})

/** Length of a file of this device, read once. */
export const localDurationQuery = (file: File) =>
  queryOptions({
    queryKey: ['local duration', file.name, file.size, file.lastModified],
    queryFn: () => localDuration(file),
  })

/** "Not there" and "not yours" are one answer, and asking again will not change it. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function setAvailable(client: QueryClient, credits: number): void {
  client.setQueryData(userKey, (user) => user && { ...user, credits })
}

export function refreshUserAndList(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: userKey })
  void client.invalidateQueries({ queryKey: listKey })
}

/** The balance does not reach: buying credits helps, trying again does not. */
export const needsCredits = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 402
