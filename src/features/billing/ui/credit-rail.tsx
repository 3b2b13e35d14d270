import { ArrowUpRight, ChevronDown } from 'lucide-react'

import { ButtonLink, type ButtonVariant } from '#web/ui/button.tsx'
import { formatCredits } from '#shared/format.ts'
import { paths } from '#web/paths.ts'

import { balanceInWords } from './plan-words.ts'
import { TierTable } from './tier-table.tsx'

export function BuyCredits({
  variant = 'secondary',
  size = 'small',
  isMain = false,
}: {
  variant?: ButtonVariant
  size?: 'small' | 'medium'
  /** Marks the one main act of a dialog, which gets the focus when it opens. */
  isMain?: boolean
}) {
  return (
    <ButtonLink
      href={paths.subscribe}
      target="_blank"
      rel="noopener"
      variant={variant}
      size={size}
      data-main={isMain || undefined}
      iconAfter={<ArrowUpRight className="size-4!" />}
    >
      Buy Credits<span className="sr-only"> (opens in a new tab)</span>
    </ButtonLink>
  )
}

interface Balance {
  available: number
  /** What is set aside for the work that is shown. */
  reserved: number
}

/** "13 credits are reserved" */
const reservedInWords = (credits: number): string =>
  `${formatCredits(credits)} ${credits === 1 ? 'is' : 'are'} reserved`

/** The balance beside the panel on wide screens. */
export function CreditRail({ available, reserved }: Balance) {
  return (
    <aside aria-label="Credits" className="hidden lg:block lg:pt-0.5">
      <h2 className="font-display text-h3 font-semibold">Your credits</h2>
      <p className="mt-1 font-display text-figure leading-[1.25]! font-semibold tracking-[-0.02em] tabular-nums">
        {available.toLocaleString('en-US')}
      </p>
      {/* Always two lines high, so that the prices below stay where they are. */}
      <p className="line-clamp-2 min-h-[2lh] text-small wrap-anywhere text-ink-2">
        {reserved > 0 ? reservedInWords(reserved) : balanceInWords(available)}
      </p>
      <h2 className="mt-8 mb-2 font-display text-h3 font-semibold">What a file costs</h2>
      <TierTable />
    </aside>
  )
}

/** The balance below the panel on narrow screens. */
export function CreditLine({ available, reserved }: Balance) {
  return (
    <div className="mt-4 flex items-center justify-between gap-4 border-b border-rule pb-3 lg:hidden">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <p className="text-ui leading-6! font-semibold tabular-nums">{formatCredits(available)}</p>
        <p className="text-small leading-5.5! text-ink-2">
          {reserved > 0
            ? reservedInWords(reserved)
            : balanceInWords(available)
                .split(/,? of long/)[0]
                ?.toLowerCase()}
        </p>
      </div>
      <BuyCredits />
    </div>
  )
}

/** "What a file costs" on narrow screens, folded. */
export function CostsFolded() {
  return (
    <details className="group mt-8 border-y border-rule lg:hidden">
      <summary className="flex min-h-12 items-center justify-between font-semibold">
        What a file costs
        <ChevronDown size={20} className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="pb-5">
        <TierTable />
      </div>
    </details>
  )
}
