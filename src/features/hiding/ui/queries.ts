import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { removeRender } from '#features/cuts/calls.ts'
import { ask, queryOf } from '#web/api.ts'
import { loadVeil } from '#web/ui/with-bars.tsx'

import { findWords, hideWords, listHidden, putBack } from '../calls.ts'
import type { HiddenList } from '../contract.ts'

const REFRESH_MS = 2_000

const isMaking = (list: HiddenList | undefined): boolean =>
  list?.hidden.some(({ sound }) => sound === 'making') === true

/** What was hidden. Asked again every two seconds while the sound is written. */
export const hiddenQuery = (id: string) =>
  queryOptions({
    ...queryOf(listHidden, { params: { id } }),
    refetchInterval: ({ state: { data } }: { state: { data: HiddenList | undefined } }) =>
      isMaking(data) ? REFRESH_MS : false,
  })

/** Where these words are. Nothing of it is kept in the browser once it is not looked at. */
export const foundQuery = (id: string, words: readonly string[]) =>
  queryOptions({
    queryKey: [findWords.path, id, ...words],
    queryFn: ({ signal }) =>
      ask(findWords, { params: { id }, body: { words: [...words] }, signal }),
    enabled: words.length > 0,
    retry: false,
    gcTime: 0,
  })

type Order = Omit<Parameters<typeof ask<typeof hideWords>>[1] & object, 'params'>['body']

/** All that the browser knows of the recording has the words, so all of it is asked for anew. */
export function useHide(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Order) => {
      // The page needs it at once.
      if (body.for === 'others') await loadVeil()
      return ask(hideWords, { params: { id }, body })
    },
    onSuccess: () => client.invalidateQueries(),
  })
}

/** What was hidden for others is there again for all. */
export function usePutBack(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (hiddenId: string) => ask(putBack, { params: { id, hiddenId } }),
    onSuccess: () => client.invalidateQueries(),
  })
}

/** One after the other: those that are gone are not asked for again. */
export function useDeleteFiles(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (files: readonly string[]) => {
      for (const renderId of files) await ask(removeRender, { params: { id, renderId } })
    },
    onSettled: () => client.invalidateQueries(),
  })
}
