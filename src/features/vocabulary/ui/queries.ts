import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { ApiError, call, get, sentenceOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import type { SetVocabulary, Vocabulary } from '../contract.ts'

const path = '/api/vocabulary'

export const vocabularyQuery = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => get<Vocabulary>(path, signal),
  // A replacement is remembered elsewhere, and uses are counted by jobs.
  staleTime: 0,
})

/** Saves a change of the vocabulary that is shown. What fails is not shown, and can be tried again. */
export function useSave() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    scope: { id: path },
    mutationFn: (wanted: SetVocabulary) => {
      const { revision } = client.getQueryData<Vocabulary>([path]) ?? {}
      return call<Vocabulary>('PUT', path, { body: { ...wanted, revision } })
    },
    onSuccess: (saved) => client.setQueryData<Vocabulary>([path], saved),
    onError: (error, wanted) => {
      const isChanged = error instanceof ApiError && error.code === 'edited_elsewhere'
      if (isChanged) void client.invalidateQueries({ queryKey: [path] })
      toast({
        title: 'Not saved. Your change was undone.',
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
        ...(isChanged ? {} : { action: { label: 'Try again', onPress: () => mutate(wanted) } }),
      })
    },
  })
  return { save: mutate, isPending }
}
