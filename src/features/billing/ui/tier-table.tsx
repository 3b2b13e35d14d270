import { BATCH_CREDITS, DOCUMENT_CREDITS, tiers } from '#shared/business.ts'

import { FULL_BATCH, upTo } from './plan-words.ts'

const lines = [
  ...tiers.map((tier) => ({ what: upTo(tier), credits: String(tier.credits) })),
  { what: `Longer, each ${FULL_BATCH}`, credits: String(BATCH_CREDITS) },
  { what: 'Document', credits: `+${DOCUMENT_CREDITS}` },
]

/** "What a file costs": five ruled lines, straight from the constants. */
export function TierTable() {
  return (
    <dl className="border-t border-rule text-small">
      {lines.map(({ what, credits }) => (
        <div key={what} className="flex justify-between gap-4 border-b border-rule py-2.5">
          <dt>{what}</dt>
          <dd className="font-semibold tabular-nums">
            {credits}
            <span className="sr-only"> credits</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
