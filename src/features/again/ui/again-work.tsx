import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { AgainRun } from '#features/transcriptions/contract.ts'
import { progressFor } from '#features/transcriptions/status.ts'
import { NotifyOffer } from '#features/transcriptions/ui/notify-offer.tsx'
import { waitInWords } from '#features/transcriptions/ui/place.ts'
import { type Job, transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
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
 * The work on a recording that has a text already, in a line over the player: how far it is, or that it
 * has failed. It pushes none of the text away, which is read meanwhile.
 */
export function AgainWork({ transcription, onFound }: { transcription: Job; onFound: OnFound }) {
  const { run, job, lost } = useRun(transcription)
  useTellFound(transcription.id, run, onFound)
  const [isAsking, setAsking] = useState(false)
  const stop = useStop(transcription.id, { onStopped: () => setAsking(false) })
  const { again } = transcription
  if (!run) return again?.status === 'error' ? <Failed key={again.id} run={again} /> : null
  const { id, status, what } = run
  const waits = waitInWords(job ?? { ...transcription, status })
  const left = job?.timeLeft ?? ''
  return (
    <Strip>
      <Spinner className="size-4!" />
      <div className="min-w-0 flex-1 gap-x-3 py-2 leading-5! sm:flex">
        <p role="status">
          {what === 'text'
            ? 'A new text is being written. Corrections wait until it is there.'
            : 'The speakers are being told apart again. Corrections wait until that is done.'}
        </p>
        <p role={lost ? 'alert' : undefined} className="tabular-nums">
          {lost ? 'Connection lost. It goes on.' : null}
          {lost || what !== 'text' ? null : (waits ?? `${progressFor(status)}% complete. ${left}`)}
        </p>
      </div>
      {lost ? (
        <Button size="small" pending={lost.isAsking} onClick={lost.askAgain}>
          Check again
        </Button>
      ) : null}
      {what === 'text' ? (
        <NotifyOffer ids={[id]} told="when it is there" className="max-sm:hidden" />
      ) : null}
      <Button size="small" onClick={() => setAsking(true)}>
        Stop
      </Button>
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
    </Strip>
  )
}

function Strip({
  className = 'bg-paper-2',
  children,
}: {
  className?: string
  children: ReactNode
}) {
  return (
    <div className={classes('border-t border-rule', className)}>
      <Container className="flex min-h-13 items-center gap-x-3 text-small text-ink-2">
        {children}
      </Container>
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
            description: `${titleOf({ ...carried, questions: namesIn(carried) })}.`,
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
    <Strip className="bg-danger-tint">
      <InlineError className="min-w-0 flex-1 py-2">{run.errorMessage}</InlineError>
      <IconButton label="Hide this note" className="-mr-2" onClick={hide}>
        <X />
      </IconButton>
    </Strip>
  )
}
