/** Every figure that the public pages derive from plans and prices. Nothing of it is typed by hand. */
import { creditsFor, priceParts } from '#features/credits/contract.ts'
import { BATCH_CREDITS, BATCH_SECONDS, type Plan, plans } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'

const HOUR = 3600
const BATCH_MINUTES = BATCH_SECONDS / 60

export const allPlans: readonly Plan[] = plans

/** 999 is "$9.99". */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** What so many credits cost on a plan: 15 on Starter are "$3.00". */
export const costOn = (plan: Plan, credits: number): string =>
  dollars((plan.priceCents / plan.credits) * credits)

/** "20¢", "13.3¢", "10¢". */
export const perCredit = ({ priceCents, credits }: Plan): string =>
  `${Number((priceCents / credits).toFixed(1))}¢`

/** How many hours of long recordings a month's credits are: 2.5, 7.5, 25. */
export const longHours = ({ credits }: Plan): number => credits / creditsFor(HOUR)

/** "16 files, 4 h" of 15 minutes each. */
export function shortFiles({ credits }: Plan): string {
  const files = Math.floor(credits / creditsFor(BATCH_SECONDS))
  return `${files} files, ${(files * BATCH_SECONDS) / HOUR} h`
}

export const perHour = (plan: Plan): string => costOn(plan, creditsFor(HOUR))

const numerals = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const inWords = (count: number) => numerals[count] ?? String(count)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export interface PriceLine {
  what: string
  /** A length that belongs to it, as the page writes lengths. */
  time?: string
  credits: number
}

/** How a price comes about: two full 15 minutes are 10, the rest of 11:10 is 3. */
export function priceLines(seconds: number): PriceLine[] {
  const { fullBatches, batches, remainderSeconds, remainder } = priceParts(seconds)
  const lines: PriceLine[] = []
  if (fullBatches > 0)
    lines.push({
      what: `${capital(inWords(fullBatches))} full ${BATCH_MINUTES} minutes, ${BATCH_CREDITS} each`,
      credits: batches,
    })
  if (remainder > 0)
    lines.push({
      what: fullBatches > 0 ? 'The rest,' : 'All of it,',
      time: formatTime(remainderSeconds),
      credits: remainder,
    })
  return lines
}

/** The same as one sentence. */
export const priceSentence = (seconds: number): string =>
  priceLines(seconds)
    .map(({ what, time, credits }) =>
      time === undefined
        ? what
        : `${what} ${time}: ${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    )
    .join('. ')

const dearest = (minutes: number) => creditsFor(minutes * 60)

/** Where a few seconds less would cost less. */
export const justOver = {
  fromSeconds: BATCH_SECONDS + 1,
  toSeconds: BATCH_SECONDS + 60,
  text: `Just over ${BATCH_MINUTES} minutes costs ${dearest(BATCH_MINUTES + 1)} credits; up to ${formatTime(BATCH_SECONDS)} costs ${dearest(BATCH_MINUTES)}.`,
}

export interface ComparisonRow {
  what: string
  /** One for each plan, in their order; true and false are said as "Yes" and a dash. */
  cells: readonly (string | boolean)[]
}

const fromPlan = (index: number) => allPlans.map((_, plan) => plan >= index)

export const comparison: readonly ComparisonRow[] = [
  { what: 'Per month', cells: allPlans.map(({ priceCents }) => dollars(priceCents)) },
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
  { what: 'Generated documents (+1 credit), Google Docs', cells: fromPlan(1) },
  { what: 'API access, custom integrations', cells: fromPlan(2) },
  { what: 'Dedicated support', cells: fromPlan(2) },
]
