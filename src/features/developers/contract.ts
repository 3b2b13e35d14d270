import { z } from 'zod'

import { Channels, Ignored, SpokenLanguage } from '#features/recordings/contract.ts'
import { Transcription } from '#features/transcriptions/contract.ts'
import { Instant } from '#shared/instant.ts'

import { webhookTypes } from './words.ts'

export const KEY_START = 'quoth_live_'

export const Scope = z.enum(['read', 'write'])
export type Scope = z.infer<typeof Scope>

export const MakeKey = z.object({
  name: z
    .string('Please name the key')
    .trim()
    .min(1, 'Please name the key')
    .max(80, 'The name must be at most 80 characters long'),
  scopes: z.array(Scope).min(1, 'Please choose what the key may do').max(2),
  /** Null: until it is revoked. */
  expiresInDays: z.int().min(1).max(3650).nullable().default(null),
})
export type MakeKey = z.input<typeof MakeKey>

export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeys = z.object({
  /** Whether the account's plan has keys; those it made before do nothing without it. */
  isAllowed: z.boolean(),
  callsPerHour: z.int(),
  /** The calls of the last hour. */
  callsMade: z.int(),
  keys: z.array(ApiKey),
})
export type ApiKeys = z.infer<typeof ApiKeys>

/** The only answer that holds a key. */
export const NewKey = ApiKey.extend({ key: z.string() })
export type NewKey = z.infer<typeof NewKey>

export const WebhookType = z.enum(webhookTypes)
export type WebhookType = z.infer<typeof WebhookType>

const Address = z.string('Please enter an address').trim().max(2_000, 'The address is too long')
/** An empty list means every type, also those that are new one day. */
const Types = z.array(WebhookType).max(webhookTypes.length)
const Description = z.string().trim().max(200, 'At most 200 characters')

export const MakeWebhook = z.object({
  url: Address,
  types: Types.default([]),
  description: Description.default(''),
})
export type MakeWebhook = z.input<typeof MakeWebhook>

export const ChangeWebhook = z.object({
  url: Address.optional(),
  types: Types.optional(),
  description: Description.optional(),
  isPaused: z.boolean().optional(),
})
export type ChangeWebhook = z.infer<typeof ChangeWebhook>

export const Webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  types: z.array(WebhookType),
  /**
   * Why nothing is sent; null while it is. `dead`: the last try of a message failed. `gone`: it answered
   * 410. `new_password`: the password of the account was changed.
   */
  paused: z.enum(['by_owner', 'dead', 'gone', 'new_password']).nullable(),
  createdAt: z.iso.datetime(),
})
z.globalRegistry.add(Webhook, { id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

/** The answers that hold a secret: to making one, and to changing its secret. */
export const NewWebhook = Webhook.extend({ secret: z.string() })
z.globalRegistry.add(NewWebhook, { id: 'WebhookWithSecret' })
export type NewWebhook = z.infer<typeof NewWebhook>

export const Delivery = z.object({
  id: z.uuid(),
  /** The value of the header `webhook-id`. */
  messageId: z.string(),
  type: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.int(),
  lastTriedAt: z.iso.datetime().nullable(),
  /** The HTTP status of the last answer; null when there was none. */
  lastStatus: z.int().nullable(),
  lastProblem: z.string().nullable(),
  lastDurationMs: z.int().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** The text that was signed and sent. */
  body: z.string(),
})
z.globalRegistry.add(Delivery, { id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryQuery = z.object({
  /** The id of the last delivery of the page before. */
  before: z.uuid().optional(),
  status: z.enum(['all', 'waiting', 'delivered', 'failed']).default('all'),
})

/** Which failed messages to send again: those made in this time. */
export const ResendRange = z.object({
  from: Instant,
  to: Instant,
})
export const Resent = z.object({ count: z.int() })
export type Resent = z.infer<typeof Resent>

/** The body of a delivery. */
export const WebhookMessage = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
z.globalRegistry.add(WebhookMessage, { id: 'WebhookMessage' })
export type WebhookMessage = z.infer<typeof WebhookMessage>

// ---- one call ----

/** POST /api/transcriptions */
export const Started = Transcription.extend({
  creditsDeducted: z.int(),
  creditsRemaining: z.int(),
  ignored: Ignored,
})
z.globalRegistry.add(Started, { id: 'StartedTranscription' })
export type Started = z.infer<typeof Started>

// ---- OpenAI's form ----

export const ResponseFormat = z.enum([
  'json',
  'text',
  'srt',
  'verbose_json',
  'vtt',
  'diarized_json',
])
export type ResponseFormat = z.infer<typeof ResponseFormat>

/**
 * The fields of POST /v1/audio/transcriptions beside the file, as OpenAI's description has them. A
 * form has text only; the name of a list may end in `[]`. Unknown fields are passed over,
 * and named in a header of the answer.
 */
export const OpenAiFields = z.object({
  model: z
    .string()
    .min(1)
    .describe('Any of GET /v1/models; the engine of this server answers for all.'),
  language: SpokenLanguage.default('auto').describe('ISO 639-1 of what is spoken.'),
  prompt: z
    .string()
    .optional()
    .describe(
      'What stands between its commas and full stops is expected as names and terms, by engines that take them.',
    ),
  channels: Channels.optional().describe(
    'Not of OpenAI: people where each channel or track of the file is one, mixed where none is; else auto.',
  ),
  response_format: ResponseFormat.default('json'),
  temperature: z.coerce.number().min(0).max(1).default(0).describe('Passed over.'),
  timestamp_granularities: z
    .array(z.enum(['word', 'segment']))
    .optional()
    .describe('With verbose_json only. Default: segment.'),
  include: z.array(z.string()).optional().describe('logprobs, or passed over.'),
  stream: z
    .stringbool()
    .default(false)
    .describe(
      'Server-sent events, the first while the work goes on. What is corrected at its end is right in transcript.text.done. whisper-1 does not stream.',
    ),
})

/** GET /v1/models/{model} */
export const Model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})

/** GET /v1/models */
export const Models = z.object({ object: z.literal('list'), data: z.array(Model) })
