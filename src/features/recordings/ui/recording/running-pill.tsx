import { MicOff } from 'lucide-react'
import { Link, useLocation } from 'react-router'

import { formatTime } from '#shared/format.ts'
import { recordPath } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

import type { Running } from './state.ts'
import { recordedNow } from './tell.ts'
import { useEvery } from './use-every.ts'
import { troubleOf } from './words.ts'

/** The time of the recording, and whether it hears; leads back to it. At the bottom of a phone it is round. */
export function RunningPill({ running }: { running: Running }) {
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
