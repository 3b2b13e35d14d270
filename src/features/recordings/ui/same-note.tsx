import { Link } from 'react-router'

import { formatMoment } from '#shared/format.ts'
import { toast } from '#web/ui/toast.tsx'

import type { Same } from '../contract.ts'

/**
 * "You have this one, from Nov 20. Open it". `onOpen` takes the copy away, which nobody needs then; null
 * where it has to stay.
 */
export function SameNote({
  same: { id, createdAt },
  onOpen,
}: {
  same: Same
  onOpen: (() => void) | null
}) {
  const moment = formatMoment(createdAt)
  const day = moment.startsWith('Today') ? 'today' : moment.replace(/, \d+:\d\d$/, '')
  return (
    <>
      You have this one, from {day}.{' '}
      <Link
        to={{ search: `?t=${id}` }}
        className="text-link"
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          // On a tab of its own it leaves this page as it is.
          if (!ctrlKey && !metaKey && !shiftKey) onOpen?.()
        }}
      >
        Open it
      </Link>
    </>
  )
}

/** The copy that was chosen is gone. `putBack` chooses it again; null where only its owner can. */
export function sayCopyRemoved(name: string, putBack: (() => void) | null): void {
  toast({
    title: 'Copy removed',
    description: `${name} is no longer among the files to transcribe. You have it already.`,
    ...(putBack ? { action: { label: 'Undo', onPress: putBack } } : {}),
    goesAlong: true,
  })
}

/** "This file seems to be silent. Listen to it" */
export function SilentNote({ onListen }: { onListen: (() => void) | null }) {
  return (
    <>
      This file seems to be silent.{' '}
      {onListen ? (
        <button type="button" className="text-link pointer-coarse:min-h-11" onClick={onListen}>
          Listen to it
        </button>
      ) : null}
    </>
  )
}
