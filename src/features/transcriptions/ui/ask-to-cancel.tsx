import { ConfirmAlert } from '#web/ui/dialog.tsx'

import type { JobRow } from './queries.ts'

export type Cancellable = Pick<JobRow, 'id' | 'originalName' | 'creditsRequired'>

/** Asks before a running job is stopped, because its recording is then deleted. */
export function AskToCancel({
  row,
  hasText,
  isPending,
  onKeep,
  onCancel,
}: {
  row: Cancellable | null
  /** A part of its text is on the screen. */
  hasText: boolean
  isPending: boolean
  onKeep: () => void
  onCancel: (row: Cancellable) => void
}) {
  return (
    <ConfirmAlert
      open={row !== null}
      title={hasText ? 'Stop and throw away the text so far?' : 'Cancel this file?'}
      description="Its recording is removed, and the credits reserved for it come back."
      keep={hasText ? 'Go on' : 'Keep processing'}
      verb={hasText ? 'Stop' : 'Cancel file'}
      isPending={isPending}
      onKeep={onKeep}
      onAct={() => row && onCancel(row)}
    >
      <p className="mt-4 font-[650] wrap-anywhere">{row?.originalName}</p>
    </ConfirmAlert>
  )
}
