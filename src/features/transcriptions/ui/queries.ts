/** What the browser asks about transcriptions, and what it asks the server to do with them. */
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import {
  userKey,
  listKey,
  oneKey,
  pathOf,
  isGone,
  setAvailable,
  refreshUserAndList,
} from '#features/recordings/ui/queries.ts'
import { UNCONFIRMED_MINUTES } from '#shared/business.ts'
import { call, filledIn, get, post, sentenceOf } from '#web/api.ts'
import { clearToast, toast } from '#web/ui/toast.tsx'

import type { ConfirmAnswer, Transcription, TranscriptionRow } from '../contract.ts'
import { isFinished, isWorking } from '../status.ts'
import { type Watched, estimateInWords, watched } from './estimate.ts'
import { type Seen, highestPercent } from './progress.ts'

export const POLL_MS = 2000
/** After a failed poll the rhythm stops; a server that was restarted is still found again. */
export const LOST_POLL_MS = 15_000

/** A transcription with the percent to show; `isFresh` when it was completed before our eyes. */
export type Job = Transcription & { percent: number; isFresh: boolean; timeLeft: string | null }
export type JobRow = TranscriptionRow & { percent: number }

/** Defaults for fields that an answer lacks. */
const unsaid = {
  transcriptionText: null,
  summary: null,
  keyPoints: [],
  keyPointTimes: [],
  keyPointQuotes: [],
  topics: [],
  speakers: [],
  speakerSegments: null,
  duration: 0,
  wordCount: null,
  language: null,
  engine: null,
  summaryNote: null,
  errorMessage: null,
  errorCode: null,
  canRetry: false,
  creditsRequired: 0,
  isSample: false,
  creditsReturned: null,
  recordingKeptUntil: null,
  recordingDeletedAt: null,
} satisfies Partial<Transcription>

/**
 * One transcription; polled every 2 s while it is worked on, until it is finished or a poll fails.
 * Then it comes back when the browser is online again, or when it is asked to.
 */
export const transcriptionQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: async ({ client, signal }): Promise<Job> => {
      const before = client.getQueryData<Job>(oneKey(id))
      const now = filledIn(await get<Transcription>(pathOf(id), signal), unsaid)
      const hasFinished = before !== undefined && isWorking(before.status) && isFinished(now.status)
      if (hasFinished) {
        // 'Processing Started' is over.
        clearToast()
        void client.invalidateQueries({ queryKey: userKey })
        void client.invalidateQueries({ queryKey: listKey })
      }
      const isFresh = now.status === 'completed' && (hasFinished || before?.isFresh === true)
      return { ...now, percent: percentOf(client, now), isFresh, timeLeft: timeLeftOf(client, now) }
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!data || !isWorking(data.status)) return false
      if (!error) return POLL_MS
      return isGone(error) ? false : LOST_POLL_MS
    },
    // In the background too: the percent stands in the title of the tab.
    refetchIntervalInBackground: true,
    refetchOnReconnect: ({ state: { data, error } }) =>
      error || (data && isWorking(data.status)) ? 'always' : false,
  })

/** Card and library show one percent for one job: the highest that either has seen. */
export function percentOf(
  client: QueryClient,
  { id, status }: { id: string; status: string },
): number {
  const key = ['highest percent', id]
  const percent = highestPercent(client.getQueryData<Seen>(key), status)
  client.setQueryData<Seen>(key, { status, percent })
  return percent
}

/** How long a job still takes, from the chunks that were seen to be done; null while nobody knows. */
function timeLeftOf(client: QueryClient, { id, status }: Pick<Transcription, 'id' | 'status'>) {
  const key = ['time left', id]
  if (!isWorking(status)) {
    // Started again, it takes a time of its own.
    client.removeQueries({ queryKey: key })
    return null
  }
  const atMs = Date.now()
  const now = watched(client.getQueryData<Watched>(key), status, atMs)
  client.setQueryData(key, now)
  return estimateInWords(now.last, atMs)
}

