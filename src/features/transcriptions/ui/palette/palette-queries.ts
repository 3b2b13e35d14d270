import { queryOptions } from '@tanstack/react-query'

import { listKey } from '#features/recordings/ui/queries.ts'
import { get } from '#web/api.ts'

import type { TranscriptionRow } from '../../contract.ts'

/** The server searches what was said too: enough rows that names are among them. */
const SEARCH_ROWS = 50
const RECENT_ROWS = 20

/** The newest recordings, or those that the library's own search finds. Asked again with every opening. */
export const namesQuery = (q: string) =>
  queryOptions({
    // Apart from the library's pages, whose rows are changed in place when one is deleted.
    queryKey: ['palette', q] as const,
    queryFn: ({ signal }) =>
      get<TranscriptionRow[]>(
        `${listKey[0]}?${new URLSearchParams(
          q === '' ? { limit: String(RECENT_ROWS) } : { limit: String(SEARCH_ROWS), q },
        )}`,
        signal,
      ),
    staleTime: 0,
    gcTime: 60_000,
  })
