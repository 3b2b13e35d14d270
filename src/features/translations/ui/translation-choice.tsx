import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { TRANSLATION_CREDITS, summaryLanguages } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'

import type { TranslationLanguage } from '../contract.ts'
import { translationLanguages } from '../status.ts'
import { translationsQuery, useDeleteTranslation, useOrderTranslation } from './queries.ts'
import { type ShownTranslation, useHasTranslations } from './use-translation.ts'

const nativeName = (code: TranslationLanguage): string =>
  summaryLanguages.find((language) => language.code === code)?.nativeName ?? ''

const views = [
  { value: 'both', label: 'Beside' },
  { value: 'only', label: 'Alone' },
] as const

/**
 * The language in which a text is shown, too. One that is there is shown when it is chosen; another
 * one costs, so choosing it alone begins nothing.
 */
export function TranslationChoice({
  id,
  revision,
  spoken,
  shown,
  className,
}: {
  id: string
  /** Of the text. */
  revision: number
  /** ISO 639-1 of what was said; null where nobody knows. */
  spoken: string | null
  shown: ShownTranslation
  className?: string
}) {
  const isThere = useHasTranslations(id, revision)
  const {
    data: all,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...translationsQuery(id, revision),
    enabled: isThere,
  })
  const can = useCapabilities()
  const { credits } = useUser()
  const priceId = useId()
  const [wanted, setWanted] = useState<TranslationLanguage | null>(null)
  const order = useOrderTranslation(id, (language) => {
    setWanted(null)
    shown.choose(language)
  })
  const remove = useDeleteTranslation(id)
  if (!isThere) return null
  const has = (code: TranslationLanguage) =>
    all?.find((one) => one.language === code && (one.isReadable || one.status === 'translating'))
  const offered = translationLanguages.filter(
    (code) => code !== spoken && (can('translations') || has(code)),
  )
  const chosen = wanted ?? shown.translation?.language ?? null
  const existing = chosen && has(chosen)
  const choose = (value: string) => {
    const code = translationLanguages.find((one) => one === value) ?? null
    order.reset()
    remove.reset()
    const isReady = code === null || has(code)
    setWanted(isReady ? null : code)
    if (isReady) shown.choose(code)
  }
  const isShort =
    credits < TRANSLATION_CREDITS || (order.error instanceof ApiError && order.error.status === 402)
  const isLacking = wanted !== null && isShort
  const failure = order.error ?? remove.error
  return (
    <section className={className}>
      {all ? (
        <Select
          label="In another language"
          value={chosen ?? ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">None</option>
          {offered.map((code) => (
            <option key={code} value={code}>
              {languageName(code)} · {nativeName(code)}
            </option>
          ))}
        </Select>
      ) : error ? (
        <NotLoaded isAsking={isFetching} askAgain={refetch}>
          {sentenceOf(error, 'The translations could not be loaded.')}
        </NotLoaded>
      ) : (
        <p role="status" className="h-31 text-small text-ink-2">
          Loading the translations…
        </p>
      )}
      {existing ? (
        <>
          {existing.isReadable ? (
            <div className="mt-2">
              <Segments
                label="How it is shown"
                hideLabel
                value={shown.view}
                onChange={shown.setView}
                choices={views}
              />
            </div>
          ) : null}
          <Button
            size="small"
            variant="quiet"
            className="mt-1 -ml-2 px-2!"
            pending={remove.isPending}
            onClick={() => remove.mutate(existing.language)}
          >
            {existing.isReadable ? 'Delete' : 'Stop'} the translation into{' '}
            {languageName(existing.language)}
          </Button>
        </>
      ) : null}
      {all ? (
        // As high as its button, which comes when a language is chosen.
        <div className="mt-2 flex min-h-11 items-center gap-3">
          {failure || isLacking ? (
            <InlineError id={priceId} className="flex-1">
              {failure
                ? sentenceOf(failure)
                : `A translation costs ${TRANSLATION_CREDITS} credit, and you have none left.`}
            </InlineError>
          ) : (
            <p id={priceId} className="flex-1 text-small text-ink-2">
              {can('translations')
                ? `${TRANSLATION_CREDITS} credit for a language, when it is there.`
                : 'This server has no language model any more. What is translated stays.'}
            </p>
          )}
          {isLacking ? (
            <BuyCredits />
          ) : wanted && !existing ? (
            <Button
              size="small"
              variant="primary"
              pending={order.isPending}
              aria-describedby={priceId}
              onClick={() => order.mutate(wanted)}
            >
              Translate
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
