import { isFinished } from '#features/transcriptions/status.ts'
import { deleteSentence, inRecordings, useDeleteMany } from '#features/transcriptions/ui/queries.ts'
import { ConfirmAlert, Dialog } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { Chosen, ChosenRow, NamedRow } from './choice.ts'
import { useLaterRooms } from './later-rooms.ts'
import { TagPopover } from './tag-popover.tsx'

interface Props {
  what: 'tag' | 'export' | 'delete'
  /** The button that was pressed. */
  from: HTMLElement
  chosen: Chosen
  rows: readonly NamedRow[]
  onClose: () => void
  focusAfter: () => void
  onGone: () => void
}

/** The dialogs of the acts on all chosen recordings. */
export function ChosenQuestion({ what, from, chosen, rows, onGone, ...answered }: Props) {
  switch (what) {
    case 'tag':
      return <TagPopover {...answered} ids={[...chosen.keys()]} rows={rows} anchor={from} />
    case 'export':
      return <ExportChosen {...answered} chosen={chosen} rows={rows} />
    case 'delete':
      return <DeleteChosen {...answered} chosen={chosen} rows={rows} onGone={onGone} />
  }
}

type OfChosen = Omit<Props, 'what' | 'from' | 'onGone'>

function ExportChosen({ chosen, rows, ...answered }: OfChosen) {
  const { ExportManyDialog } = useLaterRooms()
  const { taken, left } = split(chosen, ({ status }) => status === 'completed')
  return (
    <ExportManyDialog
      {...answered}
      ids={taken.map(({ id }) => id)}
      leftOut={{ count: left.length, names: namesOf(left, rows) }}
    />
  )
}

/** Those of the chosen with which it can be done, and the others. */
function split(chosen: Chosen, can: (row: ChosenRow) => boolean) {
  const all = [...chosen.values()]
  return { taken: all.filter(can), left: all.filter((row) => !can(row)) }
}

const namesOf = (some: readonly ChosenRow[], rows: readonly NamedRow[]): string[] =>
  some.flatMap(({ id }) => rows.find((row) => row.id === id)?.originalName ?? [])

function DeleteChosen({
  chosen,
  rows,
  onClose,
  focusAfter,
  onGone,
}: OfChosen & { onGone: () => void }) {
  const { taken, left } = split(chosen, ({ status }) => isFinished(status))
  const remove = useDeleteMany({
    onDeleted: () => {
      onGone()
      onClose()
    },
  })
  const count = taken.length
  if (count === 0)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        focusAfter={focusAfter}
        title="Nothing can be deleted yet"
        description="Cancel what is being worked on first, or wait until it is finished."
      >
        {null}
      </Dialog>
    )
  return (
    <ConfirmAlert
      title={`Delete ${inRecordings(count)}?`}
      description={
        count === 1
          ? 'Its text, summary and sound go too.'
          : 'Their text, summaries and sound go too.'
      }
      keep="Cancel"
      verb={`Delete ${count}`}
      isPending={remove.isPending}
      onKeep={onClose}
      onAct={() => remove.mutate(taken.map(({ id }) => id))}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        focusAfter()
      }}
    >
      {left.length > 0 ? (
        <p className="mt-4 text-small text-ink-2 wrap-anywhere">
          {inRecordings(left.length)} {left.length === 1 ? 'is' : 'are'} still being worked on and{' '}
          {left.length === 1 ? 'stays' : 'stay'}: {namesOf(left, rows).join(', ')}
        </p>
      ) : null}
      {remove.error ? (
        <InlineError className="mt-4">{deleteSentence(remove.error)}</InlineError>
      ) : null}
    </ConfirmAlert>
  )
}
