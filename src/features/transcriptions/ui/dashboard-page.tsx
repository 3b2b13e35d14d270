import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { DropOverlay } from '#features/recordings/ui/drop-overlay.tsx'
import { isGone } from '#features/recordings/ui/queries.ts'
import { useUpload } from '#features/recordings/ui/use-upload.ts'
import { useWindowDrop } from '#features/recordings/ui/use-window-drop.ts'
import { BRAND } from '#shared/business.ts'
import { loadPart } from '#web/load-part.ts'
import { Container } from '#web/ui/container.tsx'

import { isUnconfirmed, isWorking } from '../status.ts'
import { AskToLeave } from './ask-to-leave.tsx'
import { Desk } from './desk.tsx'
import type { Face, HeadingRef } from './face.ts'
import { fetchCode, useLaterRooms } from './later-rooms.ts'
import { TO_DESK, withOpen, withoutOpen } from './library-address.ts'
import { openQuery } from './library-queries.ts'
import { tellEnd } from './notify.ts'
import { stepsFor } from './progress.ts'
import { transcriptionQuery } from './queries.ts'
import { ResultsSkeleton } from './skeleton.tsx'

export default function DashboardPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = params.get('t')
  const face = useFace(id)
  const user = useUser()
  const { loadResults } = useLaterRooms()
  const [ResultsView] = useState(() =>
    lazy(async () => ({ default: (await loadPart(loadResults)).ResultsView })),
  )
  const heading = useFocusOnChange(placeOf(face, id), id)
  useResultsReady(loadResults, face.kind === 'working' && face.job.percent >= 50)
  const { search } = useLocation()
  const close = () => void navigate({ search: withoutOpen(search), hash: '' }, { state: TO_DESK })
  const upload = useUpload({
    // A user who has opened another result while the file was sent stays on that result.
    onSent: (sentId) => {
      if (id === null) void navigate({ search: withOpen(search, sentId) })
    },
  })
  const sending = upload.state.kind === 'sending' ? upload.state : null
  const startNew = () => {
    upload.clear()
    close()
  }
  const isOver = useWindowDrop({
    isOn:
      face.kind !== 'confirm' &&
      face.kind !== 'loading' &&
      face.kind !== 'unloaded' &&
      (upload.state.kind === 'empty' || upload.state.kind === 'sent'),
    onFiles: (files) => {
      if (id !== null) close()
      upload.take(files)
    },
  })
  useTellEnd(face)
  useRunningFirst(id === null && upload.state.kind === 'empty' && upload.state.problem === null)
  return (
    <Container className="pt-8 pb-16 lg:pt-10">
      <title>{titleOf(face)}</title>
      <output className="sr-only">{announcementOf(face)}</output>
      {isOver ? <DropOverlay /> : null}
      {sending ? <AskToLeave onLeave={() => upload.stop(sending.file)} /> : null}
      {face.kind === 'ready' ? (
        <Suspense fallback={<ResultsSkeleton />}>
          <ResultsView
            key={face.job.id}
            transcription={face.job}
            headingRef={heading}
            onNewFile={startNew}
          />
        </Suspense>
      ) : face.kind === 'loading' && !(upload.state.kind === 'sent' && upload.state.id === id) ? (
        <ResultsSkeleton />
      ) : (
        <Desk
          face={face}
          openId={id}
          upload={upload}
          isOver={isOver}
          user={user}
          headingRef={heading}
          onClose={close}
          onNewFile={startNew}
        />
      )}
    </Container>
  )
}

function useFace(id: string | null): Face {
  const query = useQuery({ ...transcriptionQuery(id ?? ''), enabled: id !== null })
  const hasEnded = useAuth().state === 'ended'
  if (id === null) return { kind: 'upload' }
  const { data: job, error, isFetching } = query
  const again = { isAsking: isFetching, askAgain: () => void query.refetch() }
  if (error && (!job || isGone(error))) return { kind: 'unloaded', isGone: isGone(error), ...again }
  if (!job) return { kind: 'loading' }
  if (isUnconfirmed(job.status)) return { kind: 'confirm', job }
  if (isWorking(job.status))
    return { kind: 'working', job, lost: error && !hasEnded ? again : null }
  return job.status === 'error' ? { kind: 'failed', job } : { kind: 'ready', job }
}

/**
 * Leads a user who opens the dashboard while a job runs to that job. It does not when the user
 * asked for the upload panel, or goes back to it from the job.
 */
function useRunningFirst(isIdle: boolean): void {
  const { data: open } = useQuery(openQuery)
  const { key, search, state } = useLocation()
  const isBack = useNavigationType() === NavigationType.Pop
  const navigate = useNavigate()
  const decided = useRef<string>(undefined)
  useEffect(() => {
    if (!open || decided.current === key) return
    const isArrival = decided.current === undefined || !isBack
    decided.current = key
    const running = open.find(({ status }) => isWorking(status))
    if (running && isIdle && isArrival && state !== TO_DESK)
      void navigate({ search: withOpen(search, running.id) }, { replace: true })
  }, [open, key, isBack, isIdle, state, search, navigate])
}

function titleOf(face: Face): string {
  switch (face.kind) {
    case 'working':
      return `${face.job.percent}% · ${face.job.originalName}`
    case 'failed':
      return `Processing Failed · ${face.job.originalName}`
    case 'ready':
      return `${face.job.originalName} · ${BRAND}`
    case 'upload':
    case 'loading':
    case 'unloaded':
    case 'confirm':
      return `Transcribe a recording · ${BRAND}`
  }
}

/** What screen readers announce: each new step, but not each percent. */
function announcementOf(face: Face): string {
  if (face.kind === 'working')
    return stepsFor(face.job.status).find(({ state }) => state === 'active')?.label ?? ''
  if (face.kind === 'failed') return 'Processing Failed'
  return face.kind === 'ready' && face.job.isFresh ? 'Transcription ready' : ''
}

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
  const id = end?.job.id
  const words = {
    title: end?.kind === 'failed' ? 'Processing Failed' : 'Transcription ready',
    body: end?.job.originalName ?? '',
  }
  const tell = useEffectEvent((endedId: string) => tellEnd(endedId, words))
  useEffect(() => {
    if (id !== undefined) tell(id)
  }, [id])
}

/** Fetches the code of the results while the last half of a job runs. */
function useResultsReady(load: () => Promise<unknown>, isNear: boolean): void {
  useEffect(() => {
    if (isNear) fetchCode(load)
  }, [load, isNear])
}

/**
 * Moves the focus to the heading of a new place. It leaves the first place of a document alone,
 * because a screen reader reads that by itself. A result that another page of the app led to is
 * new.
 */
function useFocusOnChange(place: string, id: string | null): HeadingRef {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLedTo = useNavigationType() === NavigationType.Push && id !== null
  const last = useRef(isLedTo ? null : place)
  const isAwaited = useRef(false)
  useEffect(() => {
    if (last.current === place) return
    last.current = place
    isAwaited.current = heading.current === null
    heading.current?.focus()
  }, [place])
  // The code of the results is loaded separately, so their heading may appear later.
  return useCallback((element) => {
    heading.current = element
    if (!element || !isAwaited.current) return
    isAwaited.current = false
    element.focus()
  }, [])
}
