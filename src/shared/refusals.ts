/**
 * Every expected no of the product: its HTTP status and its sentence (what happened, whether
 * credits were touched, what to do next). A code without both does not compile. Where the spec
 * fixes the words, they stand here letter for letter.
 */
import { tooLarge, unsupportedFormat } from './business.ts'

export const refusals = {
  // sign-in
  not_signed_in: [401, 'Please sign in to continue.'],
  wrong_password: [401, 'Email or password is incorrect.'],
  email_not_verified: [403, 'Please verify your email address before signing in.'],
  link_used: [410, 'This link has been used or has expired.'],
  too_many_attempts: [429, 'Too many attempts. Please wait a few minutes and try again.'],
  invalid_email: [400, 'Please enter a valid email address'],
  common_password: [400, 'This password is too common. Please choose another one.'],
  cross_site: [403, 'This request came from another site and was not carried out.'],
  wrong_host: [421, 'This server does not answer to that host name.'],

  // requests
  invalid_request: [400, 'This request could not be understood.'],
  not_found: [404, 'Not found.'],
  gone: [410, 'This has been deleted.'],

  // uploads
  no_file: [400, 'No file was received. Please choose a file and try again. Nothing was charged.'],
  too_large: [413, tooLarge],
  unsupported_format: [415, unsupportedFormat],
  not_media: [
    422,
    'This file is not a recording we can read. Nothing was charged. Please check the file and upload it again.',
  ],
  empty_file: [422, 'This file is empty. Nothing was charged. Please choose another file.'],
  cut_off: [
    422,
    'This file is incomplete: its end is missing. Nothing was charged. Please export or copy it again, then upload it.',
  ],
  no_audio: [
    422,
    'This file has no audio track we can read. Nothing was charged. Please choose a file with sound.',
  ],
  too_long: [
    422,
    'This recording is longer than 12 hours. Nothing was charged. Please split it and upload the parts.',
  ],
  too_many_unconfirmed: [
    429,
    'You have 3 uploads waiting for your confirmation. Confirm or cancel one, then upload again. Nothing was charged.',
  ],
  too_many_uploads: [
    429,
    'You are sending 10 files already. Wait until one of them has arrived, then upload the next. Nothing was charged.',
  ],
  documents_need_plan: [
    403,
    'Documents are part of the Professional and Enterprise plans. Nothing was charged.',
  ],
  database_away: [
    503,
    'The database is restarting. What you did is done once or not at all: please look, and try again in a moment.',
  ],
  not_set_up: [
    503,
    'This server cannot read recordings yet: a program it needs is missing. Nothing was charged. Please tell whoever runs it.',
  ],
  no_space: [
    507,
    'This server has no room for more recordings at the moment. Nothing was charged. Please try again later.',
  ],

  // credits and jobs
  insufficient_credits: [402, 'Insufficient credits'],
  already_confirmed: [
    409,
    'This file was already confirmed with another summary language. It is being processed with the first one.',
  ],
  already_finished: [409, 'This transcription is already finished and can no longer be cancelled.'],
  not_retryable: [409, 'Only a failed transcription can be tried again.'],
  recording_deleted: [
    410,
    'The recording was deleted, so it cannot be processed again. Please upload it once more.',
  ],
  still_processing: [
    409,
    'This recording is still being processed. Cancel it first, or wait until it is finished.',
  ],
  not_finished: [409, 'This transcription is not finished yet.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type RefusalCode = keyof typeof refusals

/** An expected no. Thrown by rooms, turned into `{ message, code }` by the server's error handler. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  /** Seconds after which asking again makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    options: { message?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? refusals[code][1], { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code][0]
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
