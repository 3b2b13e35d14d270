import { Bell } from 'lucide-react'
import { useState } from 'react'

import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { canNotify, isAwaited, notifyAboutAll } from './notify.ts'

/**
 * Offers to say when a job has ended, or each of some batches. It is there from the start: later it
 * would push away what somebody reads.
 */
export function NotifyOffer({
  ids,
  told,
  className = 'mt-4',
}: {
  ids: readonly string[]
  /** "when it is done" */
  told: string
  className?: string
}) {
  const [state, setState] = useState<'offered' | 'on' | 'denied'>(() =>
    ids.every(isAwaited) ? 'on' : 'offered',
  )
  if (state === 'offered' && !canNotify()) return null
  if (state !== 'offered')
    return (
      <p
        role="status"
        className={classes(
          'flex min-h-11 items-center text-small text-ink-2 sm:min-h-9',
          className,
        )}
      >
        {state === 'on'
          ? `You will be told ${told}, as long as this page is open somewhere.`
          : 'The browser does not allow notifications from this page.'}
      </p>
    )
  return (
    <Button
      size="small"
      className={className}
      icon={<Bell />}
      onClick={() =>
        void notifyAboutAll(ids).then((isOn) => {
          setState(isOn ? 'on' : 'denied')
          return isOn
        })
      }
    >
      Notify me
    </Button>
  )
}
