/**
 * Keeps both inputs of the calculator together, and the price with them, by the rules of the bill.
 */
import { costOn, priceSentence } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'

import { allPlans } from './plan-figures.ts'

const calculator = document.querySelector('[data-calculator]')
const number = calculator?.querySelector<HTMLInputElement>('input[type=number]')
const range = calculator?.querySelector<HTMLInputElement>('input[type=range]')

function write(selector: string, text: string): void {
  const place = calculator?.querySelector(selector)
  if (place && place.textContent !== text) place.textContent = text
}

function show(minutes: number): void {
  // A typed number like 15.1 is rounded to whole seconds, as on the bill.
  const seconds = Math.round(Math.min(Math.max(minutes, 0), MAX_DURATION_HOURS * 60) * 60)
  const credits = creditsFor(seconds)
  write('[data-credits]', String(credits))
  write('[data-unit]', credits === 1 ? 'credit' : 'credits')
  write('[data-how]', priceSentence(seconds))
  for (const plan of allPlans) write(`[data-plan=${plan.id}]`, costOn(plan, credits))
}

if (number && range) {
  number.addEventListener('input', () => {
    if (Number.isNaN(number.valueAsNumber)) return
    range.value = number.value
    show(number.valueAsNumber)
  })
  range.addEventListener('input', () => {
    number.value = range.value
    show(range.valueAsNumber)
  })
  // A browser that goes back to the page restores the typed length.
  if (!Number.isNaN(number.valueAsNumber)) show(number.valueAsNumber)
}
