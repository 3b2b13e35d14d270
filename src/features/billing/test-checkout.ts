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

const css = `
main { max-width: 30rem }
h1 { margin-bottom: .25rem }
.notice { margin: 0; padding: .75rem 1rem; background: var(--warn-tint); color: var(--warn); font-weight: 600; text-align: center }
.sum { margin: 1.5rem 0; border: solid var(--rule); border-width: 1px 0 }
.sum div { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0 }
.sum div + div { border-top: 1px solid var(--rule) }
.sum dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums }
.problem { padding: .75rem 1rem; border-radius: 6px; background: var(--danger-tint); color: var(--danger); font-weight: 600 }
button { display: block; width: 100%; min-height: 2.75rem; margin: 0 0 .75rem; border: 1px solid var(--line); border-radius: 6px; background: none; color: var(--ink); font: 600 1rem/1 system-ui, sans-serif; cursor: pointer }
button.main { border-color: transparent; background: var(--primary); color: var(--on) }
`

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
      css,
      notice:
        '<p class="notice" role="note">Test checkout. No money moves and no card is asked for.</p>',
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

function html(id: string, page: TestCheckout): string {
  const { name, priceCents, credits } = planOf(page.planId)
  const price = `$${(priceCents / 100).toFixed(2)}`
  const button = (act: string, label: string, kind = '') =>
    `<form method="post" action="/dev/checkout/${escapeHtml(id)}/${act}"><button${kind}>${label}</button></form>`
  const declined = page.wasDeclined
    ? '<p class="problem" role="alert">The card was declined. Nothing was charged.</p>'
    : ''
  const acts =
    page.state === 'open'
      ? `${declined}${button('pay', `Pay ${price}`, ' class="main"')}${button('decline', 'Let the card be declined')}${button('leave', `Leave, back to ${BRAND}`)}`
      : `<p>${page.state === 'paid' ? 'This has been paid. It cannot be paid twice.' : 'This page has been closed, because a newer one was opened. Nothing was charged.'}</p><p><a href="${escapeHtml(page.state === 'paid' ? page.successUrl : page.leaveUrl)}">Back to ${BRAND}</a></p>`
  return `<h1>${escapeHtml(name)}</h1><p><small>This page stands where the card provider’s would.</small></p><dl class="sum"><div><dt>Plan</dt><dd>${escapeHtml(name)}, monthly</dd></div><div><dt>Credits</dt><dd>${credits}</dd></div><div><dt>To pay today</dt><dd>${price}</dd></div></dl>${acts}`
}
