import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import { withOpen, withoutLibrary } from '#features/library/ui/library-address.ts'
import { openQuery } from '#features/library/ui/library-queries.ts'
import { DropOverlay } from '#features/recordings/ui/drop-overlay.tsx'
import { originOf } from '#features/recordings/ui/recording/origin.ts'
import { lookForLeft } from '#features/recordings/ui/recording/recover-note.tsx'
import { useUpload } from '#features/recordings/ui/use-upload.ts'
import { useWindowDrop } from '#features/recordings/ui/use-window-drop.ts'
import { dashboardAct } from '#features/result/ui/keys/keys.ts'
import { useSingleKeys } from '#features/result/ui/keys/use-reading-keys.ts'
import { isWorking } from '#features/transcriptions/status.ts'
import type { Face, HeadingRef } from '#features/transcriptions/ui/face.ts'
import { reasonOf, safeOf } from '#features/transcriptions/ui/failed-words.ts'
import { placeInLine } from '#features/transcriptions/ui/place.ts'
import { stepsFor } from '#features/transcriptions/ui/progress.ts'
import { transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { isBeingWritten } from '#features/transcriptions/ui/so-far.ts'
import { BRAND } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { NEW_FILE, PRESSED_RECORD, RECORD, TO_DASHBOARD } from '#web/paths.ts'

import { AskToLeave } from './ask-to-leave.tsx'
import { headOf, withBatches } from './batch/queue.ts'
import { type Several, useSeveral } from './batch/several.ts'
import { DashboardHome } from './dashboard-home.tsx'

/** Reads what was recorded here and not sent before the page is drawn: the note of it would push the page. */
export async function beforeDashboard(client: QueryClient): Promise<void> {
  const user = await client.query({ ...userQuery, staleTime: 'static' }).catch(() => null)
  if (user) await lookForLeft(client, user.id)
}

/** Files that are chosen, recorded and sent, and the jobs that they become; a result takes their place. */
export function Dashboard({
  face,
  openId,
  headingRef,
  dropped,
  result,
}: {
  face: Face
  openId: string | null
  headingRef: HeadingRef
  /** Files that were dropped on a result before this was there. */
  dropped: File[] | null
  /** Draws the result that is open, or its place while it loads. */
  result: (onNewFile: () => void) => ReactNode
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const { search } = useLocation()
  const close = () =>
    void navigate({ search: withoutLibrary(search), hash: '' }, { state: TO_DASHBOARD })
  const upload = useUpload({
    loadPrice: (sentId) => client.prefetchQuery(transcriptionQuery(sentId)),
    // A user who has opened another result while the file was sent stays on that result.
    onSent: async (sentId) => {
      if (openId === null) await navigate({ search: withOpen(search, sentId) })
    },
  })
  const { sending } = upload
  const several = useSeveral({
    isIdle: upload.state.kind === 'empty',
    isOpen: openId !== null,
    onEmpty: upload.clear,
  })
  const announcement = useAnnouncement(face, several)
  const startNew = () => {
    upload.clear()
    void navigate(NEW_FILE, { state: TO_DASHBOARD })
  }
  const take = (files: File[]) => {
    // What was recorded has its price at once, beside the choices for it.
    const isRecorded = files.some((file) => originOf(file) !== undefined)
    if (files.length > 1 || several.isShown || isRecorded) {
      several.of.take(files)
      // It was chosen for a file that is in the bill now.
      if (upload.document.isWanted) several.of.setDocument(upload.document)
    } else upload.take(files)
  }
  const drop = (files: File[]) => {
    if (openId !== null) close()
    take(files)
  }
  const isOver = useWindowDrop({
    isOn:
      face.kind !== 'confirm' &&
      face.kind !== 'loading' &&
      face.kind !== 'unloaded' &&
      (upload.state.kind === 'empty' || upload.state.kind === 'sent'),
    onFiles: drop,
  })
  useDropped(dropped, drop)
  const putBack = (file: File) => {
    close()
    take([file])
  }
  const isIdle = upload.state.kind === 'empty' && upload.state.problem === null
  const query = new URLSearchParams(search)
  const leadsElsewhere = query.has('shared') || query.has(RECORD)
  useRunningFirst(openId === null && isIdle && !several.isShown && !leadsElsewhere)
  useRecordAsked(upload)
  useDashboardKeys({ isResult: face.kind === 'ready', isOpen: openId !== null, startNew, upload })
  return (
    <>
      <output className="sr-only">{announcement}</output>
      {isOver ? <DropOverlay /> : null}
      {sending ? <AskToLeave onLeave={() => upload.stop(sending.file)} /> : null}
      {several.of.isSending ? (
        <AskToLeave isSeveral onLeave={() => several.batch?.leave()} />
      ) : null}
      {face.kind === 'ready' ||
      (face.kind === 'loading' && !(upload.state.kind === 'sent' && upload.state.id === openId)) ? (
        result(startNew)
      ) : (
        <>
          <title>{titleOf(face, several)}</title>
          <DashboardHome
            face={face}
            openId={openId}
            upload={upload}
            isOver={isOver}
            user={user}
            headingRef={headingRef}
            several={several}
            onFiles={take}
            onPutBack={putBack}
            onClose={close}
            onNewFile={startNew}
          />
        </>
      )}
    </>
  )
}

/** Takes what was dropped on a result, once. */
function useDropped(dropped: File[] | null, drop: (files: File[]) => void): void {
  const isTaken = useRef(false)
  const takeOnce = useEffectEvent((files: File[]) => {
    if (isTaken.current) return
    isTaken.current = true
    drop(files)
  })
  useEffect(() => {
    if (dropped) takeOnce(dropped)
  }, [dropped])
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

function titleOf(face: Exclude<Face, { kind: 'ready' }>, { queue }: Several): string {
  if (face.kind === 'upload' && queue) return `${headOf(queue.rows)} · ${BRAND}`
  switch (face.kind) {
    case 'working':
      return `${placeInLine(face.job) ?? `${face.job.percent}%`} · ${face.job.originalName}`
    case 'failed':
      return `Processing Failed · ${face.job.originalName}`
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
  if (face.kind === 'failed')
    return `${face.job.errorMessage === null ? '' : reasonOf(face.job)} ${safeOf(face.job)}`.trim()
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
