import { useState } from 'react'

import { formatDate } from '#shared/format.ts'
import { recordedDay } from '#shared/recorded.ts'

import { RecordedDialog } from './recorded-dialog.tsx'

/** The day of a recording that waits for its confirmation, as the file says it; a press changes it. */
export function RecordedLine({ id, recordedAt: told }: { id: string; recordedAt: string | null }) {
  const [recordedAt, setRecordedAt] = useState(told)
  const [isAsked, setAsked] = useState(false)
  const day = recordedDay(recordedAt)
  return (
    <>
      <button type="button" className="text-link" onClick={() => setAsked(true)}>
        {day === undefined
          ? 'Say when it was recorded'
          : `Recorded ${formatDate(`${day}T00:00:00Z`, 'UTC')}`}
      </button>
      {isAsked ? (
        <RecordedDialog
          row={{ id, recordedAt }}
          onSaved={setRecordedAt}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}
