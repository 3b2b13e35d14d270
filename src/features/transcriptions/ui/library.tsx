import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

import { DeleteDialog, DeleteRecordingDialog } from './delete-dialogs.tsx'
import { useFirstSteps } from './first-steps.ts'
import { inLibraryOrder } from './library-order.ts'
import { LibraryPad } from './library-pad.tsx'
import { type Asked, Row, rowColumns } from './library-row.tsx'
import { type JobRow, listQuery } from './queries.ts'

/** Past and running transcriptions. Running ones stand on top and are live. */
export function Library({
  openId,
  cancelling,
  onCancel,
  onDeleted,
  isLossSaid,
}: {
  /** The transcription that is open above; its row says so. */
  openId: string | null
  cancelling: string | null
  onCancel: (row: JobRow) => void
  onDeleted: (id: string) => void
  /** The card above already says that the connection is lost. */
  isLossSaid: boolean
}) {
  const list = useInfiniteQuery(listQuery)
  const rows = inLibraryOrder(list.data?.pages ?? [])
  const { steps, hide } = useFirstSteps(useUser().id, rows)
  const [asked, setAsked] = useState<Asked | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="library-heading" className="mt-16">
      <div className="mb-4 flex items-baseline gap-3">
        <h2
          ref={heading}
          id="library-heading"
          tabIndex={-1}
          className="font-display text-section font-semibold outline-none"
        >
          Library
        </h2>
        {rows.length > 0 ? (
          <p className="text-small text-ink-2 tabular-nums">
            {rows.length}
            {list.hasNextPage ? '+' : ''} {rows.length === 1 ? 'recording' : 'recordings'}
          </p>
        ) : null}
      </div>
      {list.isPending ? <Skeleton /> : null}
      {list.isError && !(isLossSaid && list.data) ? (
        <InlineError
          className="mb-4"
          action={
            <Button size="small" pending={list.isFetching} onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        >
          {list.data
            ? 'Connection lost. This list may be out of date.'
            : 'Your library could not be loaded. Nothing in it was changed.'}
        </InlineError>
      ) : null}
      {rows.length > 0 ? (
        <>
          <ColumnHeads />
          <ul>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                isOpen={row.id === openId}
                isCancelling={row.id === cancelling}
                onCancel={() => onCancel(row)}
                onDelete={(what, from) => setAsked({ what, row, from })}
              />
            ))}
          </ul>
        </>
      ) : null}
      {list.hasNextPage ? (
        <Button
          className="mt-5"
          pending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
      {list.data ? (
        <LibraryPad
          isEmpty={rows.length === 0}
          hasSample={rows.some(({ isSample }) => isSample)}
          steps={steps}
          onHide={() => {
            hide()
            heading.current?.focus()
          }}
        />
      ) : null}
      {asked ? (
        <AskToDelete
          asked={asked}
          onClose={() => setAsked(null)}
          onDeleted={() => onDeleted(asked.row.id)}
          focusAfter={() => (asked.from?.isConnected ? asked.from : heading.current)?.focus()}
        />
      ) : null}
    </section>
  )
}

function AskToDelete({
  asked: { what, row },
  onDeleted,
  ...dialog
}: {
  asked: Asked
  onClose: () => void
  onDeleted: () => void
  focusAfter: () => void
}) {
  return what === 'recording' ? (
    <DeleteRecordingDialog {...dialog} row={row} />
  ) : (
    <DeleteDialog {...dialog} row={row} onDeleted={onDeleted} />
  )
}

/** For the eye; each row says by itself what it holds. */
function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className={classes(
        'hidden border-b border-line pb-3 text-small font-semibold text-ink-2',
        rowColumns,
      )}
    >
      <span className="col-start-2">Name</span>
      <span>Date</span>
      <span className="text-right">Length</span>
      <span>Speakers</span>
      <span>Status</span>
    </div>
  )
}

function Skeleton() {
  return (
    <div className="animate-appear">
      <output className="sr-only">Loading your library</output>
      {[40, 62, 34, 50].map((width) => (
        <div
          key={width}
          aria-hidden="true"
          className="flex h-[65px] items-center gap-5 border-b border-rule first-of-type:border-t"
        >
          <span className="h-7 w-28 shrink-0 rounded-mark bg-paper-2" />
          <span className="h-4 rounded-mark bg-rule/60" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}
