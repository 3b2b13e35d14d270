import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { ApiError, ask, queryOf, sentenceOf } from '#web/api.ts'
import { capabilitiesQuery } from '#web/capabilities.ts'
import { toast } from '#web/ui/toast.tsx'

import { getVocabulary, setVocabulary } from '../calls.ts'
import type { SetVocabulary } from '../contract.ts'
import { withTerms } from './term-list.ts'

export const vocabularyQuery = queryOptions({
  ...queryOf(getVocabulary),
  // A replacement is remembered elsewhere, and uses are counted by jobs.
  staleTime: 0,
})

/**
 * Saves a change of the vocabulary that is shown. A change that fails is undone, and can be tried
 * again.
 */
export function useSave() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    scope: { id: setVocabulary.path },
    mutationFn: (wanted: SetVocabulary) => {
      const { revision } = client.getQueryData(vocabularyQuery.queryKey) ?? {}
      return ask(setVocabulary, { body: { ...wanted, revision } })
    },
    onSuccess: (saved) => client.setQueryData(vocabularyQuery.queryKey, saved),
    onError: (error, wanted) => {
      const isChanged = error instanceof ApiError && error.code === 'edited_elsewhere'
      if (isChanged) void client.invalidateQueries({ queryKey: vocabularyQuery.queryKey })
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

/** Adds a term from where it was read, and says so. */
export function useAddTerm(): (term: string) => Promise<void> {
  const client = useQueryClient()
  const { save } = useSave()
  return async (term) => {
    const known = await client.fetchQuery(vocabularyQuery)
    const isExpected = (await client.fetchQuery(capabilitiesQuery)).terms
    const { added, left, terms } = withTerms(known.terms, [term])
    const tell = () =>
      toast({
        title: left > 0 ? 'Too long for the vocabulary' : `“${term}” is in your vocabulary`,
        description:
          left > 0
            ? 'Nothing was added.'
            : isExpected
              ? 'Later recordings are read with it.'
              : 'The recognizer of this server cannot expect it. Say under Account, Vocabulary how it is misheard.',
      })
    if (added === 1) save({ terms }, { onSuccess: tell })
    else tell()
  }
}
