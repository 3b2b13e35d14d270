import { expect, test } from 'vitest'

import { fix } from './fixed-replacements.ts'

const how = { matchCase: false, wholeWord: true }

test('replacements that feed each other end while the text can still be written', async () => {
  const words = ['the', 'a', 'b'].map((text, index) => ({
    text,
    startMs: index * 400,
    endMs: index * 400 + 300,
    confidence: 0.4,
  }))
  const turn = { speaker: 0, startMs: 0, endMs: 1_100, text: 'the a b', words }
  const feeding = Array.from({ length: 20 }, () => ({ from: 'a', to: 'a '.repeat(100).trim() }))
  const wanted = [...feeding, { from: 'b', to: 'c' }].map((each) => ({ ...each, ...how }))
  const { turns, changed } = await fix([turn], wanted)
  expect(turns[0]!.text).toMatch(/^the a( a){999,} c$/)
  expect(turns[0]!.text.length).toBeLessThan(50_000)
  expect(changed[0]!.words).toBe(turns[0]!.words)
})
