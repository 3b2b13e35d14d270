import type { QueryClient } from '@tanstack/react-query'
import { lazy } from 'react'

import { cutsQuery } from '#features/cuts/ui/queries.ts'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import { loadAgain } from '#web/load-again.ts'

/** The screen of a result, which has the path of the dashboard and is loaded by itself. */
const loadView = () => import('./results-view.tsx').catch(loadAgain)

export const ResultsView = lazy(async () => ({ default: (await loadView()).ResultsView }))

/**
 * Fetches the screen of a result and its words before they are drawn. What fails is said there. Its cuts
 * come when they come.
 */
export async function fetchResult(client: QueryClient, id: string): Promise<void> {
  void client.prefetchQuery(cutsQuery(id))
  await Promise.allSettled([loadView(), client.prefetchQuery(wordsQuery(id))])
}
