import { useRef, useState } from 'react'

import { formatDate } from '#shared/format.ts'
import { DotLine } from '#web/ui/dot-line.tsx'

import type { Transcription } from '../contract.ts'
import { type Deletable, DeleteRecordingDialog, isWorthATry } from './delete-dialogs.tsx'

type Kept = Deletable & Pick<Transcription, 'recordingDeletedAt'>

/**
 * Says until when the recording is kept, with a button that deletes it now, or when it was deleted.
 */
export function RecordingNote({ row }: { row: Kept }) {
  const { recordingKeptUntil } = row
  const [isAsking, setAsking] = useState(false)
  const note = useRef<HTMLSpanElement>(null)
  const act = useRef<HTMLButtonElement>(null)
  return (
    <span ref={note} tabIndex={-1} className="outline-none">
      {recordingKeptUntil === null ? (
        whatBecameOf(row)
      ) : (
        <DotLine>
          <span>Recording kept until {formatDate(recordingKeptUntil)}</span>
          <button
            ref={act}
            type="button"
            className="inline-flex min-h-6 items-center text-link pointer-coarse:-my-2.5 pointer-coarse:min-h-11 print:hidden"
            onClick={() => setAsking(true)}
          >
            Delete the recording now
          </button>
        </DotLine>
      )}
      {isAsking ? (
        <DeleteRecordingDialog
          row={row}
          onClose={() => setAsking(false)}
          focusAfter={() => (act.current ?? note.current)?.focus()}
        />
      ) : null}
    </span>
  )
}

function whatBecameOf(row: Kept): string {
  if (isWorthATry(row)) return 'The recording was deleted, so this cannot be tried again.'
  const when = row.recordingDeletedAt === null ? '' : formatDate(row.recordingDeletedAt)
  // Where a result is shown, the whole sentence stands in the place of the player.
  return row.status === 'completed'
    ? `Recording deleted ${when}`.trimEnd()
    : `The recording was deleted${when && ` on ${when}`}.`
}
