import { type ReactNode, useEffect, useRef } from 'react'

import { type Plan, type PlanId, plans } from '#shared/business.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { classes } from '#web/ui/classes.ts'

import { PlanFeatures } from './plan-features.tsx'
import { PlanHead } from './plan-head.tsx'

/** The three plans in one ruled group; the popular one is wider, and first on phones. */
export function PlanCards({
  preselected,
  renderAction,
}: {
  /** Scrolled to and ringed: where a link from another page meant to lead. */
  preselected: PlanId | null
  renderAction: (plan: Plan) => ReactNode
}) {
  return (
    <ul className="mt-7 grid rounded-panel border border-line lg:grid-cols-[4fr_5fr_4fr]">
      {plans.map((plan: Plan, index) => (
        <Card
          key={plan.id}
          plan={plan}
          isPreselected={plan.id === preselected}
          className={classes(
            index === 0 && 'lg:rounded-l-panel',
            index === plans.length - 1 && 'max-lg:rounded-b-panel lg:rounded-r-panel',
            plan.isPopular && 'max-lg:order-first max-lg:rounded-t-panel',
          )}
        >
          {renderAction(plan)}
        </Card>
      ))}
    </ul>
  )
}

function Card({
  plan,
  isPreselected,
  className,
  children,
}: {
  plan: Plan
  isPreselected: boolean
  className: string
  children: ReactNode
}) {
  const place = useRef<HTMLLIElement>(null)
  const can = useCapabilities()
  useEffect(() => {
    if (isPreselected) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isPreselected])
  return (
    <li
      ref={place}
      className={classes(
        'flex flex-col border-rule p-6 not-last:border-b sm:p-8 lg:border-b-0! lg:not-last:border-r',
        plan.isPopular ? 'bg-paper-2' : 'bg-card',
        isPreselected && 'z-10 outline-2 outline-primary',
        className,
      )}
    >
      <PlanHead plan={plan} />
      <div className="mt-6 grid">{children}</div>
      <PlanFeatures plan={plan} can={can} />
    </li>
  )
}
