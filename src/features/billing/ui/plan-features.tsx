import { Check } from 'lucide-react'

import type { Plan, PlanFeature } from '#shared/business.ts'
import type { Capability } from '#shared/capabilities.ts'

/**
 * The features of a plan on this server. Without `can` it is for a public page, which the server
 * completes.
 */
export function PlanFeatures({
  plan,
  can,
}: {
  plan: Plan
  can?: (capability: Capability) => boolean
}) {
  const isSold = ({ where, whereNot }: PlanFeature) =>
    !can || ((!where || can(where)) && (!whereNot || !can(whereNot)))
  return (
    <ul className="mt-6 grid gap-y-3 border-t border-rule pt-6 text-ui">
      {plan.features.filter(isSold).map(({ text, where, whereNot }) => (
        <li
          key={text}
          className="flex gap-3"
          {...(can ? {} : { 'data-where': where, 'data-where-not': whereNot })}
        >
          <Check size={18} className="mt-0.5 shrink-0 text-success" />
          {text}
        </li>
      ))}
    </ul>
  )
}
