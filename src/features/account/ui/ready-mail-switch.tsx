import { useMutation, useQueryClient } from '@tanstack/react-query'

import { ask } from '#web/api.ts'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'

import { setReadyMail } from '../calls.ts'
import type { SetReadyMail } from '../contract.ts'
import { accountQuery } from './account-queries.ts'

/** Saves at once; what could not be saved is as before. */
export function ReadyMailSwitch({ isOn }: { isOn: boolean }) {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (body: SetReadyMail) => ask(setReadyMail, { body }),
    onSuccess: () => queryClient.invalidateQueries(accountQuery),
    onError: (_, body) =>
      toast({
        variant: 'destructive',
        title: 'Not saved. Your change was undone.',
        action: { label: 'Try again', onPress: () => save.mutate(body) },
      }),
  })
  return (
    <Switch
      label="Mail me when long work is done"
      checked={save.isPending ? save.variables.isOn : isOn}
      onChange={(checked) => save.mutate({ isOn: checked })}
      className="mt-3 max-w-[30rem]"
    />
  )
}
