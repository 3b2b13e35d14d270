import { Button } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { deleteSentence, useDeleteRecording } from './queries.ts'

export type Deletable = Pick<
  TranscriptionRow,
  'id' | 'originalName' | 'status' | 'errorCode' | 'recordingKeptUntil'
>

/** A file that failed on our side needs its recording for another try; a refused one has no other. */
export const isWorthATry = ({ status, errorCode }: Pick<Deletable, 'status' | 'errorCode'>) =>
  status === 'error' && errorCode === null

interface Asked {
  row: Deletable
  onClose: () => void
  /** Where the focus goes when the dialog has closed: what it came from may be gone. */
  focusAfter: () => void
}

export function DeleteRecordingDialog({ row, ...asked }: Asked) {
  const remove = useDeleteRecording({ onDeleted: asked.onClose })
  return (
    <Question
      {...asked}
      title="Delete the recording now?"
      description={`The recording is deleted now. ${whatStays(row)}`}
      name={row.originalName}
      verb="Delete the recording"
      isPending={remove.isPending}
      error={remove.error}
      onDelete={() => remove.mutate(row)}
    />
  )
}

function whatStays(row: Deletable): string {
  if (row.status === 'completed') return 'The text and the summary stay.'
  return isWorthATry(row)
    ? 'After that, this file cannot be tried again.'
    : 'The file stays in your library as failed.'
}

function Question({
  title,
  description,
  name,
  verb,
  isPending,
  error,
  onDelete,
  onClose,
  focusAfter,
}: Omit<Asked, 'row'> & {
  title: string
  description: string
  name: string
  verb: string
  isPending: boolean
  error: Error | null
  onDelete: () => void
}) {
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !isPending) onClose()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        focusAfter()
      }}
      title={title}
      description={description}
    >
      <p className="mt-4 font-[650] wrap-anywhere">{name}</p>
      {error ? <InlineError className="mt-4">{deleteSentence(error)}</InlineError> : null}
      <DialogActions className="*:w-full *:sm:w-auto">
        <Button disabled={isPending} onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" pending={isPending} onClick={onDelete}>
          {verb}
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
