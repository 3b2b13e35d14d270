import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { WritingTurn } from './contract.ts'
import { proverOf } from './proof.ts'

const turns: WritingTurn[] = [
  {
    speaker: 'A',
    startMs: 0,
    endMs: 5_000,
    text: 'So the question is: why did retention dip, in week two?',
  },
  {
    speaker: 'B',
    startMs: 5_000,
    endMs: 9_000,
    text: 'Start of the onboarding e-mail was broken.',
  },
  { speaker: 'B', startMs: 9_000, endMs: 12_000, text: '大桥将关闭到十月，因为需要维修。' },
]
const prover = proverOf(turns)

test('a quote is found in any case and punctuation, and is given as it was said', () => {
  expect(prover.find('Why did RETENTION dip in week two', [0])).toMatchObject({
    turn: 0,
    quote: 'why did retention dip, in week two',
  })
  expect(prover.find('start of the onboarding email', [1])?.quote).toBe(
    'Start of the onboarding e-mail',
  )
  expect(prover.find('大桥将关闭到十月', [])?.turn).toBe(2)
})

test('a quote in another turn than the one that was named is found there', () => {
  expect(prover.find('the onboarding e-mail was broken', [0, 77, -1])?.turn).toBe(1)
})

test('words that were left out between two halves leave the longer half', () => {
  expect(prover.find('the question is … retention dip, in week two', [])?.quote).toBe(
    'retention dip, in week two',
  )
})

test('a quote that was not said, that is a part of a word, or that proves nothing is not found', () => {
  expect(prover.find('retention rose in week two', [0])).toBeNull()
  expect(prover.find('art of the onboarding e-mail', [1])).toBeNull()
  expect(prover.find('in week', [0])).toBeNull()
  expect(prover.find('', [0])).toBeNull()
})

test('a quote begins when its first word was said', () => {
  const words = ['we', 'will', 'extend', 'the', 'ferry', 'until', 'midnight'].map(
    (text, index) => ({
      text,
      startMs: 1_000 * index,
      endMs: 1_000 * index + 900,
      confidence: 1,
    }),
  )
  const text = 'We will extend the ferry until midnight.'
  const timed = proverOf([{ speaker: null, startMs: 0, endMs: 7_000, text, words }])
  expect(timed.find('extend the ferry', [0])?.startMs).toBe(2_000)
})

test('a quote that is found always stands in its turn', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (text, quote) => {
      const one = proverOf([{ speaker: null, startMs: 0, endMs: 1_000, text }])
      for (const wanted of [quote, text, text.slice(3, 40)]) {
        const source = one.find(wanted, [0])
        if (source) expect(text).toContain(source.quote)
      }
    }),
  )
})

test('fewer than three words, or than ten letters, prove nothing', () => {
  const said = 'The incomprehensibilities of retention are new to us.'
  const { find } = proverOf([{ speaker: 'A', startMs: 0, endMs: 5_000, text: said }])
  for (const quote of ['incomprehensibilities', 'incomprehensibilities of', 'new to us'])
    expect(find(quote, [0])).toBeNull()
  expect(find('are new to us', [0])?.quote).toBe('are new to us')
})
