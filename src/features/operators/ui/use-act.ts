import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { ApiError } from '#web/api.ts'
import { randomId } from '#web/random-id.ts'

import { OPERATIONS } from './queries.ts'

/**
 * One act of an operator. A press that fails and is repeated with the same values is the same act for
 * the server. Acts on credits and blocks may be asked for the password: `password` is then its field,
 * and its text is sent along.
 */
export function useAct<Values extends object = object>(
  send: (body: Values & { id: string; password?: string }) => Promise<unknown>,
  { onDone }: { onDone?: (values: Values) => void } = {},
) {
  const queryClient = useQueryClient()
  const last = useRef<{ id: string; asked: string }>(null)
  const [password, setPassword] = useState('')
  const [isAsked, setAsked] = useState(false)
  const act = useMutation({
    mutationFn: (values: Values) => {
      const asked = JSON.stringify(values)
      if (last.current?.asked !== asked) last.current = { id: randomId(), asked }
      return send({ ...values, id: last.current.id, ...(isAsked ? { password } : {}) })
    },
    onSuccess: (_answer, values) => {
      last.current = null
      setAsked(false)
      setPassword('')
      void queryClient.invalidateQueries({ queryKey: [OPERATIONS] })
      onDone?.(values)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'password_again') setAsked(true)
    },
  })
  const isOnlyAsked = act.error instanceof ApiError && act.error.code === 'password_again'
  return {
    act: act.mutate,
    isPending: act.isPending,
    isDone: act.isSuccess,
    /** Nothing is wrong while the password is only asked for. */
    error: isOnlyAsked ? null : act.error,
    password: isAsked ? { value: password, set: setPassword } : null,
  }
}
