import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
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

const addressRefusals = [
  'bad_webhook_address',
  'closed_webhook_port',
  'unknown_webhook_address',
  'internal_webhook_address',
] as const

export const webhookRoutes: FastifyPluginAsyncZod<WebhookDeps> = async (app, deps) => {
  serve(
    app,
    calls.listWebhooks,
    {
      schema: {
        operationId: 'listWebhooks',
        tags: ['Webhooks'],
        scopes: ['read'],
        summary: 'List webhooks',
        response: { 200: z.array(Webhook).describe('The webhooks of the account.') },
      },
    },
    async (request) => webhooks.list(deps, userOf(request).id),
  )

  serve(
    app,
    calls.createWebhook,
    {
      schema: {
        operationId: 'createWebhook',
        tags: ['Webhooks'],
        scopes: ['read', 'write'],
        summary: 'Add a webhook',
        description: 'Its secret is in this answer only.',
        refusals: [...addressRefusals, 'too_many_webhooks'],
        body: MakeWebhook,
        response: { 201: NewWebhook.describe('The webhook with its secret.') },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await webhooks.make(deps, { ...callerOf(request), ...request.body })),
  )

  serve(
    app,
    calls.changeWebhook,
    {
      schema: {
        operationId: 'changeWebhook',
        tags: ['Webhooks'],
        scopes: ['read', 'write'],
        summary: 'Change, pause or resume a webhook',
        refusals: [...addressRefusals],
        params: Id,
        body: ChangeWebhook,
        response: { 200: Webhook.describe('The webhook.') },
      },
    },
    async (request) => webhooks.change(deps, { ...ownedIn(request), ...request.body }),
  )

  serve(
    app,
    calls.deleteWebhook,
    {
      schema: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        scopes: ['write'],
        summary: 'Delete a webhook',
        params: Id,
        response: { 200: Done.describe('It is deleted.') },
      },
    },
    async (request) => {
      await webhooks.remove(deps, ownedIn(request))
      return { message: 'The webhook is deleted. Nothing is sent there any more.' }
    },
  )

  serve(
    app,
    calls.changeWebhookSecret,
    {
      schema: {
        operationId: 'changeWebhookSecret',
        tags: ['Webhooks'],
        scopes: ['read', 'write'],
        summary: 'Change the secret of a webhook',
        description: 'Messages carry signatures by the old and the new secret for a day.',
        params: Id,
        response: { 200: NewWebhook.describe('The webhook with its new secret.') },
      },
    },
    async (request) => webhooks.changeSecret(deps, ownedIn(request)),
  )

  serve(
    app,
    calls.testWebhook,
    {
      schema: {
        operationId: 'testWebhook',
        tags: ['Webhooks'],
        scopes: ['read', 'write'],
        summary: 'Send a test message',
        refusals: ['too_many_test_messages'],
        params: Id,
        response: { 202: Delivery.describe('It is on its way; the log has the result.') },
      },
    },
    async (request, reply) => reply.code(202).send(await webhooks.test(deps, ownedIn(request))),
  )

  serve(
    app,
    calls.listDeliveries,
    {
      schema: {
        operationId: 'listDeliveries',
        tags: ['Webhooks'],
        scopes: ['read'],
        summary: 'List what was sent',
        params: Id,
        querystring: DeliveryQuery,
        response: { 200: z.array(Delivery).describe('Fifty at a time, newest first.') },
      },
    },
    async (request) => webhooks.deliveries(deps, { ...ownedIn(request), ...request.query }),
  )

  serve(
    app,
    calls.resendDelivery,
    {
      schema: {
        operationId: 'resendDelivery',
        tags: ['Webhooks'],
        scopes: ['read', 'write'],
        summary: 'Send a message again',
        refusals: ['webhook_is_paused'],
        params: OneDelivery,
        response: { 202: Delivery.describe('It is on its way.') },
      },
    },
    async (request, reply) => reply.code(202).send(await webhooks.resend(deps, ownedIn(request))),
  )

  serve(
    app,
    calls.resendDeliveries,
    {
      schema: {
        operationId: 'resendDeliveries',
        tags: ['Webhooks'],
        scopes: ['write'],
        summary: 'Send again what failed in a time',
        refusals: ['webhook_is_paused'],
        params: Id,
        body: ResendRange,
        response: { 202: Resent.describe('So many are on their way.') },
      },
    },
    async (request, reply) => {
      const [from, to] = [new Date(request.body.from), new Date(request.body.to)]
      const count = await webhooks.resendRange(deps, { ...ownedIn(request), from, to })
      return reply.code(202).send({ count })
    },
  )
}

function callerOf(request: FastifyRequest) {
  const { id: userId, sessionId, key } = userOf(request)
  return { userId, proof: key ? keys.proofOf(key.id) : ({ by: 'session', sessionId } as const) }
}

/** The caller, with the ids in the address. */
const ownedIn = <Params extends object>(request: FastifyRequest & { params: Params }) => ({
  ...callerOf(request),
  ...request.params,
})
