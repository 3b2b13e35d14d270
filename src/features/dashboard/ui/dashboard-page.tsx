import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import {
  Navigate,
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import { libraryAsked } from '#features/library/ui/library-address.ts'
import { DropOverlay } from '#features/recordings/ui/drop-overlay.tsx'
import { isGone } from '#features/recordings/ui/queries.ts'
import { useWindowDrop } from '#features/recordings/ui/use-window-drop.ts'
import { ResultsView, fetchResult } from '#features/result/ui/fetch-result.ts'
import type { ScrollAnchor } from '#features/result/ui/reading/landing.ts'
import { isUnconfirmed, isWorking, isWorthATry } from '#features/transcriptions/status.ts'
import type { Face, HeadingRef, Reading } from '#features/transcriptions/ui/face.ts'
import { transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { ResultsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { soFarQuery } from '#features/transcriptions/ui/so-far.ts'
import { endOf } from '#features/transcriptions/ui/notify.ts'
import { useNotifiedEnds } from '#features/transcriptions/ui/use-notified-ends.ts'
import { BRAND } from '#shared/business.ts'
import { NEW_FILE, RECORD, TO_DASHBOARD } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'

import { Dashboard } from './fetch-dashboard.ts'

export default function DashboardPage() {
  const asked = libraryAsked(useLocation().search)
  return asked === null ? <Place /> : <Navigate to={asked} replace />
}

/**
 * What the address names. A result is drawn without the dashboard, whose code comes when something is
 * to be sent. From then on the dashboard stays: it may be sending while a result is looked at.
 */
function Place() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = params.get('t')
  const { face, stay } = useResult(useFace(id))
  const heading = useFocusOnChange(placeOf(face, id), { id, isStill: stay !== null })
  const [dropped, setDropped] = useState<File[] | null>(null)
  const isResult = face.kind === 'ready' || face.kind === 'loading'
  const isNeeded = !isResult || params.has(RECORD) || dropped !== null
  const [hasDashboard, setHasDashboard] = useState(isNeeded)
  if (isNeeded && !hasDashboard) setHasDashboard(true)
  const isOver = useWindowDrop({
    isOn: face.kind === 'ready' && !hasDashboard,
    onFiles: setDropped,
  })
  useTellEnd(face)
  const result = (onNewFile: () => void) =>
    face.kind === 'ready' ? (
      <>
        <title>
          {face.job.isFresh
            ? `Ready · ${face.job.originalName}`
            : `${face.job.originalName} · ${BRAND}`}
        </title>
        <ResultsView
          key={face.job.id}
          transcription={face.job}
          headingRef={heading}
          onNewFile={onNewFile}
          stay={stay}
        />
      </>
    ) : (
      <>
        <title>{`Transcribe a recording · ${BRAND}`}</title>
        <ResultsSkeleton />
      </>
    )
  return (
    // A result begins at the top: its first line is its head.
    <Container className={isResult ? 'pb-16' : 'pt-5 pb-16 lg:pt-6'}>
      <Suspense fallback={id === null ? null : <ResultsSkeleton />}>
        {hasDashboard ? (
          <Dashboard
            face={face}
            openId={id}
            headingRef={heading}
            dropped={dropped}
            result={result}
          />
        ) : (
          <>
            {isOver ? <DropOverlay /> : null}
            {result(() => void navigate(NEW_FILE, { state: TO_DASHBOARD }))}
          </>
        )}
      </Suspense>
    </Container>
  )
}

function useFace(id: string | null): Face {
  const query = useQuery({ ...transcriptionQuery(id ?? ''), enabled: id !== null })
  const reading = useQuery({
    ...soFarQuery(id ?? ''),
    enabled: query.data !== undefined && (isWorking(query.data.status) || isWorthATry(query.data)),
  })
  const hasEnded = useAuth().state === 'ended'
  if (id === null) return { kind: 'upload' }
  const { data: job, error, isFetching } = query
  const again = { isAsking: isFetching, askAgain: () => void query.refetch() }
  if (error && (!job || isGone(error))) return { kind: 'unloaded', isGone: isGone(error), ...again }
  if (!job) return { kind: 'loading' }
  if (isUnconfirmed(job.status)) return { kind: 'confirm', job }
  if (job.status === 'completed') return { kind: 'ready', job }
  const { data } = reading
  const text: Reading = {
    read: data && (data.turns.length > 0 || data.isHeldBack) ? data : null,
    failed:
      reading.error && !error && !hasEnded
        ? { isAsking: reading.isFetching, askAgain: () => void reading.refetch() }
        : null,
  }
  if (isWorking(job.status))
    return { kind: 'working', job, lost: error && !hasEnded ? again : null, reading: text }
  return { kind: 'failed', job, reading: isWorthATry(job) ? text : nothingRead }
}

const nothingRead: Reading = { read: null, failed: null }

/** Names the place that a face belongs to. The focus moves only when the place changes. */
function placeOf(face: Face, id: string | null): string {
  switch (face.kind) {
    case 'upload':
    case 'confirm':
      return 'upload'
    case 'loading':
    case 'unloaded':
    case 'working':
    case 'failed':
    case 'ready':
      return `${face.kind} ${id}`
  }
}

/** Notifies people who asked for it that a job has ended. */
function useTellEnd(face: Face): void {
  const end = face.kind === 'ready' || face.kind === 'failed' ? face : null
  const shown = face.kind === 'working' ? face.job.id : end?.job.id
  useNotifiedEnds({
    shown: shown === undefined ? [] : [shown],
    ended: end ? [endOf(end.job)] : [],
  })
}

/**
 * A result takes the place of its running job in one step, when its code and its words are there:
 * until then the job stays, and what somebody reads of it. Then that stays where it is.
 */
function useResult(now: Face) {
  const client = useQueryClient()
  const [ready, setReady] = useState<{ id: string; stay: ScrollAnchor | null }>()
  const [lastJob, setLastJob] = useState<Extract<Face, { kind: 'working' }>>()
  const isNews =
    now.kind === 'working' &&
    (now.job !== lastJob?.job || now.reading.read !== lastJob.reading.read)
  if (isNews) setLastJob(now)
  // A user who comes back later opens the result as any other.
  const openId = now.kind === 'working' || now.kind === 'ready' ? now.job.id : null
  if (lastJob && lastJob.job.id !== openId) setLastJob(undefined)
  if (ready && (now.kind !== 'ready' || now.job.id !== ready.id)) setReady(undefined)
  const awaited =
    now.kind === 'ready' && now.job.id === lastJob?.job.id && now.job.id !== ready?.id
      ? now.job.id
      : null
  useEffect(() => {
    if (awaited === null) return
    let isWaiting = true
    const replace = async () => {
      await fetchResult(client, awaited)
      if (isWaiting) startTransition(() => setReady({ id: awaited, stay: placeInSight() }))
    }
    void replace()
    return () => {
      isWaiting = false
    }
  }, [awaited, client])
  const isReady = now.kind === 'ready' && now.job.id === ready?.id
  return {
    face: awaited !== null && lastJob ? lastJob : now,
    stay: isReady ? ready.stay : null,
  }
}

/** The first turn of the running text that is in sight; null where nobody has scrolled to it. */
function placeInSight(): ScrollAnchor | null {
  if (window.scrollY === 0) return null
  for (const turn of document.querySelectorAll<HTMLElement>('[data-live-turn]')) {
    const { top } = turn.getBoundingClientRect()
    if (top >= HEADER_PX && top < window.innerHeight)
      return { seconds: Number(turn.dataset['liveTurn']), top }
  }
  return null
}
const HEADER_PX = 60

/**
 * Moves the focus to the heading of a new place. It leaves the first place of a document alone,
 * because a screen reader reads that by itself. A result that another page of the app led to is
 * new. With `isStill` the page does not scroll there.
 */
function useFocusOnChange(
  place: string,
  { id, isStill }: { id: string | null; isStill: boolean },
): HeadingRef {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLedTo = useNavigationType() === NavigationType.Push && id !== null
  const last = useRef(isLedTo ? null : place)
  const isAwaited = useRef(false)
  useEffect(() => {
    if (last.current === place) return
    last.current = place
    isAwaited.current = heading.current === null
    heading.current?.focus({ preventScroll: isStill })
  }, [place, isStill])
  // The code of the results is loaded separately, so their heading may appear later.
  return useCallback((element) => {
    heading.current = element
    if (!element || !isAwaited.current) return
    isAwaited.current = false
    element.focus()
  }, [])
}
