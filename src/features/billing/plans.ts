/** Changes of a running plan. The cost is shown first, and nothing else is ever charged. */
import type { Queryable } from '#server/db.ts'
import { type PlanId, planOf, plans } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { type ChangePreview, dollars } from './contract.ts'
import { monthAfter } from './months.ts'
import { takeInvoice } from './provider-events.ts'
import type { Provider, Subscription } from './provider.ts'
import { type Deps, asUser, providerOf, running, runningPlan, save } from './state.ts'

/**
 * The cost and the day of a change of plan.
 *
 * @throws Refusal `payments_off`, `no_subscription`, `same_plan`
 */
export async function previewChange(
  deps: Deps,
  { userId, planId }: { userId: string; planId: PlanId },
): Promise<ChangePreview> {
  const provider = providerOf(deps)
  const { subscription, paidPlanId } = await currentPlan(provider, deps.db, userId)
  const when = whenToChange({ subscription, paidPlanId, planId })
  const plan = planOf(planId)
  const isNow = when === 'now'
  const { amountCents } = isNow
    ? await provider.quoteChange(subscription, planId)
    : { amountCents: 0 }
  return {
    planId,
    when,
    amountNow: dollars(amountCents),
    creditsNow: isNow ? plan.credits : 0,
    amountMonthly: dollars(plan.priceCents),
    nextPaymentAt: (isNow ? monthAfter(deps.clock()) : subscription.periodEndsAt).toISOString(),
  }
}

/**
 * Changes the plan: a dearer one at once, paid in full with its full credits and a new month; a
 * cheaper one when the month ends. Asking twice changes and charges once.
 *
 * @throws Refusal `payments_off`, `no_subscription`, `same_plan`, `wrong_amount`, `payment_failed`
 */
export async function changePlan(
  deps: Deps,
  { userId, planId, amountCents }: { userId: string; planId: PlanId; amountCents: number },
): Promise<{ confirmUrl: string | null }> {
  const provider = providerOf(deps)
  const result = await asUser(deps, userId, async (tx) => {
    const { subscription, paidPlanId } = await currentPlan(provider, tx, userId)
    if (whenToChange({ subscription, paidPlanId, planId }) !== 'now') {
      if (amountCents !== 0) throw new Refusal('wrong_amount')
      await provider.changeNext(subscription, planId)
      await save(deps, tx, await provider.subscription(subscription.id))
      return null
    }
    const quote = await provider.quoteChange(subscription, planId)
    if (quote.amountCents !== amountCents) throw new Refusal('wrong_amount')
    // A second request finds the next plan changed already, and is refused above.
    return provider.changeNow(subscription, planId)
  })
  if (result?.kind === 'declined') throw new Refusal('payment_failed')
  if (result?.kind === 'paid') await takeInvoice(deps, result.invoiceId)
  return { confirmUrl: result?.kind === 'needs_owner' ? result.url : null }
}

/** Lets the plan end with its month, or go on after all. @throws Refusal `payments_off`, `no_subscription` */
export async function endWithPeriod(
  deps: Deps,
  { userId, ends }: { userId: string; ends: boolean },
): Promise<void> {
  const provider = providerOf(deps)
  await asUser(deps, userId, async (tx) => {
    const { subscription } = await currentPlan(provider, tx, userId)
    await provider.endWithPeriod(subscription, ends)
    await save(deps, tx, await provider.subscription(subscription.id))
  })
}

/** The running plan, and the subscription as the provider has it now. @throws Refusal `no_subscription` */
async function currentPlan(
  provider: Provider,
  db: Queryable,
  userId: string,
): Promise<{ subscription: Subscription; paidPlanId: PlanId }> {
  const plan = await runningPlan(db, userId)
  const isHere = plan?.provider === provider.name
  const subscription = isHere ? await provider.subscription(plan.id) : null
  if (!plan || !subscription || !running.includes(subscription.status))
    throw new Refusal('no_subscription')
  return { subscription, paidPlanId: plan.paidPlanId }
}

/** @throws Refusal `same_plan` */
function whenToChange({
  subscription,
  paidPlanId,
  planId,
}: {
  subscription: Subscription
  paidPlanId: PlanId
  planId: PlanId
}): ChangePreview['when'] {
  if (planId === paidPlanId) {
    if (subscription.nextPlanId === paidPlanId) throw new Refusal('same_plan')
    return 'keep'
  }
  if (planId === subscription.nextPlanId) throw new Refusal('same_plan')
  const rank = (id: PlanId) => plans.findIndex((plan) => plan.id === id)
  return rank(planId) > rank(paidPlanId) ? 'now' : 'next'
}
