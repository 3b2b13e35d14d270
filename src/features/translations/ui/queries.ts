/** Queries and changes of translations. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { userQuery } from '#features/account/ui/queries.ts'
import { addressOf } from '#shared/call.ts'
import { ask } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { languageName } from '#shared/format.ts'

import {
  deleteTranslation,
  getTranslation,
  listTranslations,
  orderTranslation,
  translateChanges,
} from '../calls.ts'
import type { Translation, TranslationLanguage } from '../contract.ts'

const POLL_MS = 2_000

/** The key of all translations of a text; the queries add the revision of the text. */
const keyOf = (id: string) => [addressOf(listTranslations, { params: { id } })] as const

const isWorkedOn = ({ status }: Translation): boolean => status === 'translating'

/**
 * All translations of a text as it is at a revision, asked for again while one is being made. What has
 * changed since is counted by the server.
 */
export const translationsQuery = (id: string, revision: number) =>
  queryOptions({
    queryKey: [...keyOf(id), revision],
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<Translation[]>(queryKey) ?? []
      const now = await ask(listTranslations, { params: { id }, signal })
      const ended = before.filter(isWorkedOn).flatMap(({ language }) => {
        const one = now.find((each) => each.language === language)
        return one && !isWorkedOn(one) ? one : []
      })
      // The credit that was set aside is taken or has come back.
      if (ended.length > 0) void client.invalidateQueries({ queryKey: userQuery.queryKey })
      for (const { language, status } of ended)
        if (status === 'translated')
          toast({ title: `The ${languageName(language)} translation is ready` })
      return now
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.some(isWorkedOn) ? POLL_MS : false),
  })

/** The turns of one; asked for anew when the text, or the translation, is another. */
export const translationTextQuery = (
  id: string,
  { language, finishedAt }: Pick<Translation, 'language' | 'finishedAt'>,
  revision: number,
) => {
  const params = { id, language }
  return queryOptions({
    queryKey: [addressOf(getTranslation, { params }), revision, finishedAt],
    queryFn: ({ signal }) => ask(getTranslation, { params, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Puts the translation that a change answered in its place at once, and asks for the others. */
function useActs(id: string) {
  const client = useQueryClient()
  const refresh = () => {
    void client.invalidateQueries({ queryKey: keyOf(id) })
    void client.invalidateQueries({ queryKey: userQuery.queryKey })
  }
  return (now: Translation) => {
    client.setQueriesData<Translation[]>({ queryKey: keyOf(id) }, (all = []) =>
      all.some(({ language }) => language === now.language)
        ? all.map((one) => (one.language === now.language ? now : one))
        : [...all, now],
    )
    refresh()
  }
}

/** Orders a translation, for one credit that is taken when it is there. */
export function useOrderTranslation(
  id: string,
  onOrdered?: (language: TranslationLanguage) => void,
) {
  const put = useActs(id)
  return useMutation({
    mutationFn: (language: TranslationLanguage) =>
      ask(orderTranslation, { params: { id }, body: { language } }),
    onSuccess: (now) => {
      put(now)
      onOrdered?.(now.language)
    },
  })
}

/** Translates the turns that were changed since, for nothing. */
export function useTranslateChanges(id: string) {
  const put = useActs(id)
  return useMutation({
    mutationFn: (language: TranslationLanguage) =>
      ask(translateChanges, { params: { id, language } }),
    onSuccess: put,
  })
}

export function useDeleteTranslation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (language: TranslationLanguage) =>
      ask(deleteTranslation, { params: { id, language } }),
    onSuccess: (_, language) => {
      client.setQueriesData<Translation[]>({ queryKey: keyOf(id) }, (all = []) =>
        all.filter((one) => one.language !== language),
      )
      void client.invalidateQueries({ queryKey: userQuery.queryKey })
    },
  })
}
