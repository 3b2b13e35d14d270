import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { Button } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'

/** Stands on the page while a file is being sent: leaving would lose it, so it is asked first. */
export function AskToLeave({ onLeave }: { onLeave: () => void }) {
  // The browser's own question, where the whole document goes away.
  useBeforeUnload(useCallback((event) => event.preventDefault(), []))
  const blocker = useBlocker(
    // Another search on the same page takes nothing away.
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  const stay = () => blocker.reset?.()
  return (
    <AlertDialog
      open={blocker.state === 'blocked'}
      onOpenChange={stay}
      title="Your file is still being sent."
      description="Leave and stop the upload?"
    >
      <DialogActions className="*:w-full *:sm:w-auto">
        <Button onClick={stay}>Stay</Button>
        <Button
          variant="danger"
          onClick={() => {
            onLeave()
            blocker.proceed?.()
          }}
        >
          Leave
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
