/**
 * The page that stands where the card provider's would, while PAYMENTS is `test`: pay, be declined,
 * or leave. It exists on a local PUBLIC_URL only, says on every state that no money moves, and its
 * reports go through the same code as Stripe's events.
 */
import { randomUUID } from 'node:crypto'

import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import { sendPlainPage } from '#server/plain-page.ts'
import { BRAND, planOf } from '#shared/business.ts'
import { escapeHtml } from '#shared/html.ts'
import { Refusal } from '#shared/refusals.ts'

import { receive } from './provider-events.ts'
import type { Deps } from './state.ts'
import type { TestCheckout, TestProvider } from './test-provider.ts'

const Page = z.object({ id: z.string() })
const Press = Page.extend({ act: z.enum(['pay', 'decline', 'leave']) })

export function addTestCheckout(
  app: FastifyInstance,
  deps: Deps & { provider: TestProvider },
): void {
  const { provider } = deps
  const send = (reply: FastifyReply, body: string): FastifyReply =>
    // Without a referrer a form's request would not say which page it came from.
    sendPlainPage(reply.header('Referrer-Policy', 'same-origin'), {
      title: 'Test checkout',
      body,
      formsTo: `'self' ${deps.publicUrl.origin}`,
    })

  app.get('/dev/checkout/:id', async (request, reply) => {
    const { id } = Page.parse(request.params)
    const page = await provider.page(id)
    if (!page) throw new Refusal('not_found')
    return send(reply, html(id, page))
  })

  // A plain form: its body is empty, the address says everything.
  void app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume()
      payload.once('end', () => done(null, undefined))
    })
    forms.post('/dev/checkout/:id/:act', async (request, reply) => {
      const pressed = Press.safeParse(request.params)
      if (!pressed.success) throw new Refusal('not_found')
      const { id, act } = pressed.data
      const before = await provider.page(id)
      if (!before) throw new Refusal('not_found')
      if (act === 'pay') {
        await provider.pay(id)
        await report(id)
      }
      if (act === 'decline') await provider.decline(id)
      const page = (await provider.page(id)) ?? before
      if (page.state === 'paid') return reply.redirect(page.successUrl, 303)
      if (act === 'leave') return reply.redirect(leaveUrl(page), 303)
      return reply.redirect(`/dev/checkout/${id}`, 303)
    })
  })

  /** As the provider's own event would. */
  async function report(id: string): Promise<void> {
    const type = 'checkout.session.completed'
    const event = `evt_test_${randomUUID()}`
    await receive(deps, { id: event, type, about: { kind: 'checkout', id } })
  }
}

function leaveUrl({ leaveUrl, wasDeclined }: TestCheckout): string {
  if (!wasDeclined) return leaveUrl
  const url = new URL(leaveUrl)
  url.searchParams.set('checkout', 'declined')
  return url.href
}

const button =
  'h-11 w-full cursor-pointer rounded-control border px-5 text-ui font-semibold transition-colors'
const looks = {
  main: `${button} border-transparent bg-primary text-primary-fg hover:bg-primary-hover`,
  other: `${button} border-line hover:bg-paper-2`,
}

function html(id: string, page: TestCheckout): string {
  const { name, priceCents, credits } = planOf(page.planId)
  const price = `$${(priceCents / 100).toFixed(2)}`
  const row = (what: string, value: string) =>
    `<div class="flex justify-between gap-4 border-b border-rule py-3"><dt>${what}</dt><dd class="font-semibold tabular-nums">${value}</dd></div>`
  const press = (act: string, label: string, look: keyof typeof looks = 'other') =>
    `<form method="post" action="/dev/checkout/${escapeHtml(id)}/${act}" class="mt-3"><button class="${looks[look]}">${label}</button></form>`
  const declined = page.wasDeclined
    ? '<p role="alert" class="mt-6 rounded-control bg-danger-tint px-4 py-3 text-ui font-semibold text-danger">The card was declined. Nothing was charged.</p>'
    : ''
  const isPaid = page.state === 'paid'
  const end = `<p class="mt-6 text-ui">${isPaid ? 'This has been paid. It cannot be paid twice.' : 'This page has been closed, because a newer one was opened. Nothing was charged.'}</p><p class="mt-3 text-ui"><a class="text-link" href="${escapeHtml(isPaid ? page.successUrl : page.leaveUrl)}">Back to ${BRAND}</a></p>`
  const acts = `${declined}<div class="mt-6">${press('pay', `Pay ${price}`, 'main')}${press('decline', 'Let the card be declined')}${press('leave', `Leave, back to ${BRAND}`)}</div>`
  return `<div class="mx-auto max-w-lg"><p role="note" class="rounded-control border border-dashed border-warn bg-warn-tint px-4 py-3 text-ui font-semibold text-warn">Test checkout. No money moves and no card is asked for.</p><h1 class="mt-6 font-display text-app font-semibold">${escapeHtml(name)}</h1><p class="mt-2 text-small text-ink-2">This page stands where the card provider’s would.</p><dl class="mt-6 border-t border-rule text-ui">${row('Plan', `${escapeHtml(name)}, monthly`)}${row('Credits', String(credits))}${row('To pay today', price)}</dl>${page.state === 'open' ? acts : end}</div>`
}
