/** Figures that follow from plans and prices, as the pages about money say them. */
import { creditsFor, priceParts } from '#features/credits/contract.ts'
import {
  BATCH_CREDITS,
  BATCH_SECONDS,
  DOCUMENT_CREDITS,
  type Plan,
  tiers,
} from '#shared/business.ts'
import { formatCredits, formatTime } from '#shared/format.ts'

const HOUR = 3600
export const BATCH_MINUTES = BATCH_SECONDS / 60

/** The tiers and the batches by the same words in every table, calculator and bill. */
export const upTo = ({ upToSeconds }: { upToSeconds: number }): string =>
  `Up to ${upToSeconds / 60} minutes`
export const FULL_BATCH = `full ${BATCH_MINUTES} minutes`

/** 9.99 is "$9.99". */
export const money = (dollars: number): string => `$${dollars.toFixed(2)}`
export const priceOf = ({ priceCents }: Plan): string => money(priceCents / 100)

/** The sentence that follows a payment. */
export const added = (credits: number): string =>
  `${credits} credits have been added to your account.`

/** "13.3¢" */
export const perCredit = ({ priceCents, credits }: Plan): string =>
  `${Number((priceCents / credits).toFixed(1))}¢`

/** How many hours of long recordings a month's credits are. */
export const longHours = ({ credits }: Plan): number => credits / creditsFor(HOUR)

/** "1 credit is up to 2 minutes of recording, 3 are up to 15." */
export const whatCreditsBuy = [tiers[0], tiers[tiers.length - 1]]
  .flatMap((tier) => tier ?? [])
  .map(({ credits, upToSeconds }, index) =>
    index === 0
      ? `${formatCredits(credits)} is up to ${upToSeconds / 60} minutes of recording`
      : `${credits} are up to ${upToSeconds / 60}.`,
  )
  .join(', ')

/** The price of so many credits on a plan: 15 on Starter are "$3.00". */
export const costOn = (plan: Plan, credits: number): string =>
  money(((plan.priceCents / plan.credits) * credits) / 100)

const numerals = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
]
const inWords = (count: number): string => numerals[count] ?? count.toLocaleString('en-US')

export interface PriceLine {
  what: string
  /** A length that belongs to it, set apart because the pages write lengths in their own way. */
  time: string | null
  credits: number
}

/**
 * How a price comes about: two full 15 minutes are 10, the rest of 11:10 is 3. A recording shorter
 * than that is told by the tier of its price.
 */
export function priceLines(seconds: number, { withDocument = false } = {}): PriceLine[] {
  const { fullBatches, batches, remainderSeconds, remainder } = priceParts(seconds)
  const lines: PriceLine[] = []
  if (fullBatches > 0)
    lines.push({
      what: `${inWords(fullBatches)} ${FULL_BATCH}, ${BATCH_CREDITS} each`,
      time: null,
      credits: batches,
    })
  const tier = tiers.find(({ upToSeconds }) => remainderSeconds <= upToSeconds)
  if (tier && remainder > 0)
    lines.push({
      what: fullBatches > 0 ? 'The rest,' : `${upTo(tier)},`,
      time: formatTime(remainderSeconds),
      credits: remainder,
    })
  if (withDocument) lines.push({ what: 'Document', time: null, credits: DOCUMENT_CREDITS })
  return lines
}

/** The same as one sentence: "Two full 15 minutes, 5 each. The rest, 11:10: 3 credits". */
export const priceSentence = (seconds: number): string =>
  priceLines(seconds)
    .map(({ what, time, credits }) =>
      time === null ? what : `${what} ${time}: ${formatCredits(credits)}`,
    )
    .join('. ')

const [shortest, , longest] = tiers

/** How many recordings of this length so many credits pay for: "Two recordings of 15 minutes". */
function fitting(
  available: number,
  what: string,
  { upToSeconds, credits }: (typeof tiers)[number],
) {
  const count = Math.floor(available / credits)
  return `${inWords(count)} ${what}${count === 1 ? '' : 's'} of ${upToSeconds / 60} minutes`
}

/** How many long recordings, and how many short notes, a balance pays for. */
export function balanceInWords(available: number): string {
  if (available <= 0) return 'No credits left to process a file'
  const hours = Math.floor(available / creditsFor(HOUR))
  if (hours > 0)
    return `About ${hours.toLocaleString('en-US')} ${hours === 1 ? 'hour' : 'hours'} of long recordings`
  const notes = fitting(available, 'note', shortest)
  if (available < longest.credits) return notes
  return `${fitting(available, 'recording', longest)}, or ${notes.toLowerCase()}`
}

/** "+150", "−14" with a true minus, "0". */
export function signed(change: number): string {
  const amount = Math.abs(change).toLocaleString('en-US')
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${amount}`
}
