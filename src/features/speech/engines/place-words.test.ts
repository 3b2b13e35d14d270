import fc from 'fast-check'
import { expect, test } from 'vitest'

import { likelihoodsOf, piecesOf, placeWords, wordsOfTokens } from './place-words.ts'

const chunk = { startMs: 10_000, endMs: 14_000 }
const none = { durations: [], logProbabilities: [] }

test('tokens become words with times of the recording', () => {
  const heard = {
    text: 'Hello, world.',
    tokens: [' Hel', 'lo', ',', ' wor', 'ld', '.'],
    timestamps: [0.08, 0.24, 0.4, 0.8, 0.96, 1.12],
    durations: [0.16, 0.16, 0.08, 0.16, 0.16, 0.24],
    logProbabilities: [-0.1, -0.7, 0, -0.05, 0, 0],
  }
  expect(wordsOfTokens(heard, chunk)).toEqual([
    { text: 'Hello,', startMs: 10_080, endMs: 10_480, confidence: Math.exp(-0.7) },
    { text: 'world.', startMs: 10_800, endMs: 11_360, confidence: Math.exp(-0.05) },
  ])
})

test('a token without an end of its own ends at the next one, or soon after', () => {
  const heard = {
    ...none,
    text: 'one two three',
    tokens: ['▁one', '▁two', '▁three'],
    timestamps: [0, 0.2, 3.9],
  }
  expect(wordsOfTokens(heard, chunk)).toEqual([
    { text: 'one', startMs: 10_000, endMs: 10_200, confidence: null },
    { text: 'two', startMs: 10_200, endMs: 10_500, confidence: null },
    { text: 'three', startMs: 13_900, endMs: 14_000, confidence: null },
  ])
})

test('letters that come as bytes are put together, and Chinese is cut into words', () => {
  const umlaut = {
    ...none,
    text: 'fünf',
    tokens: ['▁f', '<0xC3>', '<0xBC>', 'nf'],
    timestamps: [0, 0.1, 0.1, 0.2],
  }
  expect(wordsOfTokens(umlaut, chunk).map(({ text }) => text)).toEqual(['fünf'])
  const chinese = {
    ...none,
    text: '我们在会议。',
    tokens: ['我', '们', '在', '会', '议', '。'],
    timestamps: [0.1, 0.3, 0.5, 0.7, 0.9, 1.1],
  }
  const words = wordsOfTokens(chinese, chunk)
  expect(words.map(({ text }) => text)).toEqual(['我们', '在', '会议。'])
  expect(words[2]).toMatchObject({ startMs: 10_700, endMs: 11_400 })
})

test('of a byte-level vocabulary words come from the text, and their times from its tokens', () => {
  // One letter stands for each byte, and the bytes of 本 and κ are in two tokens each.
  const heard = {
    ...none,
    text: '日本語πκ',
    tokens: ['▁ĈĊĤ', '▁ĊĤ', 'ĆĊĤĆ', '▁ŒĂ', '▁ů', 'Ň'],
    timestamps: [0, 0.2, 0.4, 0.6, 0.8, 1],
  }
  expect(wordsOfTokens(heard, chunk)).toMatchObject([
    { text: '日本語', startMs: 10_000, endMs: 10_600 },
    { text: 'π', startMs: 10_600, endMs: 10_800 },
    { text: 'κ', startMs: 10_800, endMs: 11_300 },
  ])
})

test('a text that its tokens do not spell is kept, with the tokens spread over it', () => {
  const tokens = ['▁twenty', '▁two', '▁people']
  const heard = { ...none, text: '22 people', tokens, timestamps: [0, 1, 2] }
  expect(wordsOfTokens(heard, chunk)).toMatchObject([
    { text: '22', startMs: 10_000 },
    { text: 'people', endMs: 12_300 },
  ])
  expect(wordsOfTokens({ ...heard, tokens: [], timestamps: [] }, chunk)).toHaveLength(2)
})

test('punctuation that stands alone belongs to the word before it', () => {
  expect(piecesOf('Well – yes , of course …').map(({ text }) => text)).toEqual([
    'Well –',
    'yes ,',
    'of',
    'course …',
  ])
})

test('words without times lie where somebody spoke, and sentences end at a pause', () => {
  const regions = [
    { startMs: 10_200, endMs: 11_500 },
    { startMs: 12_600, endMs: 13_800 },
  ]
  const words = placeWords('We met at noon. Then it rained.', chunk, regions)
  expect(words.map(({ text }) => text)).toEqual([
    'We',
    'met',
    'at',
    'noon.',
    'Then',
    'it',
    'rained.',
  ])
  expect(words[0]?.startMs).toBe(10_200)
  expect(words[3]?.endMs).toBe(11_500)
  expect(words[4]?.startMs).toBe(12_600)
  expect(words[6]?.endMs).toBe(13_800)
  expect(words.every(({ isEstimated }) => isEstimated)).toBe(true)
})

test('words are in order, inside the speech, and none is lost, whatever the text and the pauses', () => {
  const stretches = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 })))
    .map((pairs) => {
      let at = 1000
      return pairs.map(([pauseMs, lengthMs]) => {
        const startMs = at + pauseMs
        at = startMs + lengthMs
        return { startMs, endMs: at }
      })
    })
  const texts = fc.array(fc.stringMatching(/^[a-zäß,]{1,12}[.?!]?$/), { maxLength: 40 })
  fc.assert(
    fc.property(stretches, texts, (regions, said) => {
      const span = { startMs: 500, endMs: Math.max(2000, regions.at(-1)?.endMs ?? 0) }
      const words = placeWords(said.join(' '), span, regions)
      expect(words.map(({ text }) => text).join(' ')).toBe(said.join(' ').trim())
      let lastMs = span.startMs
      for (const { startMs, endMs } of words) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs)
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        lastMs = endMs
        if (regions.length === 0) continue
        const isInside = regions.some((one) => one.startMs <= startMs && endMs <= one.endMs)
        expect(isInside).toBe(true)
      }
    }),
  )
})

test('a word is as likely as all its tokens with letters together; a comma says nothing', () => {
  const heard = {
    text: 'Ill-disposed, he is.',
    tokens: ['▁Ill', '-', 'dis', 'posed', ',', '▁he', '▁is', '.'],
    logProbabilities: [0.9, 0.2, 0.8, 0.5, 0.1, 0.99, 0.7, 0.3].map(Math.log),
  }
  const rounded = likelihoodsOf(heard).map((each) => Math.round(100 * each!) / 100)
  expect(rounded).toEqual([0.36, 0.99, 0.7])
  expect(likelihoodsOf({ ...heard, logProbabilities: [] })).toEqual([null, null, null])
})
