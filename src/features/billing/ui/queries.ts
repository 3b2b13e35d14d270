import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import type { PlanId } from '#shared/business.ts'
import { ask, queryOf } from '#web/api.ts'

import { listCredits, previewChange, readBilling, reportSuccess } from '../calls.ts'

export const billingQuery = queryOptions({
  ...queryOf(readBilling),
  // A plan also changes elsewhere: on the provider's page, and with time.
  staleTime: 0,
})

export const creditsQuery = infiniteQueryOptions({
  queryKey: [listCredits.path],
  queryFn: ({ pageParam, signal }) => ask(listCredits, { query: { before: pageParam }, signal }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

/** The cost of a change of plan, asked anew each time the dialog opens. */
export const previewQuery = (planId: PlanId) =>
  queryOptions({
    queryKey: [previewChange.path, planId],
    queryFn: () => ask(previewChange, { body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })

/** Asks the server to look for the payment; asking again shows the first answer and adds nothing. */
export const successQuery = (
  queryClient: QueryClient,
  { planId, sessionId }: { planId: PlanId; sessionId: string | null },
) =>
  queryOptions({
    queryKey: [reportSuccess.path, planId, sessionId],
    queryFn: async () => {
      const answer = await ask(reportSuccess, {
        body: { planId, ...(sessionId === null ? {} : { sessionId }) },
      })
      await refreshMoney(queryClient)
      return answer
    },
    gcTime: Number.POSITIVE_INFINITY,
  })

/** After anything that may have moved credits or changed the plan. */
export async function refreshMoney(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: userQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: billingQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: creditsQuery.queryKey }),
  ])
}
