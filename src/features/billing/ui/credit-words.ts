/** Credits as sentences: what a balance is good for, and how a price is made. */
import { priceParts } from '#features/credits/contract.ts'
import { BATCH_CREDITS, BATCH_SECONDS, DOCUMENT_CREDITS, tiers } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']
const inWords = (count: number): string => words[count] ?? count.toLocaleString('en-US')

const BATCH_MINUTES = BATCH_SECONDS / 60
const NOTE_MINUTES = tiers[0].upToSeconds / 60

const notes = (count: number): string =>
  `${inWords(count)} ${count === 1 ? 'note' : 'notes'} of ${NOTE_MINUTES} minutes`

/** What a balance is good for, in long recordings and in short notes. */
export function balanceInWords(available: number): string {
  if (available <= 0) return 'No credits left to process a file'
  const minutes = Math.floor(available / BATCH_CREDITS) * BATCH_MINUTES
  if (minutes === 0) return notes(available)
  if (minutes < 60) {
    const time = minutes === 30 ? 'Half an hour' : `${minutes} minutes`
    return `${time} of long recordings, or ${notes(available).toLowerCase()}`
  }
  const hours = Math.floor(minutes / 60)
  return `About ${hours.toLocaleString('en-US')} ${hours === 1 ? 'hour' : 'hours'} of long recordings`
}

export interface PriceLine {
  what: string
  /** A length, set apart so that it can be shown as a time. */
  time: string | null
  credits: number
}

/** How a price is made: the full batches, and the tier of the rest. */
export function priceLines(durationSeconds: number, { withDocument = false } = {}): PriceLine[] {
  const parts = priceParts(durationSeconds)
  const lines: PriceLine[] = []
  if (parts.fullBatches > 0)
    lines.push({
      what: `${inWords(parts.fullBatches)} full ${BATCH_MINUTES} minutes, ${BATCH_CREDITS} each`,
      time: null,
      credits: parts.batches,
    })
  if (parts.remainder > 0)
    lines.push({
      what:
        parts.fullBatches > 0
          ? 'The rest,'
          : `Up to ${tierMinutes(parts.remainderSeconds)} minutes,`,
      time: formatTime(parts.remainderSeconds),
      credits: parts.remainder,
    })
  if (withDocument) lines.push({ what: 'Document', time: null, credits: DOCUMENT_CREDITS })
  return lines
}

function tierMinutes(seconds: number): number {
  const tier = tiers.find(({ upToSeconds }) => seconds <= upToSeconds) ?? tiers[tiers.length - 1]
  return tier ? tier.upToSeconds / 60 : 0
}
