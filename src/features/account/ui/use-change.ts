import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import { accountQuery, activityQuery, sessionsQuery } from './account-queries.ts'
import { userQuery } from './queries.ts'

type Method = 'POST' | 'PATCH' | 'DELETE'

/**
 * A change to the account: says what the server says about it, and has everything that shows the
 * account read it again. A failure is said by whoever asked, where they asked.
 */
export function useAccountChange<Values = void>(
  { method, path }: { method: Method; path: string | ((values: Values) => string) },
  { says, onDone }: { says?: string; onDone?: () => void } = {},
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (values: Values) =>
      call<{ message?: string }>(
        method,
        typeof path === 'string' ? path : path(values),
        typeof values === 'object' && values !== null ? { body: values } : {},
      ),
    onSuccess: ({ message }) => {
      toast({ title: says ?? message ?? 'Saved.' })
      for (const { queryKey } of [accountQuery, sessionsQuery, activityQuery, userQuery])
        void queryClient.invalidateQueries({ queryKey })
      onDone?.()
    },
  })
}
