import { useState } from 'react'

import { Button, type ButtonSize, type ButtonVariant } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { notThrown } from './words.ts'

/** The one way by which a recording is thrown away that was not sent: it asks first. */
export function ThrowAway({
  title,
  length,
  onThrow,
  ...button
}: {
  /** Of the recording. */
  title: string
  /** As it is shown. */
  length: string
  /** Rejects where it could not be thrown away, which is said here. */
  onThrow: () => Promise<void>
  variant?: ButtonVariant
  size?: ButtonSize
}) {
  const [isAsking, setAsking] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        Throw away
      </Button>
      {hasFailed ? <InlineError className="basis-full">{notThrown}</InlineError> : null}
      <ConfirmAlert
        open={isAsking}
        title="Throw this recording away?"
        description={`“${title}”, ${length} long, has not been sent. It is deleted from this browser and cannot be brought back.`}
        keep="Keep it"
        verb="Throw away"
        onKeep={() => setAsking(false)}
        onAct={() => {
          setAsking(false)
          setFailed(false)
          onThrow().catch(() => setFailed(true))
        }}
      />
    </>
  )
}
