import { BATCH_CREDITS, BATCH_SECONDS, DOCUMENT_CREDITS, tiers } from '#shared/business.ts'

/**
 * Credits for a recording of so many seconds, the same on the price tag and on the bill: whole
 * decoded seconds, rounded down; 5 per full 15 minutes plus the tier of the remainder.
 */
export function creditsFor(seconds: number, { withDocument = false } = {}): number {
  const { batches, remainder } = priceParts(seconds)
  return batches + remainder + (withDocument ? DOCUMENT_CREDITS : 0)
}

/** The two parts of a price, for "how this price is made": 41:10 is 10 (two batches) and 3. */
export function priceParts(seconds: number): {
  fullBatches: number
  batches: number
  remainderSeconds: number
  remainder: number
} {
  const whole = Math.max(0, Math.floor(seconds))
  const fullBatches = whole <= BATCH_SECONDS ? 0 : Math.floor(whole / BATCH_SECONDS)
  const remainderSeconds = whole - fullBatches * BATCH_SECONDS
  const tier = tiers.find(({ upToSeconds }) => remainderSeconds <= upToSeconds)
  return {
    fullBatches,
    batches: fullBatches * BATCH_CREDITS,
    remainderSeconds,
    remainder: fullBatches > 0 && remainderSeconds === 0 ? 0 : (tier?.credits ?? 0),
  }
}
