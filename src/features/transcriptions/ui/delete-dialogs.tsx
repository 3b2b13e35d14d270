import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { isWorthATry } from '../status.ts'
import { deleteSentence, useDeleteRecording } from './queries.ts'

export type Deletable = Pick<
  TranscriptionRow,
  'id' | 'originalName' | 'status' | 'errorCode' | 'recordingKeptUntil'
>

export function DeleteRecordingDialog({
  row,
  more = null,
  onClose,
  focusAfter,
}: {
  row: Deletable
  /** Says what else goes with the recording. */
  more?: string | null
  onClose: () => void
  /** Where the focus goes when the dialog has closed: what it came from may be gone. */
  focusAfter: () => void
}) {
  const remove = useDeleteRecording({ onDeleted: onClose })
  return (
    <ConfirmAlert
      title="Delete the recording now?"
      description={['The recording is deleted now.', more, whatStays(row)]
        .filter(Boolean)
        .join(' ')}
      keep="Keep it"
      verb="Delete the recording"
      isPending={remove.isPending}
      onKeep={onClose}
      onAct={() => remove.mutate(row)}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        focusAfter()
      }}
    >
      <p className="mt-4 font-[650] wrap-anywhere">{row.originalName}</p>
      {remove.error ? (
        <InlineError className="mt-4">{deleteSentence(remove.error)}</InlineError>
      ) : null}
    </ConfirmAlert>
  )
}

function whatStays(row: Deletable): string {
  if (row.status === 'completed') return 'The text and the summary stay.'
  return isWorthATry(row)
    ? 'After that, this file cannot be tried again.'
    : 'The file stays in your library as failed.'
}
