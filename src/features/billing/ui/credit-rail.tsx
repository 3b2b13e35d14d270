import { ArrowUpRight, ChevronDown } from 'lucide-react'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { ButtonLink, type ButtonVariant } from '#web/ui/button.tsx'
import { TierTable } from '#web/ui/tier-table.tsx'
import { formatCredits } from '#shared/format.ts'
import { paths } from '#web/paths.ts'

import { balanceInWords } from './plan-words.ts'

export interface Held {
  credits: number
  /** The thing that they are set aside for. */
  name: string
  /** Says "reserved" where the name is not that of one file. */
  isReserved?: boolean
}

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

function whatItIsGoodFor(available: number, held: Held | undefined): string {
  if (!held) return balanceInWords(available)
  return `${moreHeld(held)} for ${held.name}`
}

const moreHeld = ({ credits, isReserved = false }: Held): string =>
  `${credits.toLocaleString('en-US')} more ${credits === 1 ? 'is' : 'are'} ${isReserved ? 'reserved' : 'set aside'}`

/** The balance beside the panel on wide screens. */
export function CreditRail({ available, held }: { available: number; held?: Held | undefined }) {
  return (
    <aside aria-label="Credits" className="hidden lg:block lg:pt-0.5">
      <h2 className="font-display text-h3 font-semibold">Your credits</h2>
      <p className="mt-1 font-display text-figure leading-[1.25]! font-semibold tracking-[-0.02em] tabular-nums">
        {available.toLocaleString('en-US')}
      </p>
      {/* Always two lines high, so that the prices below stay where they are. */}
      <p className="line-clamp-2 min-h-[2lh] text-small wrap-anywhere text-ink-2">
        {whatItIsGoodFor(available, held)}
      </p>
      <h2 className="mt-8 mb-2 font-display text-h3 font-semibold">What a file costs</h2>
      <TierTable />
      <WhatFits />
    </aside>
  )
}

/** The balance above the panel on narrow screens. */
export function CreditLine({ available, held }: { available: number; held?: Held | undefined }) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-4 lg:hidden">
      <div className="min-w-0 flex-[1_1_8rem]">
        <p className="text-body leading-6! font-semibold tabular-nums">
          {formatCredits(available)}
        </p>
        <p className="text-small leading-5.5! wrap-anywhere text-ink-2">
          {held ? moreHeld(held) : balanceInWords(available).split(', or ')[0]}
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
        <WhatFits />
      </div>
    </details>
  )
}

/** Usual sound at usual quality; the length is the limit divided by the rate. */
const rates = [
  { what: 'WAV, as on a CD', kilobits: 1411 },
  { what: 'MP3 of good quality', kilobits: 128 },
  { what: 'M4A voice memo', kilobits: 64 },
  { what: 'Opus voice message', kilobits: 24 },
]

function lengthThatFits(kilobits: number): string {
  const minutes = (MAX_UPLOAD_BYTES * 8) / (kilobits * 1000) / 60
  return minutes < 60 ? `${Math.floor(minutes)} minutes` : `${Math.floor(minutes / 60)} hours`
}

function WhatFits() {
  return (
    <details className="mt-3 text-small">
      <summary className="inline-flex min-h-6 items-center text-link">What fits in 100MB</summary>
      <dl className="mt-2 border-t border-rule">
        {rates.map(({ what, kilobits }) => (
          <div key={what} className="flex justify-between gap-4 border-b border-rule py-2">
            <dt>{what}</dt>
            <dd className="text-ink-2">about {lengthThatFits(kilobits)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
