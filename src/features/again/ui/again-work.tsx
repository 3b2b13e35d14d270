import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { AgainRun } from '#features/transcriptions/contract.ts'
import { progressFor } from '#features/transcriptions/status.ts'
import { ProcessingCard } from '#features/transcriptions/ui/processing-card.tsx'
import { type Job, transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { Failure, InlineError } from '#web/ui/inline-error.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { ToastWords } from '#web/ui/toast.tsx'

import { useRun, useStop } from './again-queries.ts'
import { againQuery } from './again-query.ts'
import { isOpen, namesIn, titleOf } from './again-words.ts'

/** Says what a job has found. It is one change, or null where it cannot be taken back. */
type OnFound = (edit: number | null, said: Omit<ToastWords, 'action'>) => void

/**
 * The work on a recording that has a text already, above that text: how far it is, or that it has
 * failed.
 */
export function AgainWork({
  transcription,
  onFound,
  onNewFile,
}: {
  transcription: Job
  onFound: OnFound
  onNewFile: () => void
}) {
  const { run, job, lost } = useRun(transcription)
  useTellFound(transcription.id, run, onFound)
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
      <ConfirmAlert
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
      </ConfirmAlert>
    </div>
  )
}

/**
 * Says how many speakers were found, when their text is there, and whose name is to be decided. All
 * of it is one change, which comes right after what was there while the job was under way.
 */
function useTellFound(id: string, run: AgainRun | null, onFound: OnFound): void {
  const client = useQueryClient()
  const { data: words } = useQuery({ ...wordsQuery(id), enabled: false })
  const [before, setBefore] = useState<{ runId: string; revision: number } | null>(null)
  if (run?.what === 'speakers' && words && before?.runId !== run.id)
    setBefore({ runId: run.id, revision: words.revision })
  const runId = before?.runId ?? ''
  const { data: ended } = useQuery({ ...transcriptionQuery(runId), enabled: false })
  const isNew = before !== null && words !== undefined && words.revision > before.revision
  const isFound = run === null && ended?.status === 'completed' && isNew
  const tell = useEffectEvent(async () => {
    const found = words?.speakers.length ?? 0
    const isNext = before !== null && words?.revision === before.revision + 1
    const { carried } = await client.fetchQuery(againQuery(id)).catch(() => ({ carried: null }))
    onFound(isNext ? words.revision : null, {
      title: found === 1 ? '1 speaker was found.' : `${found} speakers were found.`,
      ...(carried && namesIn(carried).some(isOpen)
        ? {
            description: `${titleOf({ ...carried, questions: namesIn(carried) })}, above the text.`,
          }
        : {}),
    })
  })
  useEffect(() => {
    if (isFound) void tell()
  }, [isFound])
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
