/**
 * The API as an OpenAPI 3.1 document. @fastify/swagger draws it from the schemas of the routes; this
 * file adds the parts that all of them share.
 */
import { isDeepStrictEqual } from 'node:util'

import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify'
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod'

import { BRAND, TAGLINE } from '#shared/business.ts'
import { type RefusalCode, refusals } from '#shared/refusals.ts'

import { refusalWithout } from './call-hook.ts'
import { webhookTypes, webhookWords } from './words.ts'

const groups = [
  'Transcriptions',
  'Results',
  'Documents',
  'Account',
  'Webhooks',
  'OpenAI-compatible',
]
const limitHeaders = {
  'RateLimit-Limit': 'Calls an hour on the plan.',
  'RateLimit-Remaining': 'Calls that are left now.',
  'RateLimit-Reset': 'Seconds until the oldest call no longer counts.',
}

/** Must be added before the routes, which the document is drawn from. */
export async function addOpenApi(
  app: FastifyInstance,
  { origin }: { origin: string },
): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    convertConstToEnum: false,
    transform: describe,
    transformObject: complete,
    openapi: {
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
      tags: groups.map((name) => ({ name })),
      webhooks: Object.fromEntries(webhookTypes.map((type) => [type, webhook(type)])),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, or a sign-in token. Each call names what a key must be allowed for it: read, write, or both. A sign-in token may do all of them.',
          },
        },
        headers: forEach(limitHeaders, (_, description) => ({
          description,
          schema: { type: 'integer' as const },
        })),
        schemas: {
          Error: {
            type: 'object',
            required: ['message', 'code'],
            properties: {
              message: { type: 'string', description: 'A sentence for people.' },
              code: { type: 'string', description: 'For programs: it stays the same.' },
              field: {
                type: 'string',
                description:
                  'Where one field of the request is wrong: its name, or a path such as files.0.name.',
              },
            },
          },
        },
      },
    },
  })

  let document: string | undefined
  app.get('/api/openapi.json', { config: { access: 'public' } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply
      .header('Cache-Control', 'public, max-age=300')
      .type('application/json; charset=utf-8')
      .send(document)
  })
}

interface JsonSchema {
  description?: string
  content?: object
  properties?: object
  required?: string[]
  anyOf?: { type?: string }[]
}

interface FromZod {
  additionalProperties?: unknown
  items?: unknown
  prefixItems?: unknown[]
  minItems?: number
  maxItems?: number
}

const zodToJsonConfig = {
  override({ jsonSchema }: { jsonSchema: FromZod }) {
    // A later version may add fields, and a client must not break on them.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    if (jsonSchema.prefixItems) describeTuple(jsonSchema, jsonSchema.prefixItems)
  },
}

/** As a list of one kind. Some makers of clients, such as openapi-python-client, know no `items: false`. */
function describeTuple(jsonSchema: FromZod, [first, ...others]: unknown[]) {
  if (!others.every((other) => isDeepStrictEqual(other, first)))
    throw new Error('A tuple of several kinds has no description that every client can read')
  jsonSchema.items = first
  jsonSchema.minItems = jsonSchema.maxItems = others.length + 1
  delete jsonSchema.prefixItems
}

const toJson = createJsonSchemaTransform({ zodToJsonConfig })
const addComponents = createJsonSchemaTransformObject({ zodToJsonConfig })

interface Declared {
  url: string
  method: string | readonly string[]
  schema: FastifySchema
  config?: FastifyContextConfig | undefined
}

/** Everything that a documented call may refuse. */
export function refusalsOf({ url, method, schema, config = {} }: Declared): Set<RefusalCode> {
  const isRead = [method].flat().includes('GET')
  const { form, idempotency } = config
  return new Set<RefusalCode>([
    'invalid_request',
    'not_signed_in',
    'key_paused',
    'account_blocked',
    'wrong_host',
    ...(isRead ? [] : (['cross_site'] as const)),
    ...(schema.scopes ?? []).map((scope) => refusalWithout[scope]),
    'too_much_at_once',
    'too_many_calls',
    'too_many_attempts',
    ...(url.includes(':') ? (['not_found'] as const) : []),
    ...(form ? (['broken_form'] as const) : []),
    ...(schema.refusals ?? []),
    ...(idempotency ? idempotencyRefusals : []),
  ])
}
const idempotencyRefusals = [
  'bad_idempotency_key',
  'idempotency_key_reused',
  'idempotency_key_in_use',
] as const

