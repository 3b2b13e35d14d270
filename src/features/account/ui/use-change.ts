import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** What is read again afterwards, by the first part of its key. */
  reads: readonly string[]
}

interface Afterwards<Answer> {
  says?: string | ((answer: Answer) => string)
  onDone?: (answer: Answer) => void
}

/** A change, after which whatever shows it is read again. Its failure is said where it was asked. */
export function useChange<Answer, Body = void>(
  { method, path, reads }: Change,
  { says, onDone }: Afterwards<Answer> = {},
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) =>
      call<Answer>(method, path, typeof body === 'object' && body !== null ? { body } : {}),
    onSuccess: (answer) => {
      if (says !== undefined) toast({ title: typeof says === 'string' ? says : says(answer) })
      for (const key of reads) void queryClient.invalidateQueries({ queryKey: [key] })
      onDone?.(answer)
    },
  })
}

/** A change to the account, of which is said what the server says of it. */
export function useAccountChange<Body = void>(
  change: Omit<Change, 'reads'>,
  afterwards: Afterwards<{ message: string }> = {},
) {
  return useChange<{ message: string }, Body>(
    { ...change, reads: ['/api/account', '/api/user'] },
    { says: ({ message }) => message, ...afterwards },
  )
}
