/** The documented calls as an OpenAPI 3.1 document, written from the schemas that the routes use. */
import { z } from 'zod'

import { User } from '#features/account/contract.ts'
import { GeneratedDocument } from '#features/documents/contract.ts'
import {
  Edited,
  Transcription,
  TranscriptionRow,
  Words,
} from '#features/transcriptions/contract.ts'
import { BRAND, TAGLINE } from '#shared/business.ts'
import { refusals } from '#shared/refusals.ts'
import type { RefusalCode } from '#shared/refusals.ts'

import { Delivery, NewWebhook, Started, Webhook, WebhookMessage } from './contract.ts'
import { type Operation, operations } from './operations.ts'
import { webhookTypes, webhookWords } from './words.ts'

type Json = Record<string, unknown>

/** Said once, and pointed at wherever they are answered. */
const components = new Map<z.ZodType, string>([
  [Transcription, 'Transcription'],
  [TranscriptionRow, 'TranscriptionRow'],
  [Started, 'StartedTranscription'],
  [Words, 'Words'],
  [Edited, 'Edited'],
  [User, 'User'],
  [GeneratedDocument, 'GeneratedDocument'],
  [Webhook, 'Webhook'],
  [NewWebhook, 'WebhookWithSecret'],
  [Delivery, 'Delivery'],
  [WebhookMessage, 'WebhookMessage'],
])

export function document({ origin }: { origin: string }): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${BRAND} API`,
      version: '1.0.0',
      summary: TAGLINE,
      description:
        'Create and read transcriptions over HTTP with a bearer token: an API key (Enterprise), or the token that POST /api/login gives on every plan when its body says "token": true. A new password of the account ends both.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(webhookTypes.map((type) => [type, webhook(type)])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: Object.fromEntries(
        Object.entries(limitHeaders).map(([name, description]) => [
          name,
          { description, schema: { type: 'integer' } },
        ]),
      ),
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'code'],
          properties: {
            message: { type: 'string', description: 'A sentence for people.' },
            code: { type: 'string', description: 'For programs: it stays the same.' },
          },
        },
        ...Object.fromEntries(
          [...components].map(([schema, name]) => [name, written(schema, 'output')]),
        ),
      },
    },
  }
}

const limitHeaders = {
  'RateLimit-Limit': 'Calls an hour on the plan.',
  'RateLimit-Remaining': 'Calls that are left now.',
  'RateLimit-Reset': 'Seconds until the oldest call no longer counts.',
}

function described({ id, group, summary, about, ...operation }: Operation): Json {
  const { path, query, body, isIdempotent, answer, refusals: own } = operation
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(about === undefined ? {} : { description: about }),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(query ? parametersOf(query) : []),
      ...(isIdempotent
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              description:
                'The same key with the same request is carried out and charged once, and answered the same for a day.',
              schema: { type: 'string', maxLength: 255 },
            },
          ]
        : []),
    ],
    ...(body ? { requestBody: bodyOf(body) } : {}),
    responses: {
      [answer.status]: {
        description: answer.about,
        headers: {
          ...Object.fromEntries(
            Object.keys(limitHeaders).map((name) => [
              name,
              { $ref: `#/components/headers/${name}` },
            ]),
          ),
          ...Object.fromEntries(
            Object.entries(answer.headers ?? {}).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        },
        content: contentOf(answer),
      },
      ...errorsOf(operation.method, path, own, Boolean(query ?? body)),
    },
  }
}

function parametersOf(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = written(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function bodyOf(body: NonNullable<Operation['body']>): Json {
  if (body.kind === 'json')
    return {
      required: !body.isOptional,
      content: { 'application/json': { schema: written(body.schema, 'input') } },
    }
  const { properties, required = [] } = written(body.schema, 'input') as {
    properties: Record<string, Json>
    required?: string[]
  }
  const file = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: 'The recording.',
  }
  const schema = {
    type: 'object',
    required: ['file', ...required],
    properties: { file, ...properties },
  }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function contentOf({ schema, types = [] }: Operation['answer']): Json {
  if (schema) return { 'application/json': { schema: pointedAt(schema) } }
  return Object.fromEntries(
    types.map((type) => [type, { schema: type.endsWith('json') ? {} : { type: 'string' } }]),
  )
}

/** Each status once, with all that it may mean. */
function errorsOf(
  method: string,
  path: string,
  own: readonly RefusalCode[],
  takesSomething: boolean,
): Json {
  const codes: RefusalCode[] = [
    'not_signed_in',
    'key_paused',
    ...(method === 'GET' ? [] : (['key_reads_only'] as const)),
    'too_many_calls',
    ...(takesSomething ? (['invalid_request'] as const) : []),
    ...own,
  ]
  const byStatus = Map.groupBy([...new Set(codes)], (code) => refusals[code][0])
  const schema = path.startsWith('/v1/') ? openAiError : { $ref: '#/components/schemas/Error' }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${refusals[code][1]}`).join('\n\n'),
        content: { 'application/json': { schema } },
      },
    ]),
  )
}

const openAiError = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: ['string', 'null'] },
      },
    },
  },
}

function webhook(type: (typeof webhookTypes)[number]): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    post: {
      operationId: `on.${type}`,
      tags: ['Webhooks'],
      summary: webhookWords[type],
      security: [],
      parameters: [
        header('webhook-id', 'The same on every try.'),
        header('webhook-timestamp', 'Seconds since 1970, of this try.'),
        header('webhook-signature', 'Standard Webhooks: v1 and a base64 HMAC-SHA256.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: pointedAt(WebhookMessage) } },
      },
      responses: { 200: { description: 'Any 2xx: it was taken.' } },
    },
  }
}

function pointedAt(schema: z.ZodType): Json {
  const name = components.get(schema)
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  if (schema instanceof z.ZodArray)
    return { type: 'array', items: pointedAt(schema.element as z.ZodType) }
  return written(schema, 'output')
}

function written(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // A later version may say more; a client must not break on it.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return json
}
