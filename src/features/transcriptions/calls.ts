import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  Batch,
  BroughtBack,
  ChangeSummary,
  ChangedSummary,
  ChangeRecording,
  Confirm,
  ConfirmAnswer,
  ConfirmBatch,
  DeletedMany,
  OrderSummary,
  Retry,
  SoFar,
  SoFarQuery,
  SummaryAgain,
  Transcription,
  TranscriptionRow,
} from './contract.ts'

export const openSample = call('POST', '/api/transcriptions/sample').carries<{
  answer: { id: string }
}>()

export const confirmTranscription = call('POST', '/api/transcriptions/:id/confirm').carries<{
  body: Confirm
  answer: ConfirmAnswer
}>()

export const confirmBatch = call('POST', '/api/batches/confirm').carries<{
  body: ConfirmBatch
  answer: ConfirmAnswer
}>()

export const getBatch = call('GET', '/api/batches/:id').carries<{ answer: Batch }>()

export const retryTranscription = call('POST', '/api/transcriptions/:id/retry').carries<{
  body: Retry
  answer: ConfirmAnswer
}>()

export const cancelTranscription = call('DELETE', '/api/transcriptions/:id/cancel')

export const getTranscription = call('GET', '/api/transcriptions/:id').carries<{
  answer: Transcription
}>()

export const getSoFar = call('GET', '/api/transcriptions/:id/so-far').carries<{
  query: SoFarQuery
  answer: SoFar
}>()

export const writeSummaryAgain = call('POST', '/api/transcriptions/:id/summary').carries<{
  body: z.input<typeof OrderSummary>
  answer: SummaryAgain
}>()

export const changeSummary = call('PATCH', '/api/transcriptions/:id/summary').carries<{
  body: z.input<typeof ChangeSummary>
  answer: ChangedSummary
}>()

export const bringSummaryBack = call('POST', '/api/transcriptions/:id/summary/back')

export const downloadSummary = call('GET', '/api/transcriptions/:id/download/summary')

/** The parts of a text that is downloaded; those that are left out are as the server has them by default. */
export interface TextChoice {
  speakers?: boolean
  timestamps?: boolean
  doubt?: boolean
  chapters?: boolean
  cuts?: 'applied' | 'ignored'
}

// The browser side of this room makes these too; later rooms serve them: exports the text, library the rest.

export const downloadTranscription = call(
  'GET',
  '/api/transcriptions/:id/download/transcription',
).carries<{ query: TextChoice }>()

export const renameTranscription = call('PATCH', '/api/transcriptions/:id').carries<{
  body: ChangeRecording
  answer: TranscriptionRow
}>()

export const deleteTranscription = call('DELETE', '/api/transcriptions/:id')

export const undeleteTranscription = call('POST', '/api/transcriptions/:id/undelete').carries<{
  answer: TranscriptionRow
}>()

export const deleteTranscriptions = call('POST', '/api/transcriptions/delete').carries<{
  body: { ids: string[] }
  answer: DeletedMany
}>()

export const undeleteTranscriptions = call('POST', '/api/transcriptions/undelete').carries<{
  body: { ids: string[] }
  answer: BroughtBack
}>()
