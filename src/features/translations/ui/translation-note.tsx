import { Languages } from 'lucide-react'
import type { ReactNode } from 'react'

import { TRANSLATION_CREDITS } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'
import { sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Failure, InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'

import type { Translation } from '../contract.ts'
import { useDeleteTranslation, useOrderTranslation, useTranslateChanges } from './queries.ts'
import { placesOf } from './translation-dialog.tsx'
import type { ShownTranslation } from './use-translation.ts'

const views = [
  { value: 'original', label: 'Original' },
  { value: 'both', label: 'Both' },
  { value: 'only', label: 'Translation' },
] as const

/** Above the text: how far the translation is, what is to be known of it, and how it is shown. */
export function TranslationNote({ id, shown }: { id: string; shown: ShownTranslation }) {
  const { translation, view, setView, choose, problem } = shown
  if (!translation) return null
  const { language, isReadable } = translation
  const hasFailed = translation.status === 'error' && !isReadable
  return (
    <section
      aria-label={`Translation into ${languageName(language)}`}
      className={classes(
        'mt-3 mb-1 text-ui',
        // A failed translation has a box of its own.
        !hasFailed && 'rounded-panel border border-line px-4 py-3 print:border-0 print:px-0',
      )}
    >
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        {hasFailed ? null : (
          <Languages size={20} className="mt-0.5 shrink-0 text-ink-2 max-sm:hidden" />
        )}
        <div className="min-w-[16rem] flex-1 space-y-2">
          <State id={id} translation={translation} onStopped={() => choose(null)} />
        </div>
        {isReadable ? (
          <div className="w-full sm:w-[26rem] print:hidden">
            <Segments
              label="What is shown"
              hideLabel
              value={view}
              onChange={(next) => (next === 'original' ? choose(null) : setView(next))}
              choices={views}
            />
          </div>
        ) : null}
      </div>
      {problem ? (
        <NotLoaded className="mt-3" isAsking={problem.isAsking} askAgain={problem.askAgain}>
          {sentenceOf(problem.error, 'The translation could not be loaded.')}
        </NotLoaded>
      ) : null}
    </section>
  )
}

interface StateProps {
  id: string
  translation: Translation
}

function State(props: StateProps & { onStopped: () => void }) {
  const { translation } = props
  if (translation.status === 'translating')
    return translation.isReadable ? (
      <>
        <Facts {...props} />
        <Running {...translation}>What was changed is being translated again.</Running>
      </>
    ) : (
      <BeingMade {...props} />
    )
  if (translation.isReadable) return <Facts {...props} />
  return <Missing {...props} />
}

/** Says of a translation that can be read who made it, and which of its turns are old or missing. */
function Facts({ id, translation }: StateProps) {
  const { note, changed, untranslated, status, problem, language } = translation
  const changes = useTranslateChanges(id)
  const can = useCapabilities()
  const stay =
    untranslated === 1 ? '1 turn stays as it was' : `${untranslated} turns stay as they were`
  return (
    <>
      <p>{note} It cannot be edited.</p>
      {untranslated > 0 ? (
        <p className="text-ink-2">{stay} said: it could not be translated.</p>
      ) : null}
      {status === 'error' ? (
        <p role="alert" className="text-danger">
          What was changed could not be translated again. {problem}
        </p>
      ) : null}
      {changed > 0 && status !== 'translating' ? (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          The text has changed since in {placesOf(changed)}.
          {can('translations') ? (
            <Button
              size="small"
              pending={changes.isPending}
              onClick={() => changes.mutate(language)}
            >
              {changed === 1 ? 'Translate it again' : 'Translate those again'}
            </Button>
          ) : null}
        </p>
      ) : null}
      <Failure error={changes.error} className="mt-2" />
    </>
  )
}

function Running({ progress, children }: Pick<Translation, 'progress'> & { children: ReactNode }) {
  return (
    <>
      <p role="status">
        {children} <span className="tabular-nums">{progress}% done.</span>
      </p>
      <div aria-hidden="true" className="h-1 max-w-md overflow-hidden rounded-full bg-rule">
        <div
          className="h-full border-r-2 border-playhead bg-ink-2 transition-[width]"
          style={{ width: `${Math.max(1, progress)}%` }}
        />
      </div>
    </>
  )
}

function BeingMade({ id, translation, onStopped }: StateProps & { onStopped: () => void }) {
  const stop = useDeleteTranslation(id)
  const { language } = translation
  return (
    <>
      <Running {...translation}>Being translated into {languageName(language)}.</Running>
      <p className="text-small text-ink-2">
        You can leave this page. {TRANSLATION_CREDITS} credit is reserved, and taken when it is
        there.
      </p>
      <Button
        size="small"
        pending={stop.isPending}
        onClick={() => stop.mutate(language, { onSuccess: onStopped })}
      >
        Stop
      </Button>
      <Failure error={stop.error} className="mt-2" />
    </>
  )
}

/** It failed, or belongs to the text from before. */
function Missing({ id, translation }: StateProps) {
  const { language, status, problem, isCreditReturned } = translation
  const order = useOrderTranslation(id)
  const can = useCapabilities()
  const name = languageName(language)
  const button = can('translations') ? (
    <Button size="small" pending={order.isPending} onClick={() => order.mutate(language)}>
      {status === 'error' ? 'Try again' : 'Translate this text'} · {TRANSLATION_CREDITS} credit
    </Button>
  ) : null
  return (
    <>
      {status === 'error' ? (
        <InlineError action={button}>
          The translation into {name} could not be made. {problem}{' '}
          {isCreditReturned ? `${TRANSLATION_CREDITS} credit was returned.` : null}
        </InlineError>
      ) : (
        <>
          <p>
            This text is a new one. The translation into {name} belongs to the text from before, and
            comes back with it.
          </p>
          {button}
        </>
      )}
      <Failure error={order.error} className="mt-2" />
    </>
  )
}
