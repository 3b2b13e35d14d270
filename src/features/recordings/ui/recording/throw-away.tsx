import { useState } from 'react'

import { Button, type ButtonSize, type ButtonVariant } from '#web/ui/button.tsx'
import { Question } from '#web/ui/dialog.tsx'

/** The one way by which a recording is thrown away that was not sent: it asks first. */
export function ThrowAway({
  title,
  length,
  onThrow,
  ...button
}: {
  /** Of the recording. */
  title: string
  /** As it is shown; null when nobody knows it. */
  length: string | null
  onThrow: () => void
  variant?: ButtonVariant
  size?: ButtonSize
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        Throw away
      </Button>
      <Question
        open={isAsking}
        title="Throw this recording away?"
        description={`“${title}”${length ? `, ${length} long,` : ''} has not been sent. It is deleted from this browser and cannot be brought back.`}
        keep="Keep it"
        verb="Throw away"
        onKeep={() => setAsking(false)}
        onAct={() => {
          setAsking(false)
          onThrow()
        }}
      />
    </>
  )
}
