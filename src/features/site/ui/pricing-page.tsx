import { ChevronDown } from 'lucide-react'

import { PlanFeatures } from '#features/billing/ui/plan-features.tsx'
import { PlanHead } from '#features/billing/ui/plan-head.tsx'
import { money } from '#features/billing/ui/plan-words.ts'
import { PriceTable } from '#features/billing/ui/price-table.tsx'
import {
  BRAND,
  MONEY_BACK_DAYS,
  rollover,
  SIGNUP_CREDITS,
  YEARLY_DISCOUNT_PERCENT,
} from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { TimecodeSection } from '#web/ui/timecode-section.tsx'

import { Accordion } from './accordion.tsx'
import { Calculator } from './calculator.tsx'
import { priceQuestions } from './faq.ts'
import { ChoosePlan, ForStrangers, LastWord } from './links.tsx'
import { PageHead } from './page-head.tsx'
import { softwareData } from './plan-data.ts'
import { allPlans, comparison, type ComparisonRow } from './plan-figures.ts'

export default function PricingPage() {
  const [cheapest] = allPlans
  return (
    <>
      <PageHead
        path={paths.pricing}
        title={`Pricing: plans and credits · ${BRAND}`}
        description={`Plans from ${money((cheapest?.priceCents ?? 0) / 100)} a month. See what any recording costs, from 1 credit for up to 2 minutes. Credits roll over.`}
        data={[softwareData]}
      />
      <Container className="pt-10 pb-12 lg:pt-14 lg:pb-18">
        <h1 className="font-display text-h1 font-semibold">Pay for minutes, not seats.</h1>
        <ForStrangers>
          <p className="mt-3 text-lead text-ink-2">
            {SIGNUP_CREDITS} free credits to start. No credit card.
          </p>
        </ForStrangers>
        <Cards />
        <div className="mt-5 flex flex-wrap justify-between gap-x-6 gap-y-1 text-ui text-ink-2">
          <p>{MONEY_BACK_DAYS}-day money-back guarantee</p>
          <p>
            Paying yearly? Save {YEARLY_DISCOUNT_PERCENT}%.{' '}
            <a href={`${paths.contact}?type=billing`} className="text-link">
              Ask us
            </a>
          </p>
        </div>
      </Container>
      <TimecodeSection at={12} title="What will yours cost?">
        <Calculator />
      </TimecodeSection>
      <TimecodeSection
        at={30}
        title="Price by length"
        lead={`From 1 credit per transcription. ${rollover}`}
      >
        <PriceTable
          longer={[20 * 60, 45 * 60]}
          className="mt-6 max-w-[720px]"
          cell="py-3"
          time="leading-[1.625rem]!"
        />
      </TimecodeSection>
      <TimecodeSection at={45} title="Compare the plans">
        <ComparisonTable />
        <ComparisonLists />
      </TimecodeSection>
      <TimecodeSection at={70} title="Questions">
        <div className="mt-6 max-w-[800px] border-t border-rule pt-4">
          <Accordion name="pricing" questions={priceQuestions} heading="h3" />
        </div>
        <p className="mt-6">
          <a href={paths.faq} className="text-link">
            All questions
          </a>
        </p>
      </TimecodeSection>
      <LastWord
        at={100}
        title={`Your first ${SIGNUP_CREDITS} credits are free. That is half an hour.`}
      />
    </>
  )
}

function Cards() {
  return (
    <ul className="mt-7 grid overflow-hidden rounded-panel border border-line lg:grid-cols-[4fr_5fr_4fr]">
      {allPlans.map((plan) => (
        <li
          key={plan.id}
          className={classes(
            'border-rule p-6 sm:p-8 not-last:border-b lg:border-b-0! lg:not-last:border-r',
            // On tablets a card lies on its side: the price at the left, its contents at the right.
            'gap-x-8 sm:max-lg:grid sm:max-lg:grid-cols-2 sm:max-lg:items-center',
            // Where they stand below each other, the popular one comes first.
            plan.isPopular ? 'bg-paper-2 max-lg:order-first max-lg:border-b' : 'bg-card',
          )}
        >
          <div>
            <PlanHead plan={plan} />
            <ChoosePlan
              plan={plan}
              className={classes(
                buttonClasses({ variant: plan.isPopular ? 'primary' : 'secondary' }),
                'mt-6 w-full',
              )}
            />
          </div>
          <div className="border-rule sm:max-lg:border-l sm:max-lg:pl-8 sm:max-lg:*:mt-0 sm:max-lg:*:border-t-0 sm:max-lg:*:pt-0">
            <PlanFeatures plan={plan} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Cell({ value }: { value: ComparisonRow['cells'][number] }) {
  if (typeof value === 'string') return value
  return value ? (
    'Yes'
  ) : (
    <>
      <span aria-hidden="true" className="text-ink-3">
        –
      </span>
      <span className="sr-only">No</span>
    </>
  )
}

function ComparisonTable() {
  const ground = (index: number) => (allPlans[index]?.isPopular ? 'bg-paper-2' : '')
  return (
    <table className="mt-6 w-full border-collapse text-left text-ui max-md:hidden">
      <thead>
        <tr className="border-b border-line">
          <th className="py-3 text-small font-semibold text-ink-2">What you get</th>
          {allPlans.map(({ id, name }, index) => (
            <th
              key={id}
              className={classes(
                'px-3 py-3 font-display text-h3 font-semibold lg:px-4',
                ground(index),
              )}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {comparison.map(({ what, cells, where }) => (
          <tr key={what} data-where={where} className="border-b border-rule">
            <th scope="row" className="py-3 pr-4 font-normal text-ink-2">
              {what}
            </th>
            {cells.map((value, index) => (
              <td
                key={allPlans[index]?.id}
                className={classes(
                  'px-3 py-3 font-semibold whitespace-nowrap tabular-nums lg:px-4',
                  ground(index),
                )}
              >
                <Cell value={value} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same on phones: one plan at a time, the popular one first. */
function ComparisonLists() {
  const order = allPlans.toSorted((a, b) => Number(b.isPopular) - Number(a.isPopular))
  return (
    <div className="mt-4 md:hidden">
      {order.map((plan) => (
        <details
          key={plan.id}
          name="plans"
          open={plan.isPopular}
          className="group border-b border-rule"
        >
          <summary className="flex list-none items-center justify-between gap-4 py-4">
            <h3 className="font-display text-h3 font-semibold">{plan.name}</h3>
            <ChevronDown
              size={20}
              className="shrink-0 transition-transform group-open:rotate-180"
            />
          </summary>
          <dl className="pb-4 text-small">
            {comparison.map(({ what, cells, where }) => (
              <div
                key={what}
                data-where={where}
                className="flex justify-between gap-6 border-t border-rule py-2.5"
              >
                <dt className="text-ink-2">{what}</dt>
                <dd className="text-right font-semibold tabular-nums">
                  <Cell value={cells[allPlans.indexOf(plan)] ?? false} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </div>
  )
}