/** The running ones, and one list of finished ones for each search and order. */
type Listed = JobRow[] | InfiniteData<ListPage>
export interface ListPage {
  rows: JobRow[]
  /** Where the next page begins; null after the last. */
  next: string | null
  /** How many rows match in all. */
  total: number
}

function takeOutOfList(client: QueryClient, id: string): void {
  const without = (rows: JobRow[]) => rows.filter((row) => row.id !== id)
  client.setQueriesData<Listed>({ queryKey: listKey }, (listed) => {
    if (!listed || Array.isArray(listed)) return listed && without(listed)
    const pages = listed.pages.map((page) => {
      const rows = without(page.rows)
      return { ...page, rows, total: page.total - (page.rows.length - rows.length) }
    })
    return { ...listed, pages }
  })
}

/** Not removed: a card that is still leaving would ask for it again, and hear that it is not there. */
function forget(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: oneKey(id), refetchType: 'none' })
}

/** The job has been queued: what the server will say is shown before it is asked again. */
function showStarted(client: QueryClient, id: string, answer: ConfirmAnswer): void {
  const status = 'processing'
  const percent = percentOf(client, { id, status })
  client.setQueryData<Job>(
    oneKey(id),
    (job) =>
      job && {
        ...job,
        status,
        percent,
        errorMessage: null,
        errorCode: null,
        creditsReturned: null,
        isFresh: false,
      },
  )
  setAvailable(client, answer.creditsRemaining)
  refreshUserAndList(client)
  const { creditsDeducted, creditsRemaining } = answer
  toast({
    title: 'Processing Started',
    description: `${creditsDeducted} credits deducted. ${creditsRemaining} credits remaining.`,
  })
}

/** Agrees to the price. What is gone cannot be confirmed, so its dialog has nothing more to ask. */
export function useConfirm({ onGone }: { onGone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, summaryLanguage }: Pick<Transcription, 'id' | 'summaryLanguage'>) =>
      post<ConfirmAnswer>(`${pathOf(id)}/confirm`, { summaryLanguage }),
    onSuccess: (answer, { id }) => showStarted(client, id, answer),
    onError: (error, { id }) => {
      toast({
        title: 'Confirmation Failed',
        description: isGone(error) ? expired : sentenceOf(error, notReached),
        variant: 'destructive',
      })
      refreshUserAndList(client)
      if (isGone(error)) onGone()
      else void client.invalidateQueries({ queryKey: oneKey(id) })
    },
  })
}

const expired = `This upload is no longer there: it was cancelled, or it waited longer than ${UNCONFIRMED_MINUTES} minutes. Nothing was charged. Please upload the file again.`
const notReached = 'The server could not be reached. Please try again.'

/** Takes back an upload, or stops a running job; what was set aside comes back. */
export function useCancel({ onCancelled }: { onCancelled: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id'>) =>
      call<unknown>('DELETE', `${pathOf(id)}/cancel`).catch((error: unknown) => {
        // Already gone is what was asked for.
        if (!isGone(error)) throw error
      }),
    onMutate: ({ id }) => client.cancelQueries({ queryKey: oneKey(id) }),
    onSuccess: (_, { id }) => {
      toast({
        title: 'Upload Cancelled',
        description: 'File has been removed and no credits were charged.',
      })
      onCancelled(id)
      takeOutOfList(client, id)
      forget(client, id)
      refreshUserAndList(client)
    },
    onError: (error, { id }) => {
      toast({
        title: 'Cancel Failed',
        description: sentenceOf(error, notReached),
        variant: 'destructive',
      })
      void client.invalidateQueries({ queryKey: oneKey(id) })
      refreshUserAndList(client)
    },
  })
}

