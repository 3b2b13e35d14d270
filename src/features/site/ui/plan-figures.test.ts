import { expect, test } from 'vitest'

import { costOn, justOver, priceLines, priceSentence } from '#features/billing/ui/plan-words.ts'

import { allPlans, comparison } from './plan-figures.ts'

test('the comparison says what the plans are worth', () => {
  expect(comparison.slice(0, 5).map(({ what, cells }) => [what, ...cells])).toEqual([
    ['Per month', '$9.99', '$19.99', '$49.99'],
    ['Credits (per credit)', '50 (20¢)', '150 (13.3¢)', '500 (10¢)'],
    ['Long recordings (20 credits an hour)', '2.5 h', '7.5 h', '25 h'],
    ['15-minute files (3 credits each)', '16 files, 4 h', '50 files, 12.5 h', '166 files, 41.5 h'],
    ['One 60-minute file (20 credits)', '$4.00', '$2.67', '$2.00'],
  ])
})

test('documents begin with Professional, the API with Enterprise', () => {
  const cellsOf = (start: string) => comparison.find(({ what }) => what.startsWith(start))?.cells
  expect(cellsOf('Transcript')).toEqual([true, true, true])
  expect(cellsOf('Generated documents')).toEqual([false, true, true])
  expect(cellsOf('API access')).toEqual([false, false, true])
})

test('45 minutes cost 15 credits, and on each plan their share of the price', () => {
  expect(allPlans.map((plan) => costOn(plan, 15))).toEqual(['$3.00', '$2.00', '$1.50'])
})

test('a price is told line by line, as it is made', () => {
  expect(priceLines(41 * 60 + 10)).toEqual([
    { what: 'Two full 15 minutes, 5 each', credits: 10 },
    { what: 'The rest,', time: '11:10', credits: 3 },
  ])
  expect(priceSentence(45 * 60)).toBe('Three full 15 minutes, 5 each')
  expect(priceSentence(901)).toBe('One full 15 minutes, 5 each. The rest, 0:01: 1 credit')
  expect(priceSentence(120)).toBe('All of it, 2:00: 1 credit')
})

test('the tip for just over a quarter of an hour holds where it is shown', () => {
  expect(justOver.text).toBe('Just over 15 minutes costs 6 credits; up to 15:00 costs 3.')
  for (const seconds of [justOver.fromSeconds, justOver.toSeconds])
    expect(priceLines(seconds).reduce((sum, { credits }) => sum + credits, 0)).toBe(6)
})
