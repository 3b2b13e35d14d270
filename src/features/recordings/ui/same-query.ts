import { queryOptions } from '@tanstack/react-query'

import { ask } from '#web/api.ts'

import { findSame } from '../calls.ts'
import { originOf } from './recording/origin.ts'

/** More is not read for it: a phone would have it all in memory. Then name and size have to do. */
const MOST_HASHED_BYTES = 16 * 1024 * 1024

/** What the account has of this very file, before it is sent. */
export const sameQuery = (file: File) =>
  queryOptions({
    queryKey: ['same file', file.name, file.size, file.lastModified],
    queryFn: async ({ signal }) => {
      // A recording from here was never anywhere else.
      if (originOf(file)) return null
      const query = { name: file.name, sizeBytes: file.size, hash: await hashOf(file) }
      return (await ask(findSame, { query, signal })).sameAs
    },
    retry: false,
  })

async function hashOf(file: File): Promise<string | undefined> {
  // Browsers hash only on pages that came by https.
  if (file.size > MOST_HASHED_BYTES || !globalThis.isSecureContext) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
