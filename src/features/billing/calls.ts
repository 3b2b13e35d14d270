import { call } from '#shared/call.ts'

import type {
  AskChange,
  Billing,
  ChangePlan,
  ChangePreview,
  CheckoutOpened,
  CreditPage,
  OpenCheckout,
  PlanChanged,
  PortalOpened,
  ReportSuccess,
  SetAlert,
  SuccessReported,
} from './contract.ts'

export const openCheckout = call('POST', '/api/create-payment-intent').carries<{
  body: OpenCheckout
  answer: CheckoutOpened
}>()

/** Asks the server to look whether a checkout was paid. */
export const reportSuccess = call('POST', '/api/subscription-success').carries<{
  body: ReportSuccess
  answer: SuccessReported
}>()

export const readBilling = call('GET', '/api/billing').carries<{ answer: Billing }>()

/** A page for people. */
export const readReceipt = call('GET', '/api/billing/receipts/:id')

/** Tells the cost and the day of a change of plan, and changes nothing. */
export const previewChange = call('POST', '/api/billing/preview').carries<{
  body: AskChange
  answer: ChangePreview
}>()

export const changePlan = call('POST', '/api/billing/change').carries<{
  body: ChangePlan
  answer: PlanChanged
}>()

export const cancelPlan = call('POST', '/api/billing/cancel').carries<{ answer: Billing }>()

export const resumePlan = call('POST', '/api/billing/resume').carries<{ answer: Billing }>()

export const openPortal = call('POST', '/api/billing/portal').carries<{ answer: PortalOpened }>()

export const listCredits = call('GET', '/api/credits').carries<{
  query: { before: number | null }
  answer: CreditPage
}>()

export const downloadCredits = call('GET', '/api/credits.csv')

export const setAlert = call('PUT', '/api/credits/alert').carries<{ body: SetAlert }>()
