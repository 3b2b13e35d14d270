import type { Plan } from '#shared/business.ts'

import { longHours, perCredit, priceOf } from './plan-words.ts'

/** The head of a plan's card: its name, its price and its credits. */
export function PlanHead({ plan }: { plan: Plan }) {
  return (
    <>
      <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-section font-semibold">
        {plan.name}
        {plan.isPopular ? (
          <span className="rounded-badge bg-card px-2 py-1 font-sans text-fine! leading-4! font-semibold text-ink-2">
            Most popular
          </span>
        ) : null}
      </h2>
      <p className="mt-2">
        <span className="font-display text-figure font-semibold">{priceOf(plan)}</span>{' '}
        <span className="text-ui text-ink-2">a month</span>
      </p>
      <p className="mt-2 text-ui">
        <span className="font-semibold">{plan.credits} credits</span>
        <span className="text-ink-2"> · {perCredit(plan)} each</span>
      </p>
      <p className="text-ui text-ink-2">{longHours(plan)} hours of long recordings</p>
    </>
  )
}
