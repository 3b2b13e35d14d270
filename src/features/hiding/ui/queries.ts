import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { ask, queryOf } from '#web/api.ts'

import { findWords, hideWords, listHidden } from '../calls.ts'
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
    mutationFn: (body: Order) => ask(hideWords, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries(),
  })
}
