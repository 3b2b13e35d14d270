import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { TRANSLATION_CREDITS, summaryLanguages } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Translation, TranslationLanguage } from '../contract.ts'
import { translationLanguages } from '../status.ts'
import { translationsQuery, useDeleteTranslation, useOrderTranslation } from './queries.ts'

const nativeName = (code: TranslationLanguage): string =>
  summaryLanguages.find((language) => language.code === code)?.nativeName ?? ''

/** The translations of a text, and the way to another one. */
export function TranslationDialog({
  id,
  revision,
  spoken,
  onChoose,
  onClose,
  focusAfter,
}: {
  id: string
  /** Of the text. */
  revision: number
  /** ISO 639-1 of what was said; null where nobody knows. */
  spoken: string | null
  /** Shows one beside the text. */
  onChoose: (language: TranslationLanguage) => void
  onClose: () => void
  focusAfter: () => void
}) {
  const { data, error, isFetching, refetch } = useQuery(translationsQuery(id, revision))
  const can = useCapabilities()
  const show = (language: TranslationLanguage) => {
    onChoose(language)
    onClose()
  }
  const begin = (language: TranslationLanguage) => {
    show(language)
    // How far it is stands above the text, which may be far away.
    toast({
      title: `Being translated into ${languageName(language)}`,
      description: 'You can read on, or leave this page.',
    })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Translation"
      description="The transcript and its captions in another language, turn by turn and with the same times."
    >
      {data ? (
        <>
          {data.length > 0 ? <Existing {...{ id, all: data }} onShow={show} /> : null}
          {can('translations') ? (
            <Another {...{ id, spoken, all: data, onClose }} onOrdered={begin} />
          ) : (
            <>
              <p className="mt-5 text-small text-ink-2">
                This server has no language model any more. What is translated stays, and nothing
                else can be.
              </p>
              <DialogActions>
                <Button onClick={onClose}>Close</Button>
              </DialogActions>
            </>
          )}
        </>
      ) : error ? (
        <NotLoaded className="mt-5" isAsking={isFetching} askAgain={refetch}>
          {sentenceOf(error, 'The translations could not be loaded.')}
        </NotLoaded>
      ) : (
        <p role="status" className="mt-5 h-40 text-small text-ink-2">
          Loading the translations…
        </p>
      )}
    </Dialog>
  )
}

function Existing({
  id,
  all,
  onShow,
}: {
  id: string
  all: readonly Translation[]
  onShow: (language: TranslationLanguage) => void
}) {
  const remove = useDeleteTranslation(id)
  return (
    <>
      <ul className="mt-5 border-t border-rule">
        {all.map((one) => (
          <li
            key={one.language}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-rule py-2.5"
          >
            <p className="min-w-32 flex-1">
              <span className="font-[650]">{languageName(one.language)}</span>
              <span className="block text-small text-ink-2 tabular-nums">{stateOf(one)}</span>
            </p>
            <Button
              size="small"
              variant="quiet"
              aria-label={
                one.status === 'translating' && !one.isReadable
                  ? `Stop the translation into ${languageName(one.language)}`
                  : `Delete the translation into ${languageName(one.language)}`
              }
              pending={remove.isPending && remove.variables === one.language}
              onClick={() => remove.mutate(one.language)}
            >
              {one.status === 'translating' && !one.isReadable ? 'Stop' : 'Delete'}
            </Button>
            <Button
              size="small"
              aria-label={`Show the translation into ${languageName(one.language)}`}
              onClick={() => onShow(one.language)}
            >
              Show
            </Button>
          </li>
        ))}
      </ul>
      {remove.error ? <InlineError className="mt-3">{sentenceOf(remove.error)}</InlineError> : null}
    </>
  )
}

function stateOf({ status, isReadable, progress, changed }: Translation): string {
  if (status === 'translating') return `Being translated, ${progress}% done`
  if (!isReadable) return status === 'error' ? 'Could not be made' : 'Of the text from before'
  return changed === 0 ? 'Translated' : `Translated, ${placesOf(changed)} changed since`
}

export const placesOf = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'place' : 'places'}`

/** Chosen, priced and ordered. */
function Another({
  id,
  spoken,
  all,
  onOrdered,
  onClose,
}: {
  id: string
  spoken: string | null
  all: readonly Translation[]
  onOrdered: (language: TranslationLanguage) => void
  onClose: () => void
}) {
  const { credits } = useUser()
  const isTaken = (code: TranslationLanguage) =>
    all.some((one) => one.language === code && (one.isReadable || one.status === 'translating'))
  const free = translationLanguages.filter((code) => code !== spoken && !isTaken(code))
  const [chosen, setChosen] = useState<TranslationLanguage | null>(null)
  const language = free.find((code) => code === chosen) ?? null
  const order = useOrderTranslation(id, onOrdered)
  const isShort =
    credits < TRANSLATION_CREDITS || (order.error instanceof ApiError && order.error.status === 402)
  if (free.length === 0)
    return (
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    )
  return (
    <form
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (language && !isShort && !order.isPending) order.mutate(language)
      }}
    >
      <Select
        label={all.length === 0 ? 'Translate into' : 'Another language'}
        value={language ?? ''}
        onChange={({ target }) =>
          setChosen(translationLanguages.find((code) => code === target.value) ?? null)
        }
      >
        <option value="" disabled>
          Choose a language
        </option>
        {free.map((code) => (
          <option key={code} value={code}>
            {languageName(code)} · {nativeName(code)}
          </option>
        ))}
      </Select>
      <p className="mt-3 text-small text-ink-2">
        A language model of this server writes it, so check it before you quote it. It cannot be
        edited: correct the original, and have the changes translated again for nothing. Shared
        links show the original only.
      </p>
      {order.error || isShort ? (
        <InlineError
          className="mt-4"
          action={
            isShort ? (
              <ButtonLink size="small" href={paths.subscribe} target="_blank" rel="noopener">
                Buy Credits<span className="sr-only"> (opens in a new tab)</span>
              </ButtonLink>
            ) : undefined
          }
        >
          {order.error
            ? sentenceOf(order.error)
            : `A translation costs ${TRANSLATION_CREDITS} credit, and you have none left.`}
        </InlineError>
      ) : null}
      <p id="translation-price" className="mt-4 font-medium">
        {TRANSLATION_CREDITS} credit, charged when it is there.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          pending={order.isPending}
          disabled={language === null || isShort}
          aria-describedby="translation-price"
        >
          Translate
        </Button>
      </DialogActions>
    </form>
  )
}
