import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import {
  Navigate,
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { libraryAsked, withOpen, withoutLibrary } from '#features/library/ui/library-address.ts'
import { openQuery } from '#features/library/ui/library-queries.ts'
import { DropOverlay } from '#features/recordings/ui/drop-overlay.tsx'
import { isGone } from '#features/recordings/ui/queries.ts'
import { originOf } from '#features/recordings/ui/recording/origin.ts'
import { useUpload } from '#features/recordings/ui/use-upload.ts'
import { useWindowDrop } from '#features/recordings/ui/use-window-drop.ts'
import { ResultsView, fetchResult } from '#features/result/ui/fetch-result.ts'
import { dashboardAct } from '#features/result/ui/keys/keys.ts'
import { useSingleKeys } from '#features/result/ui/keys/use-reading-keys.ts'
import type { ScrollAnchor } from '#features/result/ui/reading/landing.ts'
import { isUnconfirmed, isWorking, isWorthATry } from '#features/transcriptions/status.ts'
import type { Face, HeadingRef, Reading } from '#features/transcriptions/ui/face.ts'
import { reasonOf, safeOf } from '#features/transcriptions/ui/failed-words.ts'
import { placeInLine } from '#features/transcriptions/ui/place.ts'
import { stepsFor } from '#features/transcriptions/ui/progress.ts'
import { transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { ResultsSkeleton } from '#features/transcriptions/ui/skeleton.tsx'
import { isBeingWritten, soFarQuery } from '#features/transcriptions/ui/so-far.ts'
import { useNotifiedEnds } from '#features/transcriptions/ui/use-notified-ends.ts'
import { BRAND } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { PRESSED_RECORD, RECORD, TO_DASHBOARD } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'

import { AskToLeave } from './ask-to-leave.tsx'
import { headOf, withBatches } from './batch/queue.ts'
import { type Several, useSeveral } from './batch/several.ts'
import { DashboardHome } from './dashboard-home.tsx'

export default function DashboardPage() {
  const asked = libraryAsked(useLocation().search)
  return asked === null ? <Dashboard /> : <Navigate to={asked} replace />
}

function Dashboard() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = params.get('t')
  const { face, stay } = useResult(useFace(id))
  const user = useUser()
  const heading = useFocusOnChange(placeOf(face, id), { id, isStill: stay !== null })
  const { search } = useLocation()
  const close = () =>
    void navigate({ search: withoutLibrary(search), hash: '' }, { state: TO_DASHBOARD })
  const upload = useUpload({
    // A user who has opened another result while the file was sent stays on that result.
    onSent: (sentId) => {
      if (id === null) void navigate({ search: withOpen(search, sentId) })
    },
  })
  const { sending } = upload
  const several = useSeveral({
    isIdle: upload.state.kind === 'empty',
    isOpen: id !== null,
    onEmpty: upload.clear,
  })
  const announcement = useAnnouncement(face, several)
  const startNew = () => {
    upload.clear()
    void navigate(
      { search: withBatches(withoutLibrary(search), []), hash: '' },
      { state: TO_DASHBOARD },
    )
  }
  const take = (files: File[]) => {
    // What was recorded has its price at once, beside the choices for it.
    const isRecorded = files.some((file) => originOf(file) !== undefined)
    if (files.length > 1 || several.isShown || isRecorded) several.of.take(files)
    else upload.take(files)
  }
  const isOver = useWindowDrop({
    isOn:
      face.kind !== 'confirm' &&
      face.kind !== 'loading' &&
      face.kind !== 'unloaded' &&
      (upload.state.kind === 'empty' || upload.state.kind === 'sent'),
    onFiles: (files) => {
      if (id !== null) close()
      take(files)
    },
  })
  useTellEnd(face)
  const isIdle = upload.state.kind === 'empty' && upload.state.problem === null
  const leadsElsewhere = params.has('shared') || params.has(RECORD)
  useRunningFirst(id === null && isIdle && !several.isShown && !leadsElsewhere)
  useRecordAsked(upload)
  useDashboardKeys({ isResult: face.kind === 'ready', isOpen: id !== null, startNew, upload })
  return (
    // A result begins at the top: its first line is its head.
    <Container
      className={face.kind === 'ready' || face.kind === 'loading' ? 'pb-16' : 'pt-5 pb-16 lg:pt-6'}
    >
      <title>{titleOf(face, several)}</title>
      <output className="sr-only">{announcement}</output>
      {isOver ? <DropOverlay /> : null}
      {sending ? <AskToLeave onLeave={() => upload.stop(sending.file)} /> : null}
      {several.of.isSending ? (
        <AskToLeave isSeveral onLeave={() => several.batch?.leave()} />
      ) : null}
      <Suspense fallback={<ResultsSkeleton />}>
        {face.kind === 'ready' ? (
          <ResultsView
            key={face.job.id}
            transcription={face.job}
            headingRef={heading}
            onNewFile={startNew}
            stay={stay}
          />
        ) : face.kind === 'loading' && !(upload.state.kind === 'sent' && upload.state.id === id) ? (
          <ResultsSkeleton />
        ) : (
          <DashboardHome
            face={face}
            openId={id}
            upload={upload}
            isOver={isOver}
            user={user}
            headingRef={heading}
            several={several}
            onFiles={take}
            onClose={close}
            onNewFile={startNew}
          />
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
    const running = open.filter(({ status }) => isWorking(status))
    const [first] = running
    if (!first || !isIdle || !isArrival || state === TO_DASHBOARD) return
    const batches = running.flatMap(({ batchId }) => batchId ?? [])
    const next = batches.length > 0 ? withBatches(search, batches) : withOpen(search, first.id)
    void navigate({ search: next }, { replace: true })
  }, [open, key, isBack, isIdle, state, search, navigate])
}

/**
 * Opens the recorder where the address asks for it, once: the address then does not. Who pressed
 * "Record" is heard at once. An address alone, which may come from anywhere, begins no recording.
 */
function useRecordAsked({ record, openRecorder }: ReturnType<typeof useUpload>): void {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const isAsked = new URLSearchParams(search).has(RECORD)
  const open = useEffectEvent(() => {
    const next = new URLSearchParams(withoutLibrary(search))
    next.delete(RECORD)
    if (state === PRESSED_RECORD) record()
    else openRecorder()
    void navigate({ search: next.toString(), hash: '' }, { replace: true, state: TO_DASHBOARD })
  })
  useEffect(() => {
    if (isAsked) open()
  }, [isAsked])
}

/** A key chooses a file, another one records. Where something is open, that is left for it. */
function useDashboardKeys({
  isResult,
  isOpen,
  startNew,
  upload,
}: {
  /** A result has keys of its own. */
  isResult: boolean
  isOpen: boolean
  startNew: () => void
  upload: ReturnType<typeof useUpload>
}): void {
  useSingleKeys(dashboardAct, {
    choose: () => {
      const input = document.querySelector<HTMLInputElement>('main input[type=file]:enabled')
      if (input) input.click()
      else if (isOpen && !isResult) startNew()
      return !isResult
    },
    record: () => {
      if (isResult) return false
      if (isOpen) startNew()
      upload.record()
      return true
    },
  })
}

function titleOf(face: Face, { queue }: Several): string {
  if (face.kind === 'upload' && queue) return `${headOf(queue.rows)} · ${BRAND}`
  switch (face.kind) {
    case 'working':
      return `${placeInLine(face.job) ?? `${face.job.percent}%`} · ${face.job.originalName}`
    case 'failed':
      return `Processing Failed · ${face.job.originalName}`
    case 'ready':
      return face.job.isFresh
        ? `Ready · ${face.job.originalName}`
        : `${face.job.originalName} · ${BRAND}`
    case 'upload':
    case 'loading':
    case 'unloaded':
    case 'confirm':
      return `Transcribe a recording · ${BRAND}`
  }
}

/**
 * The words that screen readers announce: each new step, but not each percent; how far the text is read, once
 * a minute at most; that it is ready.
 */
function useAnnouncement(face: Face, several: Several): string {
  const read = face.kind === 'working' ? face.reading.read : null
  const readTo = useOnceAMinute(read?.turns.length ? `Read up to ${formatTime(read.readTo)}` : null)
  // The heading, which gets the focus, says that it failed.
  if (face.kind === 'failed') return `${reasonOf(face.job)} ${safeOf(face.job)}`
  if (face.kind === 'ready' && face.job.isFresh) return 'Transcription ready'
  if (face.kind === 'upload') return several.said
  if (face.kind !== 'working') return ''
  const active = stepsFor(face.job.status).find(({ state }) => state === 'active')?.label ?? ''
  return isBeingWritten(face.job.status) ? (readTo ?? active) : active
}

function useOnceAMinute(words: string | null): string | null {
  const [said, setSaid] = useState<{ words: string | null; atMs: number }>({ words, atMs: 0 })
  useEffect(() => {
    if (words === said.words) return
    const wait = words === null ? 0 : Math.max(0, said.atMs + 60_000 - Date.now())
    const timer = setTimeout(() => setSaid({ words, atMs: Date.now() }), wait)
    return () => clearTimeout(timer)
  }, [words, said])
  return said.words
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
  const shown = face.kind === 'working' ? face.job.id : end?.job.id
  const title = face.kind === 'failed' ? 'Processing Failed' : 'Transcription ready'
  useNotifiedEnds({
    shown: shown === undefined ? [] : [shown],
    ended: end ? [{ id: end.job.id, title, body: end.job.originalName }] : [],
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
