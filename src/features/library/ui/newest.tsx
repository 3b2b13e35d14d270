import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { type JobRow, inRecordings } from '#features/transcriptions/ui/queries.ts'
import { paths } from '#web/paths.ts'

import { useFirstSteps } from './first-steps.ts'
import { LibraryNotLoaded } from './library-not-loaded.tsx'
import { LibraryPad } from './library-pad.tsx'
import { NEWEST_ROWS, inLibraryOrder, newestQuery, openQuery } from './library-queries.ts'
import { RowTable } from './library-row.tsx'
import { useRowQuestions } from './row-questions.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'

/** The newest of the library below the dashboard. Running ones stand on top and are live. */
export function Newest({
  openId,
  above,
  cancelling,
  onCancel,
  onDeleted,
  isLossSaid,
}: {
  /** The transcription that is open above; its row says so. */
  openId: string | null
  /** Ids that stand in the bill above, and not here. */
  above: ReadonlySet<string>
  cancelling: string | null
  onCancel: (row: JobRow) => void
  onDeleted: (id: string) => void
  /** Whether the card above already says that the connection is lost. */
  isLossSaid: boolean
}) {
  const open = useQuery(openQuery)
  const newest = useInfiniteQuery(newestQuery)
  const [page] = newest.data?.pages ?? []
  const running = (open.data ?? []).filter(({ id }) => !above.has(id))
  const all = inLibraryOrder([running, page?.rows ?? []])
  const rows = all.slice(0, NEWEST_ROWS)
  const total = (page?.total ?? 0) + running.length
  const { steps, hide } = useFirstSteps(useUser().id, all)
  const heading = useRef<HTMLHeadingElement>(null)
  const { onAsk, questions } = useRowQuestions({ rows, heading, onDeleted })
  const isPending = open.isPending || newest.isPending
  const isError = open.isError || newest.isError
  // The page says above that the session has ended, so the list does not say it again.
  const hasEnded = useAuth().state === 'ended'
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
          <p className="text-small text-ink-2 tabular-nums">{inRecordings(total)}</p>
        ) : null}
      </div>
      {isPending ? <RowsSkeleton count={4} /> : null}
      {isError && !hasEnded && !(isLossSaid && newest.data) ? (
        <LibraryNotLoaded
          className="mb-4"
          hasAll={Boolean(newest.data && open.data)}
          isAsking={newest.isFetching || open.isFetching}
          askAgain={() => {
            void open.refetch()
            void newest.refetch()
          }}
        />
      ) : null}
      {rows.length > 0 ? (
        <>
          <RowTable {...{ rows, openId, cancelling, onCancel, onAsk }} />
          <p className="mt-3">
            <Link
              to={paths.library}
              className="inline-flex min-h-11 items-center text-ui text-link"
            >
              {total > rows.length
                ? `Show all ${total.toLocaleString('en-US')}`
                : 'Open the library'}
            </Link>
          </p>
        </>
      ) : null}
      {isPending || isError ? null : (
        <LibraryPad
          isEmpty={rows.length === 0}
          hasSample={all.some(({ isSample }) => isSample)}
          steps={steps}
          onHide={() => {
            hide()
            heading.current?.focus()
          }}
        />
      )}
      {questions}
    </section>
  )
}
