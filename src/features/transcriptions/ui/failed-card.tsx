import type { ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { formatCredits } from '#shared/format.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

import { saveRecording } from './downloads.ts'
import type { HeadingRef } from './face.ts'
import { JobCard } from './job-card.tsx'
import type { Job } from './queries.ts'
import { RecordingNote } from './recording-note.tsx'
import { RecordingPlayer } from './recording-player.tsx'

/** A failed job: what happened, what became of recording and credits, what to do now. */
export function FailedCard({
  job,
  available,
  headingRef,
  retryProblem,
  isRetrying,
  onRetry,
  onNewFile,
}: {
  job: Job
  available: number
  headingRef: HeadingRef
  /** Why starting it again was refused. */
  retryProblem: ReactNode
  isRetrying: boolean
  onRetry: () => void
  onNewFile: () => void
}) {
  // A refused recording is refused again, so only another file helps.
  const canTryAgain = job.canRetry && job.errorCode === null
  const isKept = job.recordingKeptUntil !== null
  const mainAct = canTryAgain ? 'again' : isKept && job.errorCode === 'no_speech' ? 'save' : 'new'
  const save = useMutation({ mutationFn: saveRecording })
  return (
    <JobCard heading="Processing Failed" headingRef={headingRef} job={job}>
      <p className="mt-5 max-w-[66ch] wrap-anywhere text-ink-2">
        <span className="text-ink">
          {job.errorMessage ?? 'An error occurred while processing your file.'}
        </span>{' '}
        {whatIsSafe(job, available)}
      </p>
      <RecordingPlayer job={job} className="mt-4 text-ink-2" />
      {retryProblem}
      <div className="mt-5 flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
        {canTryAgain ? (
          <Button variant="primary" pending={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {isKept ? (
          <Button
            variant={mainAct === 'save' ? 'primary' : 'secondary'}
            icon={<Download />}
            pending={save.isPending}
            onClick={() => save.mutate(job)}
          >
            Save the recording
          </Button>
        ) : null}
        {mainAct === 'new' ? (
          <Button variant="primary" onClick={onNewFile}>
            Process New File
          </Button>
        ) : null}
        <div className="flex flex-wrap justify-between max-sm:*:px-2.5 sm:ml-auto">
          {mainAct === 'new' ? null : (
            <Button variant="quiet" onClick={onNewFile}>
              Process New File
            </Button>
          )}
          <ButtonLink
            reloadDocument
            variant="quiet"
            href={`${paths.contact}?${new URLSearchParams({ type: 'technical', reference: job.id })}`}
          >
            Contact support
          </ButtonLink>
        </div>
      </div>
      <p className="mt-4 text-small text-ink-2">
        {canTryAgain ? (
          <>
            Trying again takes {formatCredits(job.creditsRequired)}; what was already worked out is
            not done twice.{' '}
          </>
        ) : null}
        <RecordingNote row={job} />
      </p>
    </JobCard>
  )
}

/** The sentence about the recording and the credits, which are safe. */
function whatIsSafe({ recordingKeptUntil, creditsReturned }: Job, available: number): string {
  const safe = recordingKeptUntil === null ? null : 'Your recording is safe'
  if (creditsReturned === null) return safe === null ? '' : `${safe}.`
  const were = creditsReturned === 1 ? 'was' : 'were'
  const returned = `the ${formatCredits(creditsReturned)} ${were} returned`
  const both = safe === null ? `T${returned.slice(1)}` : `${safe}, and ${returned}`
  return `${both}. Your balance is ${available.toLocaleString('en-US')}.`
}
