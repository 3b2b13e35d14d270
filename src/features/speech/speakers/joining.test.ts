import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import type { SpeakerBounds } from '../engines/engine.ts'
import type { HeardVoices, VoiceSegment } from '../engines/sherpa-diarize-host.ts'
import { joinPieces } from './joining.ts'

const SIZE = 192
const SAME_VOICE = 0.55

/** Embeddings of the letters' voices, of which any two are `apart` alike, in pieces of `lengthMs`. */
function spoken(
  letters: string,
  { lengthMs = 2500, apart = 0.35, noise = 0.6, seed = 1 } = {},
): HeardVoices {
  const random = seeded(seed)
  const direction = () => {
    // A sum of uniform numbers is nearly normal, so that no direction is preferred.
    const vector = Float32Array.from({ length: SIZE }, () => random() + random() + random() - 1.5)
    return scaled(vector, 1)
  }
  const common = direction()
  const voices = new Map([...new Set(letters)].sort().map((letter) => [letter, direction()]))
  const pieces = [...letters].map((letter, index): VoiceSegment => {
    const own = scaled(voices.get(letter) ?? common, Math.sqrt(1 - apart))
    const chance = scaled(direction(), noise)
    const sound = own.map(
      (value, at) => value + Math.sqrt(apart) * (common[at] ?? 0) + (chance[at] ?? 0),
    )
    const startMs = index * (lengthMs + 300)
    return { startMs, endMs: startMs + lengthMs, embedding: scaled(sound, 1) }
  })
  return { pieces, windows: [] }
}

function scaled(vector: Float32Array, length: number): Float32Array {
  const now = Math.hypot(...vector)
  return vector.map((value) => (value * length) / now)
}

const whoSays = (heard: HeardVoices, speakers: SpeakerBounds = {}, isTelephone = false): string => {
  const { people } = joinPieces(heard, { speakers, sameVoice: SAME_VOICE, isTelephone })
  const order = [...new Set(people)]
  return people.map((person) => 'abcdefghij'[order.indexOf(person)]).join('')
}
const countOf = (...given: Parameters<typeof whoSays>) => new Set(whoSays(...given)).size

test.each(['aaaaaaaaaa', 'aabbaabbab', 'abcabcaabbcc', 'abcdeabcdeaabbccddee'])(
  'voices as different as people are told apart: %s',
  (letters) => {
    expect(whoSays(spoken(letters))).toBe(letters)
  },
)

test('the similarity at which two voices count as one depends on the model', () => {
  const heard = spoken('aabbabab', { apart: 0.7, noise: 0.3 })
  const found = (sameVoice: number) =>
    new Set(joinPieces(heard, { speakers: {}, sameVoice, isTelephone: false }).people).size
  expect([0.5, 0.8].map(found)).toEqual([1, 2])
})

test('over a telephone voices that are a little alike are still two', () => {
  const heard = spoken('aabbabab', { apart: 0.75, noise: 0.5 })
  expect(whoSays(heard)).toBe('aaaaaaaa')
  expect(whoSays(heard, {}, true)).toBe('aabbabab')
  expect(countOf(spoken('aaaaaaaaaa', { noise: 0.5 }), {}, true)).toBe(1)
})

test('as many people are found as there are said to be', () => {
  const heard = spoken('aabbccabcabc')
  expect([1, 2, 3, 4].map((count) => countOf(heard, { count }))).toEqual([1, 2, 3, 4])
})

test('if more people speak than were found, one who is like nobody is one of them', () => {
  const { pieces } = spoken('aaaaaaaabbbbbbbbc')
  const short = pieces.map((piece, index) =>
    index === 16 ? { ...piece, endMs: piece.startMs + 600 } : piece,
  )
  const heard = { pieces: short, windows: [] }
  expect(countOf(heard)).toBe(2)
  expect(whoSays(heard, { count: 3 })).toBe('aaaaaaaabbbbbbbbc')
})

test('if more people speak than were found, two who are alike are told apart', () => {
  const heard = spoken('aabbabab', { apart: 0.75, noise: 0.5 })
  expect(whoSays(heard)).toBe('aaaaaaaa')
  expect(whoSays(heard, { count: 2 })).toBe('aabbabab')
})

test('never more people than the most, and fewer where fewer speak', () => {
  const heard = spoken('aabbccabcabc')
  expect([1, 2, 3, 5].map((max) => countOf(heard, { max }))).toEqual([1, 2, 3, 3])
})

