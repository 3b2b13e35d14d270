/** The figures by which the public pages compare the plans. None is typed by hand. */
import {
  BATCH_MINUTES,
  costOn,
  longHours,
  perCredit,
  priceOf,
} from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { BATCH_SECONDS, type Plan, plans } from '#shared/business.ts'
import type { Capability } from '#shared/capabilities.ts'

const HOUR = 3600

export const allPlans: readonly Plan[] = plans

/** "16 files, 4 h" of 15 minutes each. */
function shortFiles({ credits }: Plan): string {
  const files = Math.floor(credits / creditsFor(BATCH_SECONDS))
  return `${files} files, ${(files * BATCH_SECONDS) / HOUR} h`
}

const perHour = (plan: Plan): string => costOn(plan, creditsFor(HOUR))

export interface ComparisonRow {
  what: string
  /** One for each plan, in their order; true and false are said as "Yes" and a dash. */
  cells: readonly (string | boolean)[]
  /** Only where the server can do it. */
  where?: Capability
}

const fromPlan = (index: number) => allPlans.map((_, plan) => plan >= index)

export const comparison: readonly ComparisonRow[] = [
  { what: 'Per month', cells: allPlans.map(priceOf) },
  {
    what: 'Credits (per credit)',
    cells: allPlans.map((plan) => `${plan.credits} (${perCredit(plan)})`),
  },
  {
    what: `Long recordings (${creditsFor(HOUR)} credits an hour)`,
    cells: allPlans.map((plan) => `${longHours(plan)} h`),
  },
  {
    what: `${BATCH_MINUTES}-minute files (${creditsFor(BATCH_SECONDS)} credits each)`,
    cells: allPlans.map(shortFiles),
  },
  { what: `One 60-minute file (${creditsFor(HOUR)} credits)`, cells: allPlans.map(perHour) },
  { what: 'Transcript, summary, speakers, exports', cells: fromPlan(0) },
  { what: 'Generated documents (+1 credit)', cells: fromPlan(1) },
  { what: 'Translations (+1 credit a language)', cells: fromPlan(0), where: 'translations' },
  { what: 'Documents to Google Docs', cells: fromPlan(1), where: 'googleDocs' },
  { what: 'API access, custom integrations', cells: fromPlan(2) },
  { what: 'Dedicated support', cells: fromPlan(2) },
]
