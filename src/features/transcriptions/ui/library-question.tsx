import { DeleteRecordingDialog } from './delete-dialogs.tsx'
import type { Asked } from './library-row.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** What a row's menu asks before it does something. */
export function LibraryQuestion({
  asked: { what, row },
  ...dialog
}: {
  asked: Pick<Asked, 'row'> & { what: Exclude<Asked['what'], 'export'> }
  onClose: () => void
  focusAfter: () => void
}) {
  switch (what) {
    case 'delete-recording':
      return <DeleteRecordingDialog {...dialog} row={row} />
    case 'rename':
      return <RenameDialog {...dialog} row={row} />
  }
}
