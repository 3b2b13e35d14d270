import { Check } from 'lucide-react'

import type { Plan } from '#shared/business.ts'

export function PlanFeatures({ plan }: { plan: Plan }) {
  return (
    <ul className="mt-6 grid gap-y-3 border-t border-rule pt-6 text-ui">
      {plan.features.map((feature) => (
        <li key={feature} className="flex gap-3">
          <Check size={18} className="mt-0.5 shrink-0 text-success" />
          {feature}
        </li>
      ))}
    </ul>
  )
}
