import { expect, test } from 'vitest'

import { comparison } from './plan-figures.ts'

test('the comparison shows the figures of the plans', () => {
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
