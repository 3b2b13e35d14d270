import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'

import { TRANSLATION_CREDITS } from '#shared/business.ts'
import { counted, languageName } from '#shared/format.ts'
import { sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import type { Translation } from '../contract.ts'
import { useDeleteTranslation, useOrderTranslation, useTranslateChanges } from './queries.ts'
import type { ShownTranslation } from './use-translation.ts'

/**
 * How far the translation is that is shown, or what is to be known of it: one line, over its column
 * where there is one.
 */
export function TranslationLine({
  id,
  shown,
  className,
  onLanguage,
}: {
  id: string
  shown: ShownTranslation
  className?: string
  /** Opens the choice of another language. */
  onLanguage: (from: HTMLElement) => void
}) {
  const { translation, choose } = shown
  if (!translation) return null
  const name = languageName(translation.language)
  const isMissing = translation.status !== 'translating' && !translation.isReadable
  const line = (
    <section
      // Another element, because one that went from the top to the bottom would be seen to jump.
      key={isMissing ? 'missing' : 'told'}
      aria-label={`Translation into ${name}`}
      data-foot={isMissing ? '' : undefined}
      className={classes(
        'flex min-h-[30px] items-center gap-x-3 text-small text-ink-2 tabular-nums',
        isMissing &&
          'max-lg:fixed print:static max-lg:inset-x-0 max-lg:bottom-[calc(var(--player-height,0px)+env(safe-area-inset-bottom))] max-lg:z-20 max-lg:border-t max-lg:border-rule max-lg:bg-paper-2 max-lg:px-4 max-lg:py-2',
        className,
      )}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        className="-mx-1.5 -my-1 flex min-h-9 shrink-0 items-center gap-1.5 rounded-control px-1.5 font-semibold text-ink hover:bg-paper-2 pointer-coarse:min-h-11 print:hidden"
        onClick={({ currentTarget }) => onLanguage(currentTarget)}
      >
        {name}
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <State {...{ id, shown, translation, name }} />
      </div>
      <IconButton
        label="Close the translation"
        className="-my-1.5 -mr-2 print:hidden"
        onClick={() => choose(null)}
      >
        <X />
      </IconButton>
    </section>
  )
  // The reason takes several lines of a narrow screen: it is told over the player, and the text stays.
  return isMissing ? <div className="max-lg:min-h-[30px] lg:contents">{line}</div> : line
}

interface StateProps {
  id: string
  shown: ShownTranslation
  translation: Translation
  name: string
}

function State(props: StateProps) {
  const { shown, translation } = props
  const { problem } = shown
  if (problem)
    return (
      <>
        <p role="alert" className="text-danger">
          {sentenceOf(problem.error, 'The translation could not be loaded.')}
        </p>
        <Act isBusy={problem.isAsking} onPress={problem.askAgain}>
          Try again
        </Act>
      </>
    )
  if (translation.status === 'translating') return <Working {...props} />
  return translation.isReadable ? <Readable {...props} /> : <Missing {...props} />
}

/** What waits says its place; what is being made says how far it is. */
function Working({ id, shown, translation, name }: StateProps) {
  const stop = useDeleteTranslation(id)
  const { language, ahead, turnsDone, turnsInAll, isReadable } = translation
  return (
    <>
      <p role="status">
        <span className="sr-only">{name}: </span>
        {ahead > 0 && turnsDone === 0
          ? `waiting, ${ahead.toLocaleString('en-US')} ahead`
          : `${turnsDone.toLocaleString('en-US')} of ${counted(turnsInAll, 'turn')}`}
      </p>
      {isReadable ? null : (
        <Act
          isBusy={stop.isPending}
          onPress={() => stop.mutate(language, { onSuccess: () => shown.choose(null) })}
        >
          Stop
        </Act>
      )}
      <Problem error={stop.error} />
    </>
  )
}

function Readable({ id, translation }: StateProps) {
  const { changed, untranslated, status, problem, language } = translation
  const changes = useTranslateChanges(id)
  const can = useCapabilities()
  if (changed > 0)
    return (
      <>
        <p>
          {status === 'error'
            ? `What was changed could not be translated again. ${problem ?? ''}`
            : `The text has changed since in ${counted(changed, 'place')}.`}
        </p>
        {can('translations') ? (
          <Act isBusy={changes.isPending} onPress={() => changes.mutate(language)}>
            {changed === 1 ? 'Translate it again' : 'Translate those again'}
          </Act>
        ) : null}
        <Problem error={changes.error} />
      </>
    )
  return (
    <p>
      Translated by a machine. Check it before you quote it.
      {untranslated > 0 ? ` ${counted(untranslated, 'turn')} could not be translated.` : null}
    </p>
  )
}

/** It failed, or belongs to the text from before. */
function Missing({ id, translation }: StateProps) {
  const { language, status, problem, isCreditReturned } = translation
  const order = useOrderTranslation(id)
  const can = useCapabilities()
  return (
    <>
      {status === 'error' ? (
        <p role="alert" className="text-danger">
          It could not be made. {problem}{' '}
          {isCreditReturned ? `${TRANSLATION_CREDITS} credit was returned.` : null}
        </p>
      ) : (
        <p>It belongs to the text from before, and comes back with it.</p>
      )}
      {can('translations') ? (
        <Act isBusy={order.isPending} onPress={() => order.mutate(language)}>
          {status === 'error' ? 'Try again' : 'Translate this text'} · {TRANSLATION_CREDITS} credit
        </Act>
      ) : null}
      <Problem error={order.error} />
    </>
  )
}

function Act({
  isBusy,
  onPress,
  children,
}: {
  isBusy: boolean
  onPress: () => unknown
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-busy={isBusy}
      className="-my-2 min-h-9 font-semibold text-ink underline decoration-1 underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11 print:hidden"
      onClick={() => {
        if (!isBusy) onPress()
      }}
    >
      {children}
    </button>
  )
}

function Problem({ error }: { error: Error | null }) {
  return error ? (
    <p role="alert" className="text-danger">
      {sentenceOf(error)}
    </p>
  ) : null
}
