import type { ReactNode } from 'react'

import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'

/** A secret that is shown only once. Escape does not close it. */
export function SecretNote({
  title,
  secret,
  onClose,
  children,
}: {
  title: string
  secret: string
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <AlertDialog
      open
      onOpenChange={() => undefined}
      title={title}
      description="You will not see it again."
    >
      <code className="mt-4 block rounded-control bg-code-bg px-4 py-3 font-mono text-fine wrap-anywhere text-code-ink">
        {secret}
      </code>
      <CopyButton
        text={secret}
        className="mt-3"
        onFailed={() =>
          toast({ variant: 'destructive', title: 'It could not be copied. Select it by hand.' })
        }
      />
      {children}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
