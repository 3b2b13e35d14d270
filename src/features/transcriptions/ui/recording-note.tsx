import { useRef, useState } from 'react'

import { formatDate } from '#shared/format.ts'
import { DotLine } from '#web/ui/dot-line.tsx'

import type { Transcription } from '../contract.ts'
import { type Deletable, DeleteRecordingDialog, isWorthATry } from './delete-dialogs.tsx'

type Kept = Deletable & Pick<Transcription, 'recordingDeletedAt'>

/** How long the recording is kept, with the act that ends it now; then, when it was deleted. */
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
            className="inline-flex min-h-6 items-center text-link print:hidden"
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
  // Of a result the whole sentence stands in the player's place.
  return row.status === 'completed'
    ? `Recording deleted ${when}`.trimEnd()
    : `The recording was deleted${when && ` on ${when}`}.`
}
