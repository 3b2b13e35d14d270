import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { Question } from '#web/ui/dialog.tsx'

/** Shown while a file is being uploaded: leaving the page would lose it, so the user is asked. */
export function AskToLeave({ onLeave }: { onLeave: () => void }) {
  // The browser asks its own question when the whole document is left or closed.
  useBeforeUnload(useCallback((event) => event.preventDefault(), []))
  const blocker = useBlocker(
    // Another address of the same page does not end the upload.
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  return (
    <Question
      open={blocker.state === 'blocked'}
      title="Your file is still being sent."
      description="Leave and stop the upload?"
      keep="Stay"
      verb="Leave"
      onKeep={() => blocker.reset?.()}
      onAct={() => {
        onLeave()
        blocker.proceed?.()
      }}
    />
  )
}