test('a short word is whose voice it resembles, and what nobody can tell is whoever speaks around it', () => {
  const { pieces } = spoken('aaaabbbbab')
  const shortened = pieces.map((piece, index) =>
    index >= 8 ? { ...piece, endMs: piece.startMs + 700 } : piece,
  )
  expect(whoSays({ pieces: shortened, windows: [] })).toBe('aaaabbbbab')

  const [, last] = [shortened[7], shortened[8]].map((piece) => piece?.endMs ?? 0)
  const both = { startMs: (last ?? 0) - 9000, endMs: (last ?? 0) + 1000 }
  const unheard = shortened.map((piece, index) =>
    index === 8 ? { ...piece, embedding: null } : piece,
  )
  const inOneVoice = unheard.slice(6, 9).map(({ startMs, endMs }) => ({ startMs, endMs }))
  const windows = [{ ...both, voices: [inOneVoice] }]
  expect(whoSays({ pieces: unheard, windows })[8]).toBe('b')
})

test('with two people given, a cough is neither', () => {
  const heard = spoken('ab'.repeat(60))
  const cough = spoken('z', { lengthMs: 1600, seed: 5 }).pieces.map((piece) => ({
    ...piece,
    startMs: 400_000,
    endMs: 401_600,
  }))
  const with3 = { pieces: [...heard.pieces, ...cough], windows: [] }
  for (const bounds of [{ count: 2 }, { max: 2 }, {}])
    expect(whoSays(with3, bounds).slice(0, 120)).toBe('ab'.repeat(60))
})

test('half a second of speech makes a person if the segmentation heard another voice', () => {
  const { pieces } = spoken('baaaaaaa')
  const first = { startMs: 2000, endMs: 2500 }
  const short = pieces.map((piece, index) => (index === 0 ? { ...piece, ...first } : piece))
  const others = pieces.slice(1, 4).map(({ startMs, endMs }) => ({ startMs, endMs }))
  const window = { startMs: 1500, endMs: 11_500, voices: [[first], others] }
  expect(whoSays({ pieces: short, windows: [window] })).toBe('abbbbbbb')
  expect(whoSays({ pieces: short, windows: [{ ...window, voices: [[first, ...others]] }] })).toBe(
    'aaaaaaaa',
  )
})

test('the segmentation decides where embeddings leave a doubt', () => {
  const heard = spoken('aabbabab', { apart: 0.75, noise: 0.55 })
  const voiceOf = (letter: string) =>
    heard.pieces.filter((_, index) => 'aabbabab'[index] === letter)
  const all = { startMs: 0, endMs: 60_000 }
  expect(whoSays(heard)).toBe('aaaaaaaa')
  expect(whoSays({ ...heard, windows: [{ ...all, voices: [voiceOf('a'), voiceOf('b')] }] })).toBe(
    'aabbabab',
  )
})

test('a piece in which the voice changes leaves a doubt, one of a single voice none', () => {
  const { pieces } = spoken('aaaabbbb', { noise: 0.3 })
  const [a, b] = [pieces[0]?.embedding, pieces[7]?.embedding]
  const mixed = a?.map((value, at) => value + (b?.[at] ?? 0))
  const both = pieces.map((piece, index) =>
    index === 3 && mixed ? { ...piece, embedding: scaled(mixed, 1) } : piece,
  )
  const { margins } = joinPieces(
    { pieces: both, windows: [] },
    { speakers: {}, sameVoice: SAME_VOICE, isTelephone: false },
  )
  for (const [index, margin] of margins.entries())
    if (index === 3) expect(margin).toBeLessThan(0.1)
    else expect(margin).toBeGreaterThan(0.3)
})

test('hours in several voices have the same voices in all their blocks', () => {
  const letters = 'aabbacabbc'.repeat(130)
  expect(whoSays(spoken(letters))).toBe(letters)
  expect(countOf(spoken(letters), { count: 2 })).toBe(2)
})

test('nothing, and a single word, are nobody and one person', () => {
  expect(whoSays({ pieces: [], windows: [] })).toBe('')
  expect(whoSays(spoken('a', { lengthMs: 300 }))).toBe('a')
  const unheard = spoken('aa').pieces.map((piece) => ({ ...piece, embedding: null }))
  expect(whoSays({ pieces: unheard, windows: [] }, { count: 2 })).toBe('aa')
})

test('each piece belongs to one of at most as many people as there may be, whatever was heard', () => {
  const lengths = fc.array(fc.integer({ min: 50, max: 3000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 4 }), fc.nat(), (all, max, seed) => {
      const letters = all.map((_, index) => 'abcde'[index % 5]).join('')
      const { pieces } = spoken(letters, { seed })
      const cut = pieces.map((piece, index) => ({
        ...piece,
        endMs: piece.startMs + (all[index] ?? 1),
      }))
      const { people } = joinPieces(
        { pieces: cut, windows: [] },
        { speakers: { max }, sameVoice: SAME_VOICE, isTelephone: false },
      )
      expect(people).toHaveLength(cut.length)
      expect(new Set(people).size).toBeLessThanOrEqual(max)
    }),
    { numRuns: 50 },
  )
})
