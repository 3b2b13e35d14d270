import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { fittingTerms } from '#features/vocabulary/ui/fitting.ts'
import { vocabularyQuery } from '#features/vocabulary/ui/queries.ts'
import { DEFAULT_SUMMARY_LANGUAGE, type SummaryLanguage } from '#shared/business.ts'
import { useCapabilities } from '#web/capabilities.ts'

import type { LastOptions } from '../contract.ts'
import { noOptions, stillHeard } from './options.ts'
import { enginesQuery, optionsQuery } from './queries.ts'

/**
 * How what is called so is to be worked on: as the last recording was, until something else is
 * chosen. Null while nothing is there that could be called so.
 */
export function useOptions(fileName: string | null) {
  const [language, setLanguage] = useState<SummaryLanguage>(DEFAULT_SUMMARY_LANGUAGE)
  const summaryLanguage = useCapabilities()('summaryLanguages') ? language : 'auto'
  const [chosen, choose] = useState<Partial<LastOptions>>({})
  const last = useQuery(optionsQuery).data
  const fitting = useFitting(fileName)
  const isChosen = last !== undefined && last.language !== 'auto'
  const known = useQuery({ ...enginesQuery, enabled: isChosen }).data?.speech.languages
  const options = {
    ...noOptions,
    ...last,
    ...(last && { language: stillHeard(last.language, known) }),
    ...(fitting && { terms: fitting }),
    ...chosen,
  }
  return {
    summaryLanguage,
    setLanguage,
    options,
    /** Terms are those that fit the name until others are chosen. */
    setOptions: ({ terms, ...rest }: LastOptions) =>
      choose({ ...chosen, ...rest, ...(terms === options.terms ? {} : { terms }) }),
    /** These, and no others. */
    choose,
  }
}

/** Null without a vocabulary, and while it is loaded: then a file gets the terms of the last one. */
function useFitting(fileName: string | null): string[] | null {
  const { data, dataUpdatedAt: now } = useQuery({ ...vocabularyQuery, enabled: fileName !== null })
  return useMemo(
    () =>
      data && data.revision > 0 ? fittingTerms(data, { fileName: fileName ?? '', now }) : null,
    [data, fileName, now],
  )
}
