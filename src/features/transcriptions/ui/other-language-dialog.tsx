import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { enginesQuery } from '#features/recordings/ui/queries.ts'
import { LanguageField } from '#features/recordings/ui/speech-fields.tsx'
import { languageName } from '#shared/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { isNotUnderstood } from '../status.ts'
import { useRetry } from './queries.ts'
import { TranscribeAgain } from './transcribe-again.tsx'

type NotUnderstood = Pick<
  TranscriptionRow,
  'id' | 'errorCode' | 'creditsRequired' | 'recordingKeptUntil'
>

/** Whether a recording in which nothing was understood can be heard in another language. */
export function useOtherLanguage(row: NotUnderstood): boolean {
  const isWanted = isNotUnderstood(row) && row.recordingKeptUntil !== null
  const { data } = useQuery({ ...enginesQuery, enabled: isWanted })
  // An engine of one language found no speech, or understood no word, in that one.
  return isWanted && (row.errorCode === 'other_language' || data?.speech.languages?.length !== 1)
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
          if (retry.isPending || row.creditsRequired > available) return
          retry.mutate(
            { id: row.id, spokenLanguage: isOnly ? only : chosen },
            { onSuccess: onClose },
          )
        }}
      >
        <LanguageField engines={engines} value={chosen} onChange={setChosen} />
        <TranscribeAgain
          required={row.creditsRequired}
          available={available}
          problem={retry.error}
          isPending={retry.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
