import { useState } from 'react'

import { recordedDay } from '#shared/recorded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { deleteSentence, useSetRecordedAt } from './queries.ts'

/** The day on which it was recorded, from which the days that were said count. */
export function RecordedDialog({
  row,
  onSaved,
  onClose,
  focusAfter,
}: {
  row: Pick<TranscriptionRow, 'id' | 'recordedAt'>
  onSaved?: (recordedAt: string | null) => void
  onClose: () => void
  focusAfter?: () => void
}) {
  const before = recordedDay(row.recordedAt) ?? ''
  const [day, setDay] = useState(before)
  const set = useSetRecordedAt({
    onSet(recordedAt) {
      onSaved?.(recordedAt)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="When was this recorded?"
      description="“By Friday” is counted from this day. Days that you set yourself stay."
    >
      <form
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (day === before) onClose()
          else set.mutate({ id: row.id, recordedAt: day === '' ? null : day })
        }}
      >
        <TextField
          label="Day"
          type="date"
          value={day}
          max={today()}
          hint="Leave it empty if nobody knows."
          onChange={(event) => setDay(event.target.value)}
          error={set.error ? deleteSentence(set.error) : undefined}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={set.isPending}>
            Save day
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** In the time zone of this device. */
function today(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
