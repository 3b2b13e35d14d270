/** Figures that follow from plans and prices, as the pages about money say them. */
import { creditsFor, priceParts } from '#features/credits/contract.ts'
import { BATCH_CREDITS, BATCH_SECONDS, type Plan, tiers } from '#shared/business.ts'
import { formatCredits, formatTime } from '#shared/format.ts'

const HOUR = 3600
export const BATCH_MINUTES = BATCH_SECONDS / 60

/** 9.99 is "$9.99". */
export const money = (dollars: number): string => `$${dollars.toFixed(2)}`
export const priceOf = ({ priceCents }: Plan): string => money(priceCents / 100)

/** What a payment says when it is done. */
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

/** What so many credits cost on a plan: 15 on Starter are "$3.00". */
export const costOn = (plan: Plan, credits: number): string =>
  money(((plan.priceCents / plan.credits) * credits) / 100)

const numerals = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

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
      what: `${numerals[fullBatches] ?? fullBatches} full ${BATCH_MINUTES} minutes, ${BATCH_CREDITS} each`,
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

/** The same as one sentence: "Two full 15 minutes, 5 each. The rest, 11:10: 3 credits". */
export const priceSentence = (
  seconds: number,
  inWords: (credits: number) => string = formatCredits,
): string =>
  priceLines(seconds)
    .map(({ what, time, credits }) =>
      time === undefined ? what : `${what} ${time}: ${inWords(credits)}`,
    )
    .join('. ')

/** Where a few seconds less would cost less. */
export const justOver = {
  fromSeconds: BATCH_SECONDS + 1,
  toSeconds: BATCH_SECONDS + 60,
  text: `Just over ${BATCH_MINUTES} minutes costs ${creditsFor(BATCH_SECONDS + 1)} credits; up to ${formatTime(BATCH_SECONDS)} costs ${creditsFor(BATCH_SECONDS)}.`,
}

/** What a longer recording costs as files of up to 15 minutes each; null where that is no less. */
export function inShortFiles(seconds: number): { files: number; credits: number } | null {
  const files = Math.ceil(seconds / BATCH_SECONDS)
  if (files < 2) return null
  const rest = seconds - (files - 1) * BATCH_SECONDS
  const credits = (files - 1) * creditsFor(BATCH_SECONDS) + creditsFor(rest)
  return credits < creditsFor(seconds) ? { files, credits } : null
}

/** How the same recording would cost less; empty where it would not. */
export function cheaper(seconds: number): string {
  if (seconds >= justOver.fromSeconds && seconds <= justOver.toSeconds) return justOver.text
  const short = inShortFiles(seconds)
  if (!short) return ''
  const count = numerals[short.files] ?? String(short.files)
  return `${count} files of up to ${BATCH_MINUTES} minutes cost ${short.credits} credits. Each then has a summary and speakers of its own.`
}

/** "+150", "−14" with a true minus, "0". */
export function signed(change: number): string {
  const amount = Math.abs(change).toLocaleString('en-US')
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${amount}`
}
