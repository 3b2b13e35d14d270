import { useCallback } from 'react'
import { useBeforeUnload } from 'react-router'

import { useQuestionOnLeaving } from '#web/browser-router.tsx'
import { Button } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'

/** Stands on the page while a file is being sent: leaving would lose it, so it is asked first. */
export function AskToLeave({ onLeave }: { onLeave: () => void }) {
  // The browser's own question, where the whole document goes away.
  useBeforeUnload(useCallback((event) => event.preventDefault(), []))
  const { isAsked, stay, leave } = useQuestionOnLeaving()
  return (
    <AlertDialog
      open={isAsked}
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
            leave()
          }}
        >
          Leave
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
