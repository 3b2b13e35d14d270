/**
 * Every call that is documented, and that an API key may make: the one list behind the OpenAPI
 * document, the reference page and the rule for keys. The schemas are those of the routes.
 */
import { z } from 'zod'

import { Done, User } from '#features/account/contract.ts'
import { CreditPage, CreditQuery } from '#features/billing/contract.ts'
import {
  DocumentExport,
  DocumentType,
  GeneratedDocument,
  OrderDocument,
} from '#features/documents/contract.ts'
import {
  Confirm,
  ConfirmAnswer,
  Deleted,
  Edited,
  EditText,
  Engines,
  ExportQuery,
  ListQuery,
  Peaks,
  Rename,
  RenameSpeaker,
  Transcription,
  TranscriptionRow,
  UploadAnswer,
  UploadFields,
  Words,
} from '#features/transcriptions/contract.ts'
import type { RefusalCode } from '#shared/refusals.ts'

import {
  ChangeWebhook,
  Delivery,
  DeliveryQuery,
  DirectFields,
  MakeWebhook,
  Model,
  Models,
  NewWebhook,
  OpenAiFields,
  ResendRange,
  Resent,
  Started,
  Webhook,
} from './contract.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Operation {
  id: string
  method: Method
  /** As the router writes it: `/api/transcriptions/:id`. */
  path: string
  group: 'Transcriptions' | 'Results' | 'Documents' | 'Account' | 'Webhooks' | 'OpenAI-compatible'
  summary: string
  about?: string
  query?: z.ZodObject
  /** JSON, or the fields of a form beside its file. */
  body?:
    | { kind: 'json'; schema: z.ZodType; isOptional?: true }
    | { kind: 'form'; schema: z.ZodObject }
  /** Takes an Idempotency-Key. */
  isIdempotent?: true
  answer: {
    status: number
    about: string
    /** Null: not JSON. */
    schema: z.ZodType | null
    types?: readonly string[]
    headers?: Record<string, string>
  }
  /** What it may refuse besides what every call may: no sign-in, the limit, a wrong request. */
  refusals: readonly RefusalCode[]
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const creditHeaders = {
  'X-Credits-Charged': 'Credits set aside for this recording.',
  'X-Credits-Remaining': 'Credits that are left to spend.',
}
const uploadRefusals = [
  'no_file',
  'insufficient_credits',
  'too_large',
  'unsupported_format',
  'not_media',
  'cut_off',
  'no_audio',
  'empty_file',
  'too_long',
  'too_costly',
  'too_slow',
  'too_many_uploads',
  'too_much_measuring',
  'no_space',
  'not_set_up',
] as const satisfies readonly RefusalCode[]
const keyRefusals = [
  'idempotency_key_reused',
  'idempotency_key_in_use',
] as const satisfies readonly RefusalCode[]

