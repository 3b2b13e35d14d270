import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import type { JobRow } from '#features/transcriptions/ui/queries.ts'
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
  const isPending = !open.isFetched || newest.isPending
  // Running ones that are known first would stand below the places of the others, and jump up.
  const rows = isPending ? [] : all.slice(0, NEWEST_ROWS)
  const total = (page?.total ?? 0) + running.length
  const { steps, hide } = useFirstSteps(useUser().id, all)
  const heading = useRef<HTMLHeadingElement>(null)
  const { onAsk, questions } = useRowQuestions({ rows, heading, onDeleted })
  const isError = !isPending && (open.isError || newest.isError)
  // The page says above that the session has ended, so the list does not say it again.
  const hasEnded = useAuth().state === 'ended'
  return (
    <section aria-labelledby="library-heading" className="mt-8">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2
          ref={heading}
          id="library-heading"
          tabIndex={-1}
          className="font-display text-section font-semibold outline-none"
        >
          Library
        </h2>
        {rows.length > 0 ? (
          <Link to={paths.library} className="text-small text-link pointer-coarse:py-2.5">
            {total > rows.length ? `Show all ${total.toLocaleString('en-US')}` : 'Open the library'}
          </Link>
        ) : null}
      </div>
      {isPending ? <RowsSkeleton count={NEWEST_ROWS} /> : null}
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
        <div className="border-t border-rule">
          <RowTable isBrief {...{ rows, openId, cancelling, onCancel, onAsk }} />
        </div>
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
