import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Turn } from '#features/speech/contract.ts'
import { captionProfiles } from './caption-profiles.ts'
import { checkCues } from './check-cues.ts'
import { buildCues, type Cue, toSrt, toVtt } from './cues.ts'
import { mendCues } from './mend-cues.ts'

/** Words that take `letterMs` a letter and follow each other at once. */
function said(text: string, { fromMs = 0, letterMs = 60, speaker = 0 } = {}): Turn {
  let at = fromMs
  const words = text.split(' ').map((word) => {
    const startMs = at
    at += letterMs * word.length
    return { text: word, startMs, endMs: at, confidence: 1 }
  })
  return { speaker, startMs: fromMs, endMs: at, words, text }
}

const rulesBroken = (cues: Cue[], profile = captionProfiles.netflix) =>
  checkCues(cues, profile).map(({ rule }) => rule)
const textOf = (cues: Cue[]) => cues.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')

const fast = 'Nobody there had expected that the committee would answer so quickly.'

describe('mending', () => {
  test('lends the pause after a fast sentence to it', () => {
    const turns = [
      said(fast, { letterMs: 32 }),
      said('Then they all went home.', { fromMs: 3000, letterMs: 90 }),
    ]
    expect(rulesBroken(buildCues(turns))).toEqual(['too_fast'])
    const mended = mendCues(turns)
    expect(rulesBroken(mended)).toEqual([])
    expect(textOf(mended)).toBe(turns.map(({ text }) => text).join(' '))
  })

  test('leaves what is read in time as it was said', () => {
    const turns = [said('We met here.'), said('Then we left again.', { fromMs: 4000 })]
    expect(mendCues(turns).map(({ startMs }) => startMs)).toEqual([0, 4000])
  })

  test('puts quick words of two speakers in one cue, a line for each', () => {
    const turns = [
      said('Did you see it?', { fromMs: 1000 }),
      said('No.', { fromMs: 1800, speaker: 1 }),
      said('Then look there.', { fromMs: 2000 }),
    ]
    expect(rulesBroken(buildCues(turns, { hasNames: false }))).toContain('too_short')
    const bare = mendCues(turns, { hasNames: false })
    expect(rulesBroken(bare)).toEqual([])
    expect(toSrt(bare)).toMatch(/- .+\n- .+\n/)
    const names = new Map([[1, 'Ben']])
    expect(toVtt(mendCues(turns, { names, hasVoices: true }))).toMatch(
      /<v (Speaker A|Ben)>.+<\/v>\n<v (Speaker A|Ben)>.+<\/v>/,
    )
  })

  test('moves the last caption ahead, so that it is read before the recording ends', () => {
    const turns = [said('Then he went.'), said(fast, { fromMs: 3000, letterMs: 32 })]
    const endMs = 5100
    expect(rulesBroken(buildCues(turns, { endMs }))).toEqual(['too_fast'])
    const mended = mendCues(turns, { endMs })
    expect(rulesBroken(mended)).toEqual([])
    expect(mended.at(-1)!.endMs).toBeLessThanOrEqual(endMs)
  })

  test('lets a caption go once it has been read, where the next one needs its time', () => {
    const turns = [
      said('They waited.', { letterMs: 220 }),
      said(fast, { fromMs: 2640, letterMs: 32 }),
      said('So slowly he left.', { fromMs: 4700, letterMs: 90, speaker: 1 }),
    ]
    const options = { profile: captionProfiles.bbc, hasNames: false }
    expect(rulesBroken(buildCues(turns, options), options.profile)).toEqual(['too_fast'])
    expect(rulesBroken(mendCues(turns, options), options.profile)).toEqual([])
  })

  test('shortens all names where there is no time to read them, if they stay different', () => {
    const turns = Array.from({ length: 6 }, (_, index) =>
      said('Did you see it yourself?', { fromMs: 1300 * index, speaker: index % 2 }),
    )
    const named = (second: string) =>
      toSrt(
        mendCues(turns, {
          names: new Map([
            [0, 'Dr. Ada Lovett-Harrington'],
            [1, second],
          ]),
        }),
      )
    expect(named('Benjamin Okafor')).toMatch(/\nAda: .+\n[^]*\nBenjamin: /)
    expect(named('Benjamin Okafor')).not.toContain('Lovett')
    expect(named('Ada Okafor')).toContain('Dr. Ada Lovett-Harrington:')
  })

  test('never leaves a word out, and says where speech stays too fast', () => {
    const turns = [said(Array.from({ length: 12 }, () => fast).join(' '), { letterMs: 25 })]
    const mended = mendCues(turns)
    expect(textOf(mended)).toBe(turns[0]!.text)
    expect(rulesBroken(mended).length).toBeGreaterThan(3)
    expect(rulesBroken(mended)).not.toContain('astray')
  })

  const aTurn = fc
    .record({
      pauseMs: fc.nat(1500),
      speaker: fc.nat(2),
      letterMs: fc.integer({ min: 20, max: 200 }),
      text: fc
        .array(fc.stringMatching(/^[a-z]{1,12}[.,]?$/), { minLength: 1, maxLength: 30 })
        .map((words) => words.join(' ')),
    })
    .map(({ pauseMs, ...rest }) => ({ pauseMs, ...rest }))

  test.each(['netflix', 'bbc', 'plain'] as const)('by %s keeps what it can promise', (name) => {
    const profile = captionProfiles[name]
    fc.assert(
      fc.property(fc.array(aTurn, { minLength: 1, maxLength: 6 }), fc.boolean(), (made, named) => {
        let fromMs = 0
        const turns = made.map(({ pauseMs, text, ...how }) => {
          const turn = said(text, { ...how, fromMs: fromMs + pauseMs })
          fromMs = turn.endMs
          return turn
        })
        const options = { profile, hasNames: named }
        const mended = mendCues(turns, options)
        expect(textOf(mended)).toBe(turns.map(({ text }) => text).join(' '))
        const broken = rulesBroken(mended, profile)
        for (const rule of ['line_too_long', 'too_many_lines', 'overlap', 'astray'])
          expect(broken).not.toContain(rule)
        expect(broken.length).toBeLessThanOrEqual(
          rulesBroken(buildCues(turns, options), profile).length,
        )
      }),
      { numRuns: 40 },
    )
  })
})

