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

/** @throws Refusal `not_found` */
export async function receiptPage(
  { db, seller, publicUrl }: { db: Db; seller: Seller; publicUrl: URL },
  { userId, id }: { userId: string; id: string },
): Promise<{ title: string; body: string }> {
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
    `<div class="flex justify-between gap-4 border-b border-rule py-3 ${kind}"><dt>${escapeHtml(what)}</dt><dd class="whitespace-nowrap tabular-nums">${escapeHtml(money(cents))}</dd></div>`
  const fact = (name: string, words: string) =>
    `<section><h2 class="text-small font-semibold text-ink-2">${name}</h2><p>${words}</p></section>`
  const from = [
    seller.name ?? BRAND,
    ...(seller.address.length > 0 ? seller.address : [publicUrl.host]),
    ...(seller.taxId === null ? [] : [`Tax number ${seller.taxId}`]),
  ]
  const sums = [
    row(`${plan}, one month, ${credits} credits`, amountCents - taxCents),
    row('Tax', taxCents),
    row(`Total, paid in ${currency.toUpperCase()}`, amountCents, 'font-semibold'),
    refundedCents > 0 ? row('Given back', -refundedCents) : '',
  ]
  const isTest = payment.provider === 'test'
  const facts = [
    fact('From', lines(from)),
    fact('To', lines([buyer.name, buyer.email].filter((line) => line !== ''))),
    fact('Number', escapeHtml(number)),
    fact('Paid on', formatDate(payment.paidAt, 'UTC')),
  ]
  const test = isTest
    ? '<p class="mt-6 text-ui font-semibold text-warn">A test payment: no money was moved.</p>'
    : ''
  const body = `<h1 class="font-display text-app font-semibold">Receipt</h1><div class="mt-6 grid gap-6 text-ui sm:grid-cols-2 print:grid-cols-2">${facts.join('')}</div><dl class="mt-8 border-t border-rule text-ui">${sums.join('')}</dl>${test}<p class="mt-8 text-small text-ink-2 print:hidden">To keep it, print this page, or save it as a PDF from the print dialog.</p>`
  return { title: `Receipt ${number}`, body }
}
