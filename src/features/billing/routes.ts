import { Readable } from 'node:stream'

import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Stripe } from 'stripe'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { sendPlainPage } from '#server/plain-page.ts'
import { serve } from '#server/serve.ts'
import { Refusal } from '#shared/refusals.ts'

import { setAlert } from './alerts.ts'
import * as billing from './billing.ts'
import * as calls from './calls.ts'
import {
  AskChange,
  Billing,
  ChangePlan,
  ChangePreview,
  CheckoutOpened,
  CreditPage,
  CreditQuery,
  OpenCheckout,
  PlanChanged,
  PortalOpened,
  ReportSuccess,
  SetAlert,
  SuccessReported,
  cents,
} from './contract.ts'
import * as ledger from './ledger.ts'
import { receive } from './provider-events.ts'
import { type Seller, receiptPage } from './receipt.ts'
import type { Payments } from './payments.ts'
import * as plans from './plans.ts'
import type { Deps } from './state.ts'
import { readEvent } from './stripe.ts'
import { addTestCheckout } from './test-checkout.ts'

export interface RouteDeps extends Deps {
  payments: Payments
  describe: ledger.Describe
  explain: ledger.Explain
  seller: Seller
}

/** Stripe's events are far below; a body beyond it is nobody's event. */
const EVENT_BYTES = 2 * 1024 * 1024

export const billingRoutes: FastifyPluginAsyncZod<RouteDeps> = async (app, deps) => {
  const { payments, log } = deps

  app.setErrorHandler((error, request) => {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    log.warn({ requestId: request.id, type: error.type, code: error.code }, 'Stripe did not do it')
    throw new Refusal('payments_unreachable', { cause: error })
  })

  serve(
    app,
    calls.openCheckout,
    {
      config: { idempotency: 'repeatable' },
      schema: { body: OpenCheckout, response: { 200: CheckoutOpened } },
    },
    async (request) => {
      const { planId, amount } = request.body
      const { id: userId } = userOf(request)
      return billing.openCheckout(deps, { userId, planId, amountCents: cents(amount) })
    },
  )

  serve(
    app,
    calls.reportSuccess,
    { schema: { body: ReportSuccess, response: { 200: SuccessReported } } },
    async (request) => {
      const { planId, sessionId } = request.body
      return billing.reportSuccess(deps, { userId: userOf(request).id, planId, sessionId })
    },
  )

  serve(app, calls.readBilling, { schema: { response: { 200: Billing } } }, async (request) =>
    billing.get(deps, userOf(request).id),
  )

  serve(
    app,
    calls.readReceipt,
    { schema: { params: z.object({ id: z.string().max(255) }) } },
    async (request, reply) => {
      const asked = { userId: userOf(request).id, id: request.params.id }
      return sendPlainPage(reply, await receiptPage(deps, asked))
    },
  )

  serve(
    app,
    calls.previewChange,
    { schema: { body: AskChange, response: { 200: ChangePreview } } },
    async (request) =>
      plans.previewChange(deps, { userId: userOf(request).id, planId: request.body.planId }),
  )

  serve(
    app,
    calls.changePlan,
    { schema: { body: ChangePlan, response: { 200: PlanChanged } } },
    async (request) => {
      const { id: userId } = userOf(request)
      const { planId, amountNow } = request.body
      const changed = await plans.changePlan(deps, {
        userId,
        planId,
        amountCents: cents(amountNow),
      })
      return { ...changed, billing: await billing.get(deps, userId) }
    },
  )

  for (const [call, ends] of [
    [calls.cancelPlan, true],
    [calls.resumePlan, false],
  ] as const)
    serve(app, call, { schema: { response: { 200: Billing } } }, async (request) => {
      const { id: userId } = userOf(request)
      await plans.endWithPeriod(deps, { userId, ends })
      return billing.get(deps, userId)
    })

  serve(app, calls.openPortal, { schema: { response: { 200: PortalOpened } } }, async (request) =>
    billing.portal(deps, userOf(request).id),
  )

  serve(
    app,
    calls.listCredits,
    {
      schema: {
        operationId: 'listCredits',
        tags: ['Account'],
        scopes: ['read'],
        summary: 'Every credit that came or went',
        querystring: CreditQuery,
        response: { 200: CreditPage.describe('Newest first, with the balance after each.') },
      },
    },
    async (request) =>
      ledger.page(deps, { userId: userOf(request).id, before: request.query.before }),
  )

  serve(app, calls.downloadCredits, { schema: {} }, async (request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="credits.csv"')
      .send(Readable.from(ledger.csv(deps, userOf(request).id))),
  )

  serve(
    app,
    calls.setAlert,
    { schema: { body: SetAlert, response: { 200: SetAlert } } },
    async (request) => {
      await setAlert(deps.db, { userId: userOf(request).id, below: request.body.below })
      return request.body
    },
  )

  if (payments.mode === 'test') addTestCheckout(app, { ...deps, provider: payments.provider })
  if (payments.mode !== 'stripe') return
  await app.register(async (door) => {
    // The signature is of the bytes: they are not parsed before it is checked.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    door.post(
      '/api/stripe/webhook',
      {
        config: { access: 'public' },
        bodyLimit: EVENT_BYTES,
        schema: { response: { 200: z.object({ received: z.literal(true) }) } },
      },
      async (request) => {
        const signature = request.headers['stripe-signature']
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const event = readEvent(payments, { body, signature, now: deps.clock() })
        if (!event) throw new Refusal('bad_signature')
        await receive(deps, event)
        return { received: true as const }
      },
    )
  })
}
