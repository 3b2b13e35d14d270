import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { noDocument } from '#features/documents/ui/choice.ts'
import { openQuery } from '#features/library/ui/library-queries.ts'
import { useOptions } from '#features/recordings/ui/use-options.ts'
import { isUnconfirmed } from '#features/transcriptions/status.ts'

import { type Batch, type BatchView, openBatch } from './batch.ts'

const nothing: BatchView = { lines: [], phase: 'bill', note: null, problem: null }

/**
 * The files that wait for one confirm, while there are any. They stay while a result is looked at;
 * what arrived and was not confirmed on a page that is gone comes back with this one.
 */
export function useBatch({
  isIdle,
  onConfirmed,
  onEmpty,
  say,
}: {
  /** Nothing else stands where the bill would. */
  isIdle: boolean
  onConfirmed: (batchId: string | null, ids: readonly string[]) => void
  onEmpty: () => void
  say: (words: string) => void
}) {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const [batch, setBatch] = useState<Batch | null>(null)
  const [document, setDocument] = useState(noDocument)
  const opened = useRef<Batch>(null)
  // Files go on being sent between two renders, so what is told of them finds the newest of these.
  const tell = useRef({ onConfirmed, onEmpty, say })
  useEffect(() => {
    tell.current = { onConfirmed, onEmpty, say }
  })

  const open = useCallback((): Batch => {
    opened.current ??= openBatch({
      client,
      userId,
      onConfirmed: (...confirmed) => tell.current.onConfirmed(...confirmed),
      onEmpty: () => {
        opened.current = null
        setBatch(null)
        setDocument(noDocument)
        tell.current.onEmpty()
      },
      say: (words) => tell.current.say(words),
    })
    setBatch(opened.current)
    return opened.current
  }, [client, userId])

  useEffect(() => () => opened.current?.leave(), [])

  const { data: rows } = useQuery(openQuery)
  const isDecided = useRef(false)
  const bringBack = useEffectEvent((waiting: Parameters<Batch['addArrived']>[0]) => {
    if (isIdle && waiting.length > 1) open().addArrived(waiting)
  })
  useEffect(() => {
    if (!rows || isDecided.current) return
    isDecided.current = true
    bringBack(rows.filter(({ status }) => isUnconfirmed(status)).toReversed())
  }, [rows])

  const view = useSyncExternalStore(
    useCallback((listener) => batch?.subscribe(listener) ?? (() => undefined), [batch]),
    () => batch?.view() ?? nothing,
  )
  const names = view.lines.map(({ name }) => name).join(' ')
  return {
    batch,
    how: useOptions(names === '' ? null : names),
    /** The document that is wanted of each file. */
    document,
    setDocument,
    view,
    take: (files: File[]) => open().add(files),
    isSending: view.lines.some(
      ({ file, arrived, refusal }) => file && !arrived && refusal === null,
    ),
  }
}
