import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import type { LastOptions } from '#features/recordings/contract.ts'
import { stillHeard } from '#features/recordings/ui/options.ts'
import { enginesQuery } from '#features/recordings/ui/queries.ts'
import {
  ChannelsField,
  LanguageField,
  SpeakersField,
} from '#features/recordings/ui/speech-fields.tsx'
import { TermsField } from '#features/recordings/ui/terms-field.tsx'
import type { Again } from '#features/text/contract.ts'
import { TranscribeAgain } from '#features/transcriptions/ui/transcribe-again.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { useOnFocus } from '#web/use-on-focus.ts'

import { useAgain } from './again-queries.ts'
import { againQuery } from './again-query.ts'
import { foundBefore } from './again-words.ts'

/** Asks how a recording is to be transcribed again, and shows what that costs and keeps. */
export function AgainDialog({
  id,
  fileName,
  onClose,
  onStarted,
  focusAfter,
}: {
  id: string
  fileName: string
  onClose: () => void
  onStarted: () => void
  /** Where the focus goes when the dialog has closed: it was opened from a menu that is gone. */
  focusAfter: () => void
}) {
  const client = useQueryClient()
  const asked = useQuery(againQuery(id))
  const offer = asked.data?.offer
  const again = useAgain({ onStarted })
  // Credits may have been bought in another tab.
  useOnFocus(() => void client.invalidateQueries({ queryKey: userQuery.queryKey }))
  return (
    <Dialog
      open
      onOpenChange={() => {
        if (!again.isPending) onClose()
      }}
      focusAfter={focusAfter}
      title="Transcribe again"
      description="The recording is heard afresh. The text you have now is kept for 30 days."
    >
      {offer ? (
        <AgainForm
          fileName={fileName}
          offer={offer}
          problem={again.error}
          isPending={again.isPending}
          onCancel={onClose}
          onStart={(options) => again.mutate({ id, options, price: offer.creditsRequired })}
        />
      ) : (
        <FormPlace>
          {asked.data ? (
            <InlineError>This recording cannot be transcribed again.</InlineError>
          ) : asked.isError ? (
            <NotLoaded isAsking={asked.isFetching} askAgain={asked.refetch}>
              What was found last time could not be loaded.
            </NotLoaded>
          ) : null}
        </FormPlace>
      )}
    </Dialog>
  )
}

function AgainForm({
  fileName,
  offer,
  problem,
  isPending,
  onCancel,
  onStart,
}: {
  fileName: string
  offer: NonNullable<Again['offer']>
  problem: unknown
  isPending: boolean
  onCancel: () => void
  onStart: (options: LastOptions) => void
}) {
  const { credits: available } = useUser()
  const { data: engines } = useQuery(enginesQuery)
  const found = offer.speakersFound
  const [options, setOptions] = useState<LastOptions>({
    ...offer.options,
    ...(found > 0 ? { speakers: String(found) } : {}),
  })
  return (
    <form
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        const language = stillHeard(options.language, engines?.speech.languages)
        if (!isPending && offer.creditsRequired <= available) onStart({ ...options, language })
      }}
    >
      <div className="space-y-5">
        <LanguageField
          engines={engines}
          value={stillHeard(options.language, engines?.speech.languages)}
          found={offer.options.language}
          onChange={(language) => setOptions({ ...options, language })}
        />
        <SpeakersField
          className="space-y-2"
          value={options.speakers}
          hint={foundBefore(found)}
          onChange={(speakers) => setOptions({ ...options, speakers })}
        />
        {offer.channels > 1 ? (
          <ChannelsField
            value={options.channels}
            areTracks={offer.areTracks}
            onChange={(channels) => setOptions({ ...options, channels })}
          />
        ) : null}
        {engines?.speech.takesTerms === false ? null : (
          <TermsField
            fileName={fileName}
            terms={options.terms}
            onChange={(terms) => setOptions({ ...options, terms })}
          />
        )}
      </div>
      {offer.corrections > 0 ? <Kept corrections={offer.corrections} /> : null}
      <TranscribeAgain
        required={offer.creditsRequired}
        available={available}
        because={offer.creditsRequired === 0 ? 'because the first try failed on our side.' : null}
        problem={problem}
        isPending={isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

function Kept({ corrections }: { corrections: number }) {
  return (
    <p className="mt-5 flex items-start gap-3 rounded-control border border-line p-4 text-ui leading-6!">
      <ShieldCheck size={20} className="mt-0.5 shrink-0 text-success" />
      <span>
        <strong className="font-[650]">
          {corrections === 1
            ? 'Your correction is kept.'
            : `Your ${corrections.toLocaleString('en-US')} corrections are kept.`}
        </strong>{' '}
        {corrections === 1
          ? 'If it no longer fits, we show you the place.'
          : 'Where one no longer fits, we show you the place.'}
      </span>
    </p>
  )
}

/**
 * Holds the place of the form while what was found last time is asked for. Where that fails, the error
 * stands in the same place, so that the dialog keeps its height.
 */
function FormPlace({ children }: { children: ReactNode }) {
  return (
    <div className="relative mt-5 animate-appear">
      {children ? (
        <div className="absolute inset-x-0 top-0">{children}</div>
      ) : (
        <output className="sr-only">Loading what was found last time</output>
      )}
      <div
        aria-hidden="true"
        className={classes('space-y-5 *:rounded-control', !children && '*:bg-paper-2')}
      >
        <div className="h-18" />
        <div className="h-31" />
        <div className="h-26 max-sm:h-36" />
        <div className="h-38" />
        <div className="h-11 max-sm:h-25" />
      </div>
    </div>
  )
}
