/** Which translation is shown beside a text, and how. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useCapabilities, useLacks } from '#web/capabilities.ts'

import type { Translation, TranslationLanguage, TranslationText } from '../contract.ts'
import { translationLanguages } from '../status.ts'
import { translationTextQuery, translationsQuery } from './queries.ts'

/** Original and translation together, or the translation alone. */
export type TranslationView = 'both' | 'only'
export type ShownTurn = Pick<TranslationText['turns'][number], 'text' | 'isChanged' | 'isUnsure'>

const VIEW_KEY = 'translation-view'
/** In the address, so that a link opens the same. */
const PARAMETER = 'in'

export interface ShownTranslation {
  /** The address names a language. */
  isAsked: boolean
  /** It was in the address from the start, and is not known yet: the text waits for it, and moves no more. */
  isComing: boolean
  /** The one that the address names, as far as it is. */
  translation: Translation | null
  /** By the id of the turn; null while there is nothing to read. */
  turns: ReadonlyMap<string, ShownTurn> | null
  view: TranslationView
  setView: (view: TranslationView) => void
  /** Null: the original alone. */
  choose: (language: TranslationLanguage | null) => void
  /** Where its text could not be loaded. */
  problem: { error: unknown; isAsking: boolean; askAgain: () => unknown } | null
}

/**
 * Whether a result speaks of translations: they can be ordered here, or there are some from when they
 * could, which were paid for.
 */
export function useHasTranslations(id: string, revision: number): boolean {
  const can = useCapabilities()
  const lacks = useLacks()
  const { data = [] } = useQuery({
    ...translationsQuery(id, revision),
    enabled: lacks('translations'),
  })
  return can('translations') || data.length > 0
}

export function useTranslation(id: string, revision: number): ShownTranslation {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState<TranslationView>(() =>
    localStorage.getItem(VIEW_KEY) === 'only' ? 'only' : 'both',
  )
  const params = new URLSearchParams(search)
  const chosen = translationLanguages.find((code) => code === params.get(PARAMETER)) ?? null
  const isAsked = chosen !== null
  const list = useQuery({ ...translationsQuery(id, revision), enabled: isAsked })
  const { data: all } = list
  const translation = (isAsked && all?.find(({ language }) => language === chosen)) || null
  const of = translation ?? { language: 'en' as const, finishedAt: null }
  const isReadable = translation?.isReadable === true
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...translationTextQuery(id, of, revision),
    enabled: isReadable,
  })
  const text = isReadable && data?.language === chosen ? data : undefined
  const turns = useMemo(
    () => (text ? new Map(text.turns.map((turn) => [turn.id, turn])) : null),
    [text],
  )
  const [hasCome, setCome] = useState(!isAsked)
  if (!hasCome && !list.isPending && !(isReadable && isPending)) setCome(true)
  return {
    isAsked,
    isComing: !hasCome,
    translation,
    turns,
    view,
    setView: (next) => {
      localStorage.setItem(VIEW_KEY, next)
      setView(next)
    },
    choose: (language) => {
      if (language === null) params.delete(PARAMETER)
      else params.set(PARAMETER, language)
      const next = params.toString()
      void navigate(
        { search: next === '' ? '' : `?${next}`, hash },
        { replace: true, preventScrollReset: true },
      )
    },
    problem: error && isReadable ? { error, isAsking: isFetching, askAgain: refetch } : null,
  }
}
