import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type StoredTurn, keep, putBack } from './kept-turns.ts'

const turnOf = (texts: readonly string[], index = 0): StoredTurn => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  speaker: 0,
  startMs: 0,
  endMs: 1000,
  text: texts.join(' '),
  words: texts.map((text, place) => ({
    text,
    startMs: (index * 1000 + place) * 100,
    endMs: (index * 1000 + place) * 100 + 80,
    confidence: 0.4,
  })),
  revision: 1,
  isEdited: false,
  originalFrom: null,
  originalTo: null,
})

test('of a turn of thousands of words only the corrected ones are kept', () => {
  const texts = Array.from({ length: 5_000 }, (_, index) => `word${index % 9}`)
  const before = turnOf(texts)
  const now = before.words.with(7, { ...before.words[7]!, text: 'seven', confidence: 1 })
  const kept = keep([before], now.with(4_000, { ...now[4_000]!, text: 'late', confidence: 1 }))
  expect(JSON.stringify(kept).length).toBeLessThan(500)
  expect(putBack(kept, now)).toEqual([before])
})

test('turns come back as they were, whatever stood in their place', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c d', ''), { maxLength: 12 })
  fc.assert(
    fc.property(words, words, fc.array(fc.nat(30), { maxLength: 20 }), (one, two, picks) => {
      const before = [turnOf(one, 0), turnOf(two, 1)]
      const all = before.flatMap((turn) => turn.words)
      const instead = picks.map((pick) => all[pick] ?? { ...turnOf(['new']).words[0]!, endMs: 7 })
      expect(putBack(keep(before, instead), instead)).toEqual(before)
    }),
  )
})
