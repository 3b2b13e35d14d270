import type { ReactNode } from 'react'

import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** A secret that is shown only once: its full text, a button to copy it, and a warning. */
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
    <div role="status" className="mt-6 rounded-card border border-line bg-card p-5">
      <p className="text-body font-semibold">{title}</p>
      <p className="mt-1 text-small text-ink-2">You will not see it again.</p>
      <code className="mt-3 block rounded-control bg-code-bg px-4 py-3 font-mono text-fine wrap-anywhere text-code-ink">
        {secret}
      </code>
      {children}
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton
          text={secret}
          onFailed={() =>
            toast({ variant: 'destructive', title: 'It could not be copied. Select it by hand.' })
          }
        />
        <Button size="small" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </div>
  )
}
