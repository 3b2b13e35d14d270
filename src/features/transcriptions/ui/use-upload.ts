import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { DEFAULT_SUMMARY_LANGUAGE, type SummaryLanguage } from '#shared/business.ts'
import { sentenceOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import type { FileProblem } from './file-rules.ts'
import { needsCredits, refreshUserAndList, setAvailable } from './queries.ts'
import { sendFile } from './send-file.ts'
import type { Sent } from './sent.ts'

/** Where the upload panel stands. A sent file waits behind the dialog that asks for the price. */
export type UploadState =
  /** `isBack`: a file was here before, so the focus belongs where the next one is chosen. */
  | { kind: 'empty'; problem: FileProblem | null; isBack: boolean }
  | { kind: 'chosen'; file: File; failure: UploadFailure | null }
  | { kind: 'sending'; file: File; sent: Sent }
  | { kind: 'sent'; file: File; id: string }

export interface UploadFailure {
  message: string
  /** The balance is empty: buying credits helps, trying again does not. */
  needsCredits: boolean
}

const empty: UploadState = { kind: 'empty', problem: null, isBack: false }

export function useUpload({ onSent }: { onSent: (id: string) => void }) {
  const client = useQueryClient()
  const [state, setState] = useState<UploadState>(empty)
  const [language, setLanguage] = useState<SummaryLanguage>(DEFAULT_SUMMARY_LANGUAGE)
  const running = useRef<AbortController>(null)

  const upload = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      sendFile({
        file,
        summaryLanguage: language,
        signal,
        onProgress: (sent) => {
          if (!signal.aborted) setState({ kind: 'sending', file, sent })
        },
      }),
    onSuccess: (answer, { file, signal }) => {
      // Stopped a moment too late: the upload waits in the library, and nobody is taken to it.
      if (signal.aborted) return refreshUserAndList(client)
      setState({ kind: 'sent', file, id: answer.transcriptionId })
      setAvailable(client, answer.creditsAvailable)
      refreshUserAndList(client)
      onSent(answer.transcriptionId)
    },
    onError: (error, { file, signal }) => {
      if (signal.aborted) return
      const failure = failureOf(error)
      setState({ kind: 'chosen', file, failure })
      toast({ title: 'Upload Failed', description: failure.message, variant: 'destructive' })
      refreshUserAndList(client)
    },
  })

  // Whoever leaves the page any way, by signing out for example, does not go on sending.
  useEffect(() => () => running.current?.abort(), [])

  return {
    state,
    language,
    setLanguage,
    choose: (file: File) => setState({ kind: 'chosen', file, failure: null }),
    refuse: (problem: FileProblem) => setState({ kind: 'empty', problem, isBack: false }),
    clear: () => setState({ kind: 'empty', problem: null, isBack: true }),
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
  const otherwise = needsCredits(error)
    ? 'Insufficient credits'
    : 'The connection broke while the file was being sent. Nothing was charged. Please try again.'
  return { message: sentenceOf(error, otherwise), needsCredits: needsCredits(error) }
}
