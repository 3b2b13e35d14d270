/**
 * Every expected no of the product: its HTTP status and its sentence (what happened, whether
 * credits were touched, what to do next). A code without both does not compile. Where the spec
 * fixes the words, they stand here letter for letter.
 */
import { RETENTION_DAYS, tooLarge, unsupportedFormat } from './business.ts'

export const refusals = {
  // sign-in
  not_signed_in: [401, 'Please sign in to continue.'],
  wrong_password: [401, 'Email or password is incorrect.'],
  email_not_verified: [403, 'Please verify your email address before signing in.'],
  sign_up_closed: [
    403,
    'This server takes no new accounts. Whoever has one can sign in as before.',
  ],
  invitation_needed: [
    403,
    'New accounts here need an invitation for this address, and a link is good once and for a week. Ask whoever runs this server for one.',
  ],
  has_account: [409, 'This address has an account already. Nobody was invited.'],
  account_blocked: [
    403,
    'This account is blocked. Nothing in it is deleted. If you think this is a mistake, write to us through the contact page.',
  ],
  owner_blocked: [
    409,
    'The account of this job is blocked. Nothing was changed and no credits were moved. Unblock the account first.',
  ],
  operator_not_blocked: [
    409,
    'This is the account of an operator. Nothing was changed. Take its address out of ADMIN_EMAILS first.',
  ],
  trial_under_way: [
    409,
    'The language model is being tried already. Nothing was asked. Please wait until that has ended.',
  ],
  too_many_trials: [
    429,
    'The language model was tried ten times within an hour. Nothing was asked. Please try again later.',
  ],
  password_again: [403, 'Enter your password again to do this. Nothing was changed yet.'],
  sign_in_again: [
    403,
    'Sign out and in again to do this: your sign-in is older than 15 minutes. Nothing was changed.',
  ],
  ticket_refused: [
    410,
    'This sign-in was not from this browser, or it is too old. Who was signed in still is.',
  ],
  password_needed: [403, 'Enter the password you chose to confirm this address.'],
  wrong_chosen_password: [
    403,
    'That is not the password this account was made with. Nothing was confirmed.',
  ],
  link_used: [410, 'This link has been used or has expired.'],
  too_many_attempts: [429, 'Too many attempts. Please wait a few minutes and try again.'],
  too_many_sign_ins: [
    429,
    'The password of this account was entered very often within an hour. Nothing was changed. Please try again later, in an hour at the latest.',
  ],
  invalid_email: [400, 'Please enter a valid email address'],
  common_password: [400, 'This password is too common. Please choose another one.'],
  wrong_current_password: [403, 'That is not your current password. Nothing was changed.'],
  wrong_confirmation: [400, 'That is not the email address of this account. Nothing was deleted.'],
  address_taken: [409, 'This address belongs to another account. Nothing was changed.'],
  last_way_in: [409, 'It is your only way to sign in. Choose a password first, then remove it.'],
  sign_in_off: [503, 'This way to sign in is not set up on this server.'],
  cross_site: [403, 'This request came from another site and was not carried out.'],
  wrong_host: [421, 'This server does not answer to that host name.'],

  // requests
  invalid_request: [400, 'This request could not be understood.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [
    405,
    'This address takes other methods, which the header Allow names. Nothing was changed.',
  ],
  gone: [410, 'This has been deleted.'],
  too_much_work: [
    503,
    'This took longer than the server allows and was stopped. Nothing was charged. Please look whether it was done, then try again in a minute.',
  ],
  too_much_at_once: [
    429,
    'You have several of these under way already. Nothing was changed or charged. Please wait until they are done, then try again.',
  ],
  server_busy: [
    503,
    'The server has more to do than it can at the moment. Nothing was changed or charged. Please try again in a few seconds.',
  ],

  // uploads
  no_file: [400, 'No file was received. Please choose a file and try again. Nothing was charged.'],
  broken_form: [
    400,
    'The form was damaged or cut off on its way. Nothing was charged. Please send it again.',
  ],
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
  too_costly: [
    422,
    'This file has far more samples or channels than a recording of speech. Nothing was charged. Please save it with one or two channels at 48 kHz, then upload it again.',
  ],
  too_slow: [
    422,
    'Reading this file took more time than a recording of its size may take. Nothing was charged. Save it as MP3 or WAV, then upload it again.',
  ],
  reading_stalled: [
    503,
    'Reading this file took too long and was given up: this server may be too busy, or the file damaged. Nothing was charged. Please try again; if it ends like this once more, save the file as MP3 or WAV.',
  ],
  too_many_unconfirmed: [
    429,
    'You have several uploads waiting for your confirmation. Confirm or cancel one, then upload again. Nothing was charged.',
  ],
  too_many_uploads: [
    429,
    'You are sending many files already. Wait until one of them has arrived, then upload the next. Nothing was charged.',
  ],
  parts_missing: [
    409,
    'Parts of this file have not arrived yet. Nothing was charged. Please send those that are missing, then complete the upload.',
  ],
  wrong_part_size: [
    400,
    'This part does not have the size that it is to have. Nothing of it was kept or charged. Please send it again.',
  ],
  upload_closed: [
    409,
    'All parts of this file have arrived, and it takes no more. Nothing was charged. Please complete the upload.',
  ],
  measuring_failed: [
    503,
    'The length of this file could not be measured: something broke on our side. Nothing was charged, and the file need not be sent again. Please try again in a minute.',
  ],
  too_much_measuring: [
    429,
    'Your uploads of the last hour took long to read and were not transcribed. Nothing was charged. Confirm one that is waiting, or try again later.',
  ],
  documents_need_plan: [
    403,
    'Documents are part of the Professional and Enterprise plans. Nothing was charged.',
  ],
  document_not_failed: [409, 'Only a document that failed can be tried again.'],
  document_order_anew: [
    409,
    'This document failed for a reason that trying again does not mend: its line says which. You were not charged for it. Choose another type, or create it anew for 1 credit.',
  ],
  document_given_up: [
    409,
    'This document failed too often and is not tried again. You were not charged for it. Choose another type, or create it anew.',
  ],
  summary_off: [
    503,
    'No language model is set up on this server, so no summary can be written. Nothing was changed. Ask whoever runs this server for one.',
  ],
  summary_under_way: [
    409,
    'A new summary of this recording is being written already. The one before stays until it is there.',
  ],
  too_many_summaries: [
    429,
    'The summary of this recording was written again five times within a day. Nothing was changed.',
  ],
  no_summary_before: [
    409,
    'There is no summary before this one that could come back. Nothing was changed.',
  ],
  summary_changed: [
    409,
    'The summary was changed somewhere else in the meantime. Nothing was changed. Load it again, then change it.',
  ],
  language_off: [
    422,
    'This server does not understand that language. Nothing was charged. Ask for auto, or for one of its languages.',
  ],
  summary_language_off: [
    422,
    'This server has no language model, so a summary is in the language that was spoken. Nothing was charged. Ask for auto, or name that language in language too.',
  ],
  templates_off: [
    422,
    'This server has no language model, and a document of your own type needs one. Nothing was changed or charged. Choose one of the other types.',
  ],
  template_gone: [
    422,
    'This type of document is not there any more. Nothing was charged. Please choose another.',
  ],
  template_exists: [
    409,
    'You have a type of document with this name already. Nothing was changed. Please choose another name.',
  ],
  too_many_templates: [
    422,
    'You have 20 types of documents of your own, and there is no room for another. Nothing was changed. Delete one first.',
  ],
  too_many_template_trials: [
    429,
    'You have tried types of documents on the sample ten times within a day. Nothing was charged. You can save this one, and try again later.',
  ],
  template_trial_under_way: [
    409,
    'Another trial of yours is being written. Nothing was charged. Please wait for it, or stop it.',
  ],
  template_trial_failed: [
    502,
    'The language model of this server wrote nothing that may be shown. Nothing was charged.',
  ],
  translation_off: [
    422,
    'This server has no language model, so it cannot translate. Nothing was charged.',
  ],
  same_language: [
    422,
    'This recording is in that language already. Nothing was charged. Choose another language.',
  ],
  nothing_to_translate: [
    422,
    'Nothing was said in this recording, so there is nothing to translate. Nothing was charged.',
  ],
  too_much_to_translate: [
    422,
    'This text is longer than anybody can say in the time of the recording, so it is not translated for one credit. Nothing was charged. Shorten what was added to it, then order the translation again.',
  ],
  not_translated: [
    409,
    'There is no translation of this text into that language. Nothing was charged. Order one first, and wait until it is there.',
  ],
  google_docs_off: [503, 'Google Docs is not set up on this server.'],
  google_permission_ended: [
    403,
    'Google no longer accepts the permission that was given. Press Create Google Doc and allow it once more.',
  ],
  google_docs_failed: [
    502,
    'Google Docs did not take the document. Please try again in a minute; you can also download it.',
  ],
  database_away: [
    503,
    'The database is restarting. What you did is done once or not at all: please look, and try again in a moment.',
  ],
  storage_away: [
    503,
    'The place where recordings are kept cannot be reached. Nothing was charged. Please try again in a moment.',
  ],
  not_set_up: [
    503,
    'This server cannot read recordings yet: a program it needs is missing. Nothing was charged. Please tell whoever runs it.',
  ],
  no_space: [
    507,
    'This server has no room left at the moment. Nothing was changed or charged. Please try again later.',
  ],

  // credits and jobs
  insufficient_credits: [402, 'Insufficient credits'],
  not_so_many_credits: [
    409,
    'The account has fewer credits than that to spend. Nothing was taken. Take fewer, or wait until what is reserved comes back.',
  ],
  already_confirmed: [
    409,
    'This file was already confirmed with another summary language. It is being processed with the first one.',
  ],
  not_waiting: [409, 'This transcription does not wait for a confirmation. Nothing was charged.'],
  price_differs: [
    409,
    'These files cost another number of credits than you were shown: their lengths were measured anew. Nothing was confirmed or charged. Please look at the prices, then confirm again.',
  ],
  already_finished: [409, 'This transcription is already finished and can no longer be cancelled.'],
  not_retryable: [409, 'Only a failed transcription can be tried again.'],
  too_many_unpaid_jobs: [
    429,
    'Five of your recordings were cancelled while they were worked on, or could not be transcribed, within an hour. Nothing was charged. Please wait, then start the next.',
  ],
  too_many_unpaid_documents: [
    429,
    'Within an hour, five of your documents could not be made. Nothing was charged. Please wait, then order the next.',
  ],
  too_many_unpaid_translations: [
    429,
    'Within an hour, five of your translations were stopped, or could not be made of what was said. Nothing was charged. Please wait, then order the next.',
  ],
  too_many_retranslations: [
    429,
    'Changed turns of this translation were translated again today as often, or as much, as is free. Nothing was changed or charged. Please come back later.',
  ],
  too_many_free_runs: [
    429,
    'Your recordings were worked on again for free ten times within an hour. Nothing was changed or charged. Please wait, then start the next.',
  ],
  refused_before: [
    409,
    'The recording itself was refused, and another try would end the same. Nothing was charged. Please upload another recording.',
  ],
  given_up: [
    409,
    'This recording failed 10 times and is not tried again. You were not charged for it. Please upload it once more, or tell whoever runs this server.',
  ],
  recording_deleted: [
    410,
    'The recording was deleted, so it cannot be processed again. Please upload it once more.',
  ],
  still_processing: [
    409,
    'This recording is still being processed. Cancel it first, or wait until it is finished.',
  ],
  not_finished: [409, 'This transcription is not finished yet.'],
  too_many_action_items: [
    422,
    'A transcription has at most 200 action items, and there is no room for another. Nothing was changed. Delete one that you do not need first.',
  ],
  no_action_items: [404, 'This transcription has no action items to put into a calendar.'],
  tag_exists: [409, 'You have a tag of this name already. Nothing was changed.'],
  too_many_tags: [
    422,
    'An account has at most 50 tags, and there is no room for another. Nothing was changed. Delete one that you do not need first.',
  ],
  not_running: [409, 'This transcription is not worked on at the moment.'],

  being_rewritten: [409, 'A new text is being written. Corrections wait until it is there.'],
  no_earlier_text: [
    409,
    'There is no earlier text any more. Nothing was changed, and the text stays as it is.',
  ],

  // results
  recording_gone: [
    410,
    `The recording was deleted. Recordings are kept for ${RETENTION_DAYS} days, or until they are deleted by hand. A text that was made of it stays.`,
  ],
  sound_being_hidden: [
    409,
    'Words are being taken out of the sound. Nobody hears the recording until that is done.',
  ],
  sound_not_hidden: [
    409,
    'The sound could not be written without the words that are hidden in it, so nothing is made of it for others. Put them back, or hide them for good.',
  ],
  too_much_hidden: [
    409,
    'As much is hidden for others in this recording as can be. Nothing was changed. Put something back first.',
  ],
  hidden_for_good: [409, 'This was hidden for good. It cannot be brought back.'],
  nothing_to_hide: [
    422,
    'These words are nowhere in this recording, and in nothing that was made of it. Nothing was changed.',
  ],
  hidden_not_confirmed: [
    422,
    'What is hidden for good cannot be brought back, so it is asked for with the same words typed again. Nothing was changed.',
  ],
  words_hidden: [
    409,
    'Words were taken out of this recording while you asked. Nothing was counted. Ask again.',
  ],
  still_written: [
    409,
    'Something is being written of this recording. Nothing was changed. Hide the words when it is there.',
  ],
  not_playable: [
    415,
    'Browsers cannot play this kind of recording. Your own copy plays in a media player.',
  ],
  edited_elsewhere: [
    409,
    'This was changed somewhere else in the meantime, for example in another tab. Nothing was overwritten.',
  ],
  too_many_edits: [
    429,
    'These are more changes than the server writes down in so short a time. Nothing of this one was written or charged. Please wait a moment, then try again.',
  ],
  too_many_exports: [
    429,
    'You have downloaded very many files in a short time. Nothing was charged. Please wait a moment, then try again.',
  ],
  archive_too_large: [
    413,
    'These are more hours than one archive holds. Nothing was charged. Please choose fewer, and export the rest after them.',
  ],
  turn_too_long: [
    422,
    'A turn holds at most 20,000 characters, and this would be more. Nothing was changed. Please leave it in several.',
  ],
  text_too_long: [
    422,
    'A transcript holds at most 2 million characters or 250,000 words, and this would be more. Nothing was changed. Please shorten it first.',
  ],
  vocabulary_full: [
    422,
    'Your vocabulary holds 500 fixed replacements, and there is no room for another. Nothing was changed. Take one out, or replace without remembering.',
  ],
  nothing_to_restore: [409, 'Nothing was recognized here, so there is no original to go back to.'],
  chapters_changed: [
    409,
    'The chapters were changed somewhere else in the meantime. Nothing was changed. Load them again, then change them.',
  ],
  chapter_misplaced: [
    422,
    'Chapters lie in the recording, at least 5 seconds apart. Nothing was changed.',
  ],
  cut_elsewhere: [
    409,
    'The cuts were changed elsewhere since you looked. Nothing was undone. Look at them, then undo again.',
  ],
  too_many_cuts: [
    422,
    'A recording can have 5,000 cuts. Nothing was cut. Cut longer stretches, or put some back.',
  ],
  nothing_left: [
    422,
    'Everything in this recording is cut. Nothing was made or charged. Put back what you want to keep.',
  ],
  clip_too_long: [
    422,
    'A clip is at most 3 minutes. Nothing was made or charged. Choose a shorter passage.',
  ],
  no_film: [
    422,
    'This recording has no picture. Nothing was made or charged. Choose a kind of sound.',
  ],
  too_much_rendered: [
    429,
    'This account has had as much made today as it may. Nothing was made or charged. Try again tomorrow.',
  ],
  render_not_made: [409, 'This file is not there yet, or could not be made. Look at its status.'],
  no_chapters: [422, 'No chapters could be found.'],
  without_chapters: [
    422,
    'This transcription has no chapters. Nothing was exported. Find some first, or add your own.',
  ],
  without_cuts: [
    422,
    'Nothing is cut of this recording, so there is no list of cuts. Nothing was exported. Cut something first.',
  ],
  not_encodable: [
    422,
    'The sound of this recording could not be written to such a file. Nothing was exported or charged. Try the other format.',
  ],
  too_few_chapters: [
    422,
    'YouTube takes at least three chapters, each of at least 10 seconds. Nothing was exported. Add chapters, or move them further apart.',
  ],
  times_taken: [
    409,
    'A turn cannot reach into the turns beside it, nor beyond the recording. Nothing was changed.',
  ],
  cannot_undo: [409, 'This can no longer be undone: the text was changed again since.'],
  no_such_timecode: [
    400,
    'There is no such timecode for the beginning of the film. Write hours, minutes, seconds and frames, as 01:00:00:00, with fewer frames than a second has at this frame rate. Nothing was exported.',
  ],
  // payments
  payments_off: [503, 'Payment system is not available'],
  wrong_amount: [
    400,
    'The price has changed since this page was loaded. Nothing was charged. Please reload the page and look again.',
  ],
  already_subscribed: [
    409,
    'You have a plan already. Nothing was charged. Reload the page to change or cancel it.',
  ],
  same_plan: [409, 'This is the plan you have. Nothing was changed or charged.'],
  no_subscription: [409, 'You have no running plan. Nothing was changed or charged.'],
  payment_pending: [
    409,
    'Your payment for a plan is still on its way. Nothing more was charged. Its credits are added as soon as it arrives.',
  ],
  plan_out_of_reach: [
    409,
    'Your plan is paid through a card provider that this server does not use at the moment, so it cannot be ended. Nothing was deleted. Ask whoever runs this server to cancel the plan first.',
  ],
  not_paid: [
    402,
    'We have not found a payment for this plan, so no credits were added. If you have just paid, try again in a minute.',
  ],
  payment_failed: [
    402,
    'Your card was declined. Nothing was charged and your plan is as before. Use another card, then try again.',
  ],
  payments_unreachable: [
    503,
    'The card provider does not answer at the moment. Nothing was charged here. Please try again in a minute.',
  ],
  bad_signature: [400, 'This event is not signed by the payment provider.'],

  // programs
  keys_need_plan: [
    403,
    'API keys are part of the Enterprise plan. On every plan, a sign-in token does the same for 30 days.',
  ],
  key_paused: [
    403,
    'API keys are part of the Enterprise plan. This key works again as soon as its account has that plan. Nothing was charged.',
  ],
  key_reads_only: [403, 'This API key may only read. Nothing was changed or charged.'],
  key_writes_only: [403, 'This API key may not read. Nothing was changed or charged.'],
  key_not_allowed: [403, 'An API key cannot do this. Sign in to the account instead.'],
  too_many_links: [
    409,
    'Too many links are open: at most 20 to one transcription and 500 in all. No further one was made. End one first.',
  ],
  too_many_link_passwords: [
    429,
    'You have given very many links a password within an hour. Nothing was changed, and the links are as before. Please wait, then try again.',
  ],
  too_many_keys: [409, 'An account has at most 20 API keys. Revoke one that is not used.'],
  too_many_calls: [
    429,
    'The hourly limit of calls is used up. Nothing was charged. Please wait and try again.',
  ],
  answer_not_written: [
    503,
    'The transcription is done and charged, but this answer could not be written. It is in the account: ask GET /api/transcriptions/ID for it, with the ID in X-Transcription-Id. That costs nothing.',
  ],
  transcription_failed: [
    500,
    'Something broke on our side while this file was processed. Your credits were returned. Please try again.',
  ],
  unusable_recording: [
    422,
    'This recording could not be transcribed. Your credits were returned. Please check the file.',
  ],
  bad_idempotency_key: [400, 'An Idempotency-Key has 1 to 255 printable characters.'],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was used for another request before. Nothing was charged. Use a new key for a new request.',
  ],
  idempotency_key_in_use: [
    409,
    'The first request with this Idempotency-Key has not ended well. Send it again: nothing is charged twice.',
  ],
  outcome_unknown: [
    409,
    'The server stopped while it worked on a request with this Idempotency-Key. Look whether it was done before you ask again with another key.',
  ],
  bad_webhook_address: [400, 'A webhook needs a full address that begins with https://.'],
  internal_webhook_address: [
    400,
    'This address is not reachable from the internet, so nothing is sent there. Whoever runs this server can allow it with WEBHOOK_ALLOW.',
  ],
  closed_webhook_port: [
    400,
    'Webhooks are sent to the ports 80, 443 and from 1024 up, except those of other services. Whoever runs this server can allow this one with WEBHOOK_ALLOW.',
  ],
  unknown_webhook_address: [400, 'The name in this address was not found. Please check it.'],
  too_many_webhooks: [409, 'An account has at most 10 webhooks. Delete one first.'],
  too_many_test_messages: [
    429,
    'A webhook gets at most 10 test messages an hour. Please wait and try again.',
  ],
  webhook_is_paused: [409, 'This webhook is paused. Resume it first.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type RefusalCode = keyof typeof refusals

/** Why any call that takes a recording may be refused. */
export const uploadRefusals = [
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
  'reading_stalled',
  'too_many_uploads',
  'too_much_measuring',
  'no_space',
  'not_set_up',
  'language_off',
  'summary_language_off',
] as const satisfies readonly RefusalCode[]

/** Why one of several things was refused. */
export interface RefusedOne {
  id: string
  code: RefusalCode
  message: string
}

/** An expected no. Thrown by rooms, turned into `{ message, code }` by the server's error handler. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  /** Seconds after which asking again makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  /** Figures for programs, sent beside the sentence that has them for people. */
  readonly figures: Readonly<Record<string, number>> | undefined
  /** The field of the request that is wrong, as a path such as `files.0.name`. */
  readonly field: string | undefined
  /** Which of several things were in the way of all of them; sent as `refused`. */
  readonly refused: readonly RefusedOne[] | undefined

  constructor(
    code: RefusalCode,
    options: {
      message?: string
      retryAfterSeconds?: number
      figures?: Record<string, number>
      field?: string
      refused?: readonly RefusedOne[]
      cause?: unknown
    } = {},
  ) {
    super(options.message ?? refusals[code][1], { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code][0]
    this.retryAfterSeconds = options.retryAfterSeconds
    this.figures = options.figures
    this.field = options.field
    this.refused = options.refused
  }
}
