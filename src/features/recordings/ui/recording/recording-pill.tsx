import { MicOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { formatTime } from '#shared/format.ts'
import { guardLogOut } from '#web/log-out-guard.ts'
import { dashboardPaths, paths } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

import { live, useIsInView, useSession } from './live.ts'
import { LogOutQuestion } from './log-out-question.tsx'
import { type Running, isOnPageAlone } from './state.ts'
import { recordedNow } from './tell.ts'
import { useEvery } from './use-every.ts'
import { troubleOf } from './words.ts'

/**
 * Says in the header of every page that a recording is being made, and whether it hears; leads back to
 * it. While somebody looks at the recording itself there is no pill. A user who logs out is asked first,
 * also while a finished recording is on this page alone.
 */
export function RecordingPill() {
  const session = useSession()
  const isInView = useIsInView()
  const [answer, setAnswer] = useState<((goesOn: boolean) => void) | null>(null)
  useEffect(
    () =>
      guardLogOut(async () => {
        const now = live.session()
        if (now.kind !== 'running' && !isOnPageAlone(now)) return true
        return new Promise((resolve) => setAnswer(() => resolve))
      }),
    [],
  )
  return (
    <>
      {session.kind === 'running' && !isInView ? <Pill running={session} /> : null}
      {answer ? (
        <LogOutQuestion
          session={session}
          onAnswer={(goesOn) => {
            setAnswer(null)
            answer(goesOn)
          }}
        />
      ) : null}
    </>
  )
}

function Pill({ running }: { running: Running }) {
  useEvery(500)
  const { pathname } = useLocation()
  const { deaf, isPaused } = running
  const trouble = deaf ? troubleOf(deaf) : null
  return (
    <>
      <span role="alert" className="sr-only">
        {trouble?.what}
      </span>
      <Link
        to={{
          pathname: dashboardPaths.includes(pathname) ? pathname : paths.dashboard,
          search: '',
        }}
        className={classes(
          'flex h-9 items-center gap-2 rounded-full border px-3 text-small font-semibold no-underline max-sm:-mr-1 max-sm:px-2.5 pointer-coarse:h-11',
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
        <span className="max-sm:sr-only">
          {trouble?.short ?? (isPaused ? 'Paused' : 'Recording')}
        </span>
        <span className="font-mono tabular-nums">{formatTime(recordedNow(running) / 1000)}</span>
        <span className="sr-only">Back to the recording</span>
      </Link>
    </>
  )
}
