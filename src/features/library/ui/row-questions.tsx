import { type ReactNode, type RefObject, useState } from 'react'
import { useNavigate } from 'react-router'

import { AgainDialog } from '#features/again/ui/again-dialog.tsx'
import { DeleteRecordingDialog } from '#features/transcriptions/ui/delete-dialogs.tsx'
import { type JobRow, useDelete, useRetry } from '#features/transcriptions/ui/queries.ts'
import { OtherLanguageDialog } from '#features/transcriptions/ui/other-language-dialog.tsx'
import { RenameDialog } from '#features/transcriptions/ui/rename-dialog.tsx'

import { sentenceOf } from '#web/api.ts'
import { toastFailure } from '#web/ui/toast.tsx'

import { useLaterRooms } from './later-rooms.ts'
import { type OpenQuestion, type RowActs, useOpening } from './library-row.tsx'
import { TagPopover } from './tag-popover.tsx'

/** The questions of a row's menu, and the dialog that is open because of one. */
export function useRowQuestions({
  rows,
  heading,
  onDeleted,
}: {
  rows: readonly JobRow[]
  /** Gets the focus when the row that had it is gone. */
  heading: RefObject<HTMLElement | null>
  onDeleted: (id: string) => void
}): { onAsk: RowActs['onAsk']; questions: ReactNode } {
  const [asked, setAsked] = useState<OpenQuestion | null>(null)
  const remove = useDelete({
    onDeleted: (id) => {
      onDeleted(id)
      heading.current?.focus()
    },
  })
  const retry = useRetry()
  const onAsk: RowActs['onAsk'] = (what, row, from) => {
    if (what === 'delete') remove.mutate(row)
    else if (what === 'retry')
      retry.mutate(row, {
        onError: (error) => toastFailure('Not started', sentenceOf(error)),
      })
    else setAsked({ what, row, from })
  }
  const questions = asked ? (
    <RowQuestion
      asked={asked}
      rows={rows}
      onClose={() => setAsked(null)}
      focusAfter={() => (asked.from?.isConnected ? asked.from : heading.current)?.focus()}
    />
  ) : null
  return { onAsk, questions }
}

function RowQuestion({
  asked: { what, row },
  rows,
  ...answered
}: {
  asked: OpenQuestion
  rows: readonly JobRow[]
  onClose: () => void
  focusAfter: () => void
}) {
  const navigate = useNavigate()
  const opening = useOpening()
  const { ExportDialog, ShareDialog } = useLaterRooms()
  switch (what) {
    case 'export':
      return <ExportDialog {...answered} named={row} />
    case 'share':
      return <ShareDialog {...answered} id={row.id} />
    case 'again':
      return (
        <AgainDialog
          {...answered}
          id={row.id}
          fileName={row.originalName}
          onStarted={() => {
            answered.onClose()
            void navigate(opening(row.id))
          }}
        />
      )
    case 'other-language':
      return <OtherLanguageDialog {...answered} row={row} />
    case 'rename':
      return <RenameDialog {...answered} row={row} />
    case 'tag':
      return <TagPopover {...answered} ids={[row.id]} rows={rows} anchor={null} />
    case 'delete-recording':
      return <DeleteRecordingDialog {...answered} row={row} />
  }
}
