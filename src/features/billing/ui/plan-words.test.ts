import { expect, test } from 'vitest'

import { creditsFor } from '#features/credits/contract.ts'
import { plans } from '#shared/business.ts'
import { formatCredits } from '#shared/format.ts'

import { balanceInWords, costOn, priceLines, priceSentence } from './plan-words.ts'

test.each([
  [0, 'No credits left to process a file'],
  [1, 'One note of 2 minutes'],
  [2, 'Two notes of 2 minutes'],
  [4, 'One recording of 15 minutes, or four notes of 2 minutes'],
  [8, 'Two recordings of 15 minutes, or eight notes of 2 minutes'],
  [10, 'Three recordings of 15 minutes, or ten notes of 2 minutes'],
  [19, 'Six recordings of 15 minutes, or 19 notes of 2 minutes'],
  [20, 'About 1 hour of long recordings'],
  [142, 'About 7 hours of long recordings'],
  [99_999, 'About 4,999 hours of long recordings'],
])('%i credits are good for: %s', (available, sentence) => {
  expect(balanceInWords(available)).toBe(sentence)
})

test('the recordings that a balance is good for fit, and no further one does', () => {
  const each = creditsFor(15 * 60)
  for (let available = each; available < creditsFor(60 * 60); available += 1) {
    const [said = ''] = /^\w+/.exec(balanceInWords(available)) ?? []
    const count = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].indexOf(said) + 1
    expect([count * each <= available, (count + 1) * each > available], said).toEqual([true, true])
  }
})

test.each([
  [0, '0 credits'],
  [1, '1 credit'],
  [1000, '1,000 credits'],
])('%i is written %s', (count, text) => {
  expect(formatCredits(count)).toBe(text)
})

test('45 minutes cost 15 credits, and on each plan their share of the price', () => {
  expect(plans.map((plan) => costOn(plan, 15))).toEqual(['$3.00', '$2.00', '$1.50'])
})

test.each([59, 120, 121, 900, 901, 1200, 2470, 2700])(
  'the lines of a price add up for %i seconds',
  (seconds) => {
    const sum = priceLines(seconds).reduce((sum, line) => sum + line.credits, 0)
    expect(sum).toBe(creditsFor(seconds))
  },
)

test('41:10 with a document is two batches, the rest and the document', () => {
  expect(priceLines(2470, { withDocument: true })).toEqual([
    { what: 'Two full 15 minutes, 5 each', time: null, credits: 10 },
    { what: 'The rest,', time: '11:10', credits: 3 },
    { what: 'Document', time: null, credits: 1 },
  ])
})

test('a short file is told by its tier', () => {
  const [line] = priceLines(200)
  expect(line).toEqual({ what: 'Up to 7 minutes,', time: '3:20', credits: 2 })
})

test('a price is told in a sentence, as it is made', () => {
  expect(priceSentence(45 * 60)).toBe('Three full 15 minutes, 5 each')
  expect(priceSentence(901)).toBe('One full 15 minutes, 5 each. The rest, 0:01: 1 credit')
  expect(priceSentence(120)).toBe('Up to 2 minutes, 2:00: 1 credit')
})
