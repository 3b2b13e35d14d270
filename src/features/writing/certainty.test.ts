import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { summaryLanguageCodes } from '#shared/business.ts'

import type { WritingTurn } from './contract.ts'
import { sayDoubt, phraseLanguages } from './phrases.ts'
import { extract, gather } from './extractive.ts'
import { fillIn } from './templates.ts'

/** One line per turn, as a recogniser gives it: `A: words it was (not) sure of`. */
function heard(script: string): WritingTurn[] {
  let at = 0
  return script
    .trim()
    .split('\n')
    .map((line) => {
      const [, speaker = '', said = ''] = /^(\w): (.*)$/u.exec(line) ?? []
      const startMs = at
      const words = said.split(' ').map((word) => {
        const spoken = {
          startMs: at,
          endMs: at + 280,
          confidence: word.startsWith('(') ? 0.3 : 0.9,
        }
        at += 300
        return { ...spoken, text: word.replace(/[()]/g, '') }
      })
      const turn = { speaker: `Speaker ${speaker}`, startMs, endMs: at, words }
      at += 400
      return { ...turn, text: words.map(({ text }) => text).join(' ') }
    })
}

const clear = `
A: The harbour bridge will be closed for repairs until October.
B: The ferry runs every ten minutes while the bridge is closed.
A: The repairs cost four million and the city pays half of them.
B: The ferry company needs a second pilot before the summer.
A: We decided to open the old quay for the ferry on Monday.`

/** With it there is enough to have topics. */
const more = `
B: The ferry company wants the old quay for the ferry until the bridge is open again.
A: In a storm no ferry goes, and everybody waits at the bridge until the evening.
B: The bridge has a new roof, and the ferry gets one after the summer.`

const points = (turns: readonly WritingTurn[]) =>
  extract({ turns, language: 'en' }).keyPoints.map(({ text }) => text)

describe('words that the recogniser was not sure of', () => {
  test('is never a key point, however important it sounds', () => {
    const said = points(
      heard(
        `${clear}\nB: We decided (that) (the) bride (wheel) must (be) clothes (four) (repairs) before Monday.`,
      ),
    )
    expect(said.length).toBeGreaterThanOrEqual(2)
    expect(said.join(' ')).not.toMatch(/bride|clothes/)
  })

  test('is neither summarised nor a topic', () => {
    const { keyPoints, topics } = extract({
      turns: heard(
        `${clear}\n${more}\nA: (The) (polar) (bear) (damage) needs (a) decision.\nB: (Polar) (bear) (again).`,
      ),
      language: 'en',
    })
    const said = keyPoints.map(({ text }) => text).join(' ')
    expect(said).toContain('bridge')
    expect(said).not.toMatch(/polar/i)
    expect(topics).toEqual(expect.arrayContaining(['Ferry', 'Bridge']))
    expect(topics.join(' ')).not.toMatch(/polar|bear/i)
  })

  test('spoils a sentence by two words in a row, not by one', () => {
    const one = `${clear}\nA: The (new) lighthouse must be painted before the winter storms.`
    const two = `${clear}\nA: The (new) (lighthouse) must be painted before the winter storms.`
    const painted = 'The new lighthouse must be painted before the winter storms.'
    const said = (script: string) =>
      gather({ turns: heard(script), language: 'en' }).said.map(({ text }) => text)
    expect(said(one)).toContain(painted)
    expect(said(two)).not.toContain(painted)
  })

  test('makes the other sentences of the same voice doubtful, not those of a clear one', () => {
    const unclear = `
C: (Aunt) (sheila) was (originally) in (the) charity (often) (they) get (the) now.
C: (So) (if) they (object) to (the) targets (we) had (them) (on) our (best) (guess).
C: The crocodile must be moved before the morning.`
    const said = points(heard(clear + unclear)).join(' ')
    expect(said).toContain('ferry')
    expect(said).not.toMatch(/crocodile|charity|targets/)
  })

  test('is said of nothing when the recogniser gives no confidences', () => {
    const turns = heard(clear).map(({ speaker, startMs, endMs, text }) => ({
      speaker,
      startMs,
      endMs,
      text,
    }))
    expect(extract({ turns, language: 'en' })).toMatchObject({ doubt: null, guessed: 0 })
  })
})

