import { X } from 'lucide-react'
import { useState } from 'react'

import type { AgainRun } from '#features/transcriptions/contract.ts'
import { progressFor } from '#features/transcriptions/status.ts'
import { ProcessingCard } from '#features/transcriptions/ui/processing-card.tsx'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Question } from '#web/ui/dialog.tsx'
import { Failure, InlineError } from '#web/ui/inline-error.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { useRun, useStop } from './again-queries.ts'

/**
 * The work on a recording that has a text already, above that text: how far it is, or that it has
 * failed.
 */
export function AgainWork({
  transcription,
  onNewFile,
}: {
  transcription: Job
  onNewFile: () => void
}) {
  const { run, job, lost } = useRun(transcription)
  const [isAsking, setAsking] = useState(false)
  const stop = useStop(transcription.id, { onStopped: () => setAsking(false) })
  const { again } = transcription
  if (!run) return again?.status === 'error' ? <Failed key={again.id} run={again} /> : null
  const { id, status, what } = run
  const percent = progressFor(status)
  const shown = job ?? { ...transcription, id, status, percent, timeLeft: null }
  return (
    <div className="mt-6 print:hidden">
      {what === 'text' ? (
        <ProcessingCard
          job={{ ...shown, originalName: transcription.originalName }}
          readTo={0}
          headingRef={() => undefined}
          lost={lost}
          onCancel={() => setAsking(true)}
          onNewFile={onNewFile}
        />
      ) : null}
      <div className="mt-4 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 text-ui text-ink-2">
        {what === 'text' ? null : <Spinner className="size-4!" />}
        <p role="status" className="flex-1">
          {what === 'text'
            ? 'A new text is being written. Corrections wait until it is there.'
            : 'The speakers are being told apart again. Corrections wait until that is done.'}
        </p>
        {what === 'text' ? null : (
          <Button size="small" onClick={() => setAsking(true)}>
            Stop
          </Button>
        )}
      </div>
      <Question
        open={isAsking}
        title={what === 'text' ? 'Stop writing a new text?' : 'Stop telling the speakers apart?'}
        description={
          what === 'text'
            ? 'The text you have stays as it is, and the credits set aside come back.'
            : 'The speakers stay as they are.'
        }
        keep="Go on"
        verb="Stop"
        isPending={stop.isPending}
        onKeep={() => setAsking(false)}
        onAct={() => stop.mutate(id)}
      >
        <Failure error={stop.error} otherwise="It was not stopped. Please try again." />
      </Question>
    </div>
  )
}

function Failed({ run }: { run: AgainRun }) {
  const key = `again-failure-hidden:${run.id}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  if (isHidden) return null
  const hide = () => {
    localStorage.setItem(key, '')
    setHidden(true)
  }
  return (
    <div className="mt-6 flex items-start gap-2 rounded-control bg-danger-tint py-2 pr-2 pl-3 print:hidden">
      <InlineError className="min-w-0 flex-1 py-2">{run.errorMessage}</InlineError>
      <IconButton label="Hide this note" onClick={hide}>
        <X />
      </IconButton>
    </div>
  )
}
