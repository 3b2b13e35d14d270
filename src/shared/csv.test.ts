import { expect, test } from 'vitest'

import { withoutFormula } from './csv.ts'

test.for([
  '=1+1',
  '+1',
  '-1',
  '@sum(a1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠sum(a1)',
  '﹦1',
  '﹢1',
  '﹣1',
  '﹫x',
  ' =1',
  '\u00a0=1',
  '\u3000＝1',
  '\u200b=1',
  '\u202e=1',
  '\ufeff=1',
  '\u0000=1',
  '\t1',
  '\r1',
  '\n1',
])('%j is no formula in a spreadsheet', (text) => {
  expect(withoutFormula(text)).toBe(`'${text}`)
})

test.for(['', 'one = two', 'Ada', '10 % more', "'=1", '…-1', '日本語', '(+1)'])(
  '%j stays as it is',
  (text) => {
    expect(withoutFormula(text)).toBe(text)
  },
)
