/** The lines of a bill, as they stand in each dialog that costs credits. */
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { classes } from '#web/ui/classes.ts'

/** The lines that end every bill: the price, the balance, and the balance after it. */
export function SumLines({
  required,
  available,
  because = null,
}: {
  required: number
  available: number
  /** Said after the number that is required, where it is not the usual one. */
  because?: string | null
}) {
  const missing = required - available
  return (
    <>
      <PriceLine required={required} because={because} />
      <BillLine what="Your credits" credits={available} />
      <BillLine
        what="Credits remaining after"
        // A balance never falls below zero, so this says how many credits are missing.
        credits={missing > 0 ? `${missing.toLocaleString('en-US')} too few` : -missing}
        className="border-t-[3px] border-double border-line font-semibold *:last:text-lead *:last:leading-6"
      />
    </>
  )
}

export const PriceLine = ({ required, because }: { required: number; because: string | null }) => (
  <BillLine
    what="Credits required"
    credits={required}
    because={because}
    className="border-t border-line font-semibold"
  />
)

export function BillLine({
  what,
  credits,
  because = null,
  how = null,
  className,
}: {
  what: string
  /** Said below what it is. */
  how?: string | null
  /** A number of credits, or words where the number would be below zero. */
  credits: number | string
  because?: string | null
  className?: string
}) {
  return (
    <div
      className={classes(
        'flex items-baseline justify-between gap-4 py-2.5 sm:py-[11px]',
        className ?? 'border-t border-rule text-ink-2 first:border-t-0',
      )}
    >
      <dt className={how === null ? 'shrink-0' : 'min-w-0'}>
        {what}
        {how === null ? null : <span className="block text-small">{how}</span>}
      </dt>
      <dd className="text-right font-semibold text-ink tabular-nums">
        {credits.toLocaleString('en-US')}
        {because === null ? null : <span className="font-normal text-ink-2">, {because}</span>}
      </dd>
    </div>
  )
}

/** Says that a balance does not reach, and by how much. */
export function TooFewCredits({ missing }: { missing: number }): ReactNode {
  return (
    <div
      role="alert"
      className="mt-4 flex items-start gap-3 rounded-control bg-danger-tint p-4 text-ui leading-6! text-danger"
    >
      <CircleAlert size={20} className="mt-0.5 shrink-0" />
      Insufficient credits. You need {missing.toLocaleString('en-US')} more credits to process this
      file.
    </div>
  )
}
