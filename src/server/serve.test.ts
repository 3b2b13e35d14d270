import Fastify from 'fastify'
import {
  type ZodTypeProvider,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { call } from '#shared/call.ts'

import { serve } from './serve.ts'

const addPart = call('POST', '/api/things/:id/parts').carries<{
  query: { at?: string }
  body: { name: string }
  answer: { id: string; name: string }
}>()
const download = call('GET', '/api/things/:id.zip')

const params = z.object({ id: z.string() })
const querystring = z.object({ at: z.string().optional() })
const body = z.object({ name: z.string(), isNew: z.boolean().default(true) })
const response = { 200: z.object({ id: z.string(), name: z.string(), isNew: z.boolean() }) }

const newApp = () =>
  Fastify()
    .setValidatorCompiler(validatorCompiler)
    .setSerializerCompiler(serializerCompiler)
    .withTypeProvider<ZodTypeProvider>()

test('a call is opened at its path with its schemas', async () => {
  const app = newApp()
  serve(app, addPart, { schema: { params, querystring, body, response } }, async (request) => ({
    id: request.params.id + (request.query.at ?? ''),
    name: request.body.name,
    isNew: request.body.isNew,
  }))
  serve(app, download, { schema: { params } }, async (request, reply) =>
    reply.type('application/zip').send(`of ${request.params.id}`),
  )

  const added = await app.inject({
    method: 'POST',
    url: '/api/things/7/parts?at=b',
    payload: { name: 'lid' },
  })
  expect(added.json()).toEqual({ id: '7b', name: 'lid', isNew: true })
  expect((await app.inject('/api/things/7.zip')).body).toBe('of 7')
})

/** Compiled, never run: each line that is told to be wrong must be refused by the compiler. */
export function schemasThatDoNotFit(app: ReturnType<typeof newApp>): void {
  const handler = async () => ({ id: '', name: '', isNew: true })
  // @ts-expect-error A part of the path has another name.
  serve(app, addPart, { schema: { params: body, querystring, body, response } }, handler)
  // @ts-expect-error The query is not there.
  serve(app, addPart, { schema: { params, body, response } }, handler)
  // @ts-expect-error The body is not there.
  serve(app, addPart, { schema: { params, querystring, response } }, handler)
  // @ts-expect-error The body needs more than the call has.
  serve(app, addPart, { schema: { params, querystring, body: response[200], response } }, handler)
  // @ts-expect-error The answer has less than the call promises.
  serve(app, addPart, { schema: { params, querystring, body, response: { 200: params } } }, handler)
  // @ts-expect-error Nobody says what the answer is.
  serve(app, addPart, { schema: { params, querystring, body } }, handler)
  // @ts-expect-error The handler answers something else.
  serve(app, addPart, { schema: { params, querystring, body, response } }, async () => ({ id: 7 }))
}