export const operations: readonly Operation[] = [
  {
    id: 'createTranscription',
    method: 'POST',
    path: '/api/transcriptions',
    group: 'Transcriptions',
    summary: 'Create a transcription',
    about:
      'Sends one recording, prices it, sets the credits aside and starts the work, in one call. Ask for the transcription until its status is completed or error, or let a webhook tell you.',
    body: { kind: 'form', schema: DirectFields },
    isIdempotent: true,
    answer: {
      status: 201,
      about: 'The work has begun.',
      schema: Started,
      headers: { ...creditHeaders, Location: 'Path of the transcription.' },
    },
    refusals: [...uploadRefusals, 'documents_need_plan', 'too_many_unpaid_jobs', ...keyRefusals],
  },
  {
    id: 'listTranscriptions',
    method: 'GET',
    path: '/api/transcriptions',
    group: 'Transcriptions',
    summary: 'List and search transcriptions',
    about:
      'Newest first, without the long texts. With q it searches names and everything that was said.',
    query: ListQuery,
    answer: {
      status: 200,
      about: 'A page of the list.',
      schema: z.array(TranscriptionRow),
      headers: {
        'X-Total-Count': 'How many there are in all.',
        'X-Next-Cursor': 'The cursor of the next page, while there is one.',
        Link: 'The next page, as rel="next".',
      },
    },
    refusals: [],
  },
  {
    id: 'getTranscription',
    method: 'GET',
    path: '/api/transcriptions/:id',
    group: 'Transcriptions',
    summary: 'Get a transcription',
    about: 'How far it is, and when it is completed all of it: text, summary, speakers.',
    answer: { status: 200, about: 'The transcription.', schema: Transcription },
    refusals: ['not_found'],
  },
  {
    id: 'renameTranscription',
    method: 'PATCH',
    path: '/api/transcriptions/:id',
    group: 'Transcriptions',
    summary: 'Rename a transcription',
    body: { kind: 'json', schema: Rename },
    answer: { status: 200, about: 'The renamed transcription.', schema: TranscriptionRow },
    refusals: ['not_found'],
  },
  {
    id: 'deleteTranscription',
    method: 'DELETE',
    path: '/api/transcriptions/:id',
    group: 'Transcriptions',
    summary: 'Delete a transcription',
    about:
      'With its recording and everything made from it. It can be brought back for five minutes.',
    answer: { status: 200, about: 'It is deleted.', schema: Deleted },
    refusals: ['not_found', 'still_processing'],
  },
  {
    id: 'undeleteTranscription',
    method: 'POST',
    path: '/api/transcriptions/:id/undelete',
    group: 'Transcriptions',
    summary: 'Bring a deleted transcription back',
    answer: { status: 200, about: 'It is back.', schema: TranscriptionRow },
    refusals: ['not_found'],
  },
  {
    id: 'uploadRecording',
    method: 'POST',
    path: '/api/upload',
    group: 'Transcriptions',
    summary: 'Upload without starting',
    about: 'Measures and prices a recording. Nothing is charged until it is confirmed.',
    body: { kind: 'form', schema: UploadFields },
    answer: { status: 200, about: 'The price.', schema: UploadAnswer },
    refusals: [...uploadRefusals, 'too_many_unconfirmed', 'documents_need_plan'],
  },
  {
    id: 'confirmTranscription',
    method: 'POST',
    path: '/api/transcriptions/:id/confirm',
    group: 'Transcriptions',
    summary: 'Confirm an upload',
    body: { kind: 'json', schema: Confirm, isOptional: true },
    isIdempotent: true,
    answer: {
      status: 200,
      about: 'The credits are set aside and the work has begun.',
      schema: ConfirmAnswer,
    },
    refusals: [
      'not_found',
      'insufficient_credits',
      'already_confirmed',
      'too_many_unpaid_jobs',
      ...keyRefusals,
    ],
  },
  {
    id: 'retryTranscription',
    method: 'POST',
    path: '/api/transcriptions/:id/retry',
    group: 'Transcriptions',
    summary: 'Try a failed transcription again',
    isIdempotent: true,
    answer: { status: 200, about: 'The work has begun again.', schema: ConfirmAnswer },
    refusals: [
      'not_found',
      'not_retryable',
      'refused_before',
      'too_many_unpaid_jobs',
      'given_up',
      'recording_deleted',
      'insufficient_credits',
      ...keyRefusals,
    ],
  },
  {
    id: 'cancelTranscription',
    method: 'DELETE',
    path: '/api/transcriptions/:id/cancel',
    group: 'Transcriptions',
    summary: 'Cancel before the end',
    about: 'Stops the work, returns its credits and removes the recording.',
    answer: { status: 200, about: 'It is cancelled.', schema: Done },
    refusals: ['not_found', 'already_finished'],
  },
  {
    id: 'exportTranscription',
    method: 'GET',
    path: '/api/transcriptions/:id/export',
    group: 'Results',
    summary: 'Export as a file',
    query: ExportQuery,
    answer: {
      status: 200,
      about: 'The file.',
      schema: null,
      types: [
        'text/plain',
        'text/markdown',
        'application/x-subrip',
        'text/vtt',
        'application/json',
        'text/csv',
        WORD,
        'application/pdf',
      ],
    },
    refusals: ['not_found', 'not_finished', 'not_drawable'],
  },
  {
    id: 'downloadTranscription',
    method: 'GET',
    path: '/api/transcriptions/:id/download/transcription',
    group: 'Results',
    summary: 'The text as transcription-NAME.txt',
    answer: { status: 200, about: 'The file.', schema: null, types: ['text/plain'] },
    refusals: ['not_found', 'not_finished'],
  },
  {
    id: 'downloadSummary',
    method: 'GET',
    path: '/api/transcriptions/:id/download/summary',
    group: 'Results',
    summary: 'The summary as summary-NAME.txt',
    answer: { status: 200, about: 'The file.', schema: null, types: ['text/plain'] },
    refusals: ['not_found', 'not_finished'],
  },
  {
    id: 'getWords',
    method: 'GET',
    path: '/api/transcriptions/:id/words',
    group: 'Results',
    summary: 'Words with times and confidence',
    answer: { status: 200, about: 'Every turn with its words.', schema: Words },
    refusals: ['not_found', 'not_finished'],
  },
  {
    id: 'editTurn',
    method: 'PATCH',
    path: '/api/transcriptions/:id/turns/:turnId',
    group: 'Results',
    summary: 'Correct the text of a turn',
    body: { kind: 'json', schema: EditText },
    answer: { status: 200, about: 'What changed.', schema: Edited },
    refusals: ['not_found', 'not_finished', 'edited_elsewhere'],
  },
  {
    id: 'renameSpeaker',
    method: 'PATCH',
    path: '/api/transcriptions/:id/speakers/:speaker',
    group: 'Results',
    summary: 'Name a speaker',
    body: { kind: 'json', schema: RenameSpeaker },
    answer: { status: 200, about: 'What changed.', schema: Edited },
    refusals: ['not_found', 'not_finished'],
  },
  {
    id: 'getPeaks',
    method: 'GET',
    path: '/api/transcriptions/:id/peaks',
    group: 'Results',
    summary: 'The waveform',
    answer: { status: 200, about: 'Up to 1,000 values.', schema: Peaks },
    refusals: ['not_found'],
  },
  {
    id: 'getMedia',
    method: 'GET',
    path: '/api/transcriptions/:id/media',
    group: 'Results',
    summary: 'The recording itself',
    about: 'Ranges are answered. Deleted 30 days after the upload, or before on request.',
    answer: { status: 200, about: 'The recording.', schema: null, types: ['audio/*', 'video/*'] },
    refusals: ['not_found', 'recording_gone', 'not_playable'],
  },
  {
    id: 'listDocumentTypes',
    method: 'GET',
    path: '/api/document-types',
    group: 'Documents',
    summary: 'List the types of documents',
    answer: { status: 200, about: 'The types.', schema: z.array(DocumentType) },
    refusals: ['documents_need_plan'],
  },
  {
    id: 'listDocuments',
    method: 'GET',
    path: '/api/transcription/:id/documents',
    group: 'Documents',
    summary: 'List the documents of a transcription',
    answer: { status: 200, about: 'The documents.', schema: z.array(GeneratedDocument) },
    refusals: ['not_found', 'documents_need_plan'],
  },
  {
    id: 'createDocument',
    method: 'POST',
    path: '/api/transcription/:id/documents',
    group: 'Documents',
    summary: 'Write a document',
    about: 'One credit, set aside now and returned if it cannot be written.',
    body: { kind: 'json', schema: OrderDocument },
    isIdempotent: true,
    answer: { status: 200, about: 'It is being written.', schema: GeneratedDocument },
    refusals: [
      'not_found',
      'not_finished',
      'documents_need_plan',
      'insufficient_credits',
      'too_many_unpaid_documents',
      'outcome_unknown',
      ...keyRefusals,
    ],
  },
  {
    id: 'retryDocument',
    method: 'POST',
    path: '/api/transcription/:id/documents/:documentId/retry',
    group: 'Documents',
    summary: 'Try a document again, for nothing',
    about: 'One that failed on our side, made of the text it was ordered for.',
    answer: { status: 200, about: 'It is being written again.', schema: GeneratedDocument },
    refusals: ['not_found', 'document_not_failed', 'document_order_anew', 'document_given_up'],
  },
  {
    id: 'exportDocument',
    method: 'GET',
    path: '/api/transcription/:id/documents/:documentId/export',
    group: 'Documents',
    summary: 'Export a document as a file',
    query: DocumentExport,
    answer: {
      status: 200,
      about: 'The file.',
      schema: null,
      types: ['text/plain', 'text/markdown', 'application/pdf', WORD],
    },
    refusals: ['not_found', 'not_drawable'],
  },
  {
    id: 'getUser',
    method: 'GET',
    path: '/api/user',
    group: 'Account',
    summary: 'Current user',
    about: 'Plan and credits of the account the token belongs to.',
    answer: { status: 200, about: 'The user.', schema: User },
    refusals: [],
  },
  {
    id: 'listCredits',
    method: 'GET',
    path: '/api/credits',
    group: 'Account',
    summary: 'Every credit that came or went',
    query: CreditQuery,
    answer: {
      status: 200,
      about: 'Newest first, with the balance after each.',
      schema: CreditPage,
    },
    refusals: [],
  },
  {
    id: 'getEngines',
    method: 'GET',
    path: '/api/engines',
    group: 'Account',
    summary: 'What recordings are worked on with',
    answer: { status: 200, about: 'The engines of this server.', schema: Engines },
    refusals: [],
  },
  {
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/webhooks',
    group: 'Webhooks',
    summary: 'List webhooks',
    answer: { status: 200, about: 'The webhooks of the account.', schema: z.array(Webhook) },
    refusals: [],
  },
  {
    id: 'createWebhook',
    method: 'POST',
    path: '/api/webhooks',
    group: 'Webhooks',
    summary: 'Add a webhook',
    about: 'Its secret is in this answer only.',
    body: { kind: 'json', schema: MakeWebhook },
    answer: { status: 201, about: 'The webhook with its secret.', schema: NewWebhook },
    refusals: [
      'bad_webhook_address',
      'closed_webhook_port',
      'unknown_webhook_address',
      'internal_webhook_address',
      'too_many_webhooks',
    ],
  },
  {
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/api/webhooks/:id',
    group: 'Webhooks',
    summary: 'Change, pause or resume a webhook',
    body: { kind: 'json', schema: ChangeWebhook },
    answer: { status: 200, about: 'The webhook.', schema: Webhook },
    refusals: [
      'not_found',
      'bad_webhook_address',
      'closed_webhook_port',
      'unknown_webhook_address',
      'internal_webhook_address',
    ],
  },
  {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/webhooks/:id',
    group: 'Webhooks',
    summary: 'Delete a webhook',
    answer: { status: 200, about: 'It is deleted.', schema: Done },
    refusals: ['not_found'],
  },
  {
    id: 'changeWebhookSecret',
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    group: 'Webhooks',
    summary: 'Change the secret of a webhook',
    about: 'Messages carry signatures by the old and the new secret for a day.',
    answer: { status: 200, about: 'The webhook with its new secret.', schema: NewWebhook },
    refusals: ['not_found'],
  },
  {
    id: 'testWebhook',
    method: 'POST',
    path: '/api/webhooks/:id/test',
    group: 'Webhooks',
    summary: 'Send a test message',
    answer: { status: 202, about: 'It is on its way; the log has the result.', schema: Delivery },
    refusals: ['not_found', 'too_many_test_messages'],
  },
  {
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    group: 'Webhooks',
    summary: 'List what was sent',
    query: DeliveryQuery,
    answer: { status: 200, about: 'Fifty at a time, newest first.', schema: z.array(Delivery) },
    refusals: ['not_found'],
  },
  {
    id: 'resendDelivery',
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/resend',
    group: 'Webhooks',
    summary: 'Send a message again',
    answer: { status: 202, about: 'It is on its way.', schema: Delivery },
    refusals: ['not_found', 'webhook_is_paused'],
  },
  {
    id: 'resendDeliveries',
    method: 'POST',
    path: '/api/webhooks/:id/resend',
    group: 'Webhooks',
    summary: 'Send again what failed in a time',
    body: { kind: 'json', schema: ResendRange },
    answer: { status: 202, about: 'So many are on their way.', schema: Resent },
    refusals: ['not_found', 'webhook_is_paused'],
  },
  {
    id: 'createSpeechTranscription',
    method: 'POST',
    path: '/v1/audio/transcriptions',
    group: 'OpenAI-compatible',
    summary: 'Transcribe as OpenAI does',
    about:
      "For programs made for OpenAI's speech API: set their base URL to this server's /v1. The answer comes when the work is done; the transcription is in the account as well. The same call without an Idempotency-Key, sent again before the first is finished or within ten minutes after it, gets the same transcription and is charged once.",
    body: { kind: 'form', schema: OpenAiFields },
    isIdempotent: true,
    answer: {
      status: 200,
      about: 'In the format that was asked for.',
      schema: null,
      types: ['application/json', 'text/plain', 'text/event-stream'],
      headers: { ...creditHeaders, 'X-Transcription-Id': 'Its id for the other calls.' },
    },
    refusals: [
      ...uploadRefusals,
      'too_many_unpaid_jobs',
      'unusable_recording',
      'transcription_failed',
      'answer_not_written',
      ...keyRefusals,
    ],
  },
  {
    id: 'listModels',
    method: 'GET',
    path: '/v1/models',
    group: 'OpenAI-compatible',
    summary: 'List models',
    answer: { status: 200, about: 'The names that programs know.', schema: Models },
    refusals: [],
  },
  {
    id: 'getModel',
    method: 'GET',
    path: '/v1/models/:model',
    group: 'OpenAI-compatible',
    summary: 'Get a model',
    answer: { status: 200, about: 'The model.', schema: Model },
    refusals: ['not_found'],
  },
]

const documented = new Set(operations.map(({ method, path }) => `${method} ${path}`))

export const isDocumented = (method: string, path: string): boolean =>
  documented.has(`${method} ${path}`)
