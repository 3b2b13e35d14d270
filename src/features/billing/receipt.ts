/**
 * A receipt as a page of its own, to be printed or saved as a PDF by the browser: who sold what to whom,
 * when, under which number, and how much of it is tax. It says what was paid, and what came back.
 */
import { and, eq } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import type { Db } from '#server/db.ts'
import { BRAND, planOf } from '#shared/business.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { escapeHtml } from '#shared/html.ts'
import { Refusal } from '#shared/refusals.ts'

import { payments } from './tables.ts'

/** The seller on this server, as its operator has set it. */
export interface Seller {
  name: string | null
  /** Its lines. */
  address: readonly string[]
  taxId: string | null
}

/** On paper it is black on white, whatever the screen's theme. */
const css = `
@media print { :root { --paper: #fff; --rule: #999; --ink: #000; --ink-2: #333; --warn: #000 } .hint { display: none } }
h2 { margin: 0; color: var(--ink-2); font-size: .9375rem; font-weight: 600 }
section p { margin: 0 }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1.5rem }
.sum { margin: 2rem 0; border-top: 1px solid var(--rule) }
.sum div { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--rule) }
.sum dd { margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap }
.sum .all { font-weight: 600 }
.warn { color: var(--warn); font-weight: 600 }
.hint { margin-top: 2rem; color: var(--ink-2); font-size: .9375rem }
`

/** @throws Refusal `not_found` */
export async function receiptPage(
  { db, seller, publicUrl }: { db: Db; seller: Seller; publicUrl: URL },
  { userId, id }: { userId: string; id: string },
): Promise<{ title: string; css: string; body: string }> {
  const [[payment], buyer] = await Promise.all([
    db
      .select()
      .from(payments)
      .where(and(eq(payments.id, id), eq(payments.userId, userId))),
    account.addressOf(db, userId),
  ])
  if (!payment || !buyer) throw new Refusal('not_found')
  const { currency, amountCents, taxCents, refundedCents, credits } = payment
  const { name: plan } = planOf(payment.planId)
  const number = payment.number ?? payment.id
  const money = (cents: number) => formatMoney(cents, currency)
  const lines = (all: readonly string[]) => all.map(escapeHtml).join('<br>')
  const row = (what: string, cents: number, kind = '') =>
    `<div${kind}><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(money(cents))}</dd></div>`
  const from = [
    seller.name ?? BRAND,
    ...(seller.address.length > 0 ? seller.address : [publicUrl.host]),
    ...(seller.taxId === null ? [] : [`Tax number ${seller.taxId}`]),
  ]
  const sums = [
    row(`${plan}, one month, ${credits} credits`, amountCents - taxCents),
    row('Tax', taxCents),
    row(`Total, paid in ${currency.toUpperCase()}`, amountCents, ' class="all"'),
    refundedCents > 0 ? row('Given back', -refundedCents) : '',
  ]
  const isTest = payment.provider === 'test'
  const body = `<h1>Receipt</h1><div class="two"><section><h2>From</h2><p>${lines(from)}</p></section><section><h2>To</h2><p>${lines([buyer.name, buyer.email].filter((line) => line !== ''))}</p></section><section><h2>Number</h2><p>${escapeHtml(number)}</p></section><section><h2>Paid on</h2><p>${formatDate(payment.paidAt, 'UTC')}</p></section></div><dl class="sum">${sums.join('')}</dl>${isTest ? '<p class="warn">A test payment: no money was moved.</p>' : ''}<p class="hint">To keep it, print this page, or save it as a PDF from the print dialog.</p>`
  return { title: `Receipt ${number}`, css, body }
}
