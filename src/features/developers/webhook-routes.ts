import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'

import {
  ChangeWebhook,
  Delivery,
  DeliveryQuery,
  MakeWebhook,
  NewWebhook,
  ResendRange,
  Resent,
  Webhook,
} from './contract.ts'
import * as keys from './keys.ts'
import * as webhooks from './webhooks.ts'

export type WebhookDeps = webhooks.Deps

const Id = z.object({ id: z.uuid() })
const OneDelivery = z.object({ id: z.uuid(), deliveryId: z.uuid() })

export const webhookRoutes: FastifyPluginAsyncZod<WebhookDeps> = async (app, deps) => {
  app.get('/api/webhooks', { schema: { response: { 200: z.array(Webhook) } } }, async (request) =>
    webhooks.list(deps, userOf(request).id),
  )

  app.post(
    '/api/webhooks',
    { schema: { body: MakeWebhook, response: { 201: NewWebhook } } },
    async (request, reply) =>
      reply.code(201).send(await webhooks.make(deps, { ...callerOf(request), ...request.body })),
  )

  app.patch(
    '/api/webhooks/:id',
    { schema: { params: Id, body: ChangeWebhook, response: { 200: Webhook } } },
    async (request) =>
      webhooks.change(deps, {
        ...callerOf(request),
        id: request.params.id,
        ...request.body,
      }),
  )

  app.delete(
    '/api/webhooks/:id',
    { schema: { params: Id, response: { 200: Done } } },
    async (request) => {
      await webhooks.remove(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'The webhook is deleted. Nothing is sent there any more.' }
    },
  )

  app.post(
    '/api/webhooks/:id/secret',
    { schema: { params: Id, response: { 200: NewWebhook } } },
    async (request) => webhooks.changeSecret(deps, { ...callerOf(request), id: request.params.id }),
  )

  app.post(
    '/api/webhooks/:id/test',
    { schema: { params: Id, response: { 202: Delivery } } },
    async (request, reply) =>
      reply
        .code(202)
        .send(await webhooks.test(deps, { userId: userOf(request).id, id: request.params.id })),
  )

  app.get(
    '/api/webhooks/:id/deliveries',
    { schema: { params: Id, querystring: DeliveryQuery, response: { 200: z.array(Delivery) } } },
    async (request) =>
      webhooks.deliveries(deps, {
        userId: userOf(request).id,
        id: request.params.id,
        ...request.query,
      }),
  )

  app.post(
    '/api/webhooks/:id/deliveries/:deliveryId/resend',
    { schema: { params: OneDelivery, response: { 202: Delivery } } },
    async (request, reply) =>
      reply
        .code(202)
        .send(await webhooks.resend(deps, { userId: userOf(request).id, ...request.params })),
  )

  app.post(
    '/api/webhooks/:id/resend',
    { schema: { params: Id, body: ResendRange, response: { 202: Resent } } },
    async (request, reply) => {
      const { from, to } = request.body
      const sent = await webhooks.resendRange(deps, {
        userId: userOf(request).id,
        id: request.params.id,
        from: new Date(from),
        to: new Date(to),
      })
      return reply.code(202).send({ count: sent })
    },
  )
}

function callerOf(request: FastifyRequest) {
  const { id: userId, sessionId, key } = userOf(request)
  return { userId, proof: key ? keys.proofOf(key.id) : ({ by: 'session', sessionId } as const) }
}
