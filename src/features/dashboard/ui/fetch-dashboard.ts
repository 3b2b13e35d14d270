import type { QueryClient } from '@tanstack/react-query'
import { lazy } from 'react'

import { fetchResult } from '#features/result/ui/fetch-result.ts'
import { loadAgain } from '#web/load-again.ts'

/** The dashboard without the result that may be open on its path: each is loaded without the other. */
const loadDashboard = () => import('./dashboard.tsx').catch(loadAgain)

export const Dashboard = lazy(async () => ({ default: (await loadDashboard()).Dashboard }))

/**
 * Fetches what an address of the dashboard names, beside the code of its page and not after it. For a
 * result nobody waits: the page shows that it is coming.
 */
export async function fetchDashboard(client: QueryClient, search: string): Promise<void> {
  const id = new URLSearchParams(search).get('t')
  if (id === null) await (await loadDashboard()).beforeDashboard(client)
  else void fetchResult(client, id)
}
