/** Figures that follow from plans and prices, as the pages about money say them. */
import { creditsFor, priceParts } from '#features/credits/contract.ts'
import { BATCH_CREDITS, BATCH_SECONDS, type Plan } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'

const HOUR = 3600

export const money = (dollars: number): string => `$${dollars.toFixed(2)}`
export const priceOf = ({ priceCents }: Plan): string => money(priceCents / 100)

/** "13.3¢" */
export const perCredit = ({ priceCents, credits }: Plan): string =>
  `${Number((priceCents / credits).toFixed(1))}¢`

/** How many hours of long recordings a month's credits are. */
export const longHours = ({ credits }: Plan): number => credits / creditsFor(HOUR)

/** What so many credits cost on a plan. */
export const costOn = (plan: Plan, credits: number): string =>
  money((plan.priceCents / plan.credits / 100) * credits)

export const creditWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`

const numerals = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

/** "Two full 15 minutes, 5 each. The rest, 11:10: 3." */
export function howPriceIsMade(seconds: number): string {
  const { fullBatches, remainderSeconds, remainder } = priceParts(seconds)
  const parts: string[] = []
  if (fullBatches > 0)
    parts.push(
      `${numerals[fullBatches] ?? fullBatches} full ${BATCH_SECONDS / 60} minutes, ${BATCH_CREDITS} each`,
    )
  if (remainder > 0)
    parts.push(
      `${fullBatches > 0 ? 'The rest' : 'All of it'}, ${formatTime(remainderSeconds)}: ${remainder}`,
    )
  return parts.join('. ')
}

/** "+150", "−14" with a true minus, "0". */
export function signed(change: number): string {
  const amount = Math.abs(change).toLocaleString('en-US')
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${amount}`
}

/** Of a day and time: "14:05" as the reader's clock shows it. */
export const formatClock = (value: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hour12: false }).format(
    new Date(value),
  )
