import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { enginesQuery } from '#features/recordings/ui/queries.ts'
import { LanguageField } from '#features/recordings/ui/speech-fields.tsx'
import { languageName } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { isNotUnderstood } from '../status.ts'
import { SumLines, TooFewCredits } from './bill.tsx'
import { useRetry } from './queries.ts'

type NotUnderstood = Pick<
  TranscriptionRow,
  'id' | 'errorCode' | 'creditsRequired' | 'recordingKeptUntil'
>

/** Whether a recording in which nothing was understood can be heard in another language. */
export function useOtherLanguage(row: NotUnderstood): boolean {
  const isWanted = isNotUnderstood(row) && row.recordingKeptUntil !== null
  const { data } = useQuery({ ...enginesQuery, enabled: isWanted })
  // An engine of one language found no speech in that one.
  return isWanted && (row.errorCode !== 'no_speech' || data?.speech.languages?.length !== 1)
}

/** Asks for the language that is spoken in a recording in which nothing was understood. */
export function OtherLanguageDialog({
  row,
  onClose,
  focusAfter,
}: {
  row: NotUnderstood
  onClose: () => void
  /** Where the focus goes when the dialog has closed. */
  focusAfter: () => void
}) {
  const { credits: available } = useUser()
  const { data: engines } = useQuery(enginesQuery)
  const retry = useRetry()
  const [chosen, setChosen] = useState('')
  const [only, ...others] = engines?.speech.languages ?? []
  const isOnly = only !== undefined && others.length === 0
  const missing = Math.max(0, row.creditsRequired - available)
  const isShort = missing > 0
  return (
    <Dialog
      open
      onOpenChange={() => {
        if (!retry.isPending) onClose()
      }}
      focusAfter={focusAfter}
      title="Transcribe again"
      description={
        isOnly
          ? `The recording is heard as ${languageName(only)}, the only language of this server.`
          : 'The recording is heard in the language that you choose.'
      }
    >
      <form
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (retry.isPending || isShort) return
          retry.mutate(
            { id: row.id, spokenLanguage: isOnly ? only : chosen },
            { onSuccess: onClose },
          )
        }}
      >
        <LanguageField engines={engines} value={chosen} onChange={setChosen} />
        <dl className="mt-5 text-body">
          <SumLines required={row.creditsRequired} available={available} />
        </dl>
        {isShort ? <TooFewCredits missing={missing} /> : null}
        <Failure error={retry.error} otherwise="It was not started, and nothing was charged." />
        <DialogActions className="*:w-full *:sm:w-auto">
          <Button disabled={retry.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={isShort}
            pending={retry.isPending}
            {...(isShort ? { title: 'You have too few credits' } : {})}
          >
            Transcribe again
          </Button>
          {isShort ? <BuyCredits variant="primary" size="medium" isMain /> : null}
        </DialogActions>
      </form>
    </Dialog>
  )
}