/** Turns the schema of one route into JSON, with its form, its Idempotency-Key and its refusals. */
const describe: SwaggerTransform = ({ schema, url, route, ...drawn }) => {
  if (!schema?.tags) return { schema: { hide: true }, url }
  const { method, config } = route
  const { form, idempotency } = config ?? {}
  const taken = form ? { ...schema, body: form } : schema
  const json = toJson({ schema: taken, url, route, ...drawn }).schema
  const codes = refusalsOf({ url, method, schema, config })
  return {
    url,
    schema: {
      ...json,
      security: schema.scopes ? [{ bearer: schema.scopes }] : [],
      ...(form
        ? { consumes: ['multipart/form-data'], body: withFile(json.body as JsonSchema) }
        : {}),
      ...(idempotency ? { headers: idempotencyKey } : {}),
      response: {
        ...answersOf(json.response as Record<string, JsonSchema>, schema.answerHeaders),
        ...errorsOf(codes, url.startsWith('/v1/') ? openAiError : anError),
      },
    },
  }
}

function withFile({ properties, required = [] }: JsonSchema) {
  const file = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: 'The recording.',
  }
  return { type: 'object', required: ['file', ...required], properties: { file, ...properties } }
}

const idempotencyKey = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      maxLength: 255,
      description:
        'The same key with the same request is carried out and charged once, and answered the same for a day.',
    },
  },
}

/** The good answers. The description of an answer's schema says what the answer means. */
function answersOf(response: Record<string, JsonSchema>, headers: Record<string, string> = {}) {
  const good = Object.entries(response).filter(([status]) => status.startsWith('2'))
  return Object.fromEntries(
    good.map(([status, { description, content, ...schema }]) => [
      status,
      {
        description,
        headers: forEach(headers, (_, meaning) => ({ type: 'string', description: meaning })),
        content: content ?? { 'application/json': { schema } },
      },
    ]),
  )
}

/** Each status once, with everything that it may mean. */
function errorsOf(codes: ReadonlySet<RefusalCode>, schema: object) {
  const byStatus = Map.groupBy(codes, (code) => refusals[code][0])
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

const anError = { $ref: '#/components/schemas/Error' }
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

interface Drawn {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object }
}
interface Operation {
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { headers?: object }>
}

/** Completes what @fastify/swagger has drawn, and sorts it, so that its order is not the rooms'. */
const complete: SwaggerTransformObject = (drawn) => {
  const { paths, components, ...document } = addComponents(drawn) as Drawn
  const $refs = forEach(limitHeaders, (name) => ({ $ref: `#/components/headers/${name}` }))
  // HEAD answers as GET does, and has the same id.
  const described = forEach(paths, (_, { head: _head, ...methods }) => {
    for (const { requestBody, responses } of Object.values(methods)) {
      const body = requestBody?.content['application/json']?.schema
      if (requestBody && body?.anyOf?.some(({ type }) => type === 'null'))
        requestBody.required = false
      for (const [status, answer] of Object.entries(responses))
        if (status.startsWith('2')) answer.headers = { ...$refs, ...answer.headers }
    }
    return sorted(methods)
  })
  // The provider lists each component a second time, as an input. No route takes one, so these go.
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Input'))
  return {
    ...document,
    paths: sorted(described),
    components: { ...components, schemas: sorted(Object.fromEntries(schemas)) },
  }
}

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function webhook(type: (typeof webhookTypes)[number]) {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' as const },
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
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/WebhookMessage' } },
        },
      },
      responses: { 200: { description: 'Any 2xx: it was taken.' } },
    },
  }
}

function forEach<Value, Made>(
  given: Record<string, Value>,
  make: (name: string, value: Value) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, make(name, value)]))
}
