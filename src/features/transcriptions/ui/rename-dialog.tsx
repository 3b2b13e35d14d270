import { Pencil } from 'lucide-react'
import { useState } from 'react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

import type { TranscriptionRow } from '../contract.ts'
import { deleteSentence, useRename } from './queries.ts'

type Named = Pick<TranscriptionRow, 'id' | 'originalName'>

/** The pencil beside a name. */
export function RenameButton({ row, className }: { row: Named; className?: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <IconButton
        label="Rename this recording"
        className={classes('print:hidden', className)}
        onClick={() => setAsking(true)}
      >
        <Pencil />
      </IconButton>
      {isAsking ? <RenameDialog row={row} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

/** A new name for a recording, in the library and for every file that is downloaded from it. */
export function RenameDialog({
  row,
  onClose,
  focusAfter,
}: {
  row: Named
  onClose: () => void
  focusAfter?: () => void
}) {
  const [name, setName] = useState(row.originalName)
  const rename = useRename({ onRenamed: onClose })
  const isEmpty = name.trim() === ''
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Rename this recording"
      description="Files that you download carry the new name."
    >
      <form
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) rename.mutate({ id: row.id, name: name.trim() })
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={255}
          autoComplete="off"
          onFocus={(event) => selectBaseName(event.target)}
          onChange={(event) => setName(event.target.value)}
          error={
            isEmpty
              ? 'A recording needs a name.'
              : rename.error
                ? deleteSentence(rename.error)
                : undefined
          }
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={rename.isPending}>
            Save name
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Selects the name without its ending, as file managers do. */
function selectBaseName(field: HTMLInputElement): void {
  const dot = field.value.lastIndexOf('.')
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length)
}
