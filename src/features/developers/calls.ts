import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  ApiKeys,
  ChangeWebhook,
  Delivery,
  DeliveryQuery,
  MakeKey,
  MakeWebhook,
  NewKey,
  NewWebhook,
  ResendRange,
  Resent,
  Webhook,
} from './contract.ts'

export const listKeys = call('GET', '/api/keys').carries<{ answer: ApiKeys }>()

export const makeKey = call('POST', '/api/keys').carries<{ body: MakeKey; answer: NewKey }>()

export const revokeKey = call('DELETE', '/api/keys/:id').carries<{ answer: { message: string } }>()

export const listWebhooks = call('GET', '/api/webhooks').carries<{ answer: Webhook[] }>()

export const createWebhook = call('POST', '/api/webhooks').carries<{
  body: MakeWebhook
  answer: NewWebhook
}>()

export const changeWebhook = call('PATCH', '/api/webhooks/:id').carries<{
  body: ChangeWebhook
  answer: Webhook
}>()

export const deleteWebhook = call('DELETE', '/api/webhooks/:id').carries<{
  answer: { message: string }
}>()

export const changeWebhookSecret = call('POST', '/api/webhooks/:id/secret').carries<{
  answer: NewWebhook
}>()

export const testWebhook = call('POST', '/api/webhooks/:id/test').carries<{ answer: Delivery }>()

export const listDeliveries = call('GET', '/api/webhooks/:id/deliveries').carries<{
  query: z.input<typeof DeliveryQuery>
  answer: Delivery[]
}>()

export const resendDelivery = call(
  'POST',
  '/api/webhooks/:id/deliveries/:deliveryId/resend',
).carries<{ answer: Delivery }>()

export const resendDeliveries = call('POST', '/api/webhooks/:id/resend').carries<{
  body: z.input<typeof ResendRange>
  answer: Resent
}>()