/** Starts a failed job again with a new hold. A refusal is shown where the button is. */
export function useRetry() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id'>) => post<ConfirmAnswer>(`${pathOf(id)}/retry`),
    onSuccess: (answer, { id }) => showStarted(client, id, answer),
    onError: (_, { id }) => {
      void client.invalidateQueries({ queryKey: oneKey(id) })
      refreshUserAndList(client)
    },
  })
}

/** Opens the free sample: a finished transcription of its own, made by the first asking. */
export function useOpenSample({ onOpened }: { onOpened: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => post<{ id: string }>(`${listKey[0]}/sample`),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: listKey })
      onOpened(id)
    },
  })
}

/** Why the sample could not be opened; null while there is nothing to say. */
export const openSampleSentence = (error: unknown): string | null =>
  error ? sentenceOf(error, notReached) : null

/**
 * Deletes a finished transcription: gone from the page at once, and for some minutes it can be
 * brought back. The toast with "Undo" stays a little longer than others.
 */
export function useDelete({ onDeleted }: { onDeleted: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id' | 'originalName'>) =>
      call<unknown>('DELETE', pathOf(id)).catch((error: unknown) => {
        // Already gone is what was asked for.
        if (!isGone(error)) throw error
      }),
    onMutate: ({ id }) => {
      takeOutOfList(client, id)
      onDeleted(id)
    },
    onSuccess: (_, { id, originalName }) => {
      forget(client, id)
      void client.invalidateQueries({ queryKey: listKey })
      toast({
        title: 'Deleted',
        description: `${originalName} is no longer in your library.`,
        durationMs: UNDO_MS,
        action: { label: 'Undo', onPress: () => void bringBack(client, id) },
      })
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: listKey })
      toast({
        title: 'Not deleted',
        description: deleteSentence(error),
        variant: 'destructive',
      })
    },
  })
}

const UNDO_MS = 8000

async function bringBack(client: QueryClient, id: string): Promise<void> {
  try {
    const { originalName } = await post<TranscriptionRow>(`${pathOf(id)}/undelete`)
    toast({ title: 'Back in your library', description: originalName })
  } catch (error) {
    toast({
      title: 'Could not undo',
      description: isGone(error)
        ? 'It was deleted for good in the meantime.'
        : sentenceOf(error, notReached),
      variant: 'destructive',
    })
  }
  void client.invalidateQueries({ queryKey: listKey })
}

/** Another name, shown everywhere at once. */
export function useRename({ onRenamed }: { onRenamed: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call<TranscriptionRow>('PATCH', pathOf(id), { body: { name } }),
    onSuccess: ({ id, originalName }) => {
      client.setQueryData<Job>(oneKey(id), (job) => job && { ...job, originalName })
      void client.invalidateQueries({ queryKey: listKey })
      onRenamed()
    },
  })
}

/** Deletes the recording of a finished transcription; what was made from it stays. */
export function useDeleteRecording({ onDeleted }: { onDeleted: () => void }) {
  const client = useQueryClient()
  const refresh = (id: string) =>
    Promise.all([
      client.invalidateQueries({ queryKey: oneKey(id) }),
      client.invalidateQueries({ queryKey: listKey }),
    ])
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id' | 'status'>) =>
      call<unknown>('DELETE', `${pathOf(id)}/recording`),
    onSuccess: async (_, { id, status }) => {
      // The page says that it is gone before the dialog leaves.
      await refresh(id)
      onDeleted()
      toast({
        title: 'Recording deleted',
        ...(status === 'completed' ? { description: 'The text and the summary stay.' } : {}),
      })
    },
    onError: (_, { id }) => void refresh(id),
  })
}

export const deleteSentence = (error: unknown): string =>
  isGone(error) ? 'This transcription is not there any more.' : sentenceOf(error, notReached)

/** Why a refused retry was refused; null while there is nothing to say. */
export const retrySentence = (error: unknown): string | null =>
  error ? sentenceOf(error, notReached) : null
