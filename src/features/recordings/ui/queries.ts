/** The queries about recordings, and the keys by which transcriptions are kept. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import { addressOf } from '#shared/call.ts'
import { ApiError, queryOf } from '#web/api.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import { getEngines, getOptions, getStatus } from '../calls.ts'
import { originOf } from './recording/origin.ts'

export const userKey = userQuery.queryKey

/** What lies in this browser and was not transcribed. */
export const shelfKey = ['recordings left behind'] as const

export const listKey = ['/api/transcriptions'] as const

export const oneKey = (id: string) => [addressOf(getStatus, { params: { id } })] as const

const FETCHING_MS = 5_000

/** The engines of this server. They stay the same, unless a better model is on its way. */
export const enginesQuery = queryOptions({
  ...queryOf(getEngines),
  refetchInterval: ({ state }) => (state.data?.speech.fetching ? FETCHING_MS : false),
})

/** The options that the last recording came with. */
export const optionsQuery = queryOptions(queryOf(getOptions))

/** Length of a file of this device, read once. */
export const localDurationQuery = (file: File) =>
  queryOptions({
    queryKey: ['local duration', file.name, file.size, file.lastModified],
    // The recorder has counted what its file does not say.
    queryFn: () => originOf(file)?.seconds ?? localDuration(file),
  })

/** "Not there" and "not yours" are one answer, and asking again will not change it. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function setAvailable(client: QueryClient, credits: number): void {
  client.setQueryData(userKey, (user) => user && { ...user, credits })
}

export function refreshUserAndList(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: userKey })
  void client.invalidateQueries({ queryKey: listKey })
  // What was cancelled there is offered here again.
  void client.invalidateQueries({ queryKey: shelfKey })
}

/** The balance does not reach: buying credits helps, trying again does not. */
export const needsCredits = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 402

/** The sound of a film, which is what is measured, may end before its picture does. */
export const isLengthSure = (file: Blob): boolean => !file.type.startsWith('video/')

/**
 * Length of a file on this device in whole seconds, read by a media element before anything is
 * sent. Null when the browser cannot tell: an unknown codec, or a recording without a length.
 */
function localDuration(file: Blob): Promise<number | null> {
  const { promise, resolve } = withResolvers<number | null>()
  const url = URL.createObjectURL(file)
  const media = document.createElement('video')
  const answer = (seconds: number | null) => {
    clearTimeout(timer)
    media.removeAttribute('src')
    URL.revokeObjectURL(url)
    resolve(seconds)
  }
  const timer = setTimeout(() => answer(null), 8_000)
  media.preload = 'metadata'
  media.muted = true
  media.addEventListener('error', () => answer(null), { once: true })
  media.addEventListener(
    'loadedmetadata',
    () => answer(Number.isFinite(media.duration) ? Math.floor(media.duration) : null),
    { once: true },
  )
  media.src = url
  return promise
}
