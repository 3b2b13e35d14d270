/** Transcribing a recording again, and telling its speakers apart again: queries and changes. */
import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import type { RecordingOptions } from '#features/recordings/contract.ts'
import {
  isGone,
  oneKey,
  refreshUserAndList,
  setAvailable,
} from '#features/recordings/ui/queries.ts'
import type { Again } from '#features/text/contract.ts'
import { wordsKey } from '#features/text/ui/words-query.ts'
import { cancelTranscription, confirmTranscription } from '#features/transcriptions/calls.ts'
import type { AgainRun, Transcription } from '#features/transcriptions/contract.ts'
import { isFinished } from '#features/transcriptions/status.ts'
import { runOf } from '#features/transcriptions/ui/again-run.ts'
import { endOf, tellEnd } from '#features/transcriptions/ui/notify.ts'
import {
  type Job,
  LOST_POLL_MS,
  POLL_MS,
  sayStarted,
  transcriptionQuery,
} from '#features/transcriptions/ui/queries.ts'
import { ask } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import * as calls from '../calls.ts'
import { againKey } from './again-query.ts'
import { tellNothingOfEarlier } from './use-carried.ts'

/** Everything that a new text or other speakers change. */
export function loadAnew(client: QueryClient, id: string): Promise<unknown> {
  refreshUserAndList(client)
  return Promise.all(
    [oneKey(id), wordsKey(id), againKey(id)].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
}

/** Shows what works on the recording; null where that was stopped, so that no end is told of it. */
export function showRun(client: QueryClient, id: string, again: AgainRun | null): void {
  client.setQueryData<Job>(oneKey(id), (job) => job && { ...job, again })
}

interface Wanted {
  id: string
  options: RecordingOptions
  /** In credits, as it was shown. */
  price: number
}

/** Asks for the price, and confirms it at once where it is the one that the dialog has shown. */
export function useAgain({ onStarted }: { onStarted: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, options, price }: Wanted) => {
      const quote = await ask(calls.transcribeAgain, { params: { id }, body: options })
      // In another tab a text that was free may have been written meanwhile, or given back.
      if (quote.creditsRequired !== price)
        throw new Error('the price is not the one that was shown')
      const confirmed = await ask(confirmTranscription, { params: { id: quote.id }, body: {} })
      return { ...confirmed, runId: quote.id }
    },
    onSuccess: async ({ runId, ...confirmed }, { id }) => {
      setAvailable(client, confirmed.creditsRemaining)
      showRun(client, id, { id: runId, what: 'text', status: 'processing', errorMessage: null })
      await loadAnew(client, id)
      onStarted()
      sayStarted(confirmed)
    },
    onError: (_, { id }) => void loadAnew(client, id),
  })
}

/** Tells the speakers apart again, which is free and begins at once. */
export function useTellApart(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (speakers: string) =>
      ask(calls.tellSpeakersApart, { params: { id }, body: { speakers } }),
    onSuccess: (run) => {
      showRun(client, id, run)
      return client.invalidateQueries({ queryKey: oneKey(id) })
    },
  })
}

/**
 * How far it is. When it has ended, or is not there any more, the recording is asked about, which
 * sees that it is over and loads the text anew.
 */
export const runQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: async ({ client }): Promise<Job | null> => {
      const job = await client
        .fetchQuery({ ...transcriptionQuery(runId), staleTime: 0, retry: false })
        .catch((error: unknown) => {
          if (isGone(error)) return null
          throw error
        })
      if (job && isFinished(job.status)) void tellEnd(runId, endOf(job))
      if (job === null || isFinished(job.status))
        await client.invalidateQueries({ queryKey: oneKey(id) })
      return job
    },
    refetchInterval: ({ state: { data, error } }) => (error || !data ? LOST_POLL_MS : POLL_MS),
    refetchIntervalInBackground: true,
  })

/** The job of the run. */
export function useRun(transcription: Pick<Transcription, 'id' | 'again'>) {
  const run = runOf(transcription)
  const { data, error, isFetching, refetch } = useQuery({
    ...runQuery(transcription.id, run?.id ?? ''),
    enabled: run !== null,
  })
  return {
    run,
    job: data ?? null,
    lost: error ? { isAsking: isFetching, askAgain: () => void refetch() } : null,
  }
}

/** Stops the work; the text stays as it is, and the credits come back. */
export function useStop(id: string, { onStopped }: { onStopped: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) =>
      ask(cancelTranscription, { params: { id: runId } }).catch((error: unknown) => {
        // It has ended already, which is what was asked for.
        if (!isGone(error)) throw error
      }),
    onSuccess: async () => {
      showRun(client, id, null)
      await loadAnew(client, id)
      onStopped()
    },
  })
}

/** Drops the earlier text before its 30 days are over. */
export function useDropEarlier(id: string, { onDropped }: { onDropped: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(calls.dropEarlierText, { params: { id } }),
    onSuccess: (again) => {
      client.setQueryData<Again>(againKey(id), again)
      onDropped()
    },
  })
}

/** Changes the new text for the earlier one, which is then the one that is kept for 30 days. */
export function useGoBack(id: string, { onBack }: { onBack: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(calls.goBack, { params: { id } }),
    onSuccess: async () => {
      tellNothingOfEarlier(id)
      await loadAnew(client, id)
      onBack()
      toast({ title: 'The earlier text is back' })
    },
  })
}
