/** A summary that is written again: whether it can be, and the calls for it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { oneKey } from '#features/recordings/ui/queries.ts'
import type { SummaryLength } from '#features/writing/contract.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { toastFailure } from '#web/ui/toast.tsx'

import { bringSummaryBack, writeSummaryAgain } from '../calls.ts'
import type { Transcription } from '../contract.ts'
import type { Job } from './queries.ts'

/** Whether it can be asked for: a language model writes here, and no summary is awaited. */
export function useCanWriteAgain({
  summaryPending,
  transcriptionText,
}: Pick<Transcription, 'summaryPending' | 'transcriptionText'>): boolean {
  const can = useCapabilities()
  return can('summaryLanguages') && !summaryPending && Boolean(transcriptionText?.trim())
}

/** Asks for another summary. Why it is not written is said in the dialog. */
export function useWriteAgain(id: string, { onAsked }: { onAsked: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: { language: SummaryLanguage; length: SummaryLength }) =>
      ask(writeSummaryAgain, { params: { id }, body: order }),
    onSuccess: async (summaryAgain) => {
      // An answer that is on its way does not know that it is awaited.
      await client.cancelQueries({ queryKey: oneKey(id) })
      client.setQueryData<Job>(
        oneKey(id),
        (job) => job && { ...job, summaryPending: true, summaryAgain, writingSinceMs: Date.now() },
      )
      onAsked()
    },
  })
}

/** Puts the summary from before the last writing back. */
export function useBringBack(id: string, { onBack }: { onBack: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(bringSummaryBack, { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: oneKey(id) })
      onBack()
    },
    onError: (error) => {
      toastFailure('Not brought back', sentenceOf(error))
      void client.invalidateQueries({ queryKey: oneKey(id) })
    },
  })
}
