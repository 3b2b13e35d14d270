import { MicOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { formatTime } from '#shared/format.ts'
import { later } from '#web/later.tsx'
import { guardLogOut } from '#web/log-out-guard.ts'
import { recordPath } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'
import type { RecordingNow } from '#web/ui/header-parts.tsx'

import { live, useIsInView, useSession } from './live.ts'
import { type Running, isOnPageAlone } from './state.ts'
import { recordedNow } from './tell.ts'
import { useEvery } from './use-every.ts'
import { troubleOf } from './words.ts'

const LogOutQuestion = later(async () => (await import('./log-out-question.tsx')).LogOutQuestion)

/** What the header of every page says of a recording. Who looks at the recording itself needs no pill. */
export function useRecordingNow(): RecordingNow {
  const session = useSession()
  const isOpen = useIsInView()
  return {
    isOpen,
    pill: session.kind === 'running' && !isOpen ? <RecordingPill running={session} /> : null,
  }
}

/** Asks a user who logs out first, also while a finished recording is on this page alone. */
export function AskBeforeLogOut() {
  const session = useSession()
  const [answer, setAnswer] = useState<((goesOn: boolean) => void) | null>(null)
  const isIdle = session.kind === 'idle'
  useEffect(() => {
    if (!isIdle) LogOutQuestion.load()
  }, [isIdle])
  useEffect(
    () =>
      guardLogOut(async () => {
        const now = live.session()
        if (now.kind !== 'running' && !isOnPageAlone(now)) return true
        return new Promise((resolve) => setAnswer(() => resolve))
      }),
    [],
  )
  return answer ? (
    <LogOutQuestion
      session={session}
      onAnswer={(goesOn) => {
        setAnswer(null)
        answer(goesOn)
      }}
    />
  ) : null
}

/** The time of the recording, and whether it hears; leads back to it. At the bottom of a phone it is round. */
function RecordingPill({ running }: { running: Running }) {
  useEvery(500)
  const here = useLocation()
  const { deaf, isPaused } = running
  const trouble = deaf ? troubleOf(deaf) : null
  return (
    <>
      <span role="alert" className="sr-only">
        {trouble?.what}
      </span>
      <Link
        to={recordPath(here)}
        className={classes(
          'flex h-11 items-center gap-2 rounded-full border px-2.5 text-small font-semibold no-underline md:h-9 md:px-3 pointer-coarse:h-11',
          trouble
            ? 'border-danger bg-danger-tint text-danger'
            : 'border-playhead text-playhead-text hover:bg-paper-2',
        )}
      >
        {trouble ? (
          <MicOff size={16} aria-hidden="true" />
        ) : (
          <span
            aria-hidden="true"
            className={classes(
              'size-2.5 rounded-full',
              isPaused ? 'bg-line' : 'animate-breathe bg-playhead',
            )}
          />
        )}
        <span className={trouble || isPaused ? 'max-md:sr-only' : 'sr-only'}>
          {trouble?.short ?? (isPaused ? 'Paused' : 'Recording')}
        </span>
        <span className="font-mono tabular-nums">{formatTime(recordedNow(running) / 1000)}</span>
        <span className="sr-only">Back to the recording</span>
      </Link>
    </>
  )
}
