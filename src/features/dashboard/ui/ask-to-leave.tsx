import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { ConfirmAlert } from '#web/ui/confirm-alert.tsx'

/**
 * Asks while files are being uploaded, because leaving the page stops that. Of one file nothing would
 * be kept; of several, what has arrived is.
 */
export function AskToLeave({
  isSeveral = false,
  onLeave,
}: {
  isSeveral?: boolean
  onLeave: () => void
}) {
  // The browser asks its own question when the whole document is left or closed.
  useBeforeUnload(useCallback((event) => event.preventDefault(), []))
  const blocker = useBlocker(
    // Another address of the same page does not end the upload.
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  return (
    <ConfirmAlert
      open={blocker.state === 'blocked'}
      title={isSeveral ? 'Your files are still being sent.' : 'Your file is still being sent.'}
      description={
        isSeveral
          ? 'Leave and stop the uploads? What has arrived is kept, and nothing is charged.'
          : 'Leave and stop the upload?'
      }
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