test('each rule that a caption breaks is named, with what it is and what it may be', () => {
  const cue = (startMs: number, endMs: number, ...lines: string[]): Cue => ({
    startMs,
    endMs,
    lines,
    speaker: 0,
    name: null,
    label: null,
    words: [{ text: 'x', startMs, endMs, confidence: null }],
  })
  const broken = checkCues(
    [
      cue(0, 500, 'Too short.'),
      cue(700, 1700, 'This line is longer than forty-two letters are.', 'One', 'Two'),
      cue(1600, 9000, 'Too long.'),
      {
        ...cue(10_400, 11_500, 'Late.'),
        words: [{ text: 'x', startMs: 9000, endMs: 9100, confidence: 1 }],
      },
    ],
    captionProfiles.netflix,
  )
  expect(broken.map(({ cue: at, rule, is, limit }) => [at, rule, is, limit])).toEqual([
    [1, 'too_short', 500, 834],
    [1, 'gap_too_short', 200, 500],
    [2, 'line_too_long', 47, 42],
    [2, 'too_many_lines', 3, 2],
    [2, 'too_fast', 1000, 2750],
    [2, 'overlap', 100, 0],
    [3, 'too_long', 7400, 7000],
    [4, 'astray', 1400, 1000],
  ])
})

test('a caption that misses a rule by a tenth of a second is not named, and by more it is', () => {
  const checked = (missedMs: number) => {
    const at = (startMs: number, lengthMs: number, text = 'x', saidMs = startMs): Cue => ({
      startMs,
      endMs: startMs + lengthMs,
      lines: [text],
      speaker: 0,
      name: null,
      label: null,
      words: [{ text, startMs: saidMs, endMs: saidMs, confidence: null }],
    })
    const cues = [
      at(0, 834 - missedMs),
      at(2_000, 7_000 + missedMs),
      // Forty letters are read in two seconds.
      at(10_000, 2_000 - missedMs, 'a'.repeat(40)),
      at(12_500 - 2 * missedMs, 1_000),
      at(15_000, 1_000, 'x', 14_000 - missedMs),
    ]
    const options = { forgivenMs: 100 }
    return checkCues(cues, captionProfiles.netflix, options).map(({ rule }) => rule)
  }
  expect(checked(0)).toEqual([])
  expect(checked(100)).toEqual([])
  expect(checked(101)).toEqual(['too_short', 'too_long', 'too_fast', 'gap_too_short', 'astray'])
})
