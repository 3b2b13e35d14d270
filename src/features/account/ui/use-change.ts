import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

import { toast } from '#web/ui/toast.tsx'

import { ACCOUNT } from './account-queries.ts'
import { userQuery } from './queries.ts'

interface Afterwards<Answer> {
  says?: string | ((answer: Answer) => string)
  onDone?: (answer: Answer) => void
}

/**
 * A change, after which the queries that show it are read again. The part that asked shows its failure.
 */
export function useChange<Answer, Body = void>(
  change: (body: Body) => Promise<Answer>,
  {
    reads,
    says,
    onDone,
  }: Afterwards<Answer> & {
    /** The queries that are read again afterwards, by how their keys begin. */
    reads: readonly QueryKey[]
  },
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      if (says !== undefined) toast({ title: typeof says === 'string' ? says : says(answer) })
      for (const queryKey of reads) void queryClient.invalidateQueries({ queryKey })
      onDone?.(answer)
    },
  })
}

/** The queries that are read again after a change to the account. */
export const ofAccount = [ACCOUNT, userQuery.queryKey]

/** A change to the account, whose toast is the message of the server. */
export function useAccountChange<Answer extends { message: string }, Body = void>(
  change: (body: Body) => Promise<Answer>,
  afterwards: Afterwards<Answer> = {},
) {
  return useChange(change, {
    reads: ofAccount,
    says: ({ message }) => message,
    ...afterwards,
  })
}
