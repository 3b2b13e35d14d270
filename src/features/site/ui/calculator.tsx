import { costOn, priceSentence } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { InlineScript } from '#web/ui/inline-script.tsx'

// oxlint-disable-next-line import/default -- made by the plugin in vite.config.ts
import calculatorScript from './calculator-script.ts?script'
import { allPlans } from './plan-figures.ts'

const MINUTES = 45
const RANGE_MINUTES = 180

/** The price of a recording by its length. Without a script it is an example, and says so. */
export function Calculator() {
  const seconds = MINUTES * 60
  const credits = creditsFor(seconds)
  return (
    <div data-calculator className="mt-6 grid gap-x-16 gap-y-9 lg:grid-cols-[6fr_4fr]">
      <div>
        <p className="hidden text-body text-ink-2 noscript:block">
          For example, a recording of {MINUTES} minutes. To try other lengths here the page needs
          JavaScript; the table below holds for all of them.
        </p>
        <div className="noscript:hidden">
          <label htmlFor="minutes" className="font-semibold">
            How long is your recording?
          </label>
          <div className="mt-2 flex items-center gap-3">
            <input
              id="minutes"
              type="number"
              inputMode="decimal"
              min={0}
              max={MAX_DURATION_HOURS * 60}
              step="any"
              defaultValue={MINUTES}
              className="h-13 w-26 rounded-control border border-line bg-card px-4 text-body font-semibold tabular-nums"
            />
            <span className="text-ink-2">minutes</span>
          </div>
          <input
            type="range"
            aria-label="Length in minutes"
            min={1}
            max={RANGE_MINUTES}
            step={1}
            defaultValue={MINUTES}
            className="mt-6 h-11 w-full cursor-pointer accent-primary"
          />
          <div
            aria-hidden="true"
            className="flex justify-between font-mono text-code text-ink-2 tabular-nums"
          >
            {[0, 1, 2, 3].map((hour) => (
              <span key={hour}>{formatTime(hour * 3600)}</span>
            ))}
          </div>
        </div>
      </div>
      <div>
        <output htmlFor="minutes" aria-live="polite" className="block">
          <span className="flex items-baseline gap-3">
            <span data-credits className="font-display text-figure font-semibold">
              {credits}
            </span>
            <span className="font-semibold" data-unit>
              credits
            </span>
          </span>
          <span data-how className="block text-small text-ink-2">
            {priceSentence(seconds)}
          </span>
        </output>
        <dl className="mt-4 border-t border-rule">
          {allPlans.map((plan) => (
            <div key={plan.id} className="flex justify-between gap-4 border-b border-rule py-3">
              <dt className="text-ink-2">On {plan.name}</dt>
              <dd data-plan={plan.id} className="font-semibold tabular-nums">
                {costOn(plan, credits)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <InlineScript code={calculatorScript} />
    </div>
  )
}
