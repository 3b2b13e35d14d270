import { useId, useState } from 'react'

import { creditsFor } from '#features/credits/contract.ts'
import {
  DOCUMENT_CREDITS,
  MAX_DURATION_HOURS,
  TRANSLATION_CREDITS,
  type Plan,
  plans,
  rollover,
} from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { useCapabilities } from '#web/capabilities.ts'

import { costOn, priceSentence } from './plan-words.ts'
import { PriceTable } from './price-table.tsx'

/** How a price is made: the tiers, and a length of one's own to try. */
export function HowCreditsWork() {
  const can = useCapabilities()
  return (
    <section id="how-credits-work" className="mt-16 border-t border-rule pt-12">
      <h2 className="font-display text-section font-semibold">How Credits Work</h2>
      <p className="mt-2 text-ui text-ink-2">
        From 1 credit per transcription. +{DOCUMENT_CREDITS} credit for a document
        {can('translations')
          ? `, +${TRANSLATION_CREDITS} for a language of a translation`
          : ''}.{' '}
        {rollover}
      </p>
      <div className="mt-8 grid gap-x-20 gap-y-12 lg:grid-cols-2">
        <PriceTable
          longer={[20 * 60]}
          className="self-start text-ui"
          cell="py-3.5"
          time="leading-[1.4rem]!"
        />
        <Calculator />
      </div>
    </section>
  )
}

const RANGE_MINUTES = 180
const MOST_MINUTES = MAX_DURATION_HOURS * 60

function Calculator() {
  const id = useId()
  const [typed, setTyped] = useState('45')
  const minutes = Math.min(MOST_MINUTES, Math.max(0, Number(typed) || 0))
  const seconds = Math.floor(minutes * 60)
  const credits = creditsFor(seconds)
  return (
    <div>
      <label htmlFor={id} className="text-ui font-semibold">
        How long is your recording?
      </label>
      <div className="mt-2 flex items-center gap-3">
        <input
          id={id}
          type="number"
          inputMode="decimal"
          min={0}
          max={MOST_MINUTES}
          step="any"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-13 w-26 rounded-control border border-line bg-card px-3 text-lead font-semibold tabular-nums"
        />
        <span className="text-ink-2">minutes</span>
      </div>
      <input
        type="range"
        aria-label="Length in minutes"
        min={1}
        max={RANGE_MINUTES}
        step={1}
        value={Math.min(RANGE_MINUTES, Math.max(1, minutes))}
        onChange={(event) => setTyped(event.target.value)}
        className="mt-5 h-11 w-full cursor-pointer accent-primary"
      />
      <div
        aria-hidden="true"
        className="flex justify-between font-mono text-code text-ink-2 tabular-nums"
      >
        {[0, 1, 2, 3].map((hour) => (
          <span key={hour}>{formatTime(hour * 3600)}</span>
        ))}
      </div>
      <output htmlFor={id} aria-live="polite" className="mt-6 block">
        <span className="flex items-baseline gap-3">
          <span className="font-display text-figure font-semibold tabular-nums">{credits}</span>
          <span>{credits === 1 ? 'credit' : 'credits'}</span>
        </span>
        <span className="block text-small text-ink-2">{priceSentence(seconds)}</span>
      </output>
      <dl className="mt-4 border-t border-rule">
        {plans.map((plan: Plan) => (
          <div
            key={plan.id}
            className="flex justify-between gap-4 border-b border-rule py-3 text-ui"
          >
            <dt className="text-ink-2">On {plan.name}</dt>
            <dd className="font-semibold tabular-nums">{costOn(plan, credits)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
