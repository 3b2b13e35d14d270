import type { ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'

import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

import type { HeadingRef } from './face.ts'
import { formatCredits } from '#shared/format.ts'
import { JobCard } from './job-card.tsx'
import type { Job } from './queries.ts'
import { RecordingNote } from './recording-note.tsx'

/** A failed job: what happened, what became of the credits, what to do now. */
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
  return (
    <JobCard heading="Processing Failed" headingRef={headingRef} job={job}>
      <div
        aria-hidden="true"
        className="mt-8 h-[3px] bg-[radial-gradient(circle,var(--color-line)_1.5px,transparent_1.6px)] bg-size-[12px_3px]"
      />
      <p className="mt-8 flex items-start gap-3 rounded-control bg-danger-tint p-4 leading-6! font-[650] text-danger">
        <CircleAlert size={20} className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {job.errorMessage ?? 'An error occurred while processing your file.'}
        </span>
      </p>
      {job.creditsReturned === null ? null : (
        <p className="mt-4 text-ink-2">
          <strong className="font-[650] text-ink">
            {formatCredits(job.creditsReturned)} {job.creditsReturned === 1 ? 'was' : 'were'}{' '}
            returned.
          </strong>{' '}
          Your balance is {available.toLocaleString('en-US')}.
        </p>
      )}
      {canTryAgain ? (
        <p className="mt-2 text-ink-2">
          The recording is still here. Trying again takes {formatCredits(job.creditsRequired)}; what
          was already worked out is not done twice.
        </p>
      ) : null}
      <p className="mt-2 text-ink-2">
        <RecordingNote row={job} />
      </p>
      {retryProblem}
      <div className="mt-6 flex flex-col items-start gap-3 sm:flex-row sm:flex-wrap sm:items-center">
        {canTryAgain ? (
          <Button variant="primary" pending={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        <Button variant={canTryAgain ? 'secondary' : 'primary'} onClick={onNewFile}>
          Process New File
        </Button>
        <ButtonLink
          reloadDocument
          href={`${paths.contact}?${new URLSearchParams({ type: 'technical', reference: job.id })}`}
        >
          Contact support
        </ButtonLink>
      </div>
      <p className="mt-6 text-small text-ink-2">
        Reference <span className="font-mono text-code wrap-anywhere">{job.id}</span>
      </p>
    </JobCard>
  )
}
