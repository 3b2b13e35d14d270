import type { QueryClient } from '@tanstack/react-query'

import { wordsQuery } from '#features/editor/ui/words-query.ts'

export const loadResults = () => import('#features/editor/ui/results-view.tsx')

/** Ahead of time: whether it can be had is found out when it is needed. */
export function fetchResultsCode(): void {
  loadResults().catch(() => undefined)
}

/** For a result that is being opened: its words come beside its text instead of after it. */
export function fetchWords(client: QueryClient, id: string): void {
  void client.prefetchQuery(wordsQuery(id))
}
