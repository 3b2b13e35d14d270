import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import { withOpen } from '#features/library/ui/library-address.ts'
import { isWorking } from '#features/transcriptions/status.ts'
import { useNotifiedEnds } from '#features/transcriptions/ui/use-notified-ends.ts'
import { groupBy } from '#web/group-by.ts'
import { TO_DASHBOARD } from '#web/paths.ts'

import { type QueueRow, batchQuery, batchesIn, endsSince, headOf, withBatches } from './queue.ts'
import { useBatch } from './use-batch.ts'

export type Several = ReturnType<typeof useSeveral>

/** Several files on the dashboard: those that wait for one confirm, and those that were confirmed together. */
export function useSeveral({
  isIdle,
  isOpen,
  onEmpty,
}: {
  /** No single file is chosen. */
  isIdle: boolean
  /** A transcription is open. */
  isOpen: boolean
  onEmpty: () => void
}) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const ids = batchesIn(search)
  const [said, say] = useState('')
  const [hasConfirmed, setConfirmed] = useState(false)
  const of = useBatch({
    isIdle: isIdle && !isOpen,
    onConfirmed: (batchId, [first = '', ...others]) => {
      setConfirmed(true)
      // One alone is shown with its text as that grows.
      const isAlone = others.length === 0 && ids.length === 0 && !isOpen
      const next = isAlone
        ? withOpen(search, first)
        : withBatches(search, batchId === null ? ids : [...ids, batchId])
      void navigate({ search: next }, { state: TO_DASHBOARD, replace: isOpen })
    },
    onEmpty,
    say,
  })
  const found = useQueries({ queries: ids.map(batchQuery) })
  const rows = found.flatMap(({ data }) => data?.rows ?? [])
  const hasEnded = useAuth().state === 'ended'
  useTold(rows, say)
  useTellEnds(rows)
  const { batch, view } = of
  const inBill: ReadonlySet<string> = useMemo(
    () => new Set(view.lines.flatMap(({ arrived }) => arrived?.id ?? [])),
    [view.lines],
  )
  const isPending = found.some((one) => one.isPending)
  return {
    /** They stand where one file would be chosen. */
    isShown: batch !== null || rows.length > 0 || isPending,
    /** None of them is known yet. */
    isComing: isPending && batch === null && rows.length === 0,
    batch,
    of,
    queue:
      rows.length > 0
        ? {
            rows,
            // Of several batches at once nobody knows.
            timeLeft: found.length === 1 ? (found[0]?.data?.timeLeft ?? null) : null,
            isLost: !hasEnded && found.some(({ error }) => error !== null),
            takesFocus: hasConfirmed,
          }
        : null,
    /** The files that wait in the bill. */
    inBill,
    /** The words of the live region. */
    said,
  }
}

/** Notifies people who asked for it that all of a batch has ended. */
function useTellEnds(rows: readonly QueueRow[]): void {
  const batches = groupBy(rows, ({ batchId }) => batchId ?? '')
  batches.delete('')
  const over = [...batches].filter(([, all]) => !all.some(({ status }) => isWorking(status)))
  useNotifiedEnds({
    shown: [...batches.keys()],
    ended: over.map(([id, all]) => {
      const body = all.map(({ originalName }) => originalName).join(', ')
      return { id, title: headOf(all), body }
    }),
  })
}

/** Says each end by name, with how many are done; at first how many are. */
function useTold(rows: readonly QueueRow[], say: (words: string) => void): void {
  const before = useRef<readonly QueueRow[]>([])
  const tell = useEffectEvent(() => {
    const ends = endsSince(before.current, rows)
    const isNew = rows.some(({ id }) => !before.current.some((row) => row.id === id))
    before.current = rows
    if (rows.length > 0 && (isNew || ends.length > 0)) say([...ends, headOf(rows)].join(' '))
  })
  useEffect(() => tell())
}