describe('a recording of guesses', () => {
  const turns = heard(`
A: (Hello) hello (all) (allied) (the) value (they) (are) admitted (that) it (is) (for) the tip.
A: (Polar) bear (damage) (their) friends (that) (play) (you) know (they) are (a) (key) down here so.
B: (And) back (then) (we) (were) from (the) harbour.`)
  const { text, keyPoints, topics, doubt } = extract({ turns, language: 'en' })

  test('has no summary, no key points and no topics, but facts that are certain', () => {
    expect({ text, keyPoints, topics }).toEqual({ text: '', keyPoints: [], topics: [] })
    expect(doubt).toEqual({ spokenMs: 39 * 300, speakers: 2, mostBy: 'Speaker A', words: 39 })
  })

  test('says them plainly', () => {
    expect(sayDoubt(doubt!, 'en')).toBe(
      'The words of this recording are too uncertain to be summarized. Length of the speech: 0:11. Speakers: 2. Spoke most: Speaker A. Words recognized: about 39. Check the transcript against the recording, or use a better recognizer.',
    )
  })

  const minutes = {
    kind: 'meeting-minutes',
    withImages: false,
    turns,
    language: 'en',
    requestedLanguage: 'en',
    name: 'call.wav',
    recordedOn: '2026-11-20',
    durationMs: 12_000,
  } as const

  test('makes no document', () => {
    expect(fillIn(minutes, gather({ turns, language: 'en' }))).toBeNull()
  })

  test('makes minutes of the few sentences that are sure, which say how few they are', () => {
    const sure = heard(clear.replaceAll('A:', 'C:').replaceAll('B:', 'D:')).slice(0, 2)
    const more = [...turns, ...turns, ...turns, ...sure]
    const { content } = fillIn(
      { ...minutes, turns: more },
      gather({ turns: more, language: 'en' }),
    )!
    expect(content).toContain('The words of this recording are too uncertain to be summarized.')
    expect(content).toContain('The harbour bridge will be closed for repairs until October.')
    expect(content).not.toMatch(/polar|allied/i)
  })

  test('keeps the few sentences that are sure as key points', () => {
    const guesses = turns.map(({ words = [] }) =>
      words.map(({ text: word }) => `(${word})`).join(' '),
    )
    const script = `A: ${guesses.join('\nA: ')}\nA: ${guesses.join('\nA: ')}`
    const mixed = extract({
      turns: heard(`${script}\nB: The ferry runs every ten minutes while the bridge is closed.`),
      language: 'en',
    })
    expect(mixed.text).toBe('')
    expect(mixed.doubt).toMatchObject({ speakers: 2 })
    expect(mixed.keyPoints.map((point) => point.text)).toEqual([
      'The ferry runs every ten minutes while the bridge is closed.',
    ])
  })
})

describe('a doubt is said', () => {
  const doubt = { spokenMs: 754_000, speakers: 3, mostBy: 'Ada', words: 1_234 }
  const codes = summaryLanguageCodes.filter((code) => code !== 'auto')

  test.each(codes)('in %s, with its facts', (code) => {
    expect(phraseLanguages).toContain(code)
    const said = sayDoubt(doubt, code)
    for (const fact of ['12:34', '3', 'Ada', '1200']) expect(said).toContain(fact)
    if (code !== 'en') expect(said).not.toMatch(/recording|speech|words/i)
  })

  test('without naming anybody where nobody clearly spoke most', () => {
    const even = heard('A: (one) (two) (three) (four).\nB: (one) (two) (three) (four).')
    expect(extract({ turns: even, language: 'en' }).doubt).toMatchObject({
      speakers: 2,
      mostBy: null,
    })
    expect(sayDoubt({ ...doubt, mostBy: null }, 'en')).not.toContain('most')
  })
})

test('no key point holds two guesses in a row', () => {
  const vocabulary = heard(clear).flatMap(({ words = [] }) => words.map(({ text }) => text))
  const word = fc.record({
    text: fc.constantFrom(...vocabulary),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const turn = fc.array(word, { minLength: 5, maxLength: 30 }).map((words): WritingTurn => {
    const timed = words.map((one, index) => ({
      ...one,
      startMs: index * 300,
      endMs: index * 300 + 280,
    }))
    const text = words.map((one) => one.text.replace('.', '')).join(' ')
    return { speaker: null, startMs: 0, endMs: words.length * 300, text, words: timed }
  })
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => {
      for (const { quote, turns: sources } of extract({ turns, language: 'en' }).keyPoints) {
        const { text, words = [] } = turns[sources[0]!]!
        const from = text.slice(0, text.indexOf(quote!)).split(' ').length - 1
        const said = words.slice(from, from + quote!.split(' ').length)
        if (text.indexOf(quote!) !== text.lastIndexOf(quote!)) continue
        const inRow = said.some(
          ({ confidence }, index) => confidence! < 0.5 && (said[index - 1]?.confidence ?? 1) < 0.5,
        )
        expect(inRow).toBe(false)
      }
    }),
    { numRuns: 30 },
  )
})

test('words that are sure, but sum up to nothing, are not called uncertain', () => {
  const { text, doubt } = extract({ turns: heard('A: Um uh hmm'), language: 'en' })
  expect([text, doubt]).toEqual(['', null])
})
