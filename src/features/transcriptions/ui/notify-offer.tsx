import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'

import { Button } from '#web/ui/button.tsx'

import { canNotify, isAwaited, notifyAboutAll } from './notify.ts'

/**
 * After a minute of waiting a notification of the system is offered. With the first text it is at
 * once: later it would push away what somebody reads.
 */
const OFFER_AFTER_MS = 60_000

/** Offers to say when a job has ended, or each of some batches. */
export function NotifyOffer({
  ids,
  isAtOnce,
  told,
}: {
  ids: readonly string[]
  isAtOnce: boolean
  /** "when it is done" */
  told: string
}) {
  const [state, setState] = useState<'waiting' | 'offered' | 'on' | 'denied'>(() =>
    ids.every(isAwaited) ? 'on' : 'waiting',
  )
  if (isAtOnce && state === 'waiting') setState('offered')
  useEffect(() => {
    const offer = () => setState((now) => (now === 'waiting' ? 'offered' : now))
    const timer = setTimeout(offer, OFFER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (state === 'waiting' || !canNotify()) return null
  if (state === 'on')
    return (
      <p role="status" className="mt-4 text-small text-ink-2">
        You will be told {told}, as long as this page is open somewhere.
      </p>
    )
  if (state === 'denied')
    return (
      <p role="status" className="mt-4 text-small text-ink-2">
        The browser does not allow notifications from this page.
      </p>
    )
  return (
    <Button
      size="small"
      className="mt-4"
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
