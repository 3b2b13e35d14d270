import { useMutation, useQueryClient } from '@tanstack/react-query'
import { startTransition, useEffect, useRef, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { noDocument, orderOf } from '#features/documents/ui/choice.ts'
import { tooLarge } from '#shared/business.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { forgetShared } from '#web/shared-origin.ts'
import { clearToast, toastFailure } from '#web/ui/toast.tsx'

import { isVideo, problemWith } from './file-rules.ts'
import { leftBy } from './left.ts'
import { needsCredits, optionsQuery, refreshUserAndList, setAvailable } from './queries.ts'
import { live, useSession } from './recording/live.ts'
import { startRecording } from './recording/recorder.ts'
import { sendFile } from './send-file.ts'
import type { Sent } from './sent.ts'
import { useOptions } from './use-options.ts'

/** Where the upload panel stands. A sent file waits behind the dialog that asks for the price. */
type UploadState =
  /** `isBack`: a file was here before, so the focus belongs where the next one is chosen. */
  | {
      kind: 'empty'
      /** Why the last choice was not taken. */
      problem: string | null
      /** The file that was too large, when it is a video: its sound alone may be small enough. */
      video: File | null
      isBack: boolean
    }
  /** The microphone stands in the place of the drop area. */
  | { kind: 'recording' }
  | { kind: 'chosen'; file: File; failure: UploadFailure | null }
  | { kind: 'sending'; file: File; sent: Sent }
  | { kind: 'sent'; file: File; id: string }

interface UploadFailure {
  message: string
  /** The balance is empty: buying credits helps, trying again does not. */
  needsCredits: boolean
  /** The session has ended. The failure goes as soon as somebody is signed in again. */
  needsSignIn: boolean
  atMs: number
}

const empty: Extract<UploadState, { kind: 'empty' }> = {
  kind: 'empty',
  problem: null,
  video: null,
  isBack: false,
}

export function useUpload({
  loadPrice,
  onSent,
}: {
  /** Asks what the sent file costs; fulfilled also when that could not be loaded. */
  loadPrice: (id: string) => Promise<void>
  /** Leads to the question about the price. */
  onSent: (id: string) => Promise<void>
}) {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const [chosenState, setState] = useState<Exclude<UploadState, { kind: 'recording' }>>(empty)
  const [isAsked, askToRecord] = useState(false)
  // A recording that is being made, or waits for a word, stands where a file would be chosen. Somebody
  // who asks for it sees it in the place of a file, which stays.
  const isRecording = (useSession().kind !== 'idle' && chosenState.kind === 'empty') || isAsked
  const state: UploadState = isRecording ? { kind: 'recording' } : chosenState
  const how = useOptions('file' in state ? state.file.name : null)
  const { summaryLanguage, options } = how
  const [document, setDocument] = useState(noDocument)
  const [isSent, setSent] = useState(false)
  const running = useRef<AbortController>(null)

  const upload = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      sendFile({
        userId,
        file,
        summaryLanguage,
        options,
        document: orderOf(document),
        signal,
        onProgress: (sent) => {
          if (!signal.aborted) setState({ kind: 'sending', file, sent })
        },
        // The notice of the upload stays until the price is there: else the empty panel is seen between.
        loadPrice,
      }),
    onSuccess: async (answer, { file, signal }) => {
      // The upload was stopped after it had arrived. It waits in the library, and is not opened.
      if (signal.aborted) return refreshUserAndList(client)
      how.choose(options)
      setSent(true)
      client.setQueryData(optionsQuery.queryKey, options)
      setAvailable(client, answer.creditsAvailable)
      refreshUserAndList(client)
      await onSent(answer.transcriptionId)
      // The router draws the new address in a transition. This comes with it, and not before.
      startTransition(() => setState({ kind: 'sent', file, id: answer.transcriptionId }))
    },
    onError: (error, { file, signal }) => {
      if (signal.aborted) return
      const failure = failureOf(error)
      setState({ kind: 'chosen', file, failure })
      toastFailure('Upload Failed', failure.message)
      refreshUserAndList(client)
    },
  })

  // Leaving the page, for example by signing out, stops the upload.
  useEffect(() => () => running.current?.abort(), [])

  const choose = (file: File) => {
    // An upload that was begun goes on as it was begun.
    const begun = leftBy(userId).of(file)
    // Options that were not sent go to the next file. The server keeps those that were sent.
    if (isSent) how.choose({})
    setSent(false)
    if (begun) {
      const { document: order } = begun
      how.setLanguage(begun.summaryLanguage)
      how.choose(begun.options)
      setDocument(
        order
          ? { isWanted: true, type: order.documentType, withImages: order.includeImages }
          : noDocument,
      )
    }
    setState({ kind: 'chosen', file, failure: null })
  }
  return {
    state,
    /** Goes on while something is recorded. */
    sending: chosenState.kind === 'sending' ? chosenState : null,
    /** The file that waits for its start, also while something is recorded. */
    chosen: chosenState.kind === 'chosen' ? [chosenState.file] : [],
    how,
    document,
    setDocument,
    choose,
    /** Takes the files that were chosen or dropped: one good file, or the problem with it. */
    take: (files: File[]) => {
      const [file] = files
      if (!file) return
      clearToast()
      const problem = problemWith(file)
      if (!problem) return choose(file)
      const video = problem === tooLarge && isVideo(file) ? file : null
      // Nothing can come of it, so it is not offered once more.
      if (!video) void forgetShared(file)
      setState({ kind: 'empty', problem, video, isBack: false })
    },
    /** The recorder stands here, and asks before it begins. */
    openRecorder: () => askToRecord(true),
    /** Records at once: the browser asks for the microphone, and that is question enough. */
    record: () => {
      askToRecord(true)
      const { kind } = live.session()
      if (kind === 'idle' || kind === 'refused') void startRecording({ userId })
    },
    /** A file that was chosen before is in view again. */
    endRecording: () => {
      askToRecord(false)
      if (chosenState.kind === 'empty') setState({ ...empty, isBack: true })
    },
    clear: () => {
      askToRecord(false)
      setDocument(noDocument)
      setState({ ...empty, isBack: true })
    },
    start: (file: File) => {
      running.current = new AbortController()
      setState({ kind: 'sending', file, sent: { sentBytes: 0, totalBytes: file.size } })
      upload.mutate({ file, signal: running.current.signal })
    },
    /** The file and the options stay; only the sending stops. */
    stop: (file: File) => {
      running.current?.abort()
      setState({ kind: 'chosen', file, failure: null })
    },
  }
}

function failureOf(error: unknown): UploadFailure {
  const broke =
    'The connection broke while the file was being sent. Nothing was charged. What has arrived is kept: try again to send the rest.'
  const otherwise = error instanceof ApiError ? undefined : broke
  return {
    message: sentenceOf(error, needsCredits(error) ? 'Insufficient credits' : otherwise),
    needsCredits: needsCredits(error),
    needsSignIn: error instanceof ApiError && error.status === 401,
    atMs: Date.now(),
  }
}
