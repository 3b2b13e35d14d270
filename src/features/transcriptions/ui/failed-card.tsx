import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'

import { Button, ButtonLink } from '#web/ui/button.tsx'

import { saveRecording } from './downloads.ts'
import type { HeadingRef } from './face.ts'
import { anotherTry, isFileRefused, keptOf, reasonOf, safeOf, supportFor } from './failed-words.ts'
import { JobCard } from './job-card.tsx'
import { OtherLanguageDialog, useOtherLanguage } from './other-language-dialog.tsx'
import type { Job } from './queries.ts'
import { RecordingPlayer } from './recording-player.tsx'

/** A failed job: what happened, what became of recording and credits, what to do now. */
export function FailedCard({
  job,
  readTo,
  available,
  headingRef,
  retryProblem,
  isRetrying,
  onRetry,
  onNewFile,
}: {
  job: Job
  /** Up to where its text was read, in seconds; null where that is not known. */
  readTo: number | null
  available: number
  headingRef: HeadingRef
  /** Why starting it again was refused. */
  retryProblem: ReactNode
  isRetrying: boolean
  onRetry: () => void
  onNewFile: () => void
}) {
  const save = useMutation({ mutationFn: saveRecording })
  const hasOtherLanguage = useOtherLanguage(job)
  const [isAsking, setAsking] = useState(false)
  const transcribeAgain = useRef<HTMLButtonElement>(null)
  const isRefused = isFileRefused(job)
  const canSave = job.recordingKeptUntil !== null && !isRefused
  const main = mainAct(job, { canSave, hasOtherLanguage })
  const variantOf = (act: Act) => (act === main ? 'primary' : 'secondary')
  const newFile = (variant: 'primary' | 'quiet') => (
    <Button variant={variant} onClick={onNewFile}>
      Process New File
    </Button>
  )
  return (
    <JobCard heading="Processing Failed" headingRef={headingRef} job={job}>
      <p className="mt-5 max-w-[66ch] wrap-anywhere text-ink-2">
        <span className="text-ink">{reasonOf(job)}</span> {safeOf(job)}
        {job.creditsReturned === null
          ? null
          : ` Your balance is ${available.toLocaleString('en-US')}.`}
      </p>
      {isRefused ? null : <RecordingPlayer job={job} className="mt-4 text-ink-2" />}
      {retryProblem}
      <div className="mt-5 flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
        {job.canRetry ? (
          <Button variant={variantOf('again')} pending={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {canSave ? (
          <Button
            variant={variantOf('save')}
            icon={<Download />}
            pending={save.isPending}
            onClick={() => save.mutate(job)}
          >
            Save the recording
          </Button>
        ) : null}
        {hasOtherLanguage ? (
          <Button
            ref={transcribeAgain}
            variant={variantOf('language')}
            onClick={() => setAsking(true)}
          >
            Transcribe again…
          </Button>
        ) : null}
        {main === 'new' ? newFile('primary') : null}
        {isRefused ? null : (
          <div className="flex flex-wrap justify-between *:px-2.5 sm:ml-auto">
            {main === 'new' ? null : newFile('quiet')}
            <ButtonLink reloadDocument variant="quiet" href={supportFor(job.id)}>
              Contact support
            </ButtonLink>
          </div>
        )}
      </div>
      <p className="mt-4 text-small text-ink-2">
        {job.canRetry ? `${anotherTry(job.creditsRequired, readTo)} ` : null}
        {keptOf(job)}
      </p>
      {isAsking ? (
        <OtherLanguageDialog
          row={job}
          onClose={() => setAsking(false)}
          focusAfter={() => transcribeAgain.current?.focus()}
        />
      ) : null}
    </JobCard>
  )
}

type Act = 'again' | 'save' | 'language' | 'new'

/** What helps most; null where each is as good as another. */
function mainAct(
  { canRetry, errorCode, failedAlike = 0 }: Job,
  { canSave, hasOtherLanguage }: { canSave: boolean; hasOtherLanguage: boolean },
): Act | null {
  // What failed twice the same way may do so again.
  if (canRetry) return failedAlike > 1 ? null : 'again'
  if (['other_language', 'no_words'].includes(errorCode ?? '') && hasOtherLanguage)
    return 'language'
  return ['no_speech', 'no_words'].includes(errorCode ?? '') && canSave ? 'save' : 'new'
}
