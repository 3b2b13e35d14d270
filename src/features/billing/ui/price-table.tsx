import { creditsFor } from '#features/credits/contract.ts'
import { BATCH_CREDITS, DOCUMENT_CREDITS, tiers } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'

import { FULL_BATCH, upTo } from './plan-words.ts'

const tierRows = tiers.map((tier) => ({
  what: upTo(tier),
  note: '',
  seconds: tier.upToSeconds,
}))

/** The prices of recordings by their length. */
export function PriceTable({
  longer,
  className,
  cell,
  time,
}: {
  /** Lengths beyond the tiers, in seconds, as examples. */
  longer: readonly number[]
  className: string
  /** How high the rows are, and the lines of the examples in them. */
  cell: string
  time: string
}) {
  const longerRows = longer.map((seconds, index) => ({
    what: 'Longer',
    note: index === 0 ? `${BATCH_CREDITS} for each ${FULL_BATCH}, plus the rest by this table` : '',
    seconds,
  }))
  return (
    <table className={classes('w-full border-collapse text-left', className)}>
      <thead className="text-small text-ink-2">
        <tr className="border-b border-line">
          <th className="py-2.5 font-semibold">Length</th>
          <th className="py-2.5 text-right font-semibold">For example</th>
          <th className="py-2.5 pl-4 text-right font-semibold">Credits</th>
        </tr>
      </thead>
      <tbody>
        {[...tierRows, ...longerRows].map(({ what, note, seconds }) => (
          <tr key={seconds} className="border-b border-rule align-top">
            <th scope="row" className={classes('font-normal', cell)}>
              {what}
              {note ? <span className="block text-small text-ink-2">{note}</span> : null}
            </th>
            <td className={classes('text-right font-mono text-code tabular-nums', cell, time)}>
              {formatTime(seconds)}
            </td>
            <td className={classes('pl-4 text-right font-semibold tabular-nums', cell)}>
              {creditsFor(seconds)}
            </td>
          </tr>
        ))}
        <tr className="border-b border-rule">
          <th scope="row" colSpan={2} className={classes('font-normal', cell)}>
            A document
          </th>
          <td className={classes('pl-4 text-right font-semibold tabular-nums', cell)}>
            +{DOCUMENT_CREDITS}
          </td>
        </tr>
      </tbody>
    </table>
  )
}
